package reduce

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// The functions that clients of a library hand over do what clients do. Where such a function is called
// by something that is no part of a unit of work, it does nothing that its client could not do in place
// of that call: neither the call nor what goes on around it has a visible step of its own, and if it
// waits or has a lock, that only keeps the function from running. So the call need not be modelled,
// and with it all that leads to it: in a package with services that is nearly everything, as each of
// them calls handlers. The function may run there in a goroutine of the library's; then the client
// stands for that goroutine.

// findEnclosing finds the nodes that may be part of a unit of work on a star: those that have a pointer
// into one, or access or make one, and all that they call, but for what clients do while they are called
// back. isUnit tells of units that the user names.
func (r *Reduction) findEnclosing(graph *pointsto.Result, stars *isolate.Isolation, isUnit func(*ssa.Function) bool) {
	near := map[*pointsto.Node]bool{}
	for _, n := range stars.NearStars() {
		near[n] = true
	}
	r.enclosing = map[*pointsto.Node]bool{}
	var work []*pointsto.Node
	for _, n := range graph.Nodes() {
		if graph.IsOfClass(n, knowledge.Formatters) {
			continue // who hands it something is one of them
		}
		if near[n] || r.Direct[n] != nil || r.handing[n] || stars.MakesHolder(n) || constructsAny(stars, n) ||
			isUnit(n.Func) {
			work = append(work, n)
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if r.enclosing[n] || r.isOfClients(n.Func) {
			continue
		}
		r.enclosing[n] = true
		for _, e := range graph.Calls(n) {
			for _, callee := range r.Printing.Callees(e) {
				if !r.enclosing[callee] {
					work = append(work, callee)
				}
			}
		}
	}
}

// isClientsAffair tells whether a call runs a function of a client where that does nothing new.
func (r *Reduction) isClientsAffair(e pointsto.Edge) bool {
	return r.enclosing != nil && !r.enclosing[e.Caller] && r.isOfClients(e.Callee.Func) && !r.isOfClients(e.Caller.Func)
}
