package relevance

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/lockset"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Removals returns the accesses by which units take out of maps what they
// have put in.
func (l *Reads) Removals() (all []ssa.Instruction) {
	if l.strict {
		return nil
	}
	r := &reservations{l: l, removals: map[isolate.Location][]ssa.Instruction{}, broken: map[isolate.Location]bool{},
		locks: map[isolate.Location]string{}}
	for _, n := range l.Stars.Near() {
		r.look(n)
	}
	for at, instrs := range r.removals {
		for _, instr := range instrs {
			if !r.broken[at] {
				all = append(all, instr)
			}
		}
	}
	return all
}

// reservations is what is known of the maps that fields hold.
type reservations struct {
	l        *Reads
	removals map[isolate.Location][]ssa.Instruction
	broken   map[isolate.Location]bool   // something else is done to the map, or to the field
	locks    map[isolate.Location]string // that guards it: its path
}

// look looks for what a node does to the maps.
func (r *reservations) look(n *pointsto.Node) {
	var w *mapUse
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			m, key, kind := mapChange(instr)
			if kind == noChange {
				continue
			}
			locations := r.fieldsChanged(n, instr, m)
			if len(locations) == 0 {
				continue
			}
			if w == nil {
				w = &mapUse{l: r.l, node: n, sections: r.l.lockSets.NewSections(n)}
			}
			lock, ok := w.reserves(instr, m, key, kind)
			for _, at := range locations {
				known, isKnown := r.locks[at]
				if !ok || len(locations) > 1 || isKnown && known != lock {
					r.broken[at] = true
				}
				r.locks[at] = lock
				if kind == removes {
					r.removals[at] = append(r.removals[at], instr)
					if load, isLoad := m.(*ssa.UnOp); isLoad && isReadFor(load, instr) {
						r.removals[at] = append(r.removals[at], load)
					}
				}
			}
		}
	}
}

// isReadFor tells whether only the instruction uses what is loaded.
func isReadFor(load *ssa.UnOp, by ssa.Instruction) bool {
	return !slices.ContainsFunc(*load.Referrers(), func(user ssa.Instruction) bool {
		_, isDebug := user.(*ssa.DebugRef)
		return user != by && !isDebug
	})
}

// change is what an instruction does to a map, or to the variable that holds it.
type change int

const (
	noChange change = iota
	inserts
	removes
	replaces // stores something to memory
	other
)

// mapChange returns what an instruction changes: the map, or the address that it stores to.
func mapChange(instr ssa.Instruction) (m, key ssa.Value, kind change) {
	switch v := instr.(type) {
	case *ssa.MapUpdate:
		return v.Map, v.Key, inserts
	case *ssa.Store:
		return v.Addr, nil, replaces
	case ssa.CallInstruction:
		args := v.Common().Args
		if _, isCall := v.(*ssa.Call); isCall && ssaflow.IsBuiltin(v, "delete") {
			return args[0], args[1], removes
		}
		if ssaflow.IsBuiltin(v, "delete") || ssaflow.IsBuiltin(v, "clear") {
			return args[0], nil, other
		}
	}
	return nil, nil, noChange
}

// fieldsChanged returns the fields whose maps may be changed, or which may be stored to by
// others than who makes the object.
func (r *reservations) fieldsChanged(n *pointsto.Node, instr ssa.Instruction, m ssa.Value) []isolate.Location {
	var all []isolate.Location
	_, isStore := instr.(*ssa.Store)
	if isStore && r.l.Unpublished.Is(n, m, instr) {
		return nil
	}
	for _, c := range r.l.Graph.PointsTo(n, m).Cells() {
		locations := r.l.Stars.LocationsAt(c)
		if isStore && len(r.l.Stars.StarsAt(c)) == 0 {
			continue // to what the field leads to, not to the field
		}
		for _, at := range locations {
			if at.Apart = false; !slices.Contains(all, at) {
				all = append(all, at)
			}
		}
	}
	return all
}

// mapUse is how one node uses maps.
type mapUse struct {
	l        *Reads
	node     *pointsto.Node
	sections *lockset.Sections
}

// reserves tells whether the change keeps to the rule, and returns the path of the lock
// that it holds.
func (w *mapUse) reserves(instr ssa.Instruction, m, key ssa.Value, kind change) (lock string, ok bool) {
	field := m
	if kind != replaces {
		load, isLoad := m.(*ssa.UnOp)
		if !isLoad || load.Op != token.MUL {
			return "", false
		}
		field = load.X
	}
	if _, isField := field.(*ssa.FieldAddr); !isField {
		return "", false
	}
	s := w.sections.Around(instr, ssaflow.RootOf(field), true)
	if s == nil {
		return "", false
	}
	switch kind {
	case inserts:
		return s.Lock.Path, w.isDecided(instr, s, func(cond ssa.Value) (bool, bool) { return isAbsent(cond, field, key) })
	case replaces:
		return s.Lock.Path, w.isDecided(instr, s, func(cond ssa.Value) (bool, bool) { return isNilField(cond, field) })
	case removes:
		return s.Lock.Path, w.hasPutIn(instr, field, key, s)
	}
	return "", false
}

