package atomicity

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// A flag that is set once, and a version that is counted up, tell more than what they hold: a variable
// that is written only together with them is the same as long as they are.

// history is what all writes of a variable that others can reach have in common.
type history struct {
	others   bool           // some write is none of the kind that is followed
	constant constant.Value // that all writes are of; nil: there is none yet
	mixed    bool           // not all writes are of one constant
	strict   bool           // each write gives a value that it never had before
	stamps   map[rune]bool  // fields of the same struct that each write changes strictly besides; nil: no write yet
}

// sticks returns the constant that the variable keeps once it has it.
func (h *history) sticks() (constant.Value, bool) {
	return h.constant, h.constant != nil && !h.mixed && !h.others
}

// noteWrite takes a write into account.
func (p *Program) noteWrite(a access) {
	h := &p.entry(a.class).history
	store, ok := a.at.(*ssa.Store)
	if !ok || a.pointer != store.Addr || p.last(p.place(store.Addr)) != a.class.of {
		h.others = true
		return
	}
	c, ok := store.Val.(*ssa.Const)
	if ok && c.Value != nil && (h.constant == nil || constant.Compare(c.Value, token.EQL, h.constant)) {
		h.constant = c.Value
	} else {
		h.mixed = true
	}
	isFirst := h.stamps == nil
	strict := p.isStrict(store)
	h.strict = strict && (isFirst || h.strict)
	beside := p.changedBeside(store)
	if isFirst {
		h.stamps = beside
		return
	}
	for r := range h.stamps {
		if !beside[r] {
			delete(h.stamps, r)
		}
	}
}

// changedBeside returns the fields that are changed strictly in one critical section with a store.
func (p *Program) changedBeside(store *ssa.Store) map[rune]bool {
	changed := map[rune]bool{}
	field, ok := store.Addr.(*ssa.FieldAddr)
	if !ok {
		return changed
	}
	in := p.sectionsOf(store.Block())
	for _, other := range in.stores[spot{p.place(field.X), in.of[store]}] {
		if other != store && p.isStrict(other) {
			changed[p.last(p.place(other.Addr))] = true
		}
	}
	return changed
}

// sections is the parts of a block in which no lock can be released: what they store into the fields of
// each struct. There are thousands of stores in a block that makes a table.
type sections struct {
	of     map[*ssa.Store]int
	stores map[spot][]*ssa.Store
}

// spot is a struct in a section.
type spot struct {
	structure place
	section   int
}

func (p *Program) sectionsOf(b *ssa.BasicBlock) *sections {
	if p.sections[b] != nil {
		return p.sections[b]
	}
	all := &sections{map[*ssa.Store]int{}, map[spot][]*ssa.Store{}}
	p.sections[b] = all
	section := 0
	for _, instr := range b.Instrs {
		if mayRelease(instr) {
			section++
		}
		if store, ok := instr.(*ssa.Store); ok {
			all.of[store] = section
			if field, ok := store.Addr.(*ssa.FieldAddr); ok {
				at := spot{p.place(field.X), section}
				all.stores[at] = append(all.stores[at], store)
			}
		}
	}
	return all
}

// mayRelease tells whether an instruction may release a lock.
func mayRelease(instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.RunDefers:
		return true
	case *ssa.Call:
		_, isBuiltin := v.Call.Value.(*ssa.Builtin)
		return !isBuiltin && !knowledge.IsPure(v.Common())
	}
	return false
}

// isStrict tells whether a store gives a field a value that it never had: one more than it holds, or a
// constant that it does not hold yet, the only one that is written.
func (p *Program) isStrict(store *ssa.Store) bool {
	b := store.Block()
	if c, ok := store.Val.(*ssa.Const); ok {
		return ssaflow.IsTrue(c) && p.isKnownBefore(store, func(cond ssa.Value, is bool) ssa.Value {
			if is == isEvenlyNegated(cond) {
				return nil
			}
			return ssaflow.Unnegated(cond)
		})
	}
	sum, ok := store.Val.(*ssa.BinOp)
	if !ok || sum.Op != token.ADD || !isWide(sum.Type()) {
		return false
	}
	if n, ok := sum.Y.(*ssa.Const); !ok || n.Value == nil || n.Value.Kind() != constant.Int ||
		constant.Sign(n.Value) <= 0 || constant.Compare(n.Value, token.GTR, constant.MakeInt64(maxOffset)) {
		return false
	}
	if load, ok := sum.X.(*ssa.UnOp); ok && load.Block() == b && p.isLoadOf(load, store.Addr) {
		return p.isUnchanged(b, load, store)
	}
	return p.isKnownBefore(store, func(cond ssa.Value, is bool) ssa.Value {
		eq, ok := cond.(*ssa.BinOp)
		switch {
		case !ok || eq.Op != token.EQL || !is:
			return nil
		case eq.X == sum.X:
			return eq.Y
		case eq.Y == sum.X:
			return eq.X
		}
		return nil
	})
}

// isWide tells whether nobody counts through all values of a type.
func isWide(t types.Type) bool {
	u, ok := t.Underlying().(*types.Basic)
	if !ok {
		return false
	}
	switch u.Kind() {
	case types.Int, types.Int64, types.Uint, types.Uint64, types.Uintptr:
		return true
	}
	return false
}

// isEvenlyNegated tells whether a condition is negated an even number of times.
func isEvenlyNegated(cond ssa.Value) bool {
	even := true
	for cond != ssaflow.Unnegated(cond) {
		not, ok := cond.(*ssa.UnOp)
		if !ok {
			return even
		}
		cond, even = not.X, !even
	}
	return even
}

