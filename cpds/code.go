package cpds

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/limit"
)

// code is the pushdown system of a process, before its instances and the actions
// that matter for a guess are known (Empire report, section 4, figure 2): an
// intraprocedural edge swaps the top symbol, a call pushes, a return pops.
type code struct {
	symbols []string
	initial []int // the stack in which the process begins
	edges   []edge
	forgets [][]string      // by symbol: see forgettable
	names   map[string]bool // of symbols; nil if there is no Forget

	procedures []procedure
	from       [][]int // by symbol: its edges
	owner      []int   // by symbol: its procedure; -1 if none leads there
	back       []int   // by symbol: see findWaysBack; -1 if there is none
}

// edge is a rule of a code: it replaces symbol from with push.
type edge struct {
	*label
	from int
	push []int
	step esl.Step // without the instance
}

// label says what an edge does, so far as anything outside the process may care.
type label struct {
	op     esl.Op // Skip for whatever is silent
	arg    int
	access esl.AccessKind
	key    string
	target int            // of Start: the copy started, or 0
	tags   []esl.UnitName // of Access: the units it is an event of; of Start and Join: those open
	unit   esl.UnitName   // of UnitBegin and UnitEnd
	with   esl.Instance   // of a Send that is a rendezvous: the receiver
	place  esl.Place      // of Access
}

// silent is the label of the edges that nothing outside the process cares about.
var silent = label{op: esl.Skip}

// meets tells whether the label is that of a rendezvous.
func (l label) meets() bool { return l.with.Copy > 0 }

// The symbols that stand for no program point.
const (
	symbolWait  = iota // the process has not been started
	symbolEnd          // the process has ended
	symbolEntry        // the first program point: where the process begins
)

// maxSymbols bounds the clones of one process.
const maxSymbols = 1 << 21

// point is a program point in a clone of a function: what the callers have open
// selects the clone, and what this activation has open refines the point.
type point struct {
	function, callers int
	index, frames     int
}

// coder lowers one process.
type coder struct {
	program *esl.Program
	code    *code
	symbols map[point]int
	names   map[string]bool // of symbols
	work    []point
	callers []openUnits
	frames  [][]frame
	ids     [2]map[string]int
	called  bool // the clone of the entry function in which the process begins is called as well
	returns []int
}

// newCode lowers process p.
func newCode(ctx context.Context, program *esl.Program, p int) (*code, error) {
	c := &coder{
		program: program,
		code:    &code{symbols: []string{"wait", "end"}},
		symbols: map[point]int{},
		names:   map[string]bool{"wait": true, "end": true},
		ids:     [2]map[string]int{{}, {}},
	}
	entry := c.symbol(point{program.Processes[p].Entry, c.callersID(make(openUnits, len(program.Objects))), 0,
		c.framesID(nil)})
	for steps := 0; len(c.work) > 0; steps++ {
		if steps&255 == 0 {
			if err := limit.Pay(ctx, 256*limit.State); err != nil {
				return nil, err
			}
		}
		at := c.work[len(c.work)-1]
		c.work = c.work[:len(c.work)-1]
		c.lower(at)
		if len(c.code.symbols) > maxSymbols {
			return nil, fmt.Errorf("lower: process %s has more than %d program points in its units of work; use fewer units "+
				"per process", program.Processes[p].Name, maxSymbols)
		}
	}
	c.finish(entry)
	if c.code.forgets = c.code.forgettable(); c.code.forgets != nil {
		c.code.names = c.names
	}
	c.code.findProcedures()
	return c.code, nil
}

// finish lays down the initial stack. Where the entry function is not called again
// its returns need no stack.
func (c *coder) finish(entry int) {
	c.code.initial = []int{entry, symbolEnd}
	if c.called {
		return
	}
	c.code.initial = []int{entry}
	for _, e := range c.returns {
		c.code.edges[e].push = []int{symbolEnd}
	}
}

func intern[T any](ids map[string]int, values *[]T, key string, value T) int {
	id, ok := ids[key]
	if !ok {
		id = len(*values)
		ids[key] = id
		*values = append(*values, value)
	}
	return id
}

func (c *coder) callersID(o openUnits) int { return intern(c.ids[0], &c.callers, o.key(), o) }
func (c *coder) framesID(f []frame) int    { return intern(c.ids[1], &c.frames, framesKey(f), f) }

// symbol returns the stack symbol of a point.
func (c *coder) symbol(at point) int {
	s, ok := c.symbols[at]
	if !ok {
		s = len(c.code.symbols)
		c.symbols[at] = s
		name := c.name(at)
		for c.names[name] {
			name += "'"
		}
		c.names[name] = true
		c.code.symbols = append(c.code.symbols, name)
		c.work = append(c.work, at)
	}
	return s
}

