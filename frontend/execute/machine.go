package execute

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// machine is one run.
type machine struct {
	program  *Program
	watch    *watch
	observer Observer // nil: none
	made     int      // objects that the observer can tell apart
	decide   func(options []*goroutine, current *goroutine) int

	goroutines    []*goroutine
	globals       map[*ssa.Global]*cell
	current       *goroutine
	over          bool
	err           error
	steps         int
	clock         int64 // what time.Now counts
	among         func(n int) int
	random        uint64
	meeting       *meeter                    // nil: none
	bare          bool                       // see Shown.IsBare
	announcing    bool                       // see announces
	misused       misuse                     // the last one
	races         []Race                     // of a machine that is idle
	detects       bool                       // races
	meets         bool                       // what two calls or units access is noted
	noted         map[any]*noted             // by the memory
	nesting       *nesting                   // of two calls in a nested order; nil: in another one
	notes         bool                       // the main package is that of a trial
	idle          bool                       // time stands still, and each goroutine draws the same random numbers
	timers        []*timer                   // of such a machine
	choices       int                        // that the schedule was asked for
	ended         string                     // why the run was over
	callsBack     func(*goroutine, *closure) // is told what is called, before it is; nil: nobody asks
	argumentsMade func(*goroutine)           // is told that those of a call are there; nil: nobody asks
	swapLost      func(*goroutine)           // is told whose compare-and-swap has failed; nil: nobody asks
	joined        func(g, by *goroutine)     // is told who has waited for what another one has done; nil: nobody asks
	where         string                     // likewise: in which function
	returned      map[*ssa.Function]bool

	types     typeutil.Map              // the cells that stand for types
	typeCells map[types.Type]*cell      // likewise, those found before
	pointers  map[types.Type]types.Type // see pointerTo
	addresses addresses
	unique    map[any]*cell // what package unique has

	copier      *copier               // of what the run began with; nil: with nothing
	copied      int                   // how much the latest run has copied that began with what this one has left
	initialised map[*ssa.Package]bool // as a whole, see initialise
	given       map[*ssa.Global]bool  // by a part of the initialisation
	initial     int                   // instructions that this has taken
	undivided   int                   // no scheduling points while it is not zero
	partial     partial               // what is left undone in that

	objects      []*object
	trace        *Trace
	version      int // of the memory
	accesses     int
	sections     int
	reachVersion int
	reach        map[any][]*location
	now          int // number of the last event or use
}

func (p *Program) newMachine(w *watch) *machine {
	return &machine{program: p, watch: w, globals: map[*ssa.Global]*cell{}, trace: &Trace{},
		returned: map[*ssa.Function]bool{}, steps: p.steps, initialised: map[*ssa.Package]bool{},
		given: map[*ssa.Global]bool{}}
}

// goroutine is a coroutine: it gives up control at scheduling points.
type goroutine struct {
	m  *machine
	id int
	*coroutine
	ready            func() bool // nil: always
	about            nextAccess  // that it is at, and carries out when it goes on
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
	locked  bool           // see noteLocked
	buffers bool           // it has sent to a channel with a buffer, or received: that may be a lock
	wants   *cell          // the lock that it waits for
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

func runtimeError(text string) value { return iface{ofRuntime, text} }

// ofRuntime is the type of what the runtime panics with, as long as the program has not seen it.
var ofRuntime = types.NewNamed(types.NewTypeName(0, nil, "runtime.Error", nil), types.Typ[types.String], nil)

// seen is what the program sees of a value that was panicked with.
func (m *machine) seen(v value) value {
	x, ok := v.(iface)
	if !ok || x.typ != types.Type(ofRuntime) {
		return v
	}
	name := "errorString" // whose text begins with that it is a runtime error
	if text := x.val.(string); strings.Contains(text, "channel") || strings.Contains(text, "nil map") {
		name = "plainError"
	}
	if t := m.program.typeOf("runtime", name); t != nil {
		return iface{t, x.val}
	}
	return iface{types.Typ[types.String], x.val}
}

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
	m, at := g.m, g.place()
	g.done, g.top = true, nil
	switch p := recover().(type) {
	case nil, goexit:
	case killed:
		return
	case goPanic:
		m.over, m.ended = true, "panic"
		if m.idle {
			m.ended += ": " + panicText(p.val)
		}
		m.where = at
	case *Unsupported:
		if m.over, m.err = true, p; !p.isPlaced {
			m.err = &Unsupported{p.What + at, true}
		}
	default:
		m.over, m.err = true, &Unsupported{fmt.Sprintf("an error of the interpreter: %v%s", p, at), true}
	}
	g.endUnits()
	if g.id == 0 {
		m.over = true
	}
	if !m.over {
		m.pick(nil)
	}
}

// place says where the goroutine is: in which function, and of which one of the program's own, if it is of
// the standard library.
func (g *goroutine) place() string {
	text, sep := "", ", in "
	for fr := g.top; fr != nil; fr = fr.caller {
		fn := fr.fn.ssa
		isStandard := fn.Pkg == nil || g.m.program.isStandard(fn.Pkg)
		if text == "" || !isStandard {
			text += sep + fn.String()
			sep = ", called by "
		}
		if !isStandard {
			break
		}
	}
	return text
}

// point is a scheduling point: the goroutine goes on as soon as it is ready and
// chosen.
func (g *goroutine) point(ready func() bool) {
	m := g.m
	if m.over {
		panic(killed{})
	}
	if m.undivided > 0 && (ready == nil || ready()) {
		return
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

// pointFor is the scheduling point of an operation on a synchronisation object. It is none for those that
// the standard library keeps in package variables, if they need not be waited for: pools, and caches of
// what it has found out about types, the order of whose uses does not matter.
func (g *goroutine) pointFor(object value, ready func() bool) {
	if c := object.(*cell); c.mem.quiet && (ready == nil || ready()) {
		return
	}
	g.point(ready)
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
	m.tellEnd()
}

// global returns the memory of a package variable.
func (m *machine) global(v *ssa.Global) *cell {
	if c := m.globals[v]; c != nil {
		return c
	}
	m.touches(v)
	c := m.copyOf(v)
	isNew := c == nil
	if isNew {
		mem := &memory{shared: true}
		if m.observer != nil {
			mem.origin = &origin{global: v}
		}
		c = m.newCell(v.Type().(*types.Pointer).Elem(), mem, false)
		mem.root = []*cell{c}
	}
	c.mem.quiet = m.isQuiet(v)
	m.globals[v] = c
	if isNew && !m.embeds(v, c) && v.Name() != "init$guard" && m.program.isLazy(v.Pkg) && !m.current.known(v, c) {
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
	if s.All && s.Type != nil && v.Pkg != nil && !knowledge.IsStandardPath(v.Pkg.Pkg.Path()) {
		m.registerIn(c, "", "")
	}
	if s.Global != "" && v.Pkg != nil && (v.Pkg.Pkg.Name()+"."+v.Name() == name || v.Pkg.Pkg.Path()+"."+v.Name() == name ||
		strings.HasSuffix(v.Pkg.Pkg.Path()+"."+v.Name(), "/"+name)) {
		m.registerIn(c, path, "")
	}
	return c
}

// isQuiet tells whether a variable is of the standard library, and nothing of its package is watched.
func (m *machine) isQuiet(v *ssa.Global) bool {
	if !m.program.isStandard(v.Pkg) {
		return false
	}
	s := m.watch.Subject
	for _, w := range s.Vars {
		if w.Pkg == v.Pkg {
			return false
		}
	}
	return s.Type == nil || s.Type.Obj().Pkg() != v.Pkg.Pkg
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
