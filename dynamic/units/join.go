package units

import (
	"maps"
	"slices"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// synchronise follows which goroutines were started and waited for.
func (t *Tracker) synchronise(g *goroutine, e trace.Event) {
	if e.Op >= trace.Lock && e.Op <= trace.Broadcast {
		if len(g.syncs) == 2*maxSyncs {
			g.syncs = slices.Delete(g.syncs, 0, maxSyncs)
		}
		g.syncs = append(g.syncs, Sync{e.Op, e.Site, e.Object, t.index})
	}
	switch e.Op {
	case trace.Go:
		t.goroutine(uint32(e.Arg)).started = Start{g.number, e.Site, t.index}
		t.fork(g, uint32(e.Arg))
	case trace.Send, trace.Presend, trace.Close, trace.Done, trace.Offer: // an Offer may have been taken
		t.tell(g, e.Object)
	case trace.Recv, trace.Wait:
		t.learn(g, e.Object)
	}
}

// fork notes a goroutine with the stretches in which it was started, by whomever.
func (t *Tracker) fork(g *goroutine, child uint32) {
	c := t.goroutine(child)
	c.within = nil
	for f := g.top; f != nil; f = f.Parent {
		c.within = append(c.within, f)
	}
	for _, f := range g.within {
		if f.stretch != nil && slices.Contains(f.stretch.forked, g.number) {
			c.within = append(c.within, f)
		}
	}
	for _, f := range c.within {
		f.stretch.forked = append(f.stretch.forked, child)
		for _, u := range f.units {
			t.sink.Fork(u, child)
		}
	}
}

// isAwaited tells whether a unit that is open may wait for the goroutine.
func (g *goroutine) isAwaited() bool {
	g.within = slices.DeleteFunc(g.within, func(f *Frame) bool {
		return f.stretch == nil || !slices.Contains(f.stretch.forked, g.number)
	})
	return len(g.within) > 0
}

// tell leaves with a channel or WaitGroup what the goroutine has done and knows of.
func (t *Tracker) tell(g *goroutine, object uint32) {
	said := t.messages[object]
	note := func(who uint32, accesses uint64) {
		if said == nil {
			said = map[uint32]uint64{}
			t.messages[object] = said
		}
		said[who] = max(said[who], accesses)
	}
	maps.DeleteFunc(g.known, func(who uint32, _ uint64) bool { return !t.goroutine(who).isAwaited() })
	for who, accesses := range g.known {
		note(who, accesses)
	}
	if g.isAwaited() {
		note(g.number, g.accesses)
	}
}

// learn is what a goroutine knows after it has waited: goroutines of which it knows all
// accesses are joined.
func (t *Tracker) learn(g *goroutine, object uint32) {
	said := t.messages[object]
	for _, who := range slices.Sorted(maps.Keys(said)) {
		child := t.goroutine(who)
		if !child.isAwaited() {
			delete(said, who)
			continue
		}
		if g.known == nil {
			g.known = map[uint32]uint64{}
		}
		g.known[who] = max(g.known[who], said[who])
		if g.known[who] < child.accesses {
			continue
		}
		for f := g.top; f != nil; f = f.Parent {
			if i := slices.Index(f.stretch.forked, who); i >= 0 {
				f.stretch.forked = slices.Delete(f.stretch.forked, i, i+1)
				for _, u := range f.units {
					t.sink.Join(u, who)
				}
			}
		}
	}
	if len(said) == 0 {
		delete(t.messages, object)
	}
}
