package cpds

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/scenarios"
)

// Query is the system of a guess with what is needed to read an answer.
type Query struct {
	Guess  Guess
	System *System // its labels are the numbers of the scenarios

	monitor *monitor
}

// Query builds the system that has a common word just if a pattern of the
// scenarios occurs under the guess, as far as the scope tells; nil if none can for want of
// accesses. The labels of its final configurations are the numbers of the scenarios.
func (m *Model) Query(g Guess, wanted []scenarios.Scenario, scope Scope) *Query {
	targets := m.feasible(g, wanted)
	if len(targets) == 0 {
		return nil
	}
	b := m.newBuilder(m.guessName(g), scope, newUnitWatcher(m, g, targets))
	b.add(b.unitComponent(g.U, g.UnitU()))
	b.add(b.unitComponent(g.V, g.UnitV()))
	mon := m.monitors.of(g, targets, b.events)
	b.add(mon.component)
	return &Query{g, b.system, mon}
}

// System is Query of the whole scope for whom the system is enough.
func (m *Model) System(g Guess, wanted []scenarios.Scenario) *System {
	if q := m.Query(g, wanted, m.Whole(g.U, g.V)); q != nil {
		return q.System
	}
	return nil
}

// guessName describes a guess.
func (m *Model) guessName(g Guess) string {
	name := fmt.Sprintf("%s in %s, %s in %s, %s", m.instanceName(g.U), m.unitName(g.UnitU()),
		m.instanceName(g.V), m.unitName(g.UnitV()), m.Program.LocationName(g.L1))
	if g.L2 >= 0 {
		name += ", " + m.Program.LocationName(g.L2)
	}
	return name
}

// Occurrence returns the pattern that a run of the monitor, the last component,
// has accepted, and for each of its events the index in the word. The word and the
// runs are those of a checker.Answer; the error says that they do not fit.
func (q *Query) Occurrence(word []int, runs [][]int) (scenarios.Pattern, []int, error) {
	c := q.monitor.component
	run := runs[len(runs)-1]
	var matched []int
	state := c.Initial.Stack[0]
	for at, action := range word {
		if _, ok := slices.BinarySearch(c.Alphabet, action); !ok {
			continue
		}
		if len(run) == 0 || run[0] < 0 || run[0] >= len(c.Rules) {
			return scenarios.Pattern{}, nil, fmt.Errorf("the monitor's run does not take action %d of the word", at)
		}
		to := c.Rules[run[0]].Push[0]
		run = run[1:]
		if q.monitor.states[to].node != q.monitor.states[state].node {
			matched = append(matched, at)
		}
		state = to
	}
	n := q.monitor.nodes[q.monitor.states[state].node]
	if len(n.accepts) == 0 {
		return scenarios.Pattern{}, nil, fmt.Errorf(
			"the monitor's run ends in state %s, which accepts nothing", c.Symbols[state])
	}
	return n.accepts[0].pattern, matched, nil
}

// unitWatcher shows a guess's monitor what it must see.
type unitWatcher struct {
	model  *Model
	guess  Guess
	wanted [2][2][3]bool // by unit, kind and location of an event: some pattern has it
}

func newUnitWatcher(m *Model, g Guess, targets []target) *unitWatcher {
	w := &unitWatcher{model: m, guess: g}
	for _, t := range targets {
		for _, e := range t.pattern.Events {
			w.wanted[e.Unit][e.Kind][e.Loc] = true
		}
	}
	return w
}

// unit returns the guessed unit of an instance.
func (w *unitWatcher) unit(in esl.Instance) (of scenarios.Unit, name esl.UnitName, ok bool) {
	switch in {
	case w.guess.U:
		return scenarios.U, w.guess.UnitU(), true
	case w.guess.V:
		return scenarios.V, w.guess.UnitV(), true
	}
	return 0, esl.UnitName{}, false
}

func (w *unitWatcher) watch(in esl.Instance, l label) (shown label, ok bool) {
	of, unit, ok := w.unit(in)
	if !ok {
		return label{}, false
	}
	switch l.op {
	case esl.UnitBegin, esl.UnitEnd:
		return label{op: l.op, unit: unit}, l.unit == unit
	}
	if w.model.Overlooked != nil && w.model.Overlooked(of, l.place) {
		return label{}, false
	}
	reads, writes := w.wants(of, l.arg)
	reads, writes = reads && l.access.Reads(), writes && l.access.Writes()
	if !reads && !writes || !slices.Contains(l.tags, unit) {
		return label{}, false
	}
	shown = label{op: l.op, arg: l.arg, access: esl.Read, tags: []esl.UnitName{unit}}
	switch {
	case reads && writes:
		shown.access = esl.RMW
	case writes:
		shown.access = esl.Write
	}
	if reads {
		shown.key = l.key
	}
	return shown, true
}

