package atomicity

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// Reduction (Lipton): a stretch of code is atomic if on each path it consists of right movers, then at
// most one step that is none, then left movers. Taking a lock is a right mover and releasing it a left
// mover; an access under the lock that guards the memory is both, as one of memory that nobody else can
// reach, or that does not change any more. One atomic operation is the step between.

// phases is a set of the phases in which the code is.
type phases uint8

const (
	before phases = 1 << iota // right movers go on
	after                     // only left movers may come
)

// notReduced is why a stretch of code is not atomic by reduction.
type notReduced struct {
	at   ssa.Instruction
	what string
}

// reduction follows the code of a unit.
type reduction struct {
	*Program
	known  map[reducedKey]phases
	busy   map[*ssa.Function]bool
	orders map[order]bool  // of locks
	commit ssa.Instruction // the first step that is no right mover
	why    *notReduced
}

type reducedKey struct {
	fn *ssa.Function
	in phases
}

// order is of two locks, by their fields: the second one is taken while the first one is held.
type order struct{ first, second rune }

func (p *Program) newReduction() *reduction {
	return &reduction{Program: p, known: map[reducedKey]phases{}, busy: map[*ssa.Function]bool{}, orders: map[order]bool{}}
}

func (r *reduction) fail(at ssa.Instruction, what string) {
	if r.why == nil {
		r.why = &notReduced{at, what}
	}
}

// function returns the phases in which a call ends that begins in some.
func (r *reduction) function(fn *ssa.Function, in phases, at ssa.Instruction) (out phases) {
	for _, one := range []phases{before, after} {
		if in&one == 0 {
			continue
		}
		key := reducedKey{fn, one}
		known, ok := r.known[key]
		if !ok {
			if r.busy[fn] || len(fn.Blocks) == 0 {
				r.fail(at, "calls "+fn.Name())
				return 0
			}
			r.busy[fn] = true
			known = r.from(fn.Blocks[0], 0, one)
			delete(r.busy, fn)
			r.known[key] = known
		}
		out |= known
	}
	return out
}

// from follows the code from an instruction of a block to the end of the function.
func (r *reduction) from(b *ssa.BasicBlock, index int, in phases) (out phases) {
	if r.why != nil {
		return 0
	}
	fn := b.Parent()
	entered := make([]phases, len(fn.Blocks))
	type part struct {
		b     *ssa.BasicBlock
		index int
		in    phases
	}
	work := []part{{b, index, in}}
	for len(work) > 0 && r.why == nil {
		w := work[len(work)-1]
		work = work[:len(work)-1]
		now := w.in
		for _, instr := range w.b.Instrs[w.index:] {
			if now = r.step(instr, now); r.why != nil {
				return 0
			}
			if _, ok := instr.(*ssa.Return); ok {
				out |= now
			}
		}
		for _, to := range w.b.Succs {
			if now&^entered[to.Index] != 0 {
				entered[to.Index] |= now
				work = append(work, part{to, 0, entered[to.Index]})
			}
		}
	}
	return out
}

// step returns the phases behind an instruction.
func (r *reduction) step(instr ssa.Instruction, in phases) phases {
	switch v := instr.(type) {
	case *ssa.Defer:
		if !r.isDeferredUnlock(v) {
			r.fail(instr, "defers a call")
		}
		return in
	case *ssa.RunDefers:
		for _, b := range instr.Parent().Blocks {
			for _, other := range b.Instrs {
				if deferred, ok := other.(*ssa.Defer); ok {
					if !r.isDeferredUnlock(deferred) {
						r.fail(other, "defers a call")
						return 0
					}
					in = r.commits(instr, after)
				}
			}
		}
		return in
	case *ssa.Call:
		if builtin, ok := v.Call.Value.(*ssa.Builtin); ok && builtin.Name() == "close" {
			return r.point(instr, in)
		}
		if fn := v.Call.StaticCallee(); fn != nil && knowledge.IsAtomic(fn) {
			return r.accessed(instr, in)
		}
		if _, ok := v.Call.Value.(*ssa.Builtin); !ok {
			return r.called(v, in)
		}
	}
	return r.accessed(instr, in)
}

// isDeferredUnlock tells whether nothing is deferred but the release of a lock.
func (r *reduction) isDeferredUnlock(v *ssa.Defer) bool {
	_, op, ok := r.lockOf(v.Common())
	return ok && (op == knowledge.Unlock || op == knowledge.RUnlock)
}

