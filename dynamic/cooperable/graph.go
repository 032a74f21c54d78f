package cooperable

import "github.com/empire-go/empire-go/dynamic/events"

// Transaction is what one thread does between two yields.
type Transaction struct {
	Thread uint32
	Number int          // of the transaction in its thread, from 0
	Begin  events.Event // its first event
	Last   int          // the number of its last event so far
	Added  bool         // the yield before it is not one of the trace
}

// Step is an event of a transaction.
type Step struct {
	Of    *Transaction
	Event events.Event
}

// Edge is why one transaction comes before another one: an event of it conflicts with a later one of the other.
type Edge struct{ Before, After Step }

// graph knows which transactions each live transaction comes before. Each thread has one live transaction, its
// current one. What a transaction comes before, of the transactions of one thread, is all from the first one
// on; so that is what is kept.
//
// It is exact: edges lead to live transactions only, so what others come before need not be known. A cycle is
// closed by an edge to a live transaction, from one that it comes before.
type graph struct {
	live  []*Transaction
	first []map[uint32]reached        // by thread, of its live transaction: by thread
	from  []map[uint32]struct{}       // by thread: the live transactions, by thread, that have it in first
	seen  []map[uint32]int            // by thread: of each other one, how many first transactions have edges to it
	edge  func(from, to *Transaction) // is told of each edge, if it is not nil
}

// reached is the first transaction of a thread that is reached, and the last edge on the way.
type reached struct {
	number int
	by     *Edge
}

// thread makes room for a thread.
func (g *graph) thread(t uint32) {
	for n := uint32(len(g.live)); n <= t; n++ {
		g.live = append(g.live, &Transaction{Thread: n})
		g.first = append(g.first, map[uint32]reached{})
		g.from = append(g.from, map[uint32]struct{}{})
		g.seen = append(g.seen, map[uint32]int{})
	}
}

// next ends the transaction of a thread and begins another one.
func (g *graph) next(t uint32) *Transaction {
	for u := range g.first[t] {
		delete(g.from[u], t)
	}
	clear(g.first[t])
	before := g.live[t]
	g.live[t] = &Transaction{Thread: t, Number: before.Number + 1}
	if g.edge != nil {
		g.edge(before, g.live[t])
	}
	return g.live[t]
}

// reaches tells whether the live transaction of a thread comes before another thread's.
func (g *graph) reaches(t uint32, n *Transaction) bool {
	r, ok := g.first[t][n.Thread]
	return ok && r.number <= n.Number
}

// add adds an edge to a live transaction that closes no cycle.
func (g *graph) add(e Edge) {
	n, t := e.Before.Of, e.After.Of.Thread
	if n.Thread == t || g.seen[t][n.Thread] > n.Number {
		return
	}
	g.seen[t][n.Thread] = n.Number + 1
	if g.edge != nil {
		g.edge(n, e.After.Of)
	}
	edge := &Edge{e.Before, e.After} // only what is kept is memory of its own
	if g.live[n.Thread] == n {
		g.link(n.Thread, t, edge)
	}
	for l := range g.from[n.Thread] {
		if g.reaches(l, n) {
			g.link(l, t, edge)
		}
	}
}

// link lets the live transaction of a thread come before that of another one, and what that comes before.
func (g *graph) link(from, to uint32, edge *Edge) {
	if _, ok := g.first[from][to]; ok {
		return // then this was so before
	}
	g.set(from, to, reached{g.live[to].Number, edge})
	for u, r := range g.first[to] {
		if old, ok := g.first[from][u]; !ok || r.number < old.number {
			g.set(from, u, r)
		}
	}
}

func (g *graph) set(from, to uint32, r reached) {
	g.first[from][to] = r
	g.from[to][from] = struct{}{}
}

// path is a path from the live transaction of a thread to one that it comes before.
func (g *graph) path(t uint32, n *Transaction) []Edge {
	var path []Edge
	for at := n.Thread; at != t; at = path[0].Before.Of.Thread {
		path = append([]Edge{*g.first[t][at].by}, path...)
	}
	return path
}

// matters tells whether a transaction can be part of a cycle yet: it is live, or a live one comes before it.
func (g *graph) matters(n *Transaction) bool {
	if g.live[n.Thread] == n {
		return true
	}
	for l := range g.from[n.Thread] {
		if g.reaches(l, n) {
			return true
		}
	}
	return false
}
