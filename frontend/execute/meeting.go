package execute

import (
	"fmt"
	"math/rand"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Meeting is two units of work of different goroutines of a program, on the same object, which are
// stopped before they begin and then carried out in an order, or at the same time. From then on
// other goroutines go on only where neither of the two can; the clock stands still.
type Meeting struct {
	Units [2]string // as execute names them: see SameUnit
	Skip  [2]int    // how many units of these names are left alone before
	// Seed says who goes on until they meet: 0 the goroutine that runs, 1 the one that was started last,
	// else one that is drawn.
	Seed    int64
	Subject *Subject

	stops [2]*stop // where the goroutines are stopped; nil: where the units begin
	wide  bool     // the units are activations of functions that access the object, also those that they call
}

// SameUnit tells whether a unit of work is the one with the name: of a function, with or without
// type arguments.
type SameUnit func(name, wanted string) bool

// ErrNoMeeting means that the units are not in two goroutines at once on one object.
var ErrNoMeeting = fmt.Errorf("the two units are not there at the same time")

// InItsPlace ends the error of a program in which units do not meet: what can be asked in the place of that.
const InItsPlace = "a small main package in which they meet can be checked in its place"

// meeter carries out a meeting.
type meeter struct {
	*Meeting
	m       *machine
	same    SameUnit
	order   Order
	shown   *Shown
	roles   [2]*role
	passed  [2]int
	begun   [2]bool // it has gone on since both were there
	over    bool
	random  *rand.Rand
	locates *locator // nil: the stops are known
}

// role is one of the units that meet.
type role struct {
	g      *goroutine
	unit   *unit // nil before it begins
	object int   // its number
	frame  *frame
	ended  bool
	result value
	step   *ssa.Function
}

// Meet carries out a meeting. With Together, the schedule's choices are at the scheduling points of
// Shown.Trail. The error says that there is no outcome: ErrNoMeeting, or that a unit has not come
// to its end.
func (p *Program) Meet(mt *Meeting, same SameUnit, order Order, s Schedule) (*Shown, error) {
	c := p.newMeeter(mt, same, order, s)
	c.m.run()
	p.Executed += p.steps - c.m.steps + c.m.initial
	switch {
	case c.m.err != nil:
		return nil, c.m.err
	case c.over:
	case !c.met():
		return nil, c.noMeeting()
	case c.m.ended == "panic":
		c.shown.Lines = []Line{{Path: "the program", Text: "panics"}}
	default:
		return nil, fmt.Errorf("the units did not come to their ends: %s", c.m.ended)
	}
	if order == Together {
		c.m.showMatches(c.shown)
	}
	return c.shown, nil
}

func (p *Program) newMeeter(mt *Meeting, same SameUnit, order Order, s Schedule) *meeter {
	c := &meeter{Meeting: mt, same: same, order: order, shown: &Shown{Scenarios: map[int]Finding{}},
		random: rand.New(rand.NewSource(mt.Seed))}
	c.m = p.newMachine(newWatch(mt.Subject))
	c.m.meeting = c
	c.m.decide = func(options []*goroutine, current *goroutine) int { return c.decide(options, current, s) }
	c.m.among = func(int) int { return 0 }
	return c
}

// noMeeting says how far the program has come. It is run with no arguments, files or network.
func (c *meeter) noMeeting() error {
	ended := "its main function returned"
	if c.m.ended != "" {
		ended = "it ended: " + c.m.ended + c.m.where
	}
	return fmt.Errorf("%w: the program was run without arguments, files and network, and %s; %s", ErrNoMeeting, ended,
		InItsPlace)
}

func (c *meeter) met() bool { return c.roles[0] != nil && c.roles[1] != nil }

// begins stops a unit of one of the names where it begins. Of a goroutine that has been stopped before,
// it is the unit that is meant; when that has ended, it begins no other one.
func (c *meeter) begins(g *goroutine, u *unit, fr *frame) {
	for i, r := range c.roles {
		switch {
		case r == nil || r.g != g || r.object != u.object.id:
		case r.ended:
			g.point(func() bool { return false })
		case r.frame == nil && c.same(u.name, c.Units[i]):
			r.is(u, fr)
			return
		}
	}
	if c.wide {
		return
	}
	for i := range c.roles {
		other := c.roles[1-i]
		if c.met() || c.roles[i] != nil || c.stops[i] != nil || !c.same(u.name, c.Units[i]) ||
			other != nil && (other.g == g || other.object != u.object.id) {
			continue
		}
		if c.passed[i] < c.Skip[i] {
			c.passed[i]++
			return
		}
		if c.locates != nil {
			c.locates.begins(c, i, u)
			return
		}
		r := &role{g: g, object: u.object.id}
		r.is(u, fr)
		c.comes(i, r)
		g.point(c.met)
		return
	}
}

// is notes which unit it is, and whose activation.
func (r *role) is(u *unit, fr *frame) { r.unit, r.frame, r.step = u, fr, fr.fn.ssa }

// comes notes one of the units that meet.
func (c *meeter) comes(i int, r *role) {
	if c.roles[i] = r; c.met() {
		c.m.idle, c.m.meets = true, true
		c.shown.Start = c.start()
	}
}

// ends notes that a unit has come to its end. The goroutine goes on from there only to release locks.
func (c *meeter) ends(u *unit) {
	for _, r := range c.roles {
		if r != nil && r.unit == u && !c.wide {
			c.ended(r)
		}
	}
}

// leaves is ends for an activation that is a unit.
func (c *meeter) leaves(fr *frame) {
	for _, r := range c.roles {
		if r != nil && r.frame == fr && c.wide {
			c.ended(r)
		}
	}
}

func (c *meeter) ended(r *role) {
	if !c.met() || r.ended {
		return
	}
	if r.ended = true; r.frame.block < 0 {
		r.result = r.frame.result
	}
	if !r.g.done {
		r.g.point(nil)
	}
}

// isOver tells whether both units have ended, and neither goroutine can release more locks: then there is
// the outcome.
func (c *meeter) isOver(able func(*goroutine) bool) bool {
	if !c.met() || !c.roles[0].ended || !c.roles[1].ended {
		return false
	}
	for _, r := range c.roles {
		if r.g.holdsLocks() && able(r.g) {
			return false
		}
	}
	c.over = true
	c.shown.Lines = c.outcome()
	return true
}

// holdsLocks tells whether the goroutine has taken locks that it has not released.
func (g *goroutine) holdsLocks() bool { return !g.done && Goroutine{g}.Taken() > 0 }

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
	able := c.ableUnits(options)
	if c.order != Together {
		return c.inOrder(options, able, current)
	}
	if len(able) == 0 {
		return c.besides(options)
	}
	if len(able) == 1 {
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

// inOrder chooses who goes on in an order of the units. Where the first one waits for the second one, there
// is no other order than the one in which it is split there: the second one begins when nothing else can go
// on, and then goes on as far as it can.
func (c *meeter) inOrder(options []*goroutine, able []int, current *goroutine) int {
	second := 1
	if c.order == Reversed || c.order == ReversedAtOnce {
		second = 0
	}
	var first []int
	for _, k := range able {
		switch {
		case options[k] == current && c.begun[second]:
			return k
		case options[k] != c.roles[second].g || c.begun[second] || c.roles[1-second].ended:
			first = append(first, k)
		}
	}
	if len(first) > 0 {
		return first[0]
	}
	rest := slices.DeleteFunc(slices.Clone(options), func(g *goroutine) bool {
		return len(able) > 0 && g == c.roles[second].g
	})
	if len(rest) == 0 {
		return able[0]
	}
	return slices.Index(options, rest[c.besides(rest)])
}

// goesOn notes that a goroutine goes on from a scheduling point.
func (c *meeter) goesOn(g *goroutine) {
	for i, r := range c.roles {
		if c.met() && r.g == g {
			c.begun[i] = true
		}
	}
}

// ableUnits returns which of the goroutines are those of units that have not ended.
func (c *meeter) ableUnits(options []*goroutine) (able []int) {
	for k, g := range options {
		for _, r := range c.roles {
			if r.g == g && !r.ended {
				able = append(able, k)
			}
		}
	}
	return able
}

// besides chooses who goes on where no unit can: who still holds locks after its unit, then others.
func (c *meeter) besides(options []*goroutine) int {
	last := 0
	for k := len(options) - 1; k >= 0; k-- {
		isUnit := options[k] == c.roles[0].g || options[k] == c.roles[1].g
		if isUnit && options[k].holdsLocks() {
			return k
		}
		if !isUnit {
			last = k
		}
	}
	return last
}

// start says from what the two units start: the object, package variables, their arguments.
func (c *meeter) start() string {
	o := &outliner{seen: map[any]string{}, m: c.m}
	c.object(o)
	for i, r := range c.roles {
		fr := r.frame
		if fr == nil {
			fr = r.g.top
		}
		if fr != nil {
			o.variables(resultPath(i), fr)
		}
	}
	o.globals()
	return fmt.Sprint(o.lines)
}

// object follows the object, if it has been made.
func (c *meeter) object(o *outliner) {
	at := slices.IndexFunc(c.m.objects, func(made *object) bool { return made.id == c.roles[0].object })
	if at >= 0 && c.Subject.Type != nil {
		o.cell("", c.m.objects[at].cell)
	}
}

// variables follows what an activation was called with, and the variables that it shares with the function
// around it.
func (o *outliner) variables(path string, fr *frame) {
	fn := fr.fn.ssa
	for k, p := range fr.fn.params {
		o.value(variablePath(path, fn.Params[k].Name()), fn.Params[k].Type(), fr.regs[p])
	}
	for k, p := range fr.fn.free {
		o.value(variablePath(path, fn.FreeVars[k].Name()), fn.FreeVars[k].Type(), fr.regs[p])
	}
}

// outcome returns what the object and package variables are, and what the units have returned and leave in
// memory that they were handed.
func (c *meeter) outcome() []Line {
	o := &outliner{seen: map[any]string{}, m: c.m}
	c.object(o)
	for i, r := range c.roles {
		c.shown.Results[i] = r.step.Signature.Results().Len()
		o.result(resultPath(i), &called{done: true, result: r.result}, r.step)
	}
	o.globals()
	for i, r := range c.roles {
		o.variables(resultPath(i), r.frame)
	}
	for i, r := range c.roles {
		o.printed(resultPath(i), r.g)
	}
	return o.lines
}