// commits notes where right movers end.
func (r *reduction) commits(at ssa.Instruction, to phases) phases {
	if r.commit == nil {
		r.commit = at
	}
	return to
}

// point is a step that is no mover.
func (r *reduction) point(at ssa.Instruction, in phases) phases {
	if in&after != 0 {
		r.fail(at, "is one step after another that others see")
		return 0
	}
	return r.commits(at, after)
}

// accessed is an instruction that accesses memory itself.
func (r *reduction) accessed(instr ssa.Instruction, in phases) phases {
	all, ok := r.accesses(instr)
	if !ok {
		r.fail(instr, "does what is not followed")
		return 0
	}
	points := 0
	for _, a := range all {
		switch {
		case r.isFresh(a) || r.isLocal(a) || r.isMover(a):
		case a.atomic && a.class.of != 0 && r.of(a.class).isOrdered():
			points++
		default:
			r.fail(instr, "accesses "+r.nameOf(a.class)+" without a lock that guards it everywhere")
			return 0
		}
	}
	switch {
	case points > 1:
		r.fail(instr, "accesses several variables")
		return 0
	case points == 1:
		return r.point(instr, in)
	}
	return in
}

// isLocal tells whether an access is to a variable of the function that stays in it.
func (r *reduction) isLocal(a access) bool {
	v, ok := a.place.root.(*ssa.Alloc)
	return ok && !v.Heap
}

// isMover tells whether nothing that others do to the memory can come right before or after the access.
func (r *reduction) isMover(a access) bool {
	if a.class.of == 0 {
		return false
	}
	if r.isSum(a.class) && r.isAddition(a) {
		return true
	}
	d := r.of(a.class)
	if d.escapes || !d.isOrdered() {
		return false
	}
	if !d.written && !a.writes {
		return true
	}
	guards := d.writers
	if a.writes {
		guards = d.all
	}
	for lock, exclusive := range r.holding.heldAt(a.at) {
		for _, rel := range relate(a.place.path, lock.path, lock.root == a.place.root, r.globalOf(lock.root)) {
			if guards[rel] && (exclusive || !a.writes) {
				return true
			}
		}
	}
	return false
}

// called is a call.
func (r *reduction) called(call *ssa.Call, in phases) (out phases) {
	if p, op, ok := r.lockOf(call.Common()); ok {
		switch op {
		case knowledge.Lock, knowledge.RLock:
			if in&after != 0 {
				r.fail(call, "takes a lock after another was released")
				return 0
			}
			for other := range r.holding.heldAt(call) {
				r.orders[order{r.last(other), r.last(p)}] = true
			}
			return in
		case knowledge.Unlock, knowledge.RUnlock:
			return r.commits(call, after)
		}
		r.fail(call, "tries to take a lock")
		return 0
	}
	if fn := call.Call.StaticCallee(); fn != nil && knowledge.Pauses(fn) || isPure(call.Common()) {
		return in
	}
	known := false
	for _, n := range r.graph.NodesOf(call.Parent()) {
		for _, callee := range r.graph.Callees(n, call) {
			fn := callee.Func
			known = true
			if !r.graph.Analysed(callee) || knowledge.IsSynchronisation(fn) || knowledge.IsOpaque(fn) ||
				len(r.graph.Starts(n, call)) > 0 {
				r.fail(call, "calls "+fn.Name())
				return 0
			}
			out |= r.function(fn, in, call)
		}
	}
	if !known {
		r.fail(call, "calls what is not known")
	}
	return out
}

// isPure tells whether a call computes its results from the values of its arguments.
func isPure(call *ssa.CallCommon) bool {
	fn := call.StaticCallee()
	if fn == nil || !knowledge.IsPure(call) || isRandomOrClock(fn) {
		return false
	}
	for _, arg := range call.Args {
		if !isScalar(arg.Type()) {
			return false
		}
	}
	return true
}

func isRandom(path string) bool {
	return path == "math/rand" || path == "math/rand/v2" || path == "crypto/rand"
}

// nameOf names the memory of a class.
func (n *numbers) nameOf(c class) string {
	switch {
	case c.of <= 0:
		return "memory"
	case c.contents:
		return "what " + n.object(c.of).Name() + " holds"
	}
	return n.object(c.of).Name()
}

// whole tells whether a function is atomic by reduction.
func (p *Program) whole(fn *ssa.Function) (*reduction, bool) {
	r := p.newReduction()
	r.function(fn, before, fn.Blocks[0].Instrs[0])
	return r, r.why == nil
}
