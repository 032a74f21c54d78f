package blocking

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// control is where an instance is: the number of a stack.
type control int32

const (
	notStarted control = iota
	ended
)

// frame is a stack: the statement to be executed next, on top of what is below it.
type frame struct {
	below           control
	function, index int32
}

// local is a step that no other instance can notice.
type local struct{ function, index, target int }

// way is one way through the local steps of an instance.
type way struct {
	to    control
	steps []local
}

// controls numbers the stacks of a program, and knows what can be done from each.
type controls struct {
	program *esl.Program
	frames  []frame
	depths  []int
	index   map[frame]control
	ways    map[control][]way
	futures map[bar]map[control]future
	bodies  map[bar][][]future // by function and statement
	uses    map[use]int
	passing map[int]bool // the channels of operations that do not wait
	tried   map[int]bool // the locks of those
	uneven  map[int]bool // the locks that may be released for reading twice without being taken in between
	depth   int
	isCut   bool // a stack was deeper than that
}

// use is an operation on something, as far as others may notice it.
type use struct {
	op  esl.Op
	arg int
	as  how
}

// how says more of some operations, which are uses of their own.
type how struct {
	loose    bool // the release of a lock that comes before it is taken, if it is: by who holds it, or never has
	writes   bool // a variable, if it is from, -1 for any value
	from, to int
}

// more returns what is said more of an operation.
func more(s esl.Stmt) (h how, ok bool) {
	switch s.Op {
	case esl.Unlock, esl.RUnlock:
		return how{loose: true}, true
	case esl.Assign:
		return how{writes: true, from: -1, to: s.Value}, true
	case esl.Swap:
		return how{writes: true, from: s.Count, to: s.Value}, true
	}
	return h, false
}

func newControls(p *esl.Program, depth int) *controls {
	c := &controls{program: p, frames: make([]frame, 2), depths: make([]int, 2), index: map[frame]control{},
		ways: map[control][]way{}, futures: map[bar]map[control]future{}, bodies: map[bar][][]future{}, uses: map[use]int{},
		passing: map[int]bool{}, tried: map[int]bool{}, uneven: map[int]bool{}, depth: depth}
	for _, f := range p.Functions {
		for _, s := range f.Body {
			if s.Op == esl.SelectDefault {
				for _, t := range s.Targets {
					c.passing[f.Body[t].Arg] = true // one of something else does no harm
					c.tried[f.Body[t].Arg] = true
				}
			}
		}
	}
	c.findUneven()
	return c
}

// findUneven finds those locks: all where functions are called.
func (c *controls) findUneven() {
	bodies, calls := c.solve(bar{}), false
	for _, f := range c.program.Functions {
		calls = calls || slices.ContainsFunc(f.Body, func(s esl.Stmt) bool { return s.Op == esl.Call })
	}
	for i, f := range c.program.Functions {
		for k, s := range f.Body {
			if s.Op == esl.RUnlock {
				again := c.number(use{s.Op, s.Arg, how{loose: true}})
				c.uneven[s.Arg] = c.uneven[s.Arg] || calls || bodies[i][k+1].has(again)
			}
		}
	}
}

// push returns the stack with a statement on top of another one.
func (c *controls) push(below control, function, index int) control {
	f := frame{below, int32(function), int32(index)}
	n, ok := c.index[f]
	if !ok {
		n = control(len(c.frames))
		c.frames = append(c.frames, f)
		c.depths = append(c.depths, c.depths[below]+1)
		c.index[f] = n
	}
	return n
}

// statement returns the statement of a function, behind the last one the implicit return.
func (c *controls) statement(function, index int) esl.Stmt {
	body := c.program.Functions[function].Body
	if index == len(body) {
		return esl.Stmt{Op: esl.Return}
	}
	return body[index]
}

// at returns the statement at which an instance is; ok is false where it is not running.
func (c *controls) at(n control) (stmt esl.Stmt, ok bool) {
	if n <= ended {
		return esl.Stmt{}, false
	}
	f := c.frames[n]
	return c.statement(int(f.function), int(f.index)), true
}

