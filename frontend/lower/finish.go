package lower

import (
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/notes"
)

// finish turns the clones into an ESL program: joins get their processes, what has
// no effect is left out, segments become statements.
func (l *lowerer) finish(entry *clone) (*Result, error) {
	l.expandJoins()
	l.prune()
	l.inlineLooks()
	r := &Result{Program: &esl.Program{Name: l.Program.Module}, Memory: l.memory, Inlined: l.inlined, Removals: map[esl.Pos]bool{}}
	for _, instr := range l.reads.Removals() {
		r.Removals[l.position(instr)] = true
	}
	p := r.Program
	for _, star := range l.Stars.Stars {
		p.Objects = append(p.Objects, esl.Object{Name: star.Name, Site: star.Site})
		for _, f := range l.Stars.Subject.Fields {
			p.Locations = append(p.Locations, esl.Location{Object: len(p.Objects) - 1, Name: f})
		}
	}
	for _, at := range l.parts {
		p.Locations = append(p.Locations, esl.Location{Object: at.Star, Name: l.Stars.Subject.Fields[at.Field] + PartSuffix})
	}
	p.Locks = l.lockList
	p.Channels = l.channelList
	for _, name := range l.flagNames {
		p.Flags = append(p.Flags, esl.Flag{Name: name})
	}

	live := l.reachable(entry)
	functions := map[int]int{} // clone to ESL function
	for _, c := range l.order {
		if live.clones[c.index] {
			functions[c.index] = len(p.Functions)
			p.Functions = append(p.Functions, esl.Function{Name: c.name, Pos: l.clonePosition(c)})
			r.GoFunctions = append(r.GoFunctions, c.goName)
		}
	}
	processes := map[int]int{0: 0}
	p.Processes = []esl.Process{{Name: "main", Entry: functions[entry.index], Copies: 1, Initial: true}}
	for i, q := range l.processList {
		if live.processes[i+1] {
			processes[i+1] = len(p.Processes)
			p.Processes = append(p.Processes, esl.Process{Name: fmt.Sprintf("g%d", len(p.Processes)), Entry: functions[q.entry.index], Copies: q.copies, Disjoint: l.disjoint(q), Pos: q.pos})
		}
	}
	for _, c := range l.order {
		if !live.clones[c.index] {
			continue
		}
		body := linearise(c, functions, processes)
		p.Functions[functions[c.index]].Body = body
	}
	l.addSetters(p)
	l.settlePassedLocks(p)
	l.settleOwnChannels(p)
	l.settleTokens(r)
	l.settleServices(p)
	notes.SettleCounters(p, l.Strict)
	l.assumeBlackBoxes()
	l.assumeOthers()
	l.assumeOtherwise()
	r.Assumptions = l.sortedAssumptions()
	return r, nil
}

func (l *lowerer) clonePosition(c *clone) esl.Pos {
	if c.node == nil {
		return esl.Pos{}
	}
	return l.Program.Position(c.node.Func.Pos())
}

// expandJoins replaces the joins on wait groups by joins on their processes.
func (l *lowerer) expandJoins() {
	for _, c := range l.order {
		for _, seg := range c.segments {
			var stmts []esl.Stmt
			for _, st := range seg.stmts {
				if st.Op != esl.Join {
					stmts = append(stmts, st)
					continue
				}
				for i, q := range l.processList {
					if q.groups[-1-st.Arg] {
						stmts = append(stmts, esl.Stmt{Op: esl.Join, Arg: i + 1, Pos: st.Pos})
					}
				}
			}
			seg.stmts = stmts
		}
	}
}

// prune removes calls and starts of what has no effect, and what follows a call
// that never returns.
func (l *lowerer) prune() {
	effect, returns, signals := l.effects()
	for _, c := range l.order {
		for _, seg := range c.segments {
			var stmts []esl.Stmt
		statements:
			for _, st := range seg.stmts {
				switch st.Op {
				case esl.Call:
					if effect[st.Arg] || signals[st.Arg] {
						stmts = append(stmts, st)
					}
					if !returns[st.Arg] {
						seg.end, seg.next = endStuck, nil
						break statements
					}
					continue
				case esl.Start, esl.Join:
					if !effect[l.processList[st.Arg-1].entry.index] {
						continue
					}
				}
				stmts = append(stmts, st)
			}
			seg.stmts = stmts
		}
	}
}

// effects tells of each clone whether running it can have an effect on the model,
// whether it can return, and whether it can say that its goroutine is done. Units without
// accesses have no effect. In a goroutine that has one, it is to be said that it is done; for
// others, nobody waits.
func (l *lowerer) effects() (effect, returns, signals []bool) {
	effect, returns, signals = make([]bool, len(l.order)), make([]bool, len(l.order)), make([]bool, len(l.order))
	for changed := true; changed; {
		changed = false
		for i := len(l.order) - 1; i >= 0; i-- { // callees have later numbers
			c := l.order[i]
			if !effect[i] && l.hasEffect(c, effect) {
				effect[i], changed = true, true
			}
			if !returns[i] && canReturn(c, returns) {
				returns[i], changed = true, true
			}
			if !signals[i] && canSignal(c, signals) {
				signals[i], changed = true, true
			}
		}
	}
	return effect, returns, signals
}

