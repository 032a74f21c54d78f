package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	empire "github.com/empire-go/empire-go"
)

// cause is a unit of work that breaks atomic sets: the one that others come between, or
// that comes between others since it does without their lock. Whoever mends it has
// mended all that it causes: violations of several scenarios and fields, with several
// other units, of objects that are made in several places.
type cause struct {
	number  int      // from 1, in the order in which they are told
	unit    string   // its name
	stories []*story // one that does the worst harm first, then in the order of the queries
}

// shown is the violation that is told in full.
func (c *cause) shown() *story { return c.stories[0] }

// isNote tells whether all that the cause leads to is notes.
func (c *cause) isNote() bool { return c.shown().scenario.Level == "note" }

// causesOf groups the violations of all queries, each of them its own cause if apart.
// What is a note has no part in what is more than that, so that neither hides the other.
func causesOf(r *empire.Result, n *names, apart bool) []*cause {
	known := map[string]*cause{}
	var all []*cause
	add := func(st *story, unit string) {
		c := known[st.causeID(unit)]
		if c == nil || apart {
			c = &cause{unit: unit}
			known[st.causeID(unit)], all = c, append(all, c)
		}
		c.stories = append(c.stories, st)
	}
	var either []*story
	for i := range r.Queries {
		for _, st := range storiesOf(&r.Queries[i], n) {
			if units := st.culprits(); len(units) == 1 {
				add(st, units[0])
			} else {
				either = append(either, st)
			}
		}
	}
	// To mend one of two units is enough: the one that leads to more.
	for _, st := range either {
		weight := func(unit string) int {
			if c := known[st.causeID(unit)]; c != nil {
				return len(c.stories)
			}
			return 0
		}
		add(st, slices.MaxFunc(st.culprits(), func(a, b string) int { return weight(a) - weight(b) }))
	}
	number(all, r)
	return all
}

// number orders the violations of each cause, and the causes: by the harm that they do, then by
// where they are told.
func number(all []*cause, r *empire.Result) {
	confirmed := func(st *story) int {
		if st.isConfirmed() {
			return 0
		}
		return 1
	}
	places := map[*empire.QueryResult]int{}
	for i := range r.Queries {
		places[&r.Queries[i]] = i
	}
	place := func(st *story) int { return places[st.query] }
	for _, c := range all {
		slices.SortStableFunc(c.stories, func(a, b *story) int { return place(a) - place(b) })
		best := slices.MinFunc(c.stories, func(a, b *story) int {
			return cmp.Or(a.severity()-b.severity(), confirmed(a)-confirmed(b), a.effort()-b.effort())
		})
		c.stories = slices.DeleteFunc(c.stories, func(st *story) bool { return st == best })
		c.stories = append([]*story{best}, c.stories...)
	}
	slices.SortStableFunc(all, func(a, b *cause) int {
		return cmp.Or(a.shown().severity()-b.shown().severity(), place(a.shown())-place(b.shown()),
			a.shown().length()-b.shown().length())
	})
	for i, c := range all {
		c.number = i + 1
	}
}

// isConfirmed tells whether a real run did it.
func (st *story) isConfirmed() bool {
	c := st.scenario.Confirmation
	return c != nil && c.Status == empire.Confirmed
}

// length is how many rows it takes to tell the violation.
func (st *story) length() int { return len(st.shownIndices()) }

// effort is what it takes to understand the violation: its length, and more for scenarios
// that one has to think about.
func (st *story) effort() int {
	perRow := 3
	switch st.scenario.Name {
	case "stale-update", "inconsistent-read":
		perRow = 2
	case "crossed-write", "crossed-read", "crossed-observation", "conflict-cycle":
		perRow = 4
	}
	return perRow * st.length()
}

// culprits returns the names of the units of which one has to be mended for the violation
// not to happen.
func (st *story) culprits() []string {
	var units []string
	for a := range st.actors {
		if !st.isSplit(a) {
			continue
		}
		if st.ignoresLockOf(a) {
			a = 1 - a
		}
		if unit := st.actors[a].unit; !slices.Contains(units, unit) {
			units = append(units, unit)
		}
	}
	if len(units) == 0 { // the counterexample does not tell
		units = []string{strings.Join(st.scenario.Units, " ")}
	}
	return units
}

// isSplit tells whether an event of the other unit is between those of an actor.
func (st *story) isSplit(a int) bool { return st.disturbance(a) > 0 }

// disturbance returns the first event of the other unit between those of an actor, 0 if
// there is none.
func (st *story) disturbance(a int) int {
	first, last := st.spanOf(st.actors[a].lane)
	for _, e := range st.events() {
		if e.lane != st.actors[a].lane && first < e.Event && e.Event < last {
			return e.Event
		}
	}
	return 0
}

