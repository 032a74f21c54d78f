package blocking

import (
	"go/types"
	"strconv"

	"golang.org/x/tools/go/ssa"
)

// A channel often has room for one value of each element of a list, so that those who send never wait. Where the length
// of the list is not known, short lists are told apart when the channel is made: from there on loops over the list run
// as often. Of longer ones it is not known how many values the channel holds.

// makeChannel makes a channel.
func (l *lowerer) makeChannel(s *state, x *ssa.MakeChan, size value) effect {
	if !isDivided(x, size) {
		return l.makeChannelOf(s, x, size)
	}
	least, most := 0, unbounded
	if b, ok := size.(bounded); ok {
		least, most = max(0, b.low), b.high
	}
	e := effect{branching: guessed, pos: l.position(x)}
	l.guesses[Guess{Pos: e.pos, What: "how long the list is", IsBranch: true}] = true
	l.lists[e.pos] = x.Size.(*ssa.Call).Call.Args[0]
	for n := least; n <= min(maxBound, most); n++ {
		t := s.clone()
		is := bounded{n, n}
		if n == maxBound {
			is.high = most
		}
		t.top().guessed = true
		l.learnBounds(t, x.Size, is)
		e.outcomes = append(e.outcomes, l.makeChannelOf(t, x, l.valueOf(t.top(), x.Size)).outcomes...)
	}
	return e
}

// isDivided tells whether a channel has room for a list of which the length is not known. Of a map it is not known how
// often loops over it run.
func isDivided(x *ssa.MakeChan, size value) bool {
	_, isBounded := size.(bounded)
	if size != nil && !isBounded || !isLength(x.Size) {
		return false
	}
	_, isMap := x.Size.(*ssa.Call).Call.Args[0].Type().Underlying().(*types.Map)
	return !isMap
}

// makeChannelOf makes a channel of a size. Those of different sizes that are made at one place are different ones.
func (l *lowerer) makeChannelOf(s *state, x *ssa.MakeChan, size value) effect {
	capacity := -1
	if n, ok := asInt(size); ok {
		capacity = n
	}
	o := l.makeKind(s, x, nameFor(x), strconv.Itoa(capacity))
	o.element = l.quiet.prints.number(x.Type().Underlying().(*types.Chan).Elem())
	o.capacity = capacity
	return plain(s, x, pointer{o, ""})
}
