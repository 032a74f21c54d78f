// Package races finds data races that are certain by lock sets alone: two accesses of one field of one object, not both
// of them reads, in functions that clients of a library call whenever they like.
//
// A race of the model may be false, where synchronisation was overlooked. One is found here only if nothing was: on
// every way from the call of the client, or from the begin of the goroutine, to the access all that may be held is
// known, the two hold no lock in common, and nothing on the way waits for anything but a lock. So no order is forced on
// the two, and an execution has them at the same moment, unless the values of branches rule one of the ways out, which
// is not looked at. (Lock sets: Savage et al., Eraser, TOCS 1997; here they are complete or there is no answer.)
//
// One of the two has to hold the object's own lock, as what nobody locks is left to clients by contract; and the other
// one has to be a read, or in a function that knows of locks: what sets an object up is meant to be called before
// others use it. What a function says of locks in its name or documentation is such a contract, too. And a lock has to
// guard the field evidently: what most code does is what is meant (Engler et al., Bugs as deviant behavior, SOSP 2001).
//
//	races       the functions that are called, and the pairs of accesses
//	discipline  whether a lock evidently guards a field
//	walk        the ways through a function: what may be held, and whether it may have waited
//	calls       what calls, locks and go statements do to that
//	accesses    which instructions access a field
//	place       which part of the object a value or an address is
//
// What is not understood ends the way: a call that is not known, memory of which it is not certain which it is. Much is
// not found for that; the model checker is there for the rest.
package races

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Access is an access of a field.
type Access struct {
	Instr    ssa.Instruction
	Calls    []ssa.CallInstruction // that lead to it, the client's function first
	Entry    *ssa.Function         // that a client calls, or that a goroutine begins with
	Started  ssa.Instruction       // the go statement of that goroutine, nil if a client calls Entry
	Field    string                // its path in the object
	Contents bool                  // it is of the map that the field holds, not of the field
	IsWrite  bool
	Locks    []Lock // all that may be held

	taken     map[string]bool // locks that may have been held before
	isAlways  bool            // each call of the entry comes here
	startedBy *ssa.Function   // what a client calls that has started the goroutine
}

// Lock is a lock that may be held: which one, and whether only for reading.
type Lock struct {
	Place  string
	Shared bool
}

// Race is two accesses that nothing orders. The first one is the one that lacks a lock, as far as that can be said.
type Race [2]Access

// Find returns the races on fields of a type between functions that clients call: methods, and the goroutines that
// they, or the makers of an object, start; and how locks are held at accesses of each field. One race is given for each
// field and pair of functions, the simplest first. The work is bounded: functions are walked once for each chain of
// calls.
func Find(t *types.Named, fields []string, methods, makers []*ssa.Function) ([]Race, map[string]Discipline) {
	w := &walker{subject: t.Origin(), fields: fields, effects: map[*ssa.Function]state{}, steps: maxSteps}
	for _, m := range methods {
		if len(m.Params) > 0 && w.isObject(m.Params[0]) {
			w.enter(m, nil, map[ssa.Value]place{m.Params[0]: {}}, w.note)
		}
	}
	for _, m := range makers {
		if made := w.madeIn(m); made != nil {
			w.enter(m, nil, map[ssa.Value]place{made: {}}, func(Access) {}) // it is not shared yet
		}
	}
	w.walkStarted()
	locking := w.disciplines()
	return w.pairs(locking), locking
}

// pairs returns the races among the accesses of fields that a lock evidently guards.
func (w *walker) pairs(locking map[string]Discipline) (all []Race) {
	type key struct {
		field string
		a, b  *ssa.Function
	}
	known := map[key]bool{}
	for i := range w.accesses {
		for j := range w.accesses {
			a, b := &w.accesses[i], &w.accesses[j]
			if !locking[a.Field].IsEvident() || !isRace(a, b) || !isUnlocked(a, b) {
				continue
			}
			k := key{a.Field, a.Instr.Parent(), b.Instr.Parent()}
			if known[k] || known[key{k.field, k.b, k.a}] {
				continue
			}
			known[k] = true
			all = append(all, Race{*a, *b})
		}
	}
	// The simplest first: few locks, few calls.
	slices.SortStableFunc(all, func(x, y Race) int {
		return cmp.Or(len(x[0].Locks)-len(y[0].Locks), len(x[0].Calls)+len(x[1].Calls)-len(y[0].Calls)-len(y[1].Calls))
	})
	return all
}

