package hook

import (
	"sync/atomic"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// Which objects no other goroutine can reach.

// strangers counts goroutines of which nobody knows who started them: they may know everything.
var strangers atomic.Uint64

// makes notes that the goroutine has made an object.
func (g *Goroutine) makes(o *object) {
	if !reducing {
		return
	}
	o.made = g.published + strangers.Load()
	o.owner.Store(g.number)
	if n := len(g.frames); n > 0 {
		if f := &g.frames[n-1]; f.flags&trace.SiteConstructor != 0 {
			o.maker = f.function
		}
	}
}

// isPrivate tells whether no other goroutine can reach an object, as units.Tracker has it.
func (g *Goroutine) isPrivate(o *object, s *trace.ReducedSite) bool {
	owner := o.owner.Load()
	switch {
	case owner == everybody:
		return false
	case s.Flags&trace.SiteStatic != 0:
	case owner == g.number && o.made == g.published+strangers.Load():
		if o.maker == 0 || s.Flags&trace.SiteKnown == 0 || o.maker != s.Function {
			return true
		}
		g.record(trace.Escape, 0, o.number, 0)
	}
	o.owner.Store(everybody)
	return false
}

// lets is called before an operation by which others may learn of what the goroutine has made, or of what
// it has done.
func (g *Goroutine) lets(op trace.Op) {
	if !reducing {
		return
	}
	g.era++
	g.speaks()
	if g.stale {
		g.dropStale()
	}
	switch op {
	case trace.Offer: // others learn of it where it is taken: see chose
		g.told = true
	case trace.Send, trace.Close, trace.Done:
		g.told = true
		g.published++
	case trace.Go, trace.OnceEnd, trace.Signal, trace.Broadcast, trace.Add:
		g.published++
	}
	if op == trace.Go {
		g.touch()
	}
	g.settle()
}
