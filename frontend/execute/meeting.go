package execute

import (
	"fmt"
	"math/rand"

	"golang.org/x/tools/go/ssa"
)

// Meeting is two units of work of different goroutines of a program, on the same object, which are
// stopped where they begin and then carried out in an order, or at the same time. From then on
// other goroutines go on only where neither of the two can; the clock stands still.
type Meeting struct {
	Units [2]string // as execute names them: see SameUnit
	Skip  [2]int    // how many units of these names are left alone before
	// Seed says who goes on until they meet: 0 the goroutine that runs, 1 the one that was started last,
	// else one that is drawn.
	Seed    int64
	Subject *Subject
}

// SameUnit tells whether a unit of work is the one with the name: of a function, with or without
// type arguments.
type SameUnit func(name, wanted string) bool

// ErrNoMeeting means that the units are not in two goroutines at once on one object.
var ErrNoMeeting = fmt.Errorf("the two units are not there at the same time")

// meeter carries out a meeting.
type meeter struct {
	*Meeting
	m      *machine
	same   SameUnit
	order  Order
	shown  *Shown
	roles  [2]*role
	passed [2]int
	over   bool
	random *rand.Rand
}

// role is one of the units that meet.
type role struct {
	g      *goroutine
	unit   *unit
	frame  *frame
	ended  bool
	result value
	step   *ssa.Function
}

// Meet carries out a meeting. With Together, the schedule's choices are at the scheduling points of
// Shown.Trail. The error says that there is no outcome: ErrNoMeeting, or that a unit has not come
// to its end.
func (p *Program) Meet(mt *Meeting, same SameUnit, order Order, s Schedule) (*Shown, error) {
	c := &meeter{Meeting: mt, same: same, order: order, shown: &Shown{Scenarios: map[int]Finding{}},
		random: rand.New(rand.NewSource(mt.Seed))}
	c.m = p.newMachine(newWatch(mt.Subject))
	c.m.meeting = c
	c.m.decide = func(options []*goroutine, current *goroutine) int { return c.decide(options, current, s) }
	c.m.among = func(int) int { return 0 }
	c.m.run()
	p.Executed += p.steps - c.m.steps + c.m.initial
	switch {
	case c.m.err != nil:
		return nil, c.m.err
	case c.over:
	case !c.met():
		return nil, c.noMeeting()
	case c.m.ended == "panic":
		c.shown.Lines = []Line{{"the program", "panics"}}
	default:
		return nil, fmt.Errorf("the units did not come to their ends: %s", c.m.ended)
	}
	if order == Together {
		c.shown.Scenarios, c.shown.Races = c.m.match(map[int]Finding{}), c.m.races
	}
	return c.shown, nil
}

// noMeeting says how far the program has come. It is run with no arguments, files or network.
func (c *meeter) noMeeting() error {
	ended := "its main function returned"
	if c.m.ended != "" {
		ended = "it ended: " + c.m.ended + c.m.where
	}
	return fmt.Errorf("%w: the program was run without arguments, files and network, and %s; a small main "+
		"package in which they meet can be checked in its place", ErrNoMeeting, ended)
}

func (c *meeter) met() bool { return c.roles[0] != nil && c.roles[1] != nil }

// begins stops a unit of one of the names where it begins.
func (c *meeter) begins(g *goroutine, u *unit, fr *frame) {
	for i := range c.roles {
		other := c.roles[1-i]
		if c.met() || c.roles[i] != nil || !c.same(u.name, c.Units[i]) ||
			other != nil && (other.g == g || other.unit.object != u.object) {
			continue
		}
		if c.passed[i] < c.Skip[i] {
			c.passed[i]++
			return
		}
		c.roles[i] = &role{g: g, unit: u, frame: fr, step: fr.fn.ssa}
		if c.met() {
			c.m.idle, c.m.meets = true, true
			c.shown.Start = c.start()
		}
		g.point(func() bool { return c.mayBegin(i) })
		return
	}
}

// mayBegin tells whether the units have met, and it is the turn of one of them.
func (c *meeter) mayBegin(i int) bool {
	if !c.met() {
		return false
	}
	switch c.order {
	case InOrder, InOrderAtOnce:
		return i == 0 || c.roles[0].ended
	case Reversed, ReversedAtOnce:
		return i == 1 || c.roles[1].ended
	}
	return true
}

// ends stops a unit where it has come to its end; behind the second one there is the outcome.
func (c *meeter) ends(g *goroutine, u *unit) {
	for _, r := range c.roles {
		if r == nil || r.unit != u || !c.met() || r.ended {
			continue
		}
		r.ended = true
		if r.frame.block < 0 {
			r.result = r.frame.result
		}
		if !c.roles[0].ended || !c.roles[1].ended {
			if !g.done {
				g.point(func() bool { return false })
			}
			return
		}
		c.over = true
		c.shown.Lines = c.outcome()
		c.m.over, c.m.ended = true, "met"
		if !g.done {
			panic(killed{})
		}
		return
	}
}

// decide chooses who goes on.
func (c *meeter) decide(options []*goroutine, current *goroutine, s Schedule) int {
	if !c.met() {
		switch {
		case c.Seed > 1:
			if options[0] == current && c.random.Intn(4) > 0 {
				return 0
			}
			return c.random.Intn(len(options))
		case c.Seed == 1:
			last := 0
			for k, g := range options {
				if g.id > options[last].id {
					last = k
				}
			}
			return last
		}
		return 0
	}
	var able []int // of those that meet
	for k, g := range options {
		if g == c.roles[0].g || g == c.roles[1].g {
			able = append(able, k)
		}
	}
	if len(able) == 0 {
		return 0
	}
	if len(able) == 1 || c.order != Together {
		return able[0]
	}
	k := min(s.Choices[len(c.shown.Trail)], len(able)-1)
	choice := Choice{len(able), options[able[0]] == current}
	if choice.Preempts && current.isGuarded() {
		choice.Options = 1
	}
	c.shown.Trail = append(c.shown.Trail, choice)
	went := 0
	if options[able[k]] == c.roles[1].g {
		went = 1
	}
	c.shown.Went = append(c.shown.Went, went)
	return able[k]
}

// start says from what the two units start: the object, package variables, their arguments.
func (c *meeter) start() string {
	o := &outliner{seen: map[any]string{}, m: c.m}
	if object := c.roles[0].unit.object.cell; c.Subject.Type != nil {
		o.cell("", object)
	}
	for i, r := range c.roles {
		for k, p := range r.frame.fn.params {
			o.value(fmt.Sprintf("%s, argument %d", resultPath(i), k+1), r.frame.fn.ssa.Params[k].Type(), r.frame.regs[p])
		}
	}
	o.globals()
	return fmt.Sprint(o.lines)
}

// outcome returns what the object and package variables are, and what the units have returned.
func (c *meeter) outcome() []Line {
	o := &outliner{seen: map[any]string{}, m: c.m}
	if object := c.roles[0].unit.object.cell; c.Subject.Type != nil {
		o.cell("", object)
	}
	for i, r := range c.roles {
		c.shown.Results[i] = r.step.Signature.Results().Len()
		o.result(resultPath(i), &called{done: true, result: r.result}, r.step)
	}
	o.globals()
	for i, r := range c.roles {
		o.printed(resultPath(i), r.g)
	}
	return o.lines
}
