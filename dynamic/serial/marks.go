package serial

import (
	"math/bits"

	"github.com/empire-go/empire-go/dynamic/trace/std"
)

// mark is a place in a trace from which on it can be read again.
type mark struct {
	number int // of the mark, from 1; 0 is the beginning of the trace
	events int // before it
	line   int // of the last one
	offset int64
	live   []liveThread
}

// liveThread is a thread that is in a transaction at a mark.
type liveThread struct {
	name  string
	depth int
	begin begun
}

// begun is where a transaction begins: a line, and its offset in the file.
type begun struct {
	line   int
	offset int64
}

// marks are set at equal distances, and kept the more sparsely the further back they are: about so many as
// density for each doubling of the distance.
type marks struct {
	every int     // events
	begun []begun // by thread
	kept  []mark
	count int
}

const density = 4

// step takes in an event whose line begins at an offset.
func (m *marks) step(c *Checker, s *std.Scanner, e std.Event, offset int64, events int) {
	if t := int(e.Thread); e.Op == std.Begin && c.threads[t].depth == 1 {
		if t >= len(m.begun) {
			m.begun = append(m.begun, make([]begun, t+1-len(m.begun))...)
		}
		m.begun[t] = begun{e.Line, offset}
	}
	if events%m.every == 0 {
		m.set(c, s, e, events)
	}
}

func (m *marks) set(c *Checker, s *std.Scanner, e std.Event, events int) {
	m.count++
	kept := m.kept[:0]
	for _, old := range m.kept {
		if spacing := 1 << max(0, bits.Len(uint((m.count-old.number)/density))-1); old.number%spacing == 0 {
			kept = append(kept, old)
		}
	}
	clear(m.kept[len(kept):])
	at := mark{number: m.count, events: events, line: e.Line, offset: s.Offset()}
	for t := range c.threads {
		if depth := c.threads[t].depth; depth > 0 {
			at.live = append(at.live, liveThread{s.Threads.Name(uint32(t)), depth, m.begun[t]})
		}
	}
	m.kept = append(kept, at)
}

// windows are marks further and further back, and at last the beginning of the trace.
func (m *marks) windows() []mark {
	if m == nil {
		return []mark{{}}
	}
	var all []mark
	distance := 1
	for i := len(m.kept) - 1; i >= 0; i-- {
		if at := m.kept[i]; m.count-at.number+1 >= distance {
			all = append(all, at)
			distance = 2 * (m.count - at.number + 1)
		}
	}
	return append(all, mark{})
}
