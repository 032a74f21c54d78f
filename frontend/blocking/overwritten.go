package blocking

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A write through an address that is not known may change any memory of its kind: see memory. From then on, in the next
// rounds everywhere, whoever loads memory of that kind loads something unknown, whatever was stored where it is known:
// a weak update, as any points-to analysis has them (Chase, Wegman and Zadeck, PLDI 1990), of all that there is of the
// kind. Nothing is guessed then. Only memory is treated so that leads to no synchronisation and to nothing that may be
// called: what depends on it are branches, of which the model has both ways. Of other memory the model keeps what is
// known, which finds more, and is not complete.

// writesAnywhere is that an instruction writes a value of a type where it is not known which memory that is: some of
// some kinds. Memory that nobody who is evaluated reads and depends on does not matter, but what is stored there may be
// used by others.
func (l *lowerer) writesAnywhere(s *state, at ssa.Instruction, some []memory, t types.Type, v value) {
	switch {
	case !holdsPrimitive(t) && !l.quiet.needed.meets(some):
		if l.mayBeUsed(s, v, t) {
			l.guess(at, "which memory is written")
			l.doubt(s, v)
		}
	case holdsPrimitive(t) || l.quiet.prints.leads(t):
		l.guess(at, "which memory is written")
	default:
		l.escapes(s, v)
		l.known.changed = l.quiet.overwrite(some) || l.known.changed
	}
}

// overwrite notes which memory may hold anything, and tells whether that is more than before.
func (q *quiet) overwrite(some []memory) (isMore bool) {
	for _, m := range some {
		isMore = isMore || !q.overwritten.all[m]
	}
	if isMore {
		q.overwritten.addAll(some)
		q.isForgotten = map[ssa.Instruction]bool{}
	}
	return isMore
}

// storesAnywhere is the effect of a store where it is not known which memory that is.
func (l *lowerer) storesAnywhere(s *state, x *ssa.Store, v value) {
	if isOfSync(x.Addr) {
		l.guess(x, "which memory is written")
		return
	}
	t := x.Val.Type()
	l.writesAnywhere(s, x, l.quiet.prints.within(nil, l.quiet.prints.ownerOf(x.Addr), t), t, v)
}

// changesAnywhere is that something is stored in a slice or a map of which it is not known which one it is, or removed.
func (l *lowerer) changesAnywhere(s *state, at ssa.Instruction, of types.Type, v value) {
	switch t := of.Underlying().(type) {
	case *types.Slice:
		l.writesAnywhere(s, at, l.quiet.prints.within(nil, elements, t.Elem()), t.Elem(), v)
	case *types.Map:
		l.writesAnywhere(s, at, l.quiet.prints.within(nil, entries, t.Elem()), t.Elem(), v)
	}
}