// hasPutIn tells whether the activation has put an entry with the key into the map before.
func (w *mapUse) hasPutIn(removal ssa.Instruction, field, key ssa.Value, s *lockset.Section) bool {
	for _, b := range w.node.Func.Blocks {
		for _, instr := range b.Instrs {
			update, ok := instr.(*ssa.MapUpdate)
			if !ok || update.Key != key || !ssaflow.Precedes(update, removal) {
				continue
			}
			load, ok := update.Map.(*ssa.UnOp)
			if !ok || !ssaflow.IsSameField(load.X, field) {
				continue
			}
			if lock, ok := w.reserves(update, update.Map, key, inserts); ok && lock == s.Lock.Path &&
				!w.isRepeated(removal, update) {
				return true
			}
		}
	}
	return false
}

// isRepeated tells whether the removal may be executed again, or another one of the key,
// before an entry is put in again.
func (w *mapUse) isRepeated(removal ssa.Instruction, update *ssa.MapUpdate) bool {
	f := ssaflow.NewFlow(w.l.values.Function(w.node.Func).Function)
	after := ssaflow.Reach(f.At[removal], f.Succs, func(p ssaflow.Place) bool {
		return p == f.At[ssa.Instruction(update)]
	})
	for p, in := range after {
		if _, key, kind := mapChange(f.Instrs[p]); in && kind == removes && key == update.Key {
			return true
		}
	}
	return false
}

// isDecided tells whether the instruction is executed only where a condition that is
// found out in the same critical section is as it should be. found tells whether that is
// what a value says, and whether it says so by being true.
func (w *mapUse) isDecided(instr ssa.Instruction, s *lockset.Section,
	found func(cond ssa.Value) (says, ifTrue bool)) bool {
	for b := instr.Block(); b != nil; b = b.Idom() {
		outer := b.Idom()
		if outer == nil || len(b.Preds) != 1 || b.Preds[0] != outer {
			continue
		}
		branch, ok := outer.Instrs[len(outer.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		says, ifTrue := found(branch.Cond)
		way := 1
		if ifTrue {
			way = 0
		}
		looked := lookOf(branch.Cond)
		if says && outer.Succs[way] == b && looked != nil && s.Inside[looked] && !w.passesBy(s.From, looked, instr) {
			return true
		}
	}
	return false
}

// passesBy tells whether control can go from one instruction to another one without
// passing a third.
func (w *mapUse) passesBy(from, without, to ssa.Instruction) bool {
	f := ssaflow.NewFlow(w.l.values.Function(w.node.Func).Function)
	return ssaflow.Reach(f.At[from], f.Succs, func(p ssaflow.Place) bool { return p == f.At[without] })[f.At[to]]
}

// lookOf returns the instruction that has looked for what a condition is about.
func lookOf(cond ssa.Value) ssa.Instruction {
	for {
		switch v := cond.(type) {
		case *ssa.Lookup:
			return v
		case *ssa.Extract:
			cond = v.Tuple
		case *ssa.BinOp:
			cond = v.X
		case *ssa.UnOp:
			if v.Op == token.MUL {
				return v
			}
			cond = v.X
		default:
			return nil
		}
	}
}

// isAbsent tells whether the condition says that the map in a field has no entry with the
// key, and whether by being true.
func isAbsent(cond, field, key ssa.Value) (says, ifTrue bool) {
	isLookup := func(v ssa.Value) bool {
		lookup, ok := v.(*ssa.Lookup)
		if !ok || lookup.Index != key {
			return false
		}
		load, ok := lookup.X.(*ssa.UnOp)
		return ok && ssaflow.IsSameField(load.X, field)
	}
	switch v := cond.(type) {
	case *ssa.UnOp:
		says, ifTrue = isAbsent(v.X, field, key)
		return says && v.Op == token.NOT, !ifTrue
	case *ssa.Extract: // _, ok := m[key]
		return v.Index == 1 && isLookup(v.Tuple), false
	case *ssa.Lookup: // of a map of booleans that are true
		return false, false
	}
	return isComparedWithNil(cond, isLookup)
}

// isNilField tells whether the condition says that a field is nil, and whether by being true.
func isNilField(cond, field ssa.Value) (says, ifTrue bool) {
	return isComparedWithNil(cond, func(v ssa.Value) bool {
		load, ok := v.(*ssa.UnOp)
		return ok && load.Op == token.MUL && ssaflow.IsSameField(load.X, field)
	})
}

// isComparedWithNil tells whether the condition compares such a value with nil, and
// whether it is true if it is nil.
func isComparedWithNil(cond ssa.Value, is func(ssa.Value) bool) (says, ifTrue bool) {
	comparison := ssaflow.Equality(cond)
	if comparison == nil {
		return false, false
	}
	return ssaflow.IsNil(comparison.Y) && is(comparison.X), comparison.Op == token.EQL
}
