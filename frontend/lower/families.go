package lower

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/tag"
)

// The clones of a function that differ only in how they are left, but for a panic, and in what they
// return are a family: what happens before is the same. They are made like the first one, with ends of
// their own. (Keys of reads are those of the first one: a key says nothing outside of an activation.)

// family returns the key of the first one.
func (key cloneKey) family() cloneKey {
	if key.exit != exitPanic {
		key.exit = exitReturn
	}
	key.wanted, key.want = false, tag.Tag{}
	return key
}

// ending is a way to leave a clone.
type ending struct {
	stmts []esl.Stmt // of its segment, before it
	state state
	at    *ssa.Return // nil: all deferred calls have run, and the goroutine ends or a panic goes on
}

// end decides which of the ways to leave a clone are its own.
func (l *lowerer) end(c *clone) {
	out := ^uint(0)
	for _, seg := range c.segments {
		switch e := seg.ending; {
		case e == nil:
		case e.at != nil:
			l.doReturn(c, seg, e.state, e.at, &out)
		default:
			l.leaveForGood(c, seg, e.state, &out)
		}
	}
	c.privateOut, c.built = out, true
	c.dropIdleUnits()
}

// buildLike builds a clone like another one of its family, which calls nothing that was not built then.
func (l *lowerer) buildLike(c, first *clone) {
	c.recovers, c.relevance, c.touched, c.replaced = first.recovers, first.relevance, first.touched, ^uint64(0)
	c.frames, c.units = first.frames, first.frames
	l.statements += len(first.segments)
	for _, seg := range first.segments {
		copied := *seg
		if e := seg.ending; e != nil {
			copied.Stmts, copied.End, copied.Next = slices.Clip(e.stmts), 0, nil
			l.count(1)
		}
		c.segments = append(c.segments, &copied)
	}
	l.end(c)
}
