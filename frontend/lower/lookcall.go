package lower

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/segments"
)

// inlineLooks puts the bodies of functions that are called for a look in the place of
// the calls: the activation that forgets what was read there has to have read it.
func (l *lowerer) inlineLooks() {
	l.inlined = map[esl.Pos]string{}
	done := map[*clone]bool{}
	for _, c := range l.order {
		l.inlineLooksIn(c, done)
	}
}

func (l *lowerer) inlineLooksIn(c *clone, done map[*clone]bool) {
	if done[c] {
		return
	}
	done[c] = true
	for i := 0; i < len(c.segments); i++ {
		seg := c.segments[i]
		at := slices.IndexFunc(seg.Stmts, func(st esl.Stmt) bool { return st.Op == esl.Call && l.order[st.Arg].look != "" })
		if at < 0 {
			continue
		}
		callee := l.order[seg.Stmts[at].Arg]
		l.inlineLooksIn(callee, done)
		rest := *seg
		rest.Stmts = seg.Stmts[at+1:]
		c.segments = append(c.segments, &rest)
		behind, entry := len(c.segments)-1, len(c.segments)
		for _, inner := range callee.segments {
			copied := &segment{Segment: segments.Segment{Stmts: slices.Clone(inner.Stmts), End: inner.End}}
			for _, st := range inner.Stmts {
				if st.Pos.File != "" && l.inlined[st.Pos] == "" { // in no function that is inlined in turn
					l.inlined[st.Pos] = callee.goName
				}
			}
			for _, next := range inner.Next {
				copied.Next = append(copied.Next, entry+next)
			}
			if inner.End == segments.Return {
				copied.End, copied.Next = segments.Jump, []int{behind}
			}
			c.segments = append(c.segments, copied)
		}
		seg.Stmts, seg.End, seg.Next = seg.Stmts[:at:at], segments.Jump, []int{entry}
	}
}