// isLocal tells whether a statement is always enabled, and nothing that others can notice, but for where it leads to:
// see isNoticed.
func isLocal(stmt esl.Stmt) bool {
	switch stmt.Op {
	case esl.Goto, esl.Call, esl.Return, esl.Access, esl.UnitBegin, esl.UnitEnd, esl.Forget:
		return true
	case esl.Choice:
		return len(stmt.Targets) > 0
	}
	return false
}

// isNoticed tells whether it may matter to those that do not wait (esl.SelectDefault) that an instance is where it is.
func (c *controls) isNoticed(n control) (is bool) {
	c.offers(n, func(_ int, stmt esl.Stmt) {
		is = is || (stmt.Op == esl.Send || stmt.Op == esl.Receive) && c.passing[stmt.Arg]
	})
	return is
}

// settle returns the ways through the local steps from a stack. They end before a step to where it is noticed that
// the instance has come: others may be faster. A way that never comes to an end is not left.
func (c *controls) settle(from control) []way {
	if all, ok := c.ways[from]; ok {
		return all
	}
	var all []way
	seen := map[control]bool{from: true}
	queue := []way{{to: from}}
	for ; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		stmt, ok := c.at(at.to)
		if !ok || !isLocal(stmt) {
			all = append(all, at)
			continue
		}
		rests := false
		for _, next := range c.follow(at.to, stmt) {
			if c.isNoticed(next.to) {
				if !rests {
					all = append(all, at)
				}
				rests = true
				continue
			}
			if !seen[next.to] {
				seen[next.to] = true
				queue = append(queue, way{next.to, append(slices.Clip(at.steps), next.steps...)})
			}
		}
	}
	if len(all) == 0 {
		all = []way{{to: from}}
	}
	c.ways[from] = all
	return all
}

// follow takes one local step.
func (c *controls) follow(n control, stmt esl.Stmt) []way {
	f := c.frames[n]
	function, index := int(f.function), int(f.index)
	step := local{function, index, 0}
	switch stmt.Op {
	case esl.Goto, esl.Choice:
		var all []way
		for _, t := range stmt.Targets {
			all = append(all, way{c.push(f.below, function, t), []local{{function, index, t}}})
		}
		return all
	case esl.Call:
		if c.depths[n] >= c.depth {
			c.isCut = true
			return nil
		}
		return []way{{c.push(c.push(f.below, function, index+1), stmt.Arg, 0), []local{step}}}
	case esl.Return:
		if f.below <= ended {
			return []way{{ended, []local{step}}}
		}
		return []way{{f.below, []local{step}}}
	}
	return []way{{c.push(f.below, function, index+1), []local{step}}}
}

// begin is the stack of an instance that has just been started.
func (c *controls) begin(process int) control {
	return c.push(ended, c.program.Processes[process].Entry, 0)
}

// offers calls f for the statements at which an instance is: several at a select, without its default.
func (c *controls) offers(n control, f func(index int, stmt esl.Stmt)) {
	stmt, ok := c.at(n)
	if !ok || isLocal(stmt) {
		return
	}
	at := c.frames[n]
	if stmt.Op != esl.Select && stmt.Op != esl.SelectDefault {
		f(int(at.index), stmt)
		return
	}
	targets := stmt.Targets
	if stmt.Op == esl.SelectDefault {
		targets = targets[:len(targets)-1]
	}
	for _, t := range targets {
		f(t, c.statement(int(at.function), t))
	}
}

// passes tells whether an instance is at a select that does not wait.
func (c *controls) passes(n control) bool {
	stmt, ok := c.at(n)
	return ok && stmt.Op == esl.SelectDefault
}

// future is the uses that an instance may still make, itself or by what it starts: a set of bits.
type future []uint64

func (f future) has(n int) bool { return n/64 < len(f) && f[n/64]>>(n%64)&1 == 1 }

