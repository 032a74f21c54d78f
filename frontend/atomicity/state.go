package atomicity

import (
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// state is where a path of a unit is, and what it has seen and done.
type state struct {
	frames  []*frame
	time    int       // counts what others can come before
	held    []hold    // locks
	conds   []literal // what the branches that were taken say
	writes  []write   // to memory that others can reach
	moments []moment
	locals  map[term]term // what is in memory that the unit has made, by addresses
	made    map[term]bool // that memory, and whether others can reach it
	count   map[ssa.Instruction]int
	seen    map[term][]seen // what flags held
	sums    []sum           // what was added where nobody looks
}

// frame is one activation.
type frame struct {
	fn     *ssa.Function
	block  *ssa.BasicBlock
	prev   *ssa.BasicBlock
	index  int
	env    map[ssa.Value]term
	defers []*ssa.Defer
	call   *ssa.Call // of the frame below
	loops  map[*ssa.BasicBlock]*entered
	visits map[*ssa.BasicBlock]int
}

// hold is a lock that is held.
type hold struct {
	lock      term // its address
	exclusive bool
	since     int
}

// write is of a value to memory that others can reach.
type write struct {
	address term
	class   class
	value   term
	time    int
	held    []hold
	at      ssa.Instruction
}

// moment is one at which everything may be done that a path does.
type moment struct {
	time int
	held []hold
	at   ssa.Instruction
}

// entered is what was when a loop was entered, of which only the last round is followed.
type entered struct {
	held   []hold
	writes int
	sums   int
	defers int
	locals map[term]term
	made   map[term]bool
}

func (s *state) top() *frame { return s.frames[len(s.frames)-1] }

func (s *state) clone() *state {
	c := *s
	c.frames = make([]*frame, len(s.frames))
	for i, f := range s.frames {
		g := *f
		g.env, g.loops, g.visits = maps.Clone(f.env), maps.Clone(f.loops), maps.Clone(f.visits)
		g.defers = slices.Clone(f.defers)
		c.frames[i] = &g
	}
	c.held, c.conds = slices.Clone(s.held), slices.Clone(s.conds)
	c.writes, c.moments = slices.Clone(s.writes), slices.Clone(s.moments)
	c.sums = slices.Clone(s.sums)
	c.locals, c.made, c.count = maps.Clone(s.locals), maps.Clone(s.made), maps.Clone(s.count)
	return &c
}

// outcome is how a path ends.
type outcome struct {
	*state
	kind    ending
	results []term
	at      ssa.Instruction // where it panics, or is left to reduction
}

type ending uint8

const (
	returns ending = iota
	panics
	rests // what is left to do is atomic by reduction
)