// ignoresLockOf tells whether an actor holds a lock from its first event to its last that
// the other unit does without when it comes between, so that it is not for this one to
// hold on to a lock that both have.
func (st *story) ignoresLockOf(a int) bool {
	lane := st.actors[a].lane
	first, last := st.spanOf(lane)
	held := st.locksHeld()
	if common := commonLocks(st.events(), held); slices.ContainsFunc(common, func(l heldLock) bool {
		return st.releases(lane, l, first, last)
	}) {
		return false
	}
	return slices.ContainsFunc(held[first], func(l heldLock) bool {
		return !st.releases(lane, l, first, last) && !slices.Contains(held[st.disturbance(a)], l)
	})
}

// flaw is what a unit does wrong about a lock, and where: "lets go of" or "does not hold"
// it; without a lock, nothing is known but that it is not atomic.
type flaw struct{ verb, lock, pos string }

// flawOf returns what an actor does wrong.
func (st *story) flawOf(a int) flaw {
	events, held, lane := st.events(), st.locksHeld(), st.actors[a].lane
	if common := commonLocks(events, held); len(common) > 0 && st.isSplit(a) {
		first, _ := st.spanOf(lane)
		if s := st.lastRelease(lane, common[0], first, st.disturbance(a)); s != nil {
			return flaw{"lets go of", common[0].name, s.Pos}
		}
	}
	isMine := func(e storyStep) bool { return e.lane == lane }
	for _, l := range commonLocks(slices.DeleteFunc(slices.Clone(events), isMine), held) {
		for _, e := range events {
			if isMine(e) && !slices.Contains(held[e.Event], l) {
				return flaw{"does not hold", l.name, e.Pos}
			}
		}
	}
	return flaw{}
}

// headline says what a cause is: "F lets go of a.mu at f.go:12", "F does not hold a.mu at
// f.go:13", "F is not atomic".
func (c *cause) headline(n *names) string {
	var first flaw
	var places []string
	for _, st := range c.stories {
		for a := range st.actors {
			if st.actors[a].unit != c.unit {
				continue
			}
			f := st.flawOf(a)
			if first.verb == "" {
				first = f
			}
			if at := fileLine(f.pos); f.verb == first.verb && hasPlace(at) && !slices.Contains(places, at) {
				places = append(places, at)
			}
		}
	}
	if first.verb == "" {
		return n.of(c.unit) + " is not atomic"
	}
	text := n.of(c.unit) + " " + first.verb + " " + first.lock
	slices.Sort(places)
	switch {
	case len(places) > maxPositions:
		text += " at " + shorten(places, maxPositions)
	case len(places) > 0:
		text += " at " + and(places)
	}
	return text
}

// id identifies the cause: it is stable as long as its type and unit have their names.
func (c *cause) id() string { return c.shown().causeID(c.unit) }

// causeID is the id of the cause of a violation, if that is the unit.
func (st *story) causeID(unit string) string {
	subject := st.query.Type
	if subject == "" { // package variables
		subject = strings.Join(st.query.Fields, " ")
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{subject, unit, st.scenario.Level}, "\n")))
	return hex.EncodeToString(sum[:4])
}

// others says which other violations the cause leads to, a line for each other unit and
// set of fields: "with G: stale-update (1) and lost-write (5)".
func (c *cause) others(n *names) []string {
	told := c.shown().query
	var order []string
	members := map[string][]*story{}
	sites := map[string][]string{}
	for _, st := range c.stories[1:] {
		group := ""
		switch q := st.query; {
		case q == told:
			group = "with " + c.partner(st, n)
		case !slices.Equal(told.Fields, q.Fields):
			group = "of " + and(q.Fields)
		case q.Site != told.Site:
			group = "of objects allocated"
			if !slices.Contains(sites[group], q.Site) {
				sites[group] = append(sites[group], q.Site)
			}
		default:
			group = "in " + q.Entry
		}
		if _, ok := members[group]; !ok {
			order = append(order, group)
		}
		members[group] = append(members[group], st)
	}
	var lines []string
	for _, group := range order {
		label := group
		if at := sites[group]; len(at) > 0 {
			label += " at " + shorten(at, maxPositions)
		}
		lines = append(lines, label+": "+namesOf(members[group]))
	}
	return lines
}

// manyNames is how many scenarios are told by their numbers alone.
const manyNames = 7

// namesOf names the scenarios of violations, with those that were confirmed.
func namesOf(stories []*story) string {
	numbers := numbersOf(stories)
	if len(numbers) >= manyNames {
		return scenarioList(numbers)
	}
	var names []string
	for _, number := range numbers {
		i := slices.IndexFunc(stories, func(st *story) bool { return st.scenario.Scenario == number })
		mark := ""
		if slices.ContainsFunc(stories, func(st *story) bool { return st.scenario.Scenario == number && st.isConfirmed() }) {
			mark = "," + unbroken + "confirmed"
		}
		names = append(names, fmt.Sprintf("%s%s(%d%s)", stories[i].scenario.Name, unbroken, number, mark))
	}
	return and(names)
}

func numbersOf(stories []*story) []int {
	var found []int
	for _, st := range stories {
		found = append(found, st.scenario.Scenario)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// partner names the other unit of a violation.
func (c *cause) partner(st *story, n *names) string {
	for _, u := range st.scenario.Units {
		if u != c.unit {
			return n.of(u)
		}
	}
	return "another run of itself"
}