func (p *Program) isLoadOf(v ssa.Value, address ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	return ok && load.Op == token.MUL && p.place(load.X) == p.place(address)
}

// isKnownBefore tells whether the branch by which alone the block of a store is come to says something
// of a value that was loaded from there in the same critical section, and that nothing has changed since.
func (p *Program) isKnownBefore(store *ssa.Store, says func(cond ssa.Value, is bool) ssa.Value) bool {
	b := store.Block()
	if len(b.Preds) != 1 {
		return false
	}
	from := b.Preds[0]
	branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
	if !ok || from.Succs[0] == from.Succs[1] {
		return false
	}
	load := says(branch.Cond, from.Succs[0] == b)
	if load == nil || !p.isLoadOf(load, store.Addr) {
		return false
	}
	for i := len(from.Instrs) - 1; i >= 0 && !p.mayChange(from.Instrs[i], store); i-- {
		if from.Instrs[i] == load.(ssa.Instruction) {
			return p.isUnchanged(b, b.Instrs[0], store)
		}
	}
	return false
}

// mayChange tells whether an instruction may store what another one does, or release a lock.
func (p *Program) mayChange(instr ssa.Instruction, store *ssa.Store) bool {
	other, ok := instr.(*ssa.Store)
	return mayRelease(instr) || ok && other != store && p.mayOverlap(other, store)
}

// mayOverlap tells whether two stores may be to one variable.
func (p *Program) mayOverlap(x, y *ssa.Store) bool {
	a, b := p.last(p.place(x.Addr)), p.last(p.place(y.Addr))
	return a == b || a == 0 || b == 0 || !isScalar(x.Val.Type()) && !ssaflow.IsPointerLike(x.Val.Type())
}

// isUnchanged tells whether from an instruction of a block up to a store nothing of that is changed.
func (p *Program) isUnchanged(b *ssa.BasicBlock, from ssa.Instruction, store *ssa.Store) bool {
	inside := false
	for _, instr := range b.Instrs {
		if inside = inside || instr == from; !inside {
			continue
		}
		if instr == ssa.Instruction(store) {
			return true
		}
		if p.mayChange(instr, store) {
			return false
		}
	}
	return false
}

// stampOf returns the field beside the variable of a class that says which value it has, as long as one
// lock guards both; 0 if there is none.
func (p *Program) stampOf(c class) rune {
	d := p.of(c)
	if c.contents || d.history.others || d.escapes || !d.isOrdered() {
		return 0
	}
	best := rune(0)
	for s := range d.history.stamps {
		by := p.of(class{of: s})
		if by.history.strict && !by.history.others && !by.escapes && by.isOrdered() && (best == 0 || s < best) {
			best = s
		}
	}
	return best
}

// seen is what a variable held from a time on.
type seen struct {
	since int
	value term
}

// stick notes that a variable which is only ever set to one constant still has it, if it had it before;
// and that it did not have it before, if it does not have it later.
func (r *run) stick(s *state, address, value term, since int) {
	k, ok := r.of(r.classOf(address)).history.sticks()
	if !ok || since < 0 {
		return
	}
	is := r.equal(value, r.constant(k))
	for _, other := range s.seen[address] {
		was := r.equal(other.value, r.constant(k))
		holds, decided := r.close(s.conds, was).value(was)
		switch {
		case decided && holds && other.since < since:
			s.conds = append(s.conds, literal{is, true})
		case decided && !holds && other.since > since:
			s.conds = append(s.conds, literal{is, false})
		}
	}
}

// note remembers what a variable held from a time on.
func (r *run) note(s *state, address, value term, since int) {
	if _, ok := r.of(r.classOf(address)).history.sticks(); !ok || r.moment != nil || since < 0 {
		return
	}
	s.seen = maps.Clone(s.seen)
	if s.seen == nil {
		s.seen = map[term][]seen{}
	}
	s.seen[address] = append(slices.Clone(s.seen[address]), seen{since, value})
}

// stamped returns the value of a variable by that of its stamp, if one lock guards both since a time.
func (r *run) stamped(s *state, address term, held []hold, time, since int) (term, bool) {
	by := r.stampOf(r.classOf(address))
	if by == 0 || since == time || since < 0 {
		return 0, false
	}
	stamp := r.apply("&"+strconv.Itoa(int(by)), r.nodes[address].args[0])
	if r.since(stamp, held, time) != since {
		return 0, false
	}
	value := r.apply("mem "+strconv.Itoa(since), stamp)
	r.stick(s, stamp, value, since)
	return r.apply("stamped", address, value), true
}

// stamp notes, as a lock is released, which values the unit has given to variables together with their
// stamps.
func (r *run) stamp(s *state, h hold) {
	last := map[term]term{}
	several := map[class]term{}
	for _, w := range s.writes {
		if other, ok := several[w.class]; ok && other != w.address {
			return // it is not evident what is where
		}
		several[w.class] = w.address
		if w.time > h.since {
			last[w.address] = w.value
		}
	}
	for _, w := range s.writes {
		by := r.stampOf(w.class)
		if by == 0 || w.time <= h.since || !r.guards(h, w.address, r.of(w.class).writers) {
			continue
		}
		address := r.apply("&"+strconv.Itoa(int(by)), r.nodes[w.address].args[0])
		if value, ok := last[address]; ok && r.guards(h, address, r.of(class{of: by}).writers) {
			is := r.equal(r.apply("stamped", w.address, value), last[w.address])
			s.conds = append(s.conds, literal{is, true})
		}
	}
}
