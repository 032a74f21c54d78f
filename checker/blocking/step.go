package blocking

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// transition is what can happen in a state: a step of one instance, or a meeting of two, and the local steps that
// follow it.
type transition struct {
	to     state
	mover  int
	second int // -1 where one instance moves
	steps  []esl.Step
	group  int // those of one state with the same number differ by what was chosen
}

// machine takes steps of a program.
type machine struct {
	layout
	controls *controls
	instance []esl.Instance
	used     []use // by number

	conflicts map[conflict]future
}

func newMachine(p *esl.Program, depth int) *machine {
	m := &machine{layout: newLayout(p), controls: newControls(p, depth), instance: p.Instances(),
		conflicts: map[conflict]future{}}
	m.used = make([]use, len(m.controls.uses))
	for u, n := range m.controls.uses {
		m.used[n] = u
	}
	return m
}

// initial returns the states in which the program can be when all have taken their first local steps.
func (m *machine) initial() []transition {
	s := make(state, m.size)
	var began []int
	for i, in := range m.instance {
		if m.program.Processes[in.Process].Initial {
			s[i] = int32(m.controls.begin(in.Process))
			began = append(began, i)
		}
	}
	return m.settle(transition{to: s, mover: -1, second: -1}, began...)
}

// settle lets instances take their local steps, in all ways.
func (m *machine) settle(t transition, who ...int) []transition {
	all := []transition{t}
	for _, i := range who {
		var next []transition
		for _, at := range all {
			ways := m.controls.settle(control(at.to[i]))
			for k, w := range ways {
				to := at
				if k < len(ways)-1 {
					to.to = slices.Clone(at.to)
				}
				to.to[i] = int32(w.to)
				to.steps = slices.Clip(at.steps)
				for _, l := range w.steps {
					to.steps = append(to.steps, esl.Step{Instance: m.instance[i], Function: l.function, Index: l.index,
						Target: l.target})
				}
				next = append(next, to)
			}
		}
		all = next
	}
	return all
}

// expansion is what an instance can do in a state.
type expansion struct {
	transitions []transition
	blocked     bool // it is at a statement, and can do nothing
	crash       bool // it can end the program
	groups      int  // of transitions
}

// add adds transitions that differ by what was chosen.
func (e *expansion) add(all []transition) {
	for _, t := range all {
		t.group = e.groups
		e.transitions = append(e.transitions, t)
	}
	e.groups++
}

// expand returns what an instance can do. Meetings are among what the sender can do.
func (m *machine) expand(s state, i int) (e expansion) {
	n := control(s[i])
	stmt, running := m.controls.at(n)
	if !running || s[m.exited] != 0 {
		return e
	}
	if isLocal(stmt) {
		return expansion{transitions: m.arrive(s, i, stmt)}
	}
	couldMeet := false
	m.controls.offers(n, func(index int, stmt esl.Stmt) {
		switch m.status(s, i, stmt) {
		case crashes:
			e.crash = true
			return
		case can:
			e.add(m.take(s, i, index, stmt))
			return
		}
		switch {
		case m.isMeeting(stmt, esl.Send):
			for _, j := range m.partners(s, i, stmt, esl.Receive, m.controls.passes(n)) {
				m.meet(s, i, index, j, stmt, &e)
			}
		case m.isMeeting(stmt, esl.Receive) && s[m.channel(stmt.Arg)+closed] == 0:
			couldMeet = couldMeet || len(m.partners(s, i, stmt, esl.Send, m.controls.passes(n))) > 0
		}
	})
	isIdle := len(e.transitions) == 0 && !e.crash && !couldMeet
	if stmt.Op == esl.SelectDefault {
		if isIdle {
			last := stmt.Targets[len(stmt.Targets)-1]
			chosen := m.controls.statement(int(m.controls.frames[n].function), last)
			switch m.status(s, i, chosen) {
			case can:
				e.add(m.take(s, i, last, chosen))
			case crashes:
				e.crash = true
			case waits:
				e.blocked = true
			}
		}
		return e
	}
	e.blocked = isIdle
	return e
}

// arrive lets an instance come to where others notice that it is.
func (m *machine) arrive(s state, i int, stmt esl.Stmt) (all []transition) {
	for _, next := range m.controls.follow(control(s[i]), stmt) {
		if !m.controls.isNoticed(next.to) {
			continue
		}
		t := transition{to: slices.Clone(s), mover: i, second: -1}
		t.to[i] = int32(next.to)
		for _, l := range next.steps {
			t.steps = append(t.steps, esl.Step{Instance: m.instance[i], Function: l.function, Index: l.index, Target: l.target})
		}
		all = append(all, t)
	}
	return all
}

// isMeeting tells whether the statement is an operation on an unbuffered channel.
func (m *machine) isMeeting(stmt esl.Stmt, op esl.Op) bool {
	return stmt.Op == op && m.program.Channels[stmt.Arg].Capacity == 0
}

// partners returns the instances that are at an operation on a channel, so that instance i can meet them: two that
// pass, as they do not wait, do not meet.
func (m *machine) partners(s state, i int, own esl.Stmt, op esl.Op, passes bool) (all []int) {
	for j := range m.instance {
		if j == i || passes && m.controls.passes(control(s[j])) {
			continue
		}
		m.controls.offers(control(s[j]), func(_ int, stmt esl.Stmt) {
			if stmt.Op == op && stmt.Arg == own.Arg && stmt.Value == own.Value && !slices.Contains(all, j) {
				all = append(all, j)
			}
		})
	}
	return all
}

// advance moves an instance behind a statement.
func (m *machine) advance(s state, i, index int) {
	f := m.controls.frames[s[i]]
	s[i] = int32(m.controls.push(f.below, int(f.function), index+1))
}

func (m *machine) step(s state, i, index int) esl.Step {
	return esl.Step{Instance: m.instance[i], Function: int(m.controls.frames[s[i]].function), Index: index}
}

// take executes a statement that can be executed.
func (m *machine) take(s state, i, index int, stmt esl.Stmt) []transition {
	step := m.step(s, i, index)
	next := slices.Clone(s)
	m.advance(next, i, index)
	if stmt.Op != esl.Start {
		m.change(next, i, stmt)
		return m.settle(transition{to: next, mover: i, second: -1, steps: []esl.Step{step}}, i)
	}
	first, copies := m.copies(stmt.Arg)
	started := 0
	for started < copies && control(s[first+started]) != notStarted {
		started++
	}
	var all []transition
	if copies > 1 || started == copies {
		all = m.settle(transition{to: slices.Clone(next), mover: i, second: -1, steps: []esl.Step{step}}, i)
	}
	if started < copies {
		step.Target = started + 1
		next[first+started] = int32(m.controls.begin(stmt.Arg))
		all = append(all, m.settle(transition{to: next, mover: i, second: -1, steps: []esl.Step{step}}, i, first+started)...)
	}
	return all
}

// meet lets instance i send to instance j.
func (m *machine) meet(s state, i, index, j int, send esl.Stmt, e *expansion) {
	m.controls.offers(control(s[j]), func(other int, stmt esl.Stmt) {
		if stmt.Op != esl.Receive || stmt.Arg != send.Arg || stmt.Value != send.Value {
			return
		}
		next := slices.Clone(s)
		steps := []esl.Step{m.step(s, i, index), m.step(s, j, other)}
		m.advance(next, i, index)
		m.advance(next, j, other)
		e.add(m.settle(transition{to: next, mover: i, second: j, steps: steps}, i, j))
	})
}
