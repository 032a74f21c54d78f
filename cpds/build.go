package cpds

import (
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// builder puts a system together: first the threads, whose rules give the events,
// and then from the events the finite components.
type builder struct {
	model   *Model
	system  *System
	copies  []int // by process: how many are part of the system
	threads []esl.Instance
	watcher watcher
	joined  map[int]bool // processes that are joined in the system
	outside []facts      // of the processes that the environment stands for
	ids     map[eventKey]int
	bare    map[bareKey]int   // the actions of events that nothing more is known about
	met     map[bareKey][]int // see meetings
	names   map[string]bool
	events  []event // by action
	single  [1]int  // see actions
}

// watcher says which of the actions that nobody rendezvouses with are visible for
// a monitor.
type watcher interface {
	// watch returns the label to show for an Access, UnitBegin or UnitEnd; ok is
	// false if it is silent. The label of a read has its key.
	watch(in esl.Instance, l label) (shown label, ok bool)
	// within returns the unit from within which an instance is started, if the monitor
	// must know.
	within(by, started esl.Instance, open []esl.UnitName) (u esl.UnitName, ok bool)
}

// event is what an action means.
type event struct {
	label
	by     esl.Instance
	action int
}

// started returns the instance that a Start starts.
func (e event) started() esl.Instance { return esl.Instance{Process: e.arg, Copy: e.target} }

// concerns tells whether an instance takes part in the event: it does it, receives in
// it, or is started by it.
func (e event) concerns(in esl.Instance) bool {
	return e.by == in || e.with == in || e.op == esl.Start && e.started() == in
}

// eventKey identifies an action.
type eventKey struct {
	by     esl.Instance
	op     esl.Op
	arg    int
	access esl.AccessKind
	key    string
	target int
	unit   esl.UnitName
	with   esl.Instance
	tagged bool
}

// bareKey identifies an action that has nothing but an operand.
type bareKey struct {
	by  esl.Instance
	op  esl.Op
	arg int
}

// newBuilder builds the threads of a system.
func (m *Model) newBuilder(name string, scope Scope, w watcher) *builder {
	bd := &builder{
		model: m, system: &System{Name: name}, copies: scope.copies, watcher: w,
		joined: map[int]bool{}, ids: map[eventKey]int{}, names: map[string]bool{},
		bare: map[bareKey]int{}, met: map[bareKey][]int{},
	}
	for p, n := range bd.copies {
		if n > 0 {
			for q := range m.facts[p].joins {
				bd.joined[q] = true
			}
		}
	}
	for p := range bd.copies {
		for _, c := range scope.instances(p) {
			bd.threads = append(bd.threads, esl.Instance{Process: p, Copy: c})
		}
	}
	bd.leaveOut(scope)
	for _, in := range bd.threads {
		bd.add(bd.thread(in))
	}
	bd.addEnvironment()
	for i, in := range bd.threads {
		bd.await(bd.system.Components[i], in)
	}
	bd.addLocks()
	bd.addFlags()
	bd.addChannels()
	bd.addLives()
	return bd
}

func (b *builder) add(c *Component) {
	b.system.Components = append(b.system.Components, c)
}

// thread returns the component of an instance, still without the actions that
// start it.
func (b *builder) thread(in esl.Instance) *Component {
	m := b.model
	code := m.codes[in.Process]
	c := &Component{Name: b.instance(in), Kind: Thread, Controls: []string{"q"}, Symbols: code.symbols}
	c.Initial.Stack = code.initial
	passed := b.passed(in, code)
	if code.forgets != nil {
		b.addMarked(c, in, code, passed)
		return c
	}
	c.Rules = slices.Grow(c.Rules, len(code.edges))
	for i := range code.edges {
		e := &code.edges[i]
		push, ok := code.pushOf(e, passed)
		if !ok {
			continue
		}
		for _, action := range b.actions(in, *e.label) {
			if action != Tau {
				c.Alphabet = append(c.Alphabet, action)
			}
			c.Rules = append(c.Rules, Rule{Top: e.from, Action: action, Push: push, Origin: m.origin[in] + i})
		}
	}
	return c
}

// await makes an instance that is not initial wait until it is started.
func (b *builder) await(c *Component, in esl.Instance) {
	if !b.model.Program.Processes[in.Process].Initial {
		begin := c.Initial.Stack
		c.Initial.Stack = []int{symbolWait}
		for _, e := range b.events {
			if e.op == esl.Start && e.started() == in {
				c.Alphabet = append(c.Alphabet, e.action)
				c.Rules = append(c.Rules, Rule{Top: symbolWait, Action: e.action, Push: begin, Origin: -1})
			}
		}
	}
	slices.Sort(c.Alphabet)
	c.Alphabet = slices.Compact(c.Alphabet)
}

// actions returns the actions of what an instance does: one as a rule, none if the
// statement cannot be executed in this system, and one for each partner if it is
// part of a rendezvous. They are valid until it is called again.
func (b *builder) actions(in esl.Instance, l label) []int {
	if b.unbuffered(l) {
		return b.meetings(in, l)
	}
	if action, ok := b.action(in, l); ok {
		b.single[0] = action
		return b.single[:]
	}
	return nil
}

// isSilent tells whether nobody takes part in what an instance does, if it can do it in this system at all.
func (b *builder) isSilent(in esl.Instance, l label) bool {
	switch l.op {
	case esl.Access, esl.UnitBegin, esl.UnitEnd:
		_, shown := b.watcher.watch(in, l)
		return !shown
	case esl.Start:
		process, copies := b.model.Program.Processes[l.arg], b.copies[l.arg]
		return process.Initial || copies == 0 || process.Copies > 1 && l.target == 0 || !b.canStart(in, l)
	case esl.Join:
		return b.copies[l.arg] == 0
	case esl.Done:
		return !b.joined[in.Process]
	case esl.LockOp, esl.Unlock, esl.RLock, esl.RUnlock, esl.Set, esl.Await, esl.AwaitUnset,
		esl.Send, esl.Receive, esl.ReceiveClosed, esl.CloseChannel:
		return false
	}
	return true
}

// action returns the action of what an instance does, Tau if nobody takes part in
// it. It is not ok if the statement cannot go that way in this system.
func (b *builder) action(in esl.Instance, l label) (action int, ok bool) {
	if b.isSilent(in, l) {
		return Tau, l.op != esl.Start || b.canStart(in, l)
	}
	switch l.op {
	case esl.Access, esl.UnitBegin, esl.UnitEnd:
		shown, _ := b.watcher.watch(in, l)
		shown.key = ""
		return b.event(in, shown), true
	case esl.Start:
		shown := label{op: l.op, arg: l.arg, target: l.target}
		if unit, ok := b.watcher.within(in, esl.Instance{Process: l.arg, Copy: l.target}, l.tags); ok {
			shown.tags = []esl.UnitName{unit}
		}
		return b.event(in, shown), true
	case esl.Done:
		return b.event(in, label{op: l.op}), true
	}
	return b.bareEvent(in, l), true
}

// canStart tells whether a Start of copy l.target can be executed. See Model.helpers for copies that
// are not part of the system.
func (b *builder) canStart(in esl.Instance, l label) bool {
	process, copies := b.model.Program.Processes[l.arg], b.copies[l.arg]
	switch {
	case process.Initial:
		return l.target == 0
	case process.Copies > 1 && l.target == 0:
		return true
	case process.Copies == 1 && copies == 0:
		return l.target == 1
	}
	return l.target <= copies && (l.arg != in.Process || l.target != in.Copy) // nobody can start itself
}

// bareEvent is event for an operation and its operand; most are of that kind.
func (b *builder) bareEvent(in esl.Instance, l label) int {
	key := bareKey{in, l.op, l.arg}
	id, ok := b.bare[key]
	if !ok {
		id = b.event(in, label{op: l.op, arg: l.arg})
		b.bare[key] = id
	}
	return id
}

// event returns the action for a label of an instance. Labels that are shown have
// no tag or one.
func (b *builder) event(in esl.Instance, l label) int {
	key := eventKey{in, l.op, l.arg, l.access, l.key, l.target, l.unit, l.with, len(l.tags) > 0}
	if id, ok := b.ids[key]; ok {
		return id
	}
	id := len(b.events)
	b.ids[key] = id
	b.events = append(b.events, event{l, in, id})
	name := b.name(in, l)
	for b.names[name] {
		name += "'"
	}
	b.names[name] = true
	b.system.Actions = append(b.system.Actions, name)
	return id
}

// name returns the name of an action, as "g#1.read(w.count)@w:Clear".
func (b *builder) name(in esl.Instance, l label) string {
	p := b.model.Program
	what := l.op.String()
	switch l.op {
	case esl.Access:
		what = fmt.Sprintf("%v(%s", l.access, p.LocationName(l.arg))
		if l.key != "" {
			what += "/" + l.key
		}
		what += ")"
	case esl.UnitBegin:
		what = "begin(" + b.unit(l.unit) + ")"
	case esl.UnitEnd:
		what = "end(" + b.unit(l.unit) + ")"
	case esl.LockOp, esl.Unlock, esl.RLock, esl.RUnlock:
		what += "(" + p.Locks[l.arg].Name + ")"
	case esl.Set, esl.Await, esl.AwaitUnset:
		what += "(" + p.Flags[l.arg].Name + ")"
	case esl.Join:
		what += "(" + p.Processes[l.arg].Name + ")"
	case esl.Start:
		what = "start(" + b.instance(esl.Instance{Process: l.arg, Copy: l.target}) + ")"
		if l.target == 0 {
			what = "pass(" + p.Processes[l.arg].Name + ")"
		}
	case esl.Send, esl.Receive, esl.ReceiveClosed, esl.CloseChannel:
		what += "(" + p.Channels[l.arg].Name + ")"
		if l.meets() {
			what += "+" + b.instance(l.with) + "." + esl.Receive.String()
		}
	}
	for _, t := range l.tags {
		what += "@" + b.unit(t)
	}
	return b.instance(in) + "." + what
}

// instance returns the name of an instance, as "main" or "g#1".
func (b *builder) instance(in esl.Instance) string { return b.model.instanceName(in) }

func (m *Model) instanceName(in esl.Instance) string {
	if in == environment {
		return "environment"
	}
	p := m.Program.Processes[in.Process]
	if p.Copies == 1 {
		return p.Name
	}
	return fmt.Sprintf("%s#%d", p.Name, in.Copy)
}

func (b *builder) unit(u esl.UnitName) string { return b.model.unitName(u) }

func (m *Model) unitName(u esl.UnitName) string {
	return m.Program.Objects[u.Object].Name + ":" + u.Label
}

// newMachine returns a finite component: one control, and a symbol for each state.
// The first state is the initial one.
func newMachine(name string, kind Kind, states ...string) *machine {
	return &machine{&Component{
		Name: name, Kind: kind, Controls: []string{"q"}, Symbols: states,
		Initial: Configuration{Stack: []int{0}},
	}}
}

// machine is a finite component in the making.
type machine struct{ component *Component }

func (m *machine) rule(from, action, to int) {
	m.takesPart(action)
	c := m.component
	c.Rules = append(c.Rules, Rule{Top: from, Action: action, Push: []int{to}, Origin: -1})
}

// takesPart adds an action to the alphabet.
func (m *machine) takesPart(action int) {
	m.component.Alphabet = append(m.component.Alphabet, action)
}

// finish returns the component.
func (m *machine) finish() *Component {
	slices.Sort(m.component.Alphabet)
	m.component.Alphabet = slices.Compact(m.component.Alphabet)
	return m.component
}
