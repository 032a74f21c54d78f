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

// node is a symbol on the stack of a run: read when the word is in the part begin, and gone
// with all above it when it is in the part end; or, if it is open, left in the last
// configuration, with all below it untouched.
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
	nodes    map[node]int32
	symbols  []row // by node: written as often as read
	controls []row // by control and part: entered as often as left
	counts   []row // by place of a letter in the alphabet, and part: how often it occurs
	steps    []step
}

// newEquations returns the equations of the systems for words with the label, divided at a
// letter.
func newEquations(systems []*poststar.Pushdown, labels *automaton.Labels, label int, divided int32) *equations {
	e := &equations{divided: divided, letters: map[part]variable{}}
	for _, p := range systems {
		s := &system{equations: e, pushdown: p, parts: 1, nodes: map[node]int32{}}
		if divided != noLetter {
			s.parts = 2
		}
		s.controls, s.counts = make([]row, p.Controls*s.parts), make([]row, len(p.Letters)*s.parts)
		s.begin(labels, label)
		for i := range p.Rules {
			s.rule(&p.Rules[i])
		}
		s.compare()
		e.systems = append(e.systems, s)
	}
	return e
}

// node returns the number of a node.
func (s *system) node(n node) int32 {
	i, ok := s.nodes[n]
	if !ok {
		i = int32(len(s.symbols))
		s.nodes[n] = i
		s.symbols = append(s.symbols, row{})
		if n.open {
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
func (s *system) begin(labels *automaton.Labels, label int) {
	p := s.pushdown
	s.control(int32(p.Initial.Control), 0).constant--
	emptied, open := row{}, row{}
	once := row{constant: 1}
	for c := range p.Controls {
		for after := range s.parts {
			if labels.Has(p.Anywhere[c], label) {
				last := s.variable()
				s.control(int32(c), after).add(last, -1)
				open.add(last, -1)
				once.add(last, 1)
			}
			if labels.Has(p.Emptied[c], label) {
				last := s.variable()
				s.control(int32(c), after).add(last, -1)
				emptied.add(last, -1)
				once.add(last, 1)
			}
		}
	}
	s.initial(p.Initial.Stack, 0, 0, nil, &emptied, &open)
	s.rows = append(s.rows, once, emptied, open)
}

// initial adds the ways in which the stack can be read from a symbol on, all above having
// been read.
func (s *system) initial(stack []int, at, begin int, above []int32, emptied, open *row) {
	if at == len(stack) {
		emptied.add(s.step(-1, above...), 1)
		return
	}
	left := s.node(node{symbol: int32(stack[at]), begin: begin, open: true})
	open.add(s.step(-1, append(above[:at:at], left)...), 1)
	for end := begin; end < s.parts; end++ {
		n := s.node(node{symbol: int32(stack[at]), begin: begin, end: end})
		s.initial(stack, at+1, end, append(above[:at:at], n), emptied, open)
	}
}

// rule adds the steps of a rule.
func (s *system) rule(r *poststar.Rule) {
	letter, _ := slices.BinarySearch(s.pushdown.Letters, r.Letter)
	for begin := range s.parts {
		next := begin
		if r.Letter == s.divided {
			next = s.parts - 1
		}
		take := func(reads node, writes ...int32) {
			x := s.step(s.node(reads), writes...)
			s.control(r.From, begin).add(x, -1)
			s.control(r.To, next).add(x, 1)
			if r.Letter != automaton.Epsilon {
				s.counts[letter*s.parts+begin].add(x, 1)
			}
		}
		left := node{symbol: r.Top, begin: begin, open: true}
		if r.Push > 0 {
			take(left, s.node(node{symbol: r.Upper, begin: next, open: true}))
		}
		for end := next; end < s.parts; end++ {
			whole := node{symbol: r.Top, begin: begin, end: end}
			switch r.Push {
			case 0:
				if end == next {
					take(whole)
				}
			case 1:
				take(whole, s.node(node{symbol: r.Upper, begin: next, end: end}))
			default:
				for middle := next; middle <= end; middle++ {
					take(whole, s.node(node{symbol: r.Upper, begin: next, end: middle}), s.node(node{symbol: r.Lower, begin: middle, end: end}))
				}
				take(left, s.node(node{symbol: r.Upper, begin: next, end: end}), s.node(node{symbol: r.Lower, begin: end, open: true}))
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
