package blocking

import (
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// settledAt names the locks that a call operates on, if nobody waits for ever for any of them.
func (q *quiet) settledAt(site ssa.CallInstruction) []string {
	if q.c.Settled == nil {
		return nil
	}
	return q.c.Settled.LocksAt(site)
}

// settleAll begins with leaving out all locks for which nobody waits for ever, if less is evaluated. Such a lock is
// nothing that the model has as long as all functions that take it can be left out: in the time that it is held nothing
// is done that anybody could notice, so that nobody can tell whether it excludes anybody, and whoever waits for it goes
// on.
func (q *quiet) settleAll() {
	q.settled = map[string]bool{}
	for _, t := range q.functions {
		for _, name := range t.locks {
			if q.isCoarse {
				q.settled[name] = true
			}
		}
	}
}

// keepSettled keeps the locks of which all users are left out, and tells whether those are fewer: then more is
// evaluated.
func (q *quiet) keepSettled() (isLess bool) {
	n := len(q.settled)
	maps.DeleteFunc(q.settled, func(name string, _ bool) bool {
		return slices.ContainsFunc(q.c.Settled.Users(name), func(fn *ssa.Function) bool { return !q.isLeftOut(fn) })
	})
	return len(q.settled) < n
}

// takesOthers tells whether a function itself operates on a lock that is not left out.
func (q *quiet) takesOthers(t *traits) bool {
	return slices.ContainsFunc(t.locks, func(name string) bool { return !q.settled[name] })
}
