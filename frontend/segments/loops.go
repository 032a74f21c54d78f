package segments

import (
	"encoding/binary"
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
	m := &merger{Program: p, isLoop: isLoop, ways: map[int][]way{}, effects: map[string]int{}}
	merged, alike := map[int][]*Segment{}, map[string]int{}
	for f := range p.Functions {
		if !isLoop[f] {
			continue
		}
		parts := m.absorbed(f)
		key := fmt.Sprint(parts)
		for _, u := range p.Functions[f][0].Stmts {
			key += fmt.Sprint(" ", u.Arg)
		}
		if first, known := alike[key]; known {
			merged[f] = []*Segment{{Stmts: []esl.Stmt{{Op: esl.Call, Arg: first}}, End: Return}}
			continue
		}
		alike[key] = f
		merged[f] = m.merged(f, parts, from)
	}
	for f, segments := range merged {
		p.Functions[f] = segments
	}
}

// merger is what MergeLoops knows of the loop functions.
type merger struct {
	*Program
	isLoop  map[int]bool
	ways    map[int][]way  // by loop function, as far as asked for
	effects map[string]int // numbers what segments do
}

// way is an alternative of a loop function.
type way struct {
	segment *Segment
	effect  int // equal for those that do the same, wherever they are
	callee  int // the loop function that it calls, if it does nothing else, or -1
}

// waysOf returns the alternatives of a loop function, of those that do the same the first.
func (m *merger) waysOf(f int) []way {
	ways, known := m.ways[f]
	if known {
		return ways
	}
	seen := map[int]bool{}
	var key []byte
	for _, s := range m.Functions[f][3:] {
		key = appendEffect(key[:0], s)
		effect, known := m.effects[string(key)]
		if !known {
			effect = len(m.effects)
			m.effects[string(key)] = effect
		}
		if seen[effect] {
			continue
		}
		seen[effect] = true
		w := way{s, effect, calledBy(s)}
		if !m.isLoop[w.callee] {
			w.callee = -1
		}
		ways = append(ways, w)
	}
	m.ways[f] = ways
	return ways
}

// absorbed returns the loop functions whose alternatives become those of f, itself among them, in order.
func (m *merger) absorbed(f int) []int {
	seen, parts := map[int]bool{f: true}, []int{f}
	for i := 0; i < len(parts); i++ {
		for _, w := range m.waysOf(parts[i]) {
			if w.callee >= 0 && !seen[w.callee] && m.coversUnits(f, w.callee) {
				seen[w.callee] = true
				parts = append(parts, w.callee)
			}
		}
	}
	slices.Sort(parts)
	return parts
}

// merged returns a loop function with the alternatives of the parts.
func (m *merger) merged(f int, parts []int, from map[esl.Pos]int) []*Segment {
	var alternatives []*Segment
	known := map[int]bool{}
	for _, g := range parts {
		for _, w := range m.waysOf(g) {
			if known[w.effect] || w.callee >= 0 && m.coversUnits(f, w.callee) {
				continue
			}
			known[w.effect] = true
			alternatives = append(alternatives, w.segment)
			for _, st := range w.segment.Stmts {
				if _, is := from[st.Pos]; !is && st.Pos.File != "" && st.Op != esl.Call {
					from[st.Pos] = g
				}
			}
		}
	}
	return Loop(m.Functions[f][0].Stmts, m.Functions[f][2].Stmts, alternatives)
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

// appendEffect appends what identifies what a segment does, wherever that is.
func appendEffect(key []byte, s *Segment) []byte {
	key = append(key, byte(s.End), byte(len(s.Next)))
	for _, n := range s.Next {
		key = binary.AppendUvarint(key, uint64(n))
	}
	for _, st := range s.Stmts {
		st.Pos = esl.Pos{}
		key = st.AppendIdentity(key)
	}
	return key
}