// name returns the name of a point, as "Clear:3", with a mark for clones and
// for points reached with different units open.
func (c *coder) name(at point) string {
	name := append(make([]byte, 0, 96), c.program.Functions[at.function].Name...)
	if at.callers > 0 {
		name = strconv.AppendInt(append(name, '/'), int64(at.callers), 10)
	}
	name = strconv.AppendInt(append(name, ':'), int64(at.index), 10)
	if at.frames > 0 {
		name = strconv.AppendInt(append(name, '/'), int64(at.frames), 10)
	}
	return string(name)
}

// lower adds the edges of a point.
func (c *coder) lower(at point) {
	body := c.program.Functions[at.function].Body
	if at.index == len(body) {
		c.emitReturn(at)
		return
	}
	s := body[at.index]
	open := c.callers[at.callers].afterAll(c.frames[at.frames])
	l := label{op: s.Op, arg: s.Arg, access: s.Access, key: s.Key,
		place: esl.Place{Function: at.function, Index: at.index}}
	next := at
	next.index++
	switch s.Op {
	case esl.Goto, esl.Choice:
		for _, t := range s.Targets {
			next.index = t
			c.emit(at, label{op: esl.Skip}, t, next)
		}
		return
	case esl.Call:
		c.emitCall(at, s.Arg, open, next)
		return
	case esl.Return:
		c.emitReturn(at)
		return
	case esl.Start:
		l.tags = open.all()
		for copy := range c.program.Processes[s.Arg].Copies + 1 {
			l.target = copy
			c.emit(at, l, copy, next)
		}
		return
	case esl.UnitBegin:
		l, next.frames = c.begin(at, s, open)
	case esl.UnitEnd:
		l, next.frames = c.end(at, s.Arg)
	case esl.Access:
		l.tags = open.tags(c.program.Locations[s.Arg].Object)
	case esl.Join:
		l.tags = open.all()
	}
	c.emit(at, l, 0, next)
}

// begin returns the label of a UnitBegin and the frames after it. A nested unit
// is silent.
func (c *coder) begin(at point, s esl.Stmt, open openUnits) (label, int) {
	f := frame{esl.UnitName{Object: s.Arg, Label: s.Unit}, s.With}
	l := label{op: esl.UnitBegin, unit: f.UnitName}
	if open[s.Arg].open {
		l = label{op: esl.Skip}
	}
	frames := c.frames[at.frames]
	i := len(frames)
	for i > 0 && frames[i-1].Object > s.Arg {
		i-- // frames on different objects are independent: keep them by object
	}
	return l, c.framesID(slices.Insert(slices.Clone(frames), i, f))
}

// end returns the label of a UnitEnd and the frames after it. The end of a nested
// unit is silent.
func (c *coder) end(at point, object int) (label, int) {
	frames := slices.Clone(c.frames[at.frames])
	for i := len(frames) - 1; i >= 0; i-- {
		if frames[i].Object != object {
			continue
		}
		frames = slices.Delete(frames, i, i+1)
		l := label{op: esl.Skip}
		if before := c.callers[at.callers].afterAll(c.frames[at.frames])[object]; !c.callers[at.callers].afterAll(
			frames)[object].open {
			l = label{op: esl.UnitEnd, unit: esl.UnitName{Object: object, Label: before.label}}
		}
		return l, c.framesID(frames)
	}
	return label{op: esl.Skip}, at.frames // Validate excludes it
}

func (c *coder) emit(at point, l label, target int, next point) {
	c.add(at, l, target, []int{c.symbol(next)})
}

// emitCall pushes the clone of the function for what is open.
func (c *coder) emitCall(at point, function int, open openUnits, next point) {
	callee := point{function, c.callersID(open), 0, c.framesID(nil)}
	entry := c.symbol(callee)
	c.called = c.called || entry == symbolEntry
	c.add(at, label{op: esl.Skip}, 0, []int{entry, c.symbol(next)})
}

func (c *coder) emitReturn(at point) {
	if c.symbolIsEntryClone(at) {
		c.returns = append(c.returns, len(c.code.edges))
	}
	c.add(at, label{op: esl.Skip}, 0, nil)
}

// symbolIsEntryClone tells whether the point is in the clone in which the process
// begins.
func (c *coder) symbolIsEntryClone(at point) bool {
	return c.symbols[point{at.function, at.callers, 0, 0}] == symbolEntry
}

func (c *coder) add(at point, l label, target int, push []int) {
	step := esl.Step{Function: at.function, Index: at.index, Target: target}
	what := &silent
	if l.op != esl.Skip {
		visible := l
		what = &visible
	}
	if n := len(c.code.edges); n == cap(c.code.edges) {
		c.code.edges = slices.Grow(c.code.edges, n+1) // twice as many: they are the most of a large model
	}
	c.code.edges = append(c.code.edges, edge{label: what, from: c.symbols[at], push: push, step: step})
}
