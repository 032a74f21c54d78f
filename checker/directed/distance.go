package directed

import (
	"container/heap"
	"math"

	"github.com/empire-go/empire-go/esl"
)

// never is the distance of what cannot be reached.
const never = math.MaxInt32 / 4

// graph is the statements of a program as nodes, by function; each function has one more, for falling off its end.
// Distances are numbers of steps of one process, if nothing is in its way.
type graph struct {
	program *esl.Program
	first   []int32   // by function: the node of its first statement
	of      []int32   // by node: its function
	preds   [][]int32 // by node: the nodes in its function from which control comes to it; a call's is its return
	calls   [][]int32 // by function: the nodes that call it
	ret     []int32   // by node: steps until its function has returned
	isShut  []bool    // by node: nobody is to execute it
}

// newGraph returns the graph of a program without the statements that are to be avoided. O(n log n) for n statements.
func newGraph(p *esl.Program, avoid func(esl.Place) bool) *graph {
	g := &graph{program: p, calls: make([][]int32, len(p.Functions))}
	for f, fn := range p.Functions {
		g.first = append(g.first, int32(len(g.of)))
		for range len(fn.Body) + 1 {
			g.of = append(g.of, int32(f))
		}
	}
	g.isShut = make([]bool, len(g.of))
	for f, fn := range p.Functions {
		for i := range fn.Body {
			g.isShut[g.first[f]+int32(i)] = avoid != nil && avoid(esl.Place{Function: f, Index: i})
		}
	}
	g.preds = make([][]int32, len(g.of))
	for f, fn := range p.Functions {
		for i, s := range fn.Body {
			n := g.first[f] + int32(i)
			switch s.Op {
			case esl.Goto, esl.Choice:
				for _, to := range s.Targets {
					g.preds[g.first[f]+int32(to)] = append(g.preds[g.first[f]+int32(to)], n)
				}
			case esl.Return, esl.Exit:
			default:
				g.preds[n+1] = append(g.preds[n+1], n)
			}
			if s.Op == esl.Call {
				g.calls[s.Arg] = append(g.calls[s.Arg], n)
			}
		}
	}
	g.findReturns()
	return g
}

// statement returns the statement of a node; that of the end of a function is a Return.
func (g *graph) statement(n int32) esl.Stmt {
	body := g.program.Functions[g.of[n]].Body
	if i := int(n - g.first[g.of[n]]); i < len(body) {
		return body[i]
	}
	return esl.Stmt{Op: esl.Return}
}

// findReturns finds the distances to returns: Knuth's generalization of Dijkstra's algorithm, in which what a call
// costs is what its function does.
func (g *graph) findReturns() {
	s := newSearch(0, len(g.of))
	for n := range int32(len(g.of)) {
		if g.statement(n).Op == esl.Return && !g.isShut[n] {
			s.relax(n, 1)
		}
	}
	for n, cost, ok := s.next(); ok; n, cost, ok = s.next() {
		for _, from := range g.preds[n] {
			if st := g.statement(from); g.isShut[from] {
			} else if st.Op != esl.Call {
				s.relax(from, cost+1)
			} else if callee := g.first[st.Arg]; s.settled[callee] {
				s.relax(from, cost+1+s.dist[callee])
			}
		}
		if f := g.of[n]; g.first[f] == n {
			for _, call := range g.calls[f] {
				if s.settled[call+1] && !g.isShut[call] {
					s.relax(call, cost+1+s.dist[call+1])
				}
			}
		}
	}
	g.ret = s.dist
}

// toward returns by node the distance to the nearest goal, to which what the goal costs is added. Nobody passes a
// statement that is a wall.
func (g *graph) toward(goals map[int32]int32, isWall func(esl.Stmt) bool) []int32 {
	s := newSearch(0, len(g.of))
	for n, cost := range goals {
		s.relax(n, cost)
	}
	for n, cost, ok := s.next(); ok; n, cost, ok = s.next() {
		g.relaxBefore(s, n, cost, isWall)
		if f := g.of[n]; g.first[f] == n {
			for _, call := range g.calls[f] {
				if !g.isShut[call] {
					s.relax(call, cost+1)
				}
			}
		}
	}
	return s.dist
}

// passing returns by node the distance to the return of its function, one of the statements executed on the way.
func (g *graph) passing(at map[int32]bool) []int32 {
	s := newSearch(0, len(g.of))
	for n := range at {
		s.relax(n, 1+g.ret[n+1])
	}
	for n, cost, ok := s.next(); ok; n, cost, ok = s.next() {
		g.relaxBefore(s, n, cost, nil)
		if f := g.of[n]; g.first[f] == n {
			for _, call := range g.calls[f] {
				if !g.isShut[call] {
					s.relax(call, cost+1+g.ret[call+1])
				}
			}
		}
	}
	return s.dist
}

// within is toward for one activation of a function: the distances, by statement, without leaving it. Outer are the
// distances for what it calls.
func (g *graph) within(f int, goals map[int32]int32, outer []int32, isWall func(esl.Stmt) bool) []int32 {
	from, to := g.first[f], g.first[f]+int32(len(g.program.Functions[f].Body))
	s := newSearch(from, int(to-from)+1)
	for n := from; n <= to; n++ {
		if cost, is := goals[n]; is {
			s.relax(n, cost)
		}
		if st := g.statement(n); st.Op == esl.Call && outer[g.first[st.Arg]] < never {
			s.relax(n, outer[g.first[st.Arg]]+1)
		}
	}
	for n, cost, ok := s.next(); ok; n, cost, ok = s.next() {
		g.relaxBefore(s, n, cost, isWall)
	}
	return s.dist
}

// relaxBefore hands a distance on to the statements from which control comes.
func (g *graph) relaxBefore(s *search, n, cost int32, isWall func(esl.Stmt) bool) {
	for _, from := range g.preds[n] {
		st := g.statement(from)
		if g.isShut[from] || isWall != nil && isWall(st) {
			continue
		}
		step := int32(1)
		if st.Op == esl.Call {
			step += g.ret[g.first[st.Arg]]
		}
		s.relax(from, cost+step)
	}
}

// search is Dijkstra's algorithm on nodes from a first one on.
type search struct {
	first   int32
	dist    []int32
	settled []bool
	queue   queue
}

func newSearch(first int32, nodes int) *search {
	s := &search{first: first, dist: make([]int32, nodes), settled: make([]bool, nodes)}
	for n := range s.dist {
		s.dist[n] = never
	}
	return s
}

func (s *search) relax(n, cost int32) {
	if k := n - s.first; cost < never && cost < s.dist[k] && !s.settled[k] {
		s.dist[k] = cost
		heap.Push(&s.queue, entry{cost, n})
	}
}

// next settles the nearest node that is not settled.
func (s *search) next() (n, cost int32, ok bool) {
	for len(s.queue) > 0 {
		e := heap.Pop(&s.queue).(entry)
		if k := e.node - s.first; !s.settled[k] {
			s.settled[k] = true
			return e.node, e.cost, true
		}
	}
	return 0, 0, false
}

type entry struct{ cost, node int32 }

// queue is a heap.Interface.
type queue []entry

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return q[i].cost < q[j].cost || q[i].cost == q[j].cost && q[i].node < q[j].node
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(e any)   { *q = append(*q, e.(entry)) }
func (q *queue) Pop() any {
	e := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return e
}
