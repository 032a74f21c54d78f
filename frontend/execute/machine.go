package execute

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// machine is one run.
type machine struct {
	program  *Program
	watch    *watch
	observer Observer // nil: none
	made     int      // objects that the observer can tell apart
	decide   func(options []*goroutine, current *goroutine) int

	goroutines []*goroutine
	globals    map[*ssa.Global]*cell
	current    *goroutine
	over       bool
	err        error
	steps      int
	clock      int64 // what time.Now counts
	among      func(n int) int
	random     uint64
	meeting    *meeter           // nil: none
	races      []Race            // of a machine that is idle
	detects    bool              // races
	meets      bool              // what two calls or units access is noted
	noted      map[any][]guarded // by the memory
	notes      bool              // the main package is that of a trial
	idle       bool              // time stands still, and each goroutine draws the same random numbers
	timers     []*timer          // of such a machine
	choices    int               // that the schedule was asked for
	ended      string            // why the run was over
	returned   map[*ssa.Function]bool

	objects      []*object
	trace        *Trace
	version      int // of the memory
	accesses     int
	sections     int
	reachVersion int
	reach        map[any][]*location
	now          int // number of the last event or use
}

// goroutine is a coroutine: it gives up control at scheduling points.
type goroutine struct {
	m  *machine
	id int
	*coroutine
	ready            func() bool // nil: always
	about            plainAccess // that it is at, and carries out when it goes on
	done             bool
	resting          bool // it gave up the processor
	top              *frame
	start            int // line of the go statement
	parked           *parked
	draws            uint64   // random numbers that it has drawn, of a machine that is idle
	printed          []string // what it has printed, in a machine that is idle
	acted            []int    // when it went on from scheduling points
	waits            []int    // at which of them it may have waited, where units of work are to meet
	handed, returned taint    // of the call of a built-in function

	open    map[*object]*unit
	parents map[*unit]bool // the units that it was started in
	clock   []int          // what it knows of others: by joins only, not by locks
	held    map[*cell]int  // locks
	section int            // number of the critical section, or of what is between two

	calling ssa.CallInstruction // that makes the next activation
	begin   *closure            // that it will call, with the arguments; nil when it has
	args    []value
	by      *frame // that started it
	site    ssa.CallInstruction
}

type (
	killed  struct{} // the run is over
	goexit  struct{}
	goPanic struct{ val value }
)

// Error lets a panic of the program be shown.
func (p goPanic) Error() string { return "panic" }

func runtimeError(text string) value { return iface{types.Typ[types.String], text} }

// maxGoroutines bounds the goroutines of a run.
const maxGoroutines = 64

// spawn makes a goroutine that calls fn.
func (m *machine) spawn(fn *closure, args []value, parent *goroutine) *goroutine {
	g := &goroutine{m: m, id: len(m.goroutines), open: map[*object]*unit{}, parents: map[*unit]bool{},
		held: map[*cell]int{}}
	g.begin, g.args = fn, args
	if len(m.goroutines) >= maxGoroutines {
		unsupported("more than %d goroutines", maxGoroutines)
	}
	if parent != nil && m.meeting != nil && m.meeting.locates != nil {
		m.meeting.locates.waits(m.meeting, parent, len(parent.acted))
	}
	m.goroutines = append(m.goroutines, g)
	if parent != nil {
		for u := range parent.parents {
			g.parents[u] = true
		}
		for _, u := range parent.open {
			g.parents[u] = true
		}
		for fr := parent.top; fr != nil; fr = fr.caller {
			for _, u := range fr.direct {
				g.parents[u] = true
			}
		}
		g.clock = slices.Clone(parent.clock)
		g.by = parent.top
		if parent.top != nil && parent.top.instr != nil {
			g.start = m.program.ssa.Fset.Position(parent.top.instr.Pos()).Line
		}
	}
	m.started(parent, g)
	g.coroutine = newCoroutine(func() {
		defer g.end()
		if m.over {
			panic(killed{})
		}
		g.begin, g.args = nil, nil
		g.invoke(fn, args, nil)
	})
	return g
}

// end is what is left to do when the goroutine has returned or panicked.
func (g *goroutine) end() {
	g.done, g.top = true, nil
	m := g.m
	switch p := recover().(type) {
	case nil, goexit:
	case killed:
		return
	case goPanic:
		m.over, m.ended = true, "panic"
	case *Unsupported:
		m.over, m.err = true, p
	default:
		m.over, m.err = true, &Unsupported{fmt.Sprintf("an error of the interpreter: %v", p)}
	}
	g.endUnits()
	if g.id == 0 {
		m.over = true
	}
	if !m.over {
		m.pick(nil)
	}
}

