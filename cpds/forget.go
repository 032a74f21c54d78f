package cpds

import (
	"slices"
	"strconv"
	"strings"

	"github.com/empire-go/empire-go/esl"
)

// A Forget is about the activation that executes it, of which the monitor knows
// nothing. So it is the thread that guesses which reads match, where it matters: at
// a read that can be forgotten it goes on as one that matches, or as one that does
// not. After the former its activation bears the mark of the key, in the symbols of
// its points, and comes to no Forget of that key.

// matched is the key in the label of a read that must match an event.
const matched = "matched"

// maxMarks is how many marks an activation can bear: no pattern has more reads by one
// unit.
const maxMarks = 2

// forgettable returns for each symbol of the code the keys that its activation may
// still forget, ascending, or nil if there is no Forget.
func (c *code) forgettable() [][]string {
	keys := make([][]string, len(c.symbols))
	before := make([][]int, len(c.symbols)) // the edges into a symbol, within the activation
	var work []int
	add := func(symbol int, key string) {
		if i, ok := slices.BinarySearch(keys[symbol], key); !ok {
			keys[symbol] = slices.Insert(keys[symbol], i, key)
			work = append(work, symbol)
		}
	}
	for i, e := range c.edges {
		if n := len(e.push); n > 0 {
			before[e.push[n-1]] = append(before[e.push[n-1]], i)
		}
		if e.op == esl.Forget {
			add(e.from, e.key)
		}
	}
	if len(work) == 0 {
		return nil
	}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		for _, i := range before[at] {
			for _, key := range keys[at] {
				add(c.edges[i].from, key)
			}
		}
	}
	return keys
}

// markedSymbol is a point of the code in an activation in which reads with the keys
// have matched.
type markedSymbol struct {
	symbol int
	marks  string // that of each key, ascending; at most maxMarks
}

// marker lays out the rules of a thread whose reads may be forgotten.
type marker struct {
	*builder
	in          esl.Instance
	code        *code
	passed      []bool // procedures
	forgettable [][]string
	component   *Component
	symbols     map[markedSymbol]int
	names       map[string]bool // of symbols with marks
	all         []markedSymbol  // those with marks, in the order of their symbols
}

// addMarked adds the rules of the code, from all its points with and without marks.
func (b *builder) addMarked(c *Component, in esl.Instance, code *code, passed []bool) {
	m := &marker{b, in, code, passed, code.forgets, c, map[markedSymbol]int{}, map[string]bool{}, nil}
	c.Symbols, c.Rules = slices.Clip(c.Symbols), slices.Grow(c.Rules, len(code.edges)) // others share the symbols
	for i, e := range code.edges {
		m.edge(i, markedSymbol{e.from, ""})
	}
	for k := 0; k < len(m.all); k++ {
		for _, i := range code.from[m.all[k].symbol] {
			m.edge(i, m.all[k])
		}
	}
}

// edge adds the rules of an edge of the code from a symbol.
func (m *marker) edge(i int, from markedSymbol) {
	e := &m.code.edges[i]
	if _, ok := m.code.pushOf(e, m.passed); !ok {
		return
	}
	marks := from.marks
	switch e.op {
	case esl.Forget:
		if has(marks, e.key) {
			return
		}
	case esl.UnitEnd:
		if _, ends := m.watcher.watch(m.in, *e.label); ends {
			marks = ""
		}
	case esl.Access:
		shown, ok := m.watcher.watch(m.in, *e.label)
		if !ok || !m.canForget(e, shown.key) {
			break
		}
		key := shown.key
		shown.key = matched
		match := shown
		match.access = esl.Read
		if len(m.keys(e.push[0], marks+mark(key))) <= maxMarks {
			m.rule(i, from, m.event(m.in, match), marks+mark(key))
		}
		if shown.access == esl.Read {
			m.rule(i, from, Tau, marks)
		} else {
			shown.access, shown.key = esl.Write, ""
			m.rule(i, from, m.event(m.in, shown), marks)
		}
		return
	}
	for _, action := range m.actions(m.in, *e.label) {
		m.rule(i, from, action, marks)
	}
}

// canForget tells whether a read with the key may be forgotten after the edge.
func (m *marker) canForget(e *edge, key string) bool {
	if key == "" {
		return false
	}
	_, ok := slices.BinarySearch(m.forgettable[e.push[0]], key)
	return ok
}

// rule adds a rule after which the activation has the marks.
func (m *marker) rule(i int, from markedSymbol, action int, marks string) {
	push, _ := m.code.pushOf(&m.code.edges[i], m.passed)
	if action != Tau {
		m.component.Alphabet = append(m.component.Alphabet, action)
	}
	if n := len(push); n > 0 {
		if to := m.symbol(push[n-1], marks); to != push[n-1] {
			push = slices.Clone(push) // others share it
			push[n-1] = to
		}
	}
	m.component.Rules = append(m.component.Rules,
		Rule{Top: m.symbol(from.symbol, from.marks), Action: action, Push: push, Origin: m.model.origin[m.in] + i})
}

// symbol returns the symbol of a point with marks. Those that can make no difference
// any more are dropped.
func (m *marker) symbol(symbol int, marks string) int {
	s := markedSymbol{symbol: symbol}
	keys := m.keys(symbol, marks)
	for _, key := range keys {
		s.marks += mark(key)
	}
	if s.marks == "" {
		return symbol
	}
	id, ok := m.symbols[s]
	if !ok {
		id = len(m.component.Symbols)
		m.symbols[s] = id
		m.all = append(m.all, s)
		name := m.code.symbols[symbol] + "+" + strings.Join(keys, "+")
		for m.names[name] || m.code.names[name] {
			name += "'"
		}
		m.names[name] = true
		m.component.Symbols = append(m.component.Symbols, name)
	}
	return id
}

// keys returns the keys whose marks make a difference at a symbol.
func (m *marker) keys(symbol int, marks string) []string {
	if marks == "" {
		return nil
	}
	var keys []string
	for _, key := range m.forgettable[symbol] {
		if has(marks, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// has tells whether a key is among the marks.
func has(marks, key string) bool { return marks != "" && strings.Contains(marks, mark(key)) }

// mark returns a text for the key that is no part of that for other ones.
func mark(key string) string { return strconv.Quote(key) }
