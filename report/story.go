package report

import (
	"fmt"
	"slices"
	"strings"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/scenarios"
)

// story is a counterexample made ready to be told: who runs where, which steps
// are the events of the pattern, and what they mean. Text and DOT are drawn from
// it.
type story struct {
	query    *empire.QueryResult
	scenario *empire.ScenarioResult
	names    *names
	lanes    []lane
	steps    []storyStep
	// u and u', the one whose event comes first before the other; empty if the events do not tell
	actors  []actor
	columns []int             // the lanes that have a column, those of u and u' first
	files   map[string]string // short names of the files that the steps are in
	// where the objects accessed are allocated, the checked one first; named #1, #2 and so on if
	// several
	objects []string
}

// lane is one goroutine of the counterexample.
type lane struct {
	name      string // "main", "g1" or "g1 (copy 2)"
	startedAt int    // the index of the step that starts it, -1 if none does
	relevant  bool   // it has a column, or starts a goroutine that is relevant
	column    bool
}

// storyStep is a step and where it belongs.
type storyStep struct {
	*empire.Step
	lane  int
	units []string // the open units of the goroutine, outermost first; of unit-begin and unit-end including its own

	shown  bool // it has a row
	number int  // among those shown, from 1
	folded bool // it is part of a unit that is told in the row of its unit-begin
}

// actor is a unit of work that takes part in the violation.
type actor struct {
	lane int
	unit string // its label
	name string // short, and different from the other actor's
}

// newStory works the story of s out of its counterexample. It accepts any result:
// what a counterexample does not tell is left out.
func newStory(q *empire.QueryResult, s *empire.ScenarioResult, n *names) *story {
	st := &story{query: q, scenario: s, names: n}
	st.findLanes()
	st.followUnits()
	st.findActors()
	st.findObjects()
	st.chooseSteps()
	st.files = shortFiles(s.Counterexample)
	return st
}

// findLanes gives each goroutine instance a lane: main first, then in the order
// of their first steps.
func (st *story) findLanes() {
	type key struct {
		goroutine string
		instance  int
	}
	var order []key
	copies := map[string]int{}
	for _, s := range st.scenario.Counterexample {
		if k := (key{s.Goroutine, s.Instance}); !slices.Contains(order, k) {
			order = append(order, k)
			copies[k.goroutine] = max(copies[k.goroutine], k.instance)
		}
	}
	slices.SortStableFunc(order, func(a, b key) int { return rank(a.goroutine, "main") - rank(b.goroutine, "main") })
	for _, k := range order {
		l := lane{name: k.goroutine, startedAt: -1}
		if copies[k.goroutine] > 1 {
			l.name = fmt.Sprintf("%s (copy %d)", k.goroutine, k.instance)
		}
		starts := 0
		for i, s := range st.scenario.Counterexample {
			if s.Action == "start" && s.Target == k.goroutine {
				if starts++; starts == max(k.instance, 1) {
					l.startedAt = i
				}
			}
		}
		st.lanes = append(st.lanes, l)
	}
	for i := range st.scenario.Counterexample {
		s := &st.scenario.Counterexample[i]
		st.steps = append(st.steps, storyStep{Step: s, lane: slices.Index(order, key{s.Goroutine, s.Instance})})
	}
}

// findObjects collects the objects whose fields are accessed.
func (st *story) findObjects() {
	for _, s := range st.steps {
		if s.Location != "" && s.Object != "" && !slices.Contains(st.objects, s.Object) {
			st.objects = append(st.objects, s.Object)
		}
	}
	slices.SortStableFunc(st.objects, func(a, b string) int { return rank(a, st.query.Site) - rank(b, st.query.Site) })
}

// rank is 0 for what comes first and 1 for everything else.
func rank(s, first string) int {
	if s == first {
		return 0
	}
	return 1
}

// followUnits records the open units of each step.
func (st *story) followUnits() {
	open := make([][]string, len(st.lanes))
	for i := range st.steps {
		s := &st.steps[i]
		if s.Action == "unit-begin" {
			open[s.lane] = append(slices.Clone(open[s.lane]), s.Unit)
		}
		s.units = open[s.lane]
		if n := len(open[s.lane]); s.Action == "unit-end" && n > 0 {
			open[s.lane] = open[s.lane][:n-1]
		}
	}
}

// findActors finds the two units from the events. In every numbered pattern the
// first event is u's; in scenario 12 the two units are interchangeable.
func (st *story) findActors() {
	for _, s := range st.events() {
		known := slices.IndexFunc(st.actors, func(a actor) bool { return a.lane == s.lane })
		if known < 0 {
			st.actors = append(st.actors, actor{lane: s.lane, unit: st.unitOf(s)})
		}
	}
	if len(st.actors) != 2 {
		st.actors = nil
		return
	}
	u, v := &st.actors[0], &st.actors[1]
	u.name, v.name = st.names.of(u.unit), st.names.of(v.unit)
	if u.name == v.name {
		u.name, v.name = "the first "+u.name, "the other "+v.name
	}
}

// unitOf returns the unit that an event belongs to.
func (st *story) unitOf(s storyStep) string {
	for _, u := range s.units {
		if slices.Contains(st.scenario.Units, u) {
			return u
		}
	}
	switch next := len(st.actors); {
	case len(s.units) > 0:
		return s.units[0]
	case next < len(st.scenario.Units):
		return st.scenario.Units[next]
	}
	return s.Function
}

// events returns the steps that match the pattern, in the order of its events.
func (st *story) events() []storyStep {
	var events []storyStep
	for _, s := range st.steps {
		if s.Event > 0 {
			events = append(events, s)
		}
	}
	slices.SortStableFunc(events, func(a, b storyStep) int { return a.Event - b.Event })
	return events
}