// isRace tells whether two accesses are of one place, and nothing orders them.
func isRace(a, b *Access) bool {
	if a.Field != b.Field || a.Contents != b.Contents || !a.IsWrite && !b.IsWrite {
		return false
	}
	if a.Started != nil && a.Started == b.Started || isBegin(a, b) || isBegin(b, a) {
		return false // one goroutine, as far as is known, or what comes before it
	}
	if isAfter(a, b) || isAfter(b, a) {
		return false
	}
	for _, l := range a.Locks {
		for _, m := range b.Locks {
			if !areApart(l, m) {
				return false
			}
		}
	}
	return true
}

// isBegin tells whether an access is by what has started the goroutine of the other one, which may do so once.
func isBegin(a, b *Access) bool {
	return b.Started != nil && a.Started == nil && a.Entry == b.startedBy
}

// isAfter tells whether an access may come after the other one in every execution, by a lock that it has let go: as
// where whoever uses a field sets it up before, unless that is done already.
func isAfter(a, b *Access) bool {
	return !b.isAlways && slices.ContainsFunc(b.Locks, func(l Lock) bool {
		return a.taken[l.Place] || a.taken[unknownLock]
	})
}

// areApart tells whether holding the one does not keep others from holding the other.
func areApart(a, b Lock) bool {
	if a.Place == b.Place {
		return a.Shared && b.Shared
	}
	// Two fields of an object, or variables, are two locks; two pointers may be one.
	isKnown := func(l Lock) bool { return l.Place != unknownLock && !strings.Contains(l.Place, pointed) }
	return isKnown(a) && isKnown(b)
}

// isUnlocked tells whether the first access lacks a lock that the second one has.
func isUnlocked(a, b *Access) bool {
	if !slices.ContainsFunc(b.Locks, isOwn) || a.Started == nil && hasContract(a.Entry) {
		return false
	}
	if len(a.Locks) > 0 { // both hold the lock for reading only
		return a.IsWrite
	}
	return !a.IsWrite || a.Started != nil || locks(a.Entry)
}

// hasContract tells whether the function says something of locks or of who may call it at the same time, in its name or
// documentation: its callers may have to hold the lock.
func hasContract(fn *ssa.Function) bool {
	text := fn.Name()
	if decl, ok := fn.Syntax().(*ast.FuncDecl); ok {
		text += " " + decl.Doc.Text()
	}
	return contract.MatchString(text)
}

var contract = regexp.MustCompile(`(?i)(^|[^b])lock|mutex|concurren|goroutine|thread`)

// isOwn tells whether the lock is the object's own, or a variable. With that of another one, as of a pool, the object
// may belong to one client at a time.
func isOwn(l Lock) bool {
	return l.Place != unknownLock && !strings.Contains(strings.TrimSuffix(l.Place, pointed), pointed)
}

// isObject tells whether the value is a pointer to an object of the type.
func (w *walker) isObject(v ssa.Value) bool {
	p, ok := v.Type().Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && named.Origin() == w.subject
}

// madeIn returns where a function makes an object of the type, nil if that is not evident.
func (w *walker) madeIn(fn *ssa.Function) (made ssa.Value) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if a, ok := instr.(*ssa.Alloc); ok && a.Heap && w.isObject(a) {
				if made != nil {
					return nil
				}
				made = a
			}
		}
	}
	return made
}

// locks tells whether the function itself takes a lock.
func locks(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok && isLocking(call.Common()) {
				return true
			}
		}
	}
	return false
}

// Pos returns where the access is.
func (a *Access) Pos() token.Pos { return ssaflow.TokenPos(a.Instr) }
