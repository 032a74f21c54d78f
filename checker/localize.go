package checker

import (
	"fmt"

	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/esl"
)

// localization is the search about two instances, first in a local scope, then in wider
// ones: a process is kept once a word cannot be made a run for want of it. Each scope keeps
// more than the one before, and in the last nothing is left out. Before all of these comes the least one, if it
// is smaller: most of what is safe is safe there, and only that counts. Then comes the lean one, if that is
// smaller, too: most of what is violated is violated there, and only that counts.
type localization struct {
	check *check
	a, b  esl.Instance
	scope cpds.Scope
	least bool         // scope is the least one, whose words say nothing
	lean  bool         // scope is the lean one, in which that there are no words says nothing
	kept  map[int]bool // processes that stay although they are only joined
	more  map[int]bool // those to be kept from now on
	whole bool         // all are
}

func (c *check) localize(a, b esl.Instance) *localization {
	l := &localization{check: c, a: a, b: b, kept: map[int]bool{}, more: map[int]bool{}}
	if l.scope, l.least = c.model.Least(a, b); !l.least {
		l.scope = c.model.Local(a, b, l.kept)
	}
	return l
}

// counts tells whether an answer with the status says something in the scope.
func (l *localization) counts(s Status) bool {
	switch s {
	case Common:
		return !l.least
	case Empty:
		return !l.lean
	}
	return true
}

// widen goes on to the next scope. There is none if the last one has left nothing open.
func (l *localization) widen() bool {
	switch {
	case l.least:
		l.least = false
		if !l.check.isShortening {
			l.scope, l.lean = l.check.model.Lean(l.a, l.b)
		}
		if !l.lean {
			l.scope = l.check.model.Local(l.a, l.b, l.kept)
		}
		return true
	case l.lean:
		l.lean, l.scope = false, l.check.model.Local(l.a, l.b, l.kept)
		return true
	case l.scope.Whole():
		return false
	case l.whole:
		l.scope = l.check.model.Whole(l.a, l.b)
		return true
	case len(l.more) == 0:
		return false
	}
	for p := range l.more {
		l.kept[p] = true
	}
	clear(l.more)
	l.scope = l.check.model.Local(l.a, l.b, l.kept)
	return true
}

// leaveOpen leaves a question to a wider scope; false if there is none, or no time. The error
// is why a word is no run.
func (l *localization) leaveOpen(err error) bool {
	switch {
	case l.check.ctx.Err() != nil:
		return false
	case l.least || l.lean:
		return true
	case l.scope.Whole():
		return false
	}
	if e, ok := err.(errMissing); ok && !l.kept[int(e)] {
		l.more[int(e)] = true
	} else {
		l.whole = true // also where keeping a process did not bring it in: one of several copies
	}
	return true
}

// errMissing means that a process which was left out could not be done when it was joined.
type errMissing int

func (e errMissing) Error() string { return fmt.Sprintf("process %d could not be done", int(e)) }