// canSignal tells whether a statement of the clone says that the goroutine is done, by itself
// or by what it calls.
func canSignal(c *clone, signals []bool) bool {
	for _, seg := range c.segments {
		if slices.ContainsFunc(seg.stmts, func(st esl.Stmt) bool { return st.Op == esl.Done || st.Op == esl.Call && signals[st.Arg] }) {
			return true
		}
	}
	return false
}

// hasEffect tells whether a statement of the clone has an effect by itself or by
// what it calls or starts.
func (l *lowerer) hasEffect(c *clone, effect []bool) bool {
	for _, seg := range c.segments {
		for _, st := range seg.stmts {
			switch st.Op {
			case esl.Call:
				if effect[st.Arg] {
					return true
				}
			case esl.Start, esl.Join:
				if effect[l.processList[st.Arg-1].entry.index] {
					return true
				}
			case esl.Access, esl.LockOp, esl.Unlock, esl.RLock, esl.RUnlock, esl.Set, esl.Await, esl.AwaitUnset,
				esl.Send, esl.Receive, esl.ReceiveClosed, esl.CloseChannel:
				return true
			}
		}
	}
	return false
}

// canReturn tells whether some path through the clone reaches a return.
func canReturn(c *clone, returns []bool) bool {
	if len(c.segments) == 0 {
		return true
	}
	seen := map[int]bool{0: true}
	work := []int{0}
next:
	for len(work) > 0 {
		seg := c.segments[work[len(work)-1]]
		work = work[:len(work)-1]
		for _, st := range seg.stmts {
			if st.Op == esl.Call && !returns[st.Arg] {
				continue next
			}
		}
		if seg.end == endReturn {
			return true
		}
		for _, n := range seg.next {
			if !seen[n] {
				seen[n] = true
				work = append(work, n)
			}
		}
	}
	return false
}

// liveSet is what is reachable from the entry of the initial process.
type liveSet struct {
	clones    map[int]bool
	processes map[int]bool
}

// reachable follows calls and starts.
func (l *lowerer) reachable(entry *clone) liveSet {
	live := liveSet{map[int]bool{entry.index: true}, map[int]bool{0: true}}
	work := []*clone{entry}
	add := func(c *clone) {
		if !live.clones[c.index] {
			live.clones[c.index] = true
			work = append(work, c)
		}
	}
	for len(work) > 0 {
		c := work[len(work)-1]
		work = work[:len(work)-1]
		for _, seg := range c.segments {
			for _, st := range seg.stmts {
				switch st.Op {
				case esl.Call:
					add(l.order[st.Arg])
				case esl.Start, esl.Join:
					live.processes[st.Arg] = true
					add(l.processList[st.Arg-1].entry)
				}
			}
		}
	}
	return live
}

// linearise lays the reachable segments out as one list of statements. A segment
// without statements and with one successor is passed over.
func linearise(c *clone, functions, processes map[int]int) []esl.Stmt {
	target := func(i int) int {
		for hops := 0; hops < len(c.segments); hops++ {
			seg := c.segments[i]
			if len(seg.stmts) > 0 || seg.end != endJump || len(seg.next) != 1 {
				break
			}
			i = seg.next[0]
		}
		return i
	}
	var body []esl.Stmt
	at := map[int]int{}
	type patch struct{ stmt, segment int }
	var patches []patch
	work := []int{target(0)}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		for {
			if _, done := at[i]; done {
				body = append(body, esl.Stmt{Op: esl.Goto, Targets: []int{at[i]}})
				break
			}
			at[i] = len(body)
			seg := c.segments[i]
			for _, st := range seg.stmts {
				switch st.Op {
				case esl.Call:
					st.Arg = functions[st.Arg]
				case esl.Start, esl.Join:
					st.Arg = processes[st.Arg]
				}
				body = append(body, st)
			}
			if seg.end == endReturn {
				body = append(body, esl.Stmt{Op: esl.Return})
				break
			}
			next := distinctTargets(seg.next, target)
			if len(next) == 1 {
				i = next[0]
				continue
			}
			patches = append(patches, patch{len(body), i})
			body = append(body, esl.Stmt{Op: esl.Choice})
			for k := len(next) - 1; k >= 0; k-- {
				if _, done := at[next[k]]; !done {
					work = append(work, next[k])
				}
			}
			break
		}
		for len(work) > 0 {
			if _, done := at[work[len(work)-1]]; !done {
				break
			}
			work = work[:len(work)-1]
		}
	}
	for _, p := range patches {
		for _, n := range distinctTargets(c.segments[p.segment].next, target) {
			body[p.stmt].Targets = append(body[p.stmt].Targets, at[n])
		}
	}
	return body
}

// distinctTargets returns the segments that control goes to, each once, in order.
func distinctTargets(next []int, target func(int) int) []int {
	var all []int
	for _, n := range next {
		if t := target(n); !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	return all
}