// actorOf returns the index of the actor whose lane it is, or -1.
func (st *story) actorOf(lane int) int {
	return slices.IndexFunc(st.actors, func(a actor) bool { return a.lane == lane })
}

// entry names the location of a step, with the key of an entry of a map.
func (st *story) entry(s storyStep) string {
	if s.Key == "" || s.Memory != "" {
		return st.location(s)
	}
	step := *s.Step
	step.Location += "[" + s.Key + "]"
	s.Step = &step
	return st.location(s)
}

// location names the location of a step, with its object if there are several, or what
// of the memory that a field leads to is accessed.
func (st *story) location(s storyStep) string {
	field, isPart := strings.CutSuffix(s.Location, empire.PartSuffix)
	switch {
	case s.Memory != "":
		return fmt.Sprintf("%s%s(%s)", field, unbroken, s.Memory)
	case isPart:
		return fieldName(s.Location)
	}
	if i := slices.Index(st.objects, s.Object); i >= 0 && len(st.objects) > 1 {
		return fmt.Sprintf("%s of%s#%d", s.Location, unbroken, i+1)
	}
	return s.Location
}

// action says what a step does.
func (st *story) action(s storyStep) string {
	switch s.Action {
	case "unit-begin":
		if s.folded {
			return "run " + st.names.of(unitName(s))
		}
		return "begin " + st.names.of(unitName(s))
	case "unit-end":
		if st.isOfActor(s) {
			return "end"
		}
		return "end " + st.names.of(unitName(s))
	case "start", "wait":
		return join(verbs[s.Action], s.Target)
	}
	verb, ok := verbs[s.Action]
	if !ok {
		verb = s.Action
	}
	switch {
	case s.Closed:
		return join("find closed", s.Channel)
	case s.Channel != "":
		return join(verb, s.Channel)
	}
	if s.Lock != "" {
		return join(verb, s.Lock)
	}
	return plainSpaces(join(verb, st.entry(s)))
}

// beginOf returns where the unit of an actor begins, "" if nothing tells.
func (st *story) beginOf(a actor) string {
	for _, s := range st.steps {
		if s.lane == a.lane && s.Action == "unit-begin" && s.Unit == a.unit && s.Pos != "-" {
			return s.Pos
		}
	}
	return ""
}

// isOfActor tells whether a step begins or ends the unit that the goroutine's
// column is about.
func (st *story) isOfActor(s storyStep) bool {
	a := st.actorOf(s.lane)
	return a >= 0 && st.actors[a].unit == s.Unit && len(s.units) == 1
}

// unbroken is a space at which no line is broken.
const unbroken = "\u00a0"

// plainSpaces makes unbroken spaces ordinary ones.
func plainSpaces(text string) string { return strings.ReplaceAll(text, unbroken, " ") }

// verbs are the actions in words.
var verbs = map[string]string{
	"start": "start", "wait": "wait for",
	"lock": "lock", "unlock": "unlock", "rlock": "read-lock", "runlock": "read-unlock",
	"read": "read", "write": "write", "rmw": "read+write",
	"send": "send on", "recv": "receive from", "close": "close",
	"set": "set", "await": "wait for", "done": "be done",
}

func unitName(s storyStep) string {
	if s.Unit != "" {
		return s.Unit
	}
	return s.Function
}

func join(verb, object string) string { return strings.TrimSpace(verb + " " + object) }

// outline says in words what the events do, as "F reads a (1); then G writes a
// (2) and b (3); then F reads b (4)". It is empty if there are no two actors.
func (st *story) outline() string {
	if len(st.actors) != 2 {
		return ""
	}
	var clauses []string
	events := st.events()
	for len(events) > 0 {
		same := 1
		for same < len(events) && events[same].lane == events[0].lane {
			same++
		}
		clause := st.actors[st.actorOf(events[0].lane)].name + " " + st.accesses(events[:same])
		if len(clauses) > 0 {
			clause = "then " + clause
		}
		clauses = append(clauses, clause)
		events = events[same:]
	}
	return strings.Join(clauses, "; ")
}

// accesses joins the events of one unit: "writes a (2) and b (3)".
func (st *story) accesses(events []storyStep) string {
	var parts []string
	last := ""
	for _, e := range events {
		verb := map[string]string{"read": "reads", "write": "writes", "rmw": "updates"}[e.Action]
		part := fmt.Sprintf("%s%s(%d)", st.entry(e), unbroken, e.Event)
		if verb != last {
			part = verb + " " + part
		}
		last = verb
		parts = append(parts, part)
	}
	return strings.Join(parts, " and ")
}

// consequence says what the violation means, with the names of the code. It is
// empty if the events do not tell.
func (st *story) consequence() string {
	s, ok := scenarios.ByNumber(st.scenario.Scenario)
	l1, l2 := st.locations()
	if !ok || l1 == "" || len(st.actors) != 2 {
		return ""
	}
	if l2 == "" { // the same field of two objects
		l2 = "that of the other object"
	}
	return s.Consequence(st.actors[0].name, st.actors[1].name, l1, l2)
}

// locations returns the names of l1 and l2. The first event is on l1, in scenario
// 12 as well: there u is the unit with the first event.
func (st *story) locations() (l1, l2 string) {
	var first storyStep
	for _, e := range st.events() {
		switch {
		case l1 == "":
			l1, first = st.location(e), e
		case l2 == "" && !st.sameLocation(first, e):
			l2 = st.location(e)
		}
	}
	return l1, l2
}

// sameLocation tells whether two steps access the same field of the same object, or
// memory that the same field leads to.
func (st *story) sameLocation(a, b storyStep) bool {
	return a.Location == b.Location && (a.Memory != "" || b.Memory != "" || st.location(a) == st.location(b))
}
