package interp

import (
	"context"
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/limit"
	"github.com/empire-go/empire-go/scenarios"
)

// Bounds bound Explore. Zero means no limit.
type Bounds struct {
	Steps  int // steps of a run that are not silent; a rendezvous is one
	States int // pairs of a state and a partial match
	Depth  int // activations on one stack; 16 if zero, since silent recursion would never end
}

// Exploration is what Explore found out.
type Exploration struct {
	Complete    bool   // all runs were explored
	Reason      string // if not: which bound was hit
	Occurrences []Found
	Races       []Race
	States      int // pairs of a state and a partial match explored
}

// Found is an occurrence with a shortest run of the program that contains it,
// counting the steps that are not silent.
type Found struct {
	Scenario int
	Occurrence
	Steps []esl.Step
}

// Race is a data race: after Steps, A and B can both access the location, at least
// one of them writes it, and not both accesses are atomic.
type Race struct {
	Location int
	A, B     esl.Instance
	Steps    []esl.Step
}

// Scenarios returns the numbers of the scenarios that occur, ascending. The
// conflict cycle counts only if it occurs for two units that no other scenario
// occurs for, in either role.
func (x *Exploration) Scenarios() []int {
	type units struct{ a, b esl.UnitName }
	explained := map[units]bool{}
	var all []int
	for _, f := range x.Occurrences {
		if f.Scenario != scenarios.ConflictCycle {
			explained[units{f.U.UnitName, f.V.UnitName}] = true
			explained[units{f.V.UnitName, f.U.UnitName}] = true
			all = append(all, f.Scenario)
		}
	}
	for _, f := range x.Occurrences {
		if f.Scenario == scenarios.ConflictCycle && !explained[units{f.U.UnitName, f.V.UnitName}] {
			all = append(all, f.Scenario)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Explore explores the runs of a program breadth first. It returns one shortest
// occurrence for each pattern of scenarios.Table and each pair of units (by object
// and label), and one shortest race for each location and pair of instances, both
// in the order in which they are found, so the shorter ones first.
//
// Besides the state of the program it follows one partial match, guessed one event
// at a time; so all instances, objects, locations and patterns are answered by one
// search, over the pairs of a state and a match. There are finitely many, unless
// the program is recursive or takes a lock shared any number of times. If Complete,
// the answers are exact: what is not there does not occur.
//
// When the context is done the exploration ends early and is not complete.
func Explore(ctx context.Context, p *esl.Program, bounds Bounds) Exploration {
	if bounds.Depth == 0 {
		bounds.Depth = 16
	}
	patterns := table()
	x := &explorer{
		graph:    newGraph(p, bounds.Depth),
		patterns: patterns,
		bounds:   bounds,
		seen:     map[pair]bool{},
		found:    map[answer]bool{},
		races:    map[racing]bool{},
		result:   Exploration{Complete: true},
	}
	x.monitor = newMonitor(p, patterns)
	x.graph.monitor = x.monitor
	x.add(pair{0, unmatched}, -1, nil)
	for k := 0; k < len(x.queue) && x.result.Reason != stopped; k++ {
		if k%1024 == 0 && limit.Pay(ctx, 1024*limit.Replayed) != nil {
			x.incomplete(stopped)
		}
		x.visit(k)
	}
	if x.graph.cut {
		x.incomplete(fmt.Sprintf("more than %d activations on a stack", bounds.Depth))
	}
	x.result.States = len(x.queue)
	return x.result
}

const stopped = "stopped"

// explorer is the state of an exploration.
type explorer struct {
	graph    *graph
	monitor  *monitor
	patterns []numbered
	bounds   Bounds
	queue    []item // all pairs reached, in order
	seen     map[pair]bool
	found    map[answer]bool
	races    map[racing]bool
	result   Exploration
}

// pair is a node of the graph of states and a partial match.
type pair struct {
	node  int
	match match
}

// item is a pair that was reached, and how.
type item struct {
	pair
	parent int   // in the queue; -1 at the beginning
	edge   *edge // that led here
	length int   // steps that are not silent
}

// answer is what occurrences are reported once for.
type answer struct{ pattern, uUnit, vUnit int }

// racing is what races are reported once for.
type racing struct{ location, a, b int }

func (x *explorer) incomplete(reason string) {
	if x.result.Complete || reason == stopped {
		x.result.Complete, x.result.Reason = false, reason
	}
}

// add puts a pair in the queue unless it was reached before or passes a bound.
func (x *explorer) add(to pair, parent int, by *edge) {
	if x.seen[to] {
		return
	}
	length := 0
	if parent >= 0 {
		length = x.queue[parent].length
		if by.visible {
			length++
		}
	}
	switch {
	case x.bounds.Steps > 0 && length > x.bounds.Steps:
		x.incomplete(fmt.Sprintf("more than %d steps", x.bounds.Steps))
		return
	case x.bounds.States > 0 && len(x.queue) >= x.bounds.States:
		x.incomplete(fmt.Sprintf("more than %d states", x.bounds.States))
		return
	}
	x.seen[to] = true
	x.queue = append(x.queue, item{to, parent, by, length})
	x.report(len(x.queue) - 1)
}

// visit follows all edges of the kth pair, unless its match is complete.
func (x *explorer) visit(k int) {
	from := x.queue[k]
	if len(x.monitor.tree[from.match.prefix].next) == 0 {
		return
	}
	edges := x.graph.edges(from.node)
	for i := range edges {
		e := &edges[i]
		for _, m := range x.monitor.after(from.match, e, x.graph.nodes[from.node].state) {
			x.add(pair{e.to, m}, k, e)
		}
	}
}

// report records what has been reached with the kth pair.
func (x *explorer) report(k int) {
	at := x.queue[k]
	if at.match == unmatched {
		x.reportRaces(k)
	}
	for _, i := range x.monitor.tree[at.match.prefix].complete {
		id := answer{i, at.match.uUnit, at.match.vUnit}
		if x.found[id] || x.monitor.commutes(at.match) || x.isDisjoint(at.match) {
			continue
		}
		x.found[id] = true
		x.result.Occurrences = append(x.result.Occurrences, x.occurrence(k, x.patterns[i]))
	}
}

// isDisjoint tells whether the instances of a complete match access different parts of
// one of its locations.
func (x *explorer) isDisjoint(m match) bool {
	p := x.graph.program
	all := p.Instances()
	return slices.ContainsFunc([]int{m.l1, m.l2}, func(l int) bool {
		return l >= 0 && p.AreDisjoint(all[m.u], all[m.v], l)
	})
}

// occurrence describes the complete match of the kth pair.
func (x *explorer) occurrence(k int, n numbered) Found {
	m, instances := x.queue[k].match, x.graph.program.Instances()
	steps, matched := x.run(k)
	locations := []int{m.l1}
	if n.pattern.Locations() == 2 {
		locations = append(locations, m.l2)
	}
	return Found{n.scenario, Occurrence{
		n.pattern,
		UnitInstance{instances[m.u], x.monitor.units[m.uUnit]},
		UnitInstance{instances[m.v], x.monitor.units[m.vUnit]},
		locations, matched,
	}, steps}
}

// run returns the run that led to the kth pair, and the indices of the steps that
// extended its match.
func (x *explorer) run(k int) (steps []esl.Step, matched []int) {
	var way []int
	for ; k >= 0; k = x.queue[k].parent {
		way = append(way, k)
	}
	for _, k := range slices.Backward(way) {
		at := x.queue[k]
		if at.parent < 0 {
			continue
		}
		if at.match.prefix != x.queue[at.parent].match.prefix {
			matched = append(matched, len(steps))
		}
		steps = append(steps, at.edge.steps...)
	}
	return steps, matched
}

// reportRaces records the data races in the state of the kth pair.
func (x *explorer) reportRaces(k int) {
	s := x.graph.nodes[x.queue[k].node].state
	for i := range s.Threads {
		for j := i + 1; j < len(s.Threads); j++ {
			a, okA := s.next(i)
			b, okB := s.next(j)
			if !okA || !okB || a.Op != esl.Access || b.Op != esl.Access || a.Arg != b.Arg {
				continue
			}
			id := racing{a.Arg, i, j}
			if x.races[id] || s.Program.AreDisjoint(s.Threads[i].Instance, s.Threads[j].Instance, a.Arg) ||
				!a.Access.Writes() && !b.Access.Writes() || a.Access.Atomic() && b.Access.Atomic() {
				continue
			}
			x.races[id] = true
			steps, _ := x.run(k)
			x.result.Races = append(x.result.Races, Race{a.Arg, s.Threads[i].Instance, s.Threads[j].Instance, steps})
		}
	}
}

// after returns the matches that can follow when an edge is taken from state s.
func (m *monitor) after(a match, e *edge, s *State) []match {
	all := []match{a}
	switch {
	case e.forget.number != 0 && m.forgets(a, e.thread, e.forget):
		return nil
	case e.join >= 0:
		all[0] = a.join(s, e.thread, e.join)
	}
	for _, ev := range e.events {
		all = append(all, m.extensions(a, ev, s)...)
	}
	alive := all[:0]
	for _, b := range all {
		for _, at := range e.ended {
			b = m.ended(b, at)
		}
		for _, to := range e.lows {
			b = m.returned(b, to)
		}
		if m.alive(b, s) {
			alive = append(alive, b)
		}
	}
	return alive
}