// wants tells whether some pattern has a read, or a write, of the location by the
// unit.
func (w *unitWatcher) wants(of scenarios.Unit, location int) (reads, writes bool) {
	for loc := 1; loc <= 2; loc++ {
		if w.guess.location(loc) == location {
			reads = reads || w.wanted[of][scenarios.Read][loc]
			writes = writes || w.wanted[of][scenarios.Write][loc]
		}
	}
	return reads, writes
}

// within: the fork-join exception needs to know that one of the two instances is
// started within the unit of the other, if that can also join it.
func (w *unitWatcher) within(by, started esl.Instance, open []esl.UnitName) (esl.UnitName, bool) {
	_, unit, ok := w.unit(by)
	_, _, guessed := w.unit(started)
	return unit, ok && guessed && slices.Contains(open, unit) && w.model.facts[by.Process].joins[started.Process]
}

// monitor is the finite automaton of a guess. It is nondeterministic: in each
// state it may let everything pass, the next event of a pattern included, so that
// it guesses which steps match. Patterns share their common beginnings.
type monitor struct {
	guess     Guess
	nodes     []node
	states    []monitorState
	ids       map[monitorState]int
	component *Component
}

// node is a beginning of patterns.
type node struct {
	events  []scenarios.Event
	next    map[scenarios.Event]int
	accepts []target // the patterns that are complete
}

// monitorState is what the monitor knows of a run.
type monitorState struct {
	node int
	// gone says of each unit that no more of its events match: the activation that has
	// matched has ended, or the fork-join exception holds for it.
	gone [2]bool
	// skips says of each unit, none of whose events has matched, that the fork-join
	// exception holds for the open activation: only a later one can match.
	skips  [2]bool
	forked [2]bool // the other instance was started within the open activation
}

// newMonitor builds the monitor of a guess; seen are the events that it sees.
func newMonitor(g Guess, targets []target, seen []event) *monitor {
	m := &monitor{guess: g, nodes: []node{{}}, ids: map[monitorState]int{}}
	for _, t := range targets {
		m.insert(t)
	}
	c := newMachine("monitor", Monitor)
	m.component = c.component
	m.state(monitorState{})
	for _, e := range seen {
		c.takesPart(e.action)
	}
	for id := 0; id < len(m.states); id++ {
		s := m.states[id]
		if n := m.nodes[s.node]; len(n.accepts) > 0 {
			label := strconv.Itoa(n.accepts[0].scenario)
			m.component.Final = append(m.component.Final, Final{Stack: []int{id}, Label: label})
		}
		if len(m.nodes[s.node].next) == 0 {
			continue // the word is complete
		}
		for _, e := range seen {
			for _, to := range m.after(s, e) {
				c.rule(id, e.action, m.state(to))
			}
		}
	}
	c.finish()
	return m
}

// insert adds a pattern to the tree of beginnings.
func (m *monitor) insert(t target) {
	at := 0
	for i, e := range t.pattern.Events {
		next, ok := m.nodes[at].next[e]
		if !ok {
			next = len(m.nodes)
			if m.nodes[at].next == nil {
				m.nodes[at].next = map[scenarios.Event]int{}
			}
			m.nodes[at].next[e] = next
			m.nodes = append(m.nodes, node{events: t.pattern.Events[:i+1]})
		}
		at = next
	}
	m.nodes[at].accepts = append(m.nodes[at].accepts, t)
}

// unit returns which of the two units the guess gives to an instance that is U or V.
func (g Guess) unit(in esl.Instance) scenarios.Unit {
	if in == g.U {
		return scenarios.U
	}
	return scenarios.V
}

// seen returns the events that are of interest to the monitor. Joins are if they
// wait for an instance that the same one can start inside its unit.
func (g Guess) seen(events []event) []event {
	var forks [2]bool
	for _, e := range events {
		if e.op == esl.Start && len(e.tags) > 0 {
			forks[g.unit(e.by)] = true
		}
	}
	var seen []event
	for _, e := range events {
		sees := false
		switch e.op {
		case esl.Access, esl.UnitEnd:
			sees = true
		case esl.Start:
			sees = len(e.tags) > 0
		case esl.Join:
			sees = forks[scenarios.U] && e.by == g.U && e.arg == g.V.Process ||
				forks[scenarios.V] && e.by == g.V && e.arg == g.U.Process
		}
		if sees {
			seen = append(seen, e)
		}
	}
	return seen
}

