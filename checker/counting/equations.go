package counting

import (
	"slices"

	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/checker/poststar"
)

// noLetter is where words are divided that are not.
const noLetter int32 = -2

// equations are linear equations over variables that are not negative.
type equations struct {
	program
	labels  *automaton.Labels
	label   int
	divided int32             // words are divided at its first occurrence
	letters map[part]variable // how often a letter occurs in a part of the word
	systems []*system
}

// part is a letter in one of the parts of a word: 0 up to the first occurrence of the
// letter at which it is divided, and 1 behind it.
type part struct {
	letter int32
	after  int
}

// node is a symbol on the stack of a run: read when the run is in the phase begin, and gone
// with all above it when it is in the phase end; or, if it is open, left in the last
// configuration, with all below it untouched. A phase is a part of the word with the control
// or, where that were too many, any control.
type node struct {
	symbol     int32
	begin, end int
	open       bool
}

// step is the application of a rule, or the beginning of a run: it reads one node and
// writes others.
type step struct {
	variable variable
	reads    int32 // node; -1 at the beginning
	writes   []int32
}

// system is the equations of one system while they are made.
type system struct {
	*equations
	pushdown *poststar.Pushdown
	parts    int
	width    int // phases of a part: the number of controls, or 1
	nodes    map[node]int32
	symbols  []row // by node: written as often as read
	controls []row // by control and part: entered as often as left
	counts   []row // by place of a letter in the alphabet, and part: how often it occurs
	steps    []step
	readers  [][]int32 // by node: the steps that read it; see reached
}

// newEquations returns the equations of the systems for words with the label, divided at a
// letter.
func newEquations(systems []*poststar.Pushdown, labels *automaton.Labels, label int, divided int32) *equations {
	e := &equations{labels: labels, label: label, divided: divided, letters: map[part]variable{}}
	for _, p := range systems {
		s := &system{equations: e, pushdown: p, parts: 1, nodes: map[node]int32{}}
		if divided != noLetter {
			s.parts = 2
		}
		s.width = 1
		if p.Controls*s.parts <= maxPhases && len(p.Rules) <= maxDivided {
			s.width = p.Controls
		}
		s.controls, s.counts = make([]row, p.Controls*s.parts), make([]row, len(p.Letters)*s.parts)
		s.begin()
		for i := range p.Rules {
			s.rule(&p.Rules[i])
		}
		s.compare()
		e.systems = append(e.systems, s)
	}
	return e
}

// maxPhases bounds the phases of a system whose controls are told apart.
const maxPhases = 8

// phase returns the phase of a control in a part.
func (s *system) phase(control int32, after int) int {
	return after*s.width + int(control)%s.width
}

// last returns the end of the phases in which the word is in the last part.
func (s *system) last() int { return s.parts * s.width }

// ends tells whether a run can end in a phase, as far as its control is known.
func (s *system) ends(phase int, sets []automaton.Set) bool {
	return s.width == 1 || s.labels.Has(sets[phase%s.width], s.label)
}

// node returns the number of a node.
func (s *system) node(n node) int32 {
	i, ok := s.nodes[n]
	if !ok {
		i = int32(len(s.symbols))
		s.nodes[n] = i
		s.symbols = append(s.symbols, row{})
		if n.open && s.ends(n.begin, s.pushdown.Anywhere) {
			s.symbols[i].add(s.variable(), -1) // the run ends with it on top
		}
	}
	return i
}

// step adds a step with a variable of its own.
func (s *system) step(reads int32, writes ...int32) variable {
	x := s.variable()
	if reads >= 0 {
		s.symbols[reads].add(x, -1)
	}
	for _, n := range writes {
		s.symbols[n].add(x, 1)
	}
	s.steps = append(s.steps, step{x, reads, writes})
	return x
}

func (s *system) control(control int32, after int) *row {
	return &s.controls[int(control)*s.parts+after]
}

// begin adds the first configuration and the last one: in a control with the label, with an
// empty stack, or with any whose top is an open node.
func (s *system) begin() {
	p := s.pushdown
	s.control(int32(p.Initial.Control), 0).constant--
	emptied, open, once := row{}, row{}, row{constant: 1}
	end := func(ways *row, control, after int) {
		last := s.variable()
		s.control(int32(control), after).add(last, -1)
		ways.add(last, -1)
		once.add(last, 1)
	}
	for c := range p.Controls {
		for after := range s.parts {
			if s.labels.Has(p.Anywhere[c], s.label) {
				end(&open, c, after)
			}
			if s.labels.Has(p.Emptied[c], s.label) {
				end(&emptied, c, after)
			}
		}
	}
	s.initial(p.Initial.Stack, s.phase(int32(p.Initial.Control), 0), nil, &emptied, &open)
	s.rows = append(s.rows, once, emptied, open)
}

// initial adds the ways in which the stack can be read from a phase on, what was above it
// having been read.
func (s *system) initial(stack []int, begin int, above []int32, emptied, open *row) {
	if len(stack) == 0 {
		if s.ends(begin, s.pushdown.Emptied) {
			emptied.add(s.step(-1, above...), 1)
		}
		return
	}
	left := s.node(node{symbol: int32(stack[0]), begin: begin, open: true})
	open.add(s.step(-1, append(slices.Clone(above), left)...), 1)
	for end := s.phase(0, begin/s.width); end < s.last(); end++ {
		n := s.node(node{symbol: int32(stack[0]), begin: begin, end: end})
		s.initial(stack[1:], end, append(slices.Clone(above), n), emptied, open)
	}
}

// rule adds the steps of a rule.
func (s *system) rule(r *poststar.Rule) {
	letter, _ := slices.BinarySearch(s.pushdown.Letters, r.Letter)
	for part := range s.parts {
		nextPart := part
		if r.Letter == s.divided {
			nextPart = s.parts - 1
		}
		begin, next := s.phase(r.From, part), s.phase(r.To, nextPart)
		take := func(reads node, writes ...int32) {
			x := s.step(s.node(reads), writes...)
			s.control(r.From, part).add(x, -1)
			s.control(r.To, nextPart).add(x, 1)
			if r.Letter != automaton.Epsilon {
				s.counts[letter*s.parts+part].add(x, 1)
			}
		}
		left := node{symbol: r.Top, begin: begin, open: true}
		if r.Push > 0 {
			take(left, s.node(node{symbol: r.Upper, begin: next, open: true}))
		}
		for end := s.phase(0, nextPart); end < s.last(); end++ {
			whole := node{symbol: r.Top, begin: begin, end: end}
			switch r.Push {
			case 0:
				if end == next {
					take(whole)
				}
			case 1:
				take(whole, s.node(node{symbol: r.Upper, begin: next, end: end}))
			default:
				for middle := s.phase(0, nextPart); middle < s.phase(0, end/s.width)+s.width; middle++ {
					take(whole, s.node(node{symbol: r.Upper, begin: next, end: middle}),
						s.node(node{symbol: r.Lower, begin: middle, end: end}))
				}
				take(left, s.node(node{symbol: r.Upper, begin: next, end: end}),
					s.node(node{symbol: r.Lower, begin: end, open: true}))
			}
		}
	}
}

// compare makes the numbers of letters those of the other systems, and closes the rows.
func (s *system) compare() {
	for i, letter := range s.pushdown.Letters {
		for after := range s.parts {
			at := part{letter, after}
			x, known := s.letters[at]
			if !known {
				x = s.variable()
				s.letters[at] = x
			}
			s.counts[i*s.parts+after].add(x, -1)
		}
	}
	s.rows = slices.Concat(s.rows, s.controls, s.symbols, s.counts)
}
