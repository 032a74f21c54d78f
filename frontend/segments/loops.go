package segments

import (
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// A loop function does what its alternatives are, in any order and as often as it likes: its entry
// leads to a segment that chooses between the last one, a return, and the alternatives, which lead
// back. So what a loop function that it calls does is as well an alternative of its own.

// Loop returns a function with the alternatives, after the statements of the entry and before those of
// the end.
func Loop(entry, end []esl.Stmt, alternatives []*Segment) []*Segment {
	choice := &Segment{Next: []int{2}}
	all := []*Segment{{Stmts: entry, Next: []int{1}}, choice, {Stmts: end, End: Return}}
	for _, s := range alternatives {
		choice.Next = append(choice.Next, len(all))
		all = append(all, s)
	}
	return all
}

// MergeLoops makes the alternatives of loop functions that others call their own, but for those that
// begin units which the others do not. Of those that come to the same, one is left, which the others
// call. It notes by position of a statement the function that it was in.
func (p *Program) MergeLoops(isLoop map[int]bool, from map[esl.Pos]int) {
	merged, alike := map[int][]*Segment{}, map[string]int{}
	for f := range p.Functions {
		if !isLoop[f] {
			continue
		}
		parts := p.absorbed(f, isLoop)
		key := fmt.Sprint(parts)
		for _, u := range p.Functions[f][0].Stmts {
			key += fmt.Sprint(" ", u.Arg)
		}
		if first, known := alike[key]; known {
			merged[f] = []*Segment{{Stmts: []esl.Stmt{{Op: esl.Call, Arg: first}}, End: Return}}
			continue
		}
		alike[key] = f
		merged[f] = p.merged(f, parts, isLoop, from)
	}
	for f, segments := range merged {
		p.Functions[f] = segments
	}
}

// absorbed returns the loop functions whose alternatives become those of f, itself among them, in order.
func (p *Program) absorbed(f int, isLoop map[int]bool) []int {
	seen, parts := map[int]bool{f: true}, []int{f}
	for i := 0; i < len(parts); i++ {
		for _, s := range p.Functions[parts[i]][3:] {
			if callee := calledBy(s); isLoop[callee] && !seen[callee] && p.coversUnits(f, callee) {
				seen[callee] = true
				parts = append(parts, callee)
			}
		}
	}
	slices.Sort(parts)
	return parts
}

// merged returns a loop function with the alternatives of the parts.
func (p *Program) merged(f int, parts []int, isLoop map[int]bool, from map[esl.Pos]int) []*Segment {
	var alternatives []*Segment
	known := map[string]bool{}
	for _, g := range parts {
		for _, s := range p.Functions[g][3:] {
			if callee := calledBy(s); isLoop[callee] && p.coversUnits(f, callee) {
				continue
			}
			key := effectOf(s)
			if known[key] {
				continue
			}
			known[key] = true
			alternatives = append(alternatives, s)
			for _, st := range s.Stmts {
				if _, is := from[st.Pos]; !is && st.Pos.File != "" && st.Op != esl.Call {
					from[st.Pos] = g
				}
			}
		}
	}
	return Loop(p.Functions[f][0].Stmts, p.Functions[f][2].Stmts, alternatives)
}

// calledBy returns the function that a segment calls, if it does nothing else, or -1.
func calledBy(s *Segment) int {
	if len(s.Stmts) != 1 || s.Stmts[0].Op != esl.Call || s.End != Jump {
		return -1
	}
	return s.Stmts[0].Arg
}

// coversUnits tells whether a loop function begins all units that another one does: then those of the
// other one are parts of its own.
func (p *Program) coversUnits(f, other int) bool {
	return !slices.ContainsFunc(p.Functions[other][0].Stmts, func(u esl.Stmt) bool {
		return !slices.ContainsFunc(p.Functions[f][0].Stmts, func(own esl.Stmt) bool { return own.Arg == u.Arg })
	})
}

// effectOf identifies what a segment does, wherever that is.
func effectOf(s *Segment) string {
	text := fmt.Sprint(s.End, s.Next)
	for _, st := range s.Stmts {
		st.Pos = esl.Pos{}
		text += fmt.Sprintf("%v;", st)
	}
	return text
}