// add adds another set, and tells whether that is more.
func (f *future) add(g future) (more bool) {
	for len(*f) < len(g) {
		*f = append(*f, 0)
	}
	for i, word := range g {
		more = more || word&^(*f)[i] != 0
		(*f)[i] |= word
	}
	return more
}

// meets tells whether two sets have an element in common.
func (f future) meets(g future) bool {
	for i := range min(len(f), len(g)) {
		if f[i]&g[i] != 0 {
			return true
		}
	}
	return false
}

// without returns a set without the elements of another one.
func (f future) without(g future) future {
	rest := slices.Clone(f)
	for i := range min(len(f), len(g)) {
		rest[i] &^= g[i]
	}
	return rest
}

// number returns the number of a use.
func (c *controls) number(u use) int {
	n, ok := c.uses[u]
	if !ok {
		n = len(c.uses)
		c.uses[u] = n
	}
	return n
}

// single is a set of one use.
func (c *controls) single(u use) future {
	n := c.number(u)
	f := make(future, n/64+1)
	f[n/64] |= 1 << (n % 64)
	return f
}

// bar is a lock that is held all the time: nobody gets past where it is taken. The zero bar is none.
type bar struct {
	isHeld bool
	lock   int
	reads  bool // it is held for reading: it can be taken so
}

// stops tells whether an operation cannot be executed.
func (b bar) stops(s esl.Stmt) bool {
	return b.isHeld && s.Arg == b.lock && (s.Op == esl.LockOp || !b.reads && (s.Op == esl.RLock || s.Op == esl.Intend))
}

// solve finds out what can still be done from each statement of a function, until that function returns.
func (c *controls) solve(b bar) [][]future {
	var bodies [][]future
	for i := range c.program.Functions {
		bodies = append(bodies, make([]future, len(c.program.Functions[i].Body)+1))
	}
	for changed := true; changed; {
		changed = false
		for fn, f := range c.program.Functions {
			for i := len(f.Body) - 1; i >= 0; i-- {
				stmt, to := f.Body[i], &bodies[fn][i]
				switch {
				case b.stops(stmt):
					continue
				case stmt.Op == esl.Call:
					changed = to.add(bodies[stmt.Arg][0]) || changed
				case !isLocal(stmt):
					changed = to.add(c.single(use{op: stmt.Op, arg: stmt.Arg})) || changed
					if h, ok := more(stmt); ok {
						changed = to.add(c.single(use{stmt.Op, stmt.Arg, h})) || changed
					}
				}
				if stmt.Op == esl.Start {
					changed = to.add(bodies[c.program.Processes[stmt.Arg].Entry][0]) || changed
				}
				switch stmt.Op {
				case esl.Goto, esl.Choice, esl.Select, esl.SelectDefault:
					for _, t := range stmt.Targets {
						changed = to.add(bodies[fn][t]) || changed
					}
				case esl.Return, esl.Exit:
				case esl.LockOp, esl.RLock:
					release := map[esl.Op]esl.Op{esl.LockOp: esl.Unlock, esl.RLock: esl.RUnlock}[stmt.Op]
					taken := c.single(use{release, stmt.Arg, how{loose: true}})
					changed = to.add(bodies[fn][i+1].without(taken)) || changed
				default:
					changed = to.add(bodies[fn][i+1]) || changed
				}
			}
		}
	}
	return bodies
}

// future returns what an instance may still do, by itself or by what it starts.
func (c *controls) future(n control) future { return c.futureBefore(n, bar{}) }

// futureBefore returns what an instance may do as long as there is a bar.
func (c *controls) futureBefore(n control, b bar) future {
	if n <= ended {
		return nil
	}
	known := c.futures[b]
	if known == nil {
		known = map[control]future{}
		c.futures[b], c.bodies[b] = known, c.solve(b)
	}
	if f, ok := known[n]; ok {
		return f
	}
	at := c.frames[n]
	f := slices.Clone(c.futureBefore(at.below, b))
	f.add(c.bodies[b][at.function][at.index])
	known[n] = f
	return f
}