// point is a scheduling point: the goroutine goes on as soon as it is ready and
// chosen.
func (g *goroutine) point(ready func() bool) {
	m := g.m
	if m.over {
		panic(killed{})
	}
	if m.meeting != nil {
		ready = m.meeting.stopped(g, ready)
	}
	g.ready = ready
	if next := m.pick(g); next != g {
		if g.yield(struct{}{}); m.over {
			panic(killed{})
		}
	}
	if m.meeting != nil {
		m.meeting.goesOn(g)
	}
	m.now++
	g.acted = append(g.acted, m.now)
}

// pick chooses who goes on.
func (m *machine) pick(current *goroutine) *goroutine {
	var options []*goroutine
	able := func(g *goroutine) bool { return !g.done && (g.ready == nil || g.ready()) }
	if current != nil && !current.resting && able(current) {
		options = append(options, current)
	}
	from := 0
	if current != nil {
		from = current.id + 1
	}
	for i := range m.goroutines {
		g := m.goroutines[(from+i)%len(m.goroutines)]
		if (len(options) == 0 || options[0] != g) && able(g) {
			options = append(options, g)
		}
	}
	if m.meeting != nil && m.meeting.isOver(able) {
		m.over, m.ended = true, "met"
		return nil
	}
	if len(options) == 0 {
		m.over, m.ended = true, "deadlock"
		return nil
	}
	m.current = options[0]
	if len(options) > 1 {
		m.current = options[m.decide(options, current)]
	}
	if current != nil {
		current.resting = false
	}
	return m.current
}

// run runs the program.
func (m *machine) run() {
	m.start(func(g *goroutine, _ []value) value {
		g.invoke(&closure{fn: m.program.main.Func("init")}, nil, nil)
		g.invoke(&closure{fn: m.program.main.Func("main")}, nil, nil)
		return nil
	})
}

// start runs a first goroutine, and what it starts, until it ends.
func (m *machine) start(first native) {
	defer func() {
		m.over = true
		for _, g := range m.goroutines {
			if g.body == nil {
				g.release()
			} else if _, ok := g.next(); ok { // it has unwound its stack
				g.release()
			}
		}
	}()
	m.current = m.spawn(&closure{native: first}, nil, nil)
	for !m.over {
		m.current.next()
	}
}

// global returns the memory of a package variable.
func (m *machine) global(v *ssa.Global) *cell {
	if c := m.globals[v]; c != nil {
		return c
	}
	isPartial := v.Pkg != nil && isStandardPath(v.Pkg.Pkg.Path()) && !runsInit(v.Pkg.Pkg.Path()) && !isKnownVariable(v)
	t := v.Type().(*types.Pointer).Elem()
	mem := &memory{shared: true}
	if m.observer != nil {
		mem.origin = &origin{global: v}
	}
	c := m.newCell(t, mem, false)
	mem.root = []*cell{c}
	m.globals[v] = c
	if isPartial {
		m.current.initialise(v)
	}
	s := m.watch.Subject
	for f, w := range s.Vars {
		if w == v {
			if len(m.objects) == 0 {
				m.objects = append(m.objects, &object{cell: c})
			}
			m.mark(c, &location{m.objects[0], f})
		}
	}
	name, path, _ := strings.Cut(s.Global, "#")
	if s.All && s.Type != nil && v.Pkg != nil && !isStandardPath(v.Pkg.Pkg.Path()) {
		m.registerIn(c, "", "")
	}
	if s.Global != "" && v.Pkg != nil && (v.Pkg.Pkg.Name()+"."+v.Name() == name || v.Pkg.Pkg.Path()+"."+v.Name() == name ||
		strings.HasSuffix(v.Pkg.Pkg.Path()+"."+v.Name(), "/"+name)) {
		m.registerIn(c, path, "")
	}
	return c
}

// registerIn makes the objects of the checked type in a variable objects.
func (m *machine) registerIn(c *cell, want, path string) {
	if m.watch.isSubject(c.typ) {
		if want == "" || normalPath(want) == normalPath(path) {
			m.newObject(c)
		}
		return
	}
	s, isStruct := c.typ.Underlying().(*types.Struct)
	for i, p := range c.parts {
		if isStruct {
			m.registerIn(p, want, path+"."+s.Field(i).Name())
		} else {
			m.registerIn(p, want, path)
		}
	}
}

// runsInit tells whether the initialisation of a package of the standard library is
// run. Others are large, and their variables are not supported.
func runsInit(path string) bool {
	switch path {
	case "io", "context", "container/list", "container/heap", "sort", "slices", "maps", "iter", "cmp",
		"strings", "unicode/utf8", "strconv", "bytes", "math", "math/bits", "internal/race", "internal/oserror",
		"sync/atomic", "runtime":
		return path != "runtime"
	}
	return false
}

func isKnownVariable(v *ssa.Global) bool {
	switch v.String() {
	case "os.Stdout", "os.Stderr", "os.Args", "os.Stdin", "io.Discard":
		return true
	}
	return false
}
