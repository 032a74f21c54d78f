package segments

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// Inline puts the bodies of some functions in the place of their calls. It notes by position of a
// statement which of them it was in.
func (p *Program) Inline(isInlined func(f int) bool, from map[esl.Pos]int) {
	done := map[int]bool{}
	for f := range p.Functions {
		p.inlineIn(f, isInlined, from, done)
	}
}

func (p *Program) inlineIn(f int, isInlined func(f int) bool, from map[esl.Pos]int, done map[int]bool) {
	if done[f] {
		return
	}
	done[f] = true
	for i := 0; i < len(p.Functions[f]); i++ {
		seg := p.Functions[f][i]
		at := slices.IndexFunc(seg.Stmts, func(st esl.Stmt) bool { return st.Op == esl.Call && isInlined(st.Arg) })
		if at < 0 {
			continue
		}
		callee := seg.Stmts[at].Arg
		p.inlineIn(callee, isInlined, from, done)
		rest := *seg
		rest.Stmts = seg.Stmts[at+1:]
		body := append(p.Functions[f], &rest)
		behind, entry := len(body)-1, len(body)
		for _, inner := range p.Functions[callee] {
			copied := &Segment{Stmts: slices.Clone(inner.Stmts), End: inner.End}
			for _, st := range inner.Stmts {
				if _, known := from[st.Pos]; st.Pos.File != "" && !known { // in no function that is inlined in turn
					from[st.Pos] = callee
				}
			}
			for _, next := range inner.Next {
				copied.Next = append(copied.Next, entry+next)
			}
			if inner.End == Return {
				copied.End, copied.Next = Jump, []int{behind}
			}
			body = append(body, copied)
		}
		p.Functions[f] = body
		seg.Stmts, seg.End, seg.Next = seg.Stmts[:at:at], Jump, []int{entry}
	}
}
