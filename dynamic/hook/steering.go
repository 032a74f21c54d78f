package hook

import (
	"sync"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// conductor decides which goroutine goes on. Its methods are called by the goroutine that g
// describes, at points; they return when it may go on. Object is the number of the object in
// the trace, 0 where there is none (for trace.Go: the number of the new goroutine).
type conductor interface {
	// begin is called when g has just begun, before its first record.
	begin(g *Goroutine)
	// fork is called by g before it starts a goroutine.
	fork(g *Goroutine, c Child)
	// timer says that a goroutine that was announced is a timer that goes off at any time.
	timer(c Child)
	// end is called after the last record of g.
	end(g *Goroutine)
	// point is called directly before an operation that cannot block, and before a select.
	point(g *Goroutine, op trace.Op, site, object uint32)
	// choose is called before a select, which may block if it has no default.
	choose(g *Goroutine, site uint32)
	// perform carries out an operation that may block: try does it without blocking and tells
	// whether it did, and is nil where there is no such form; block is the operation itself.
	perform(g *Goroutine, op trace.Op, site, object uint32, try func() bool, block func())
	// pin makes what the runtime chooses at random next the same in a replay.
	pin()
	// pause is called in place of sleeping or yielding.
	pause(g *Goroutine)
	// frame is called when a unit of work begins, is split or ends.
	frame(g *Goroutine, op trace.Op, site uint32)
	// await is c.Wait, signal is c.Signal or c.Broadcast.
	await(g *Goroutine, site uint32, c *sync.Cond)
	signal(c *sync.Cond, all bool)
}

// steering is nil when the run is only recorded. It is set by the initialisation of the
// package, before any goroutine of the program begins, and never changes.
var steering conductor

// point is where a goroutine that is steered or disturbed stops before an operation.
func (g *Goroutine) point(op trace.Op, site, object uint32) {
	if g.off {
		return
	}
	if noiseSeed != 0 {
		g.noise.make()
	}
	if steering != nil {
		steering.point(g, op, site, object)
	}
}

// perform carries out an operation that may block, when g.slow.
func (g *Goroutine) perform(op trace.Op, site, object uint32, try func() bool, block func()) {
	switch {
	case g.off:
		block()
	case steering != nil:
		steering.perform(g, op, site, object, try, block)
	default:
		g.point(op, site, object)
		block()
	}
}

// Poll is Select for one that does not wait.
func (g *Goroutine) Poll(site uint32) {
	if g.slow {
		g.Select(site)
		return
	}
	g.endOffers()
	g.speaks()
}

// endOffers ends those of a select around the one that begins, or of one that a panic has ended.
func (g *Goroutine) endOffers() {
	if len(g.offers) > 0 {
		g.published++
		g.offers = g.offers[:0]
	}
}

// Select is the point before a select.
func (g *Goroutine) Select(site uint32) {
	g.endOffers()
	switch {
	case g.off:
	case !g.slow:
		g.waits(0, site, nil)
	case steering != nil:
		steering.choose(g, site)
	default:
		g.point(trace.Recv, site, 0)
	}
}
