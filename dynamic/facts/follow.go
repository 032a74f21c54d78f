package facts

import (
	"github.com/empire-go/empire-go/esl"
)

// model is a model that is looked at.
type model struct {
	collector *Collector
	program   *esl.Program
	names     Naming
	callers   [][]statement // by function: where it is called
	open      [][]int       // by function and statement: how many units of this activation are open before it
	inUnit    []bool        // by function: some call of it is made in a unit
	inside    []map[string]bool
	hidden    []map[hidden]bool // by function: accesses in it and what it calls that are not in the user's code
	steps     int
}

// statement is a statement of a model.
type statement struct{ function, index int }

func newModel(c *Collector, p *esl.Program, names Naming) *model {
	n := len(p.Functions)
	m := &model{collector: c, program: p, names: names, callers: make([][]statement, n), open: make([][]int, n),
		inUnit: make([]bool, n), inside: make([]map[string]bool, n)}
	for f := range p.Functions {
		m.open[f] = openUnits(p.Functions[f].Body)
		for i, st := range p.Functions[f].Body {
			if st.Op == esl.Call {
				m.callers[st.Arg] = append(m.callers[st.Arg], statement{f, i})
			}
		}
	}
	m.findInUnit()
	m.findHidden()
	m.findInside()
	return m
}

func (m *model) place(st esl.Stmt) place {
	return place{m.names.Set, m.names.field(m.program.Locations[st.Arg].Name), st.Pos.String()}
}

// openUnits returns how many units that an activation has opened are open before each
// statement; they are the same on every path.
func openUnits(body []esl.Stmt) []int {
	open := make([]int, len(body)+1)
	seen := make([]bool, len(body)+1)
	work := []int{0}
	seen[0] = true
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if i == len(body) {
			continue
		}
		after := open[i]
		switch body[i].Op {
		case esl.UnitBegin:
			after++
		case esl.UnitEnd:
			after--
		}
		for _, next := range successors(body, i) {
			if !seen[next] {
				seen[next], open[next] = true, after
				work = append(work, next)
			}
		}
	}
	return open
}

// successors returns the statements that may follow statement i in a body, where calls
// return; the length of the body is its end.
func successors(body []esl.Stmt, i int) []int {
	switch body[i].Op {
	case esl.Goto, esl.Choice:
		return body[i].Targets
	case esl.Return:
		return []int{len(body)}
	}
	return []int{i + 1}
}

// findInUnit finds the functions that are called while a unit is open.
func (m *model) findInUnit() {
	for changed := true; changed; {
		changed = false
		for f, calls := range m.callers {
			for _, c := range calls {
				if !m.inUnit[f] && (m.inUnit[c.function] || m.open[c.function][c.index] > 0) {
					m.inUnit[f], changed = true, true
				}
			}
		}
	}
}

// findInside finds the positions of the accesses in each function and what it calls.
func (m *model) findInside() {
	for f, function := range m.program.Functions {
		m.inside[f] = map[string]bool{}
		for _, st := range function.Body {
			if st.Op == esl.Access || st.Op == esl.Call && st.Pos.InModule() && len(m.hidden[st.Arg]) > 0 {
				m.inside[f][st.Pos.String()] = true
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for f, function := range m.program.Functions {
			for _, st := range function.Body {
				if st.Op != esl.Call {
					continue
				}
				for pos := range m.inside[st.Arg] {
					if !m.inside[f][pos] {
						m.inside[f][pos], changed = true, true
					}
				}
			}
		}
	}
}

// hidden is an access at no position of the user's code: that of the call that leads there stands
// for it.
type hidden struct {
	field  string
	access esl.AccessKind
}

// findHidden finds the hidden accesses of each function.
func (m *model) findHidden() {
	m.hidden = make([]map[hidden]bool, len(m.program.Functions))
	for f, function := range m.program.Functions {
		m.hidden[f] = map[hidden]bool{}
		for _, st := range function.Body {
			if function.Pos.InModule() && st.Pos.File != "" {
				continue // the user's code has accesses and calls of its own, but wrappers have none
			}
			if st.Op == esl.Access && !st.Pos.InModule() {
				m.hidden[f][hidden{m.place(st).field, st.Access}] = true
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for f, function := range m.program.Functions {
			for _, st := range function.Body {
				if st.Op != esl.Call || st.Pos.InModule() || function.Pos.InModule() {
					continue
				}
				for h := range m.hidden[st.Arg] {
					if !m.hidden[f][h] {
						m.hidden[f][h], changed = true, true
					}
				}
			}
		}
	}
}

// addHidden adds the hidden accesses that calls in the user's code lead to.
func (m *model) addHidden() {
	for _, function := range m.program.Functions {
		for _, st := range function.Body {
			if st.Op != esl.Call || !st.Pos.InModule() {
				continue
			}
			for h := range m.hidden[st.Arg] {
				if h.field != "" {
					a := m.collector.at(place{m.names.Set, h.field, st.Pos.String()})
					a.add(h.access)
					a.isRead, a.isUsed = a.isRead || h.access.Reads(), true
				}
			}
		}
	}
}

// follow finds the accesses at which the value of a read may still matter.
func (m *model) follow(a *access, function, index int) {
	key := m.program.Functions[function].Body[index].Key
	type state struct {
		statement
		own bool // in the activation that has made the read: only that can forget it
	}
	seen := map[state]bool{}
	var work []state
	add := func(s state) {
		if !seen[s] {
			seen[s] = true
			work = append(work, s)
		}
	}
	for _, next := range successors(m.program.Functions[function].Body, index) {
		add(state{statement{function, next}, true})
	}
	for len(work) > 0 && m.steps <= maxSteps {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		m.steps++
		body := m.program.Functions[s.function].Body
		if s.index == len(body) {
			for _, c := range m.callers[s.function] {
				if m.inUnit[c.function] || m.open[c.function][c.index] > 0 {
					add(state{statement{c.function, c.index + 1}, false})
				}
			}
			continue
		}
		st := body[s.index]
		switch {
		case st.Op == esl.Access:
			a.until[st.Pos.String()] = true
		case st.Op == esl.Call:
			for pos := range m.inside[st.Arg] {
				a.until[pos] = true
			}
			if len(m.hidden[st.Arg]) > 0 {
				a.until[st.Pos.String()] = true
			}
		case st.Op == esl.Forget && s.own && key != "" && st.Key == key:
			a.isForgotten = true
			continue
		case st.Op == esl.UnitEnd && m.open[s.function][s.index] == 1 && !m.inUnit[s.function]:
			continue
		}
		for _, next := range successors(body, s.index) {
			add(state{statement{s.function, next}, s.own})
		}
	}
}
