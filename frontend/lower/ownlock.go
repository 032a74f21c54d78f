package lower

import (
	"golang.org/x/tools/go/ssa"
)

// What a field leads to may be objects with a lock each, as a registry of sessions:
//
//	s := r.sessions[id]
//	s.mu.Lock()
//	s.hits++
//	s.mu.Unlock()
//
// Which of them it is is not known, so that their locks are not in the model. But where
// every access to the objects of a site is made with the object's own lock held, nobody
// comes between those of one critical section, and it does not matter where in it they
// are: the model has one access, when the lock has been taken. (One lock for all of them
// would exclude more than they do.)

// beginsOwnSections adds to the outcomes of a call that takes a lock what is accessed in
// the critical section that it begins.
func (l *lowerer) beginsOwnSections(c *clone, outcomes []outcome, at ssa.CallInstruction) []outcome {
	kinds, object := l.lockSets.OwnSection(c.node, at)
	for _, kind := range kinds {
		var next []outcome
		for _, o := range outcomes {
			for _, p := range l.access(c, o.state, object, kind, at) {
				next = append(next, outcome{append(o.stmts[:len(o.stmts):len(o.stmts)], p.stmts...), p.state})
			}
		}
		outcomes = next
	}
	return outcomes
}
