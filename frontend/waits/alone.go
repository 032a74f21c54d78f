package waits

import "golang.org/x/tools/go/ssa"

// Where all that a program waits for is locks, what goes on without one keeps nobody waiting. So neither of these
// matters outside of the sections of locks:
//
//   - a loop that goes round until another goroutine does something: it may make no progress, but waits for nothing;
//   - a call of which nothing is known that it may call, if all of the program's own code that it may be is looked at
//     anyway. Else it calls code of a client, or nil.
const (
	goesRound    = "goes round until another goroutine does something"
	goesForEver  = "goes round for ever"
	callsUnknown = "calls what is not known"
	callsUnseen  = "calls what is not known, as may be code that nothing else calls"
)

// matters tells whether somebody may wait for ever for what a function waits for that holds no lock.
func (e Event) matters() bool {
	switch e.What {
	case "", goesRound, goesForEver, callsUnknown, waitsForLibrary, waitsForOwn:
		return false
	}
	return !isAssumed(e)
}

// mayBeUnseen tells whether a call of which nothing is known may call code of the program that has no node and does
// something that matters.
func (s *settler) mayBeUnseen(site ssa.CallInstruction) bool {
	if s.unseen == nil {
		s.unseen = newUnseen(s)
	}
	return s.unseen.callMatters(site.Common())
}
