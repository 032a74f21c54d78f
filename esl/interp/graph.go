package interp

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// graph is the states of a program in which all threads are settled, built as far
// as they are asked for. Node 0 is the initial state, not settled yet.
type graph struct {
	program *esl.Program
	depth   int
	monitor *monitor // numbers the units and keys
	nodes   []node
	index   map[string]int
	cut     bool // a way deeper than depth activations was not followed
}

type node struct {
	state    *State
	expanded bool
	edges    []edge
}

// edge is one step that is not silent, or a rendezvous, with the silent ones that
// follow it; from node 0 it is silent steps only.
type edge struct {
	to      int
	steps   []esl.Step
	visible bool    // the first step is not silent
	thread  int     // that takes the first step
	events  []event // what the first step is for the patterns, if it is an access in a unit
	join    int     // the process that the first step joins, or -1
	forget  key     // what the first step forgets, if anything
	ended   []place // the outermost units that end on the way
	lows    []low   // how far threads return on the way
}

func newGraph(p *esl.Program, depth int) *graph {
	return &graph{program: p, depth: depth, nodes: []node{{state: Initial(p)}}, index: map[string]int{}}
}

// edges returns the edges of a node.
func (g *graph) edges(n int) []edge {
	if !g.nodes[n].expanded {
		edges := g.expand(n)
		g.nodes[n].expanded, g.nodes[n].edges = true, edges
	}
	return g.nodes[n].edges
}

func (g *graph) expand(n int) []edge {
	s := g.nodes[n].state
	var all []edge
	if n == 0 {
		var started []int
		for i, t := range s.Threads {
			if t.Started {
				started = append(started, i)
			}
		}
		return g.settle(nil, edge{join: -1}, s, started)
	}
	for i := range s.Threads {
		if stmt, ok := s.next(i); !ok || silent(stmt) {
			continue
		}
		for _, step := range s.enabled(i) {
			all = g.step(all, s, i, step)
		}
	}
	return all
}

// step appends the edges that begin with a step that is not silent.
func (g *graph) step(all []edge, s *State, i int, step esl.Step) []edge {
	stmt := s.statement(step)
	e := edge{steps: []esl.Step{step}, visible: true, thread: i, join: -1}
	threads := []int{i}
	switch stmt.Op {
	case esl.Access:
		e.events = g.events(s, i, stmt)
	case esl.Join:
		e.join = stmt.Arg
	case esl.Forget:
		e.forget = key{numberOf(&g.monitor.keys, stmt.Key), len(s.Threads[i].Stack)}
	case esl.Start:
		if step.Target > 0 {
			threads = append(threads, s.thread(esl.Instance{Process: stmt.Arg, Copy: step.Target}))
		}
	}
	next := s.Clone()
	next.execute(i, step)
	if next.Meeting.Open {
		return g.meet(all, e, next)
	}
	return g.settle(all, e, next, threads)
}

// meet appends the edges of a rendezvous that begins like e, one for each receiver.
func (g *graph) meet(all []edge, e edge, s *State) []edge {
	send := esl.Stmt{Arg: s.Meeting.Channel, Value: s.Meeting.Value}
	for _, r := range s.receivers(s.Meeting.Sender, send, s.Meeting.Passing) {
		receive := s.enabled(r)[0]
		next, to := s.Clone(), e
		next.execute(r, receive)
		to.steps = append(slices.Clip(e.steps), receive)
		all = g.settle(all, to, next, []int{s.Meeting.Sender, r})
	}
	return all
}

// events returns the units of the thread that the access is an event of.
func (g *graph) events(s *State, i int, stmt esl.Stmt) []event {
	var all []event
	for o := range g.program.Objects {
		if !s.covers(i, o, stmt.Arg) {
			continue
		}
		u, _ := s.unitOn(i, o)
		unit := numberOf(&g.monitor.units, esl.UnitName{Object: o, Label: u.Label})
		all = append(all, event{i, unit, o, stmt.Arg, stmt.Access, numberOf(&g.monitor.keys, stmt.Key),
			len(s.Threads[i].Stack)})
	}
	return all
}

// settle appends an edge like e for each way to settle the threads.
func (g *graph) settle(all []edge, e edge, s *State, threads []int) []edge {
	ways, cut := settle(s, threads, g.depth)
	g.cut = g.cut || cut
	for _, way := range ways {
		to := e
		to.to = g.node(way.state)
		to.steps = append(e.steps[:len(e.steps):len(e.steps)], way.steps...)
		to.ended, to.lows = way.ended, way.lows
		all = append(all, to)
	}
	return all
}

// node returns the node of a state.
func (g *graph) node(s *State) int {
	key := s.key()
	n, ok := g.index[key]
	if !ok {
		n = len(g.nodes)
		g.nodes = append(g.nodes, node{state: s})
		g.index[key] = n
	}
	return n
}