// after returns the states in which an event can leave the monitor; none if no
// pattern can be completed then, other than by a run of the monitor that has
// matched less.
func (m *monitor) after(s monitorState, e event) []monitorState {
	of := m.guess.unit(e.by)
	t := s
	switch e.op {
	case esl.Access:
		return m.afterAccess(s, e, of)
	case esl.UnitEnd:
		t.forked[of], t.skips[of] = false, false
		t.gone[of] = t.gone[of] || m.hasMatched(s, of)
	case esl.Start:
		t.forked[of] = true
	case esl.Join:
		switch {
		case !t.forked[of] || !m.hasMatched(s, 1-of):
		case m.hasMatched(s, of):
			t.gone[of] = true
		default:
			t.skips[of] = true
		}
	}
	return m.alive(nil, t)
}

// afterAccess returns the state itself and those in which the access has matched;
// only the latter for a read that must match.
func (m *monitor) afterAccess(s monitorState, e event, of scenarios.Unit) []monitorState {
	var states []monitorState
	if e.key != matched {
		states = append(states, s)
	}
	for loc := 1; loc <= 2; loc++ {
		for _, kind := range []scenarios.Kind{scenarios.Read, scenarios.Write} {
			next, ok := m.nodes[s.node].next[scenarios.Event{Unit: of, Kind: kind, Loc: loc}]
			if !ok || s.gone[of] || s.skips[of] || m.guess.location(loc) != e.arg || !matches(e.access, kind) {
				continue
			}
			t := s
			t.node = next
			states = m.alive(states, t)
		}
	}
	return states
}

// alive appends the state unless no pattern can be completed from it. It forgets
// what no longer makes a difference.
func (m *monitor) alive(states []monitorState, s monitorState) []monitorState {
	if !m.open(s.node, s.gone) {
		return states
	}
	for _, of := range []scenarios.Unit{scenarios.U, scenarios.V} {
		with := s.gone
		with[of] = false
		s.gone[of] = s.gone[of] && m.expects(s.node, with, of)
	}
	for _, of := range []scenarios.Unit{scenarios.U, scenarios.V} {
		if !m.expects(s.node, s.gone, of) {
			s.forked[of], s.skips[of] = false, false
		}
	}
	return append(states, s)
}

// open tells whether a pattern can be completed without events of the units that
// are gone.
func (m *monitor) open(n int, gone [2]bool) bool {
	if len(m.nodes[n].accepts) > 0 {
		return true
	}
	for e, next := range m.nodes[n].next {
		if !gone[e.Unit] && m.open(next, gone) {
			return true
		}
	}
	return false
}

// expects tells whether an event of the unit is part of a way to complete a
// pattern.
func (m *monitor) expects(n int, gone [2]bool, of scenarios.Unit) bool {
	for e, next := range m.nodes[n].next {
		if !gone[e.Unit] && m.open(next, gone) && (e.Unit == of || m.expects(next, gone, of)) {
			return true
		}
	}
	return false
}

// hasMatched tells whether an event of the unit has matched.
func (m *monitor) hasMatched(s monitorState, of scenarios.Unit) bool {
	return slices.ContainsFunc(m.nodes[s.node].events, func(e scenarios.Event) bool { return e.Unit == of })
}

// state returns the symbol of a state.
func (m *monitor) state(s monitorState) int {
	id, ok := m.ids[s]
	if !ok {
		id = len(m.states)
		m.ids[s] = id
		m.states = append(m.states, s)
		m.component.Symbols = append(m.component.Symbols, m.name(s))
	}
	return id
}

// name returns the name of a state: the events that have matched, as "Ru1.Wv1",
// and what else is known.
func (m *monitor) name(s monitorState) string {
	var parts []string
	for _, e := range m.nodes[s.node].events {
		parts = append(parts, fmt.Sprintf("%v%s%d", e.Kind, [...]string{"u", "v"}[e.Unit], e.Loc))
	}
	name := strings.Join(parts, ".")
	if name == "" {
		name = "start"
	}
	for of, unit := range []string{"/u", "/v"} {
		if s.gone[of] {
			name += unit + "-gone"
		}
		if s.skips[of] {
			name += unit + "-skips"
		}
		if s.forked[of] {
			name += unit + "-forked"
		}
	}
	return name
}
