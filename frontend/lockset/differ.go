package lockset

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// maxLocksHeld bounds how often one lock is followed to be taken, or released, between
// two looks.
const maxLocksHeld = 3

// LocksDiffer tells whether the ways from a read to place q do not take and release the
// same locks in all: then what is held at q shows which way control went.
func LocksDiffer(r *ssaflow.Flow, spins func(ssa.CallInstruction) (knowledge.LockOp, bool), read, q ssaflow.Place,
	inside ssaflow.PlaceSet) bool {
	type lock struct {
		reads   bool
		address any // see addressNumbers
	}
	operations := map[lock]map[ssaflow.Place]int{}
	addresses := mustalias.AddressNumbers{}
	for p, in := range inside {
		call, ok := r.Instrs[p].(*ssa.Call)
		if !in || !ok || call.Call.StaticCallee() == nil {
			continue
		}
		op, ok := knowledge.LockOperation(call.Call.StaticCallee())
		if !ok {
			if op, ok = spins(call); !ok {
				continue
			}
		}
		change := 1
		switch op {
		case knowledge.TryLock, knowledge.TryRLock, knowledge.SwapLock, knowledge.TryUnlock, knowledge.Reset:
			return true
		case knowledge.Unlock, knowledge.RUnlock:
			change = -1
		}
		reads := op == knowledge.RLock || op == knowledge.RUnlock
		on := lock{reads, addresses.Number(lockAddress(call))}
		if operations[on] == nil {
			operations[on] = map[ssaflow.Place]int{}
		}
		operations[on][ssaflow.Place(p)] = change
	}
	for _, changes := range operations {
		if heldAt(r, read, q, inside, changes) != 1 {
			return true
		}
	}
	return false
}

// lockAddress returns the address of the lock that is operated on: that of the variable or
// field that holds a pointer to it, if it is loaded.
func lockAddress(call *ssa.Call) ssa.Value {
	lock := call.Call.Args[0]
	if load, ok := lock.(*ssa.UnOp); ok {
		return load.X
	}
	return lock
}

// heldAt returns how many different numbers of times the lock can be held at q, if it
// is held so often more, or less, after an operation.
func heldAt(r *ssaflow.Flow, read, q ssaflow.Place, inside ssaflow.PlaceSet, changes map[ssaflow.Place]int) int {
	type point struct {
		at   ssaflow.Place
		held int
	}
	seen := map[point]bool{}
	found := map[int]bool{}
	work := []point{{read, 0}}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		for _, next := range r.Succs[p.at] {
			to := point{next, p.held}
			switch {
			case next == q:
				found[p.held] = true
				continue
			case !inside[next]:
				continue
			}
			if to.held += changes[next]; to.held > maxLocksHeld || to.held < -maxLocksHeld {
				return 0
			}
			if !seen[to] {
				seen[to] = true
				work = append(work, to)
			}
		}
	}
	return len(found)
}
