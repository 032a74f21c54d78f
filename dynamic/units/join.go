package units

import (
	"cmp"
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
	if len(g.within) == 0 {
		return false
	}
	g.within = slices.DeleteFunc(g.within, func(f *Frame) bool {
		return f.stretch == nil || !slices.Contains(f.stretch.forked, g.number)
	})
	return len(g.within) > 0
}

// progress is how many accesses a goroutine had come to.
type progress struct {
	who      uint32
	accesses uint64
}

// news is the progress of goroutines, by their numbers.
type news []progress

// note adds to what is known of a goroutine, and returns how far it has come.
func (n *news) note(who uint32, accesses uint64) uint64 {
	i, found := slices.BinarySearchFunc(*n, who, func(p progress, who uint32) int { return cmp.Compare(p.who, who) })
	if !found {
		*n = slices.Insert(*n, i, progress{who, accesses})
		return accesses
	}
	p := &(*n)[i]
	p.accesses = max(p.accesses, accesses)
	return p.accesses
}

// awaited drops those goroutines that nobody waits for any more.
func (t *Tracker) awaited(n news) news {
	return slices.DeleteFunc(n, func(p progress) bool { return !t.goroutine(p.who).isAwaited() })
}

// tell leaves with a channel or WaitGroup what the goroutine has done and knows of.
func (t *Tracker) tell(g *goroutine, object uint32) {
	g.known = t.awaited(g.known)
	isAwaited := g.isAwaited()
	if len(g.known) == 0 && !isAwaited {
		return
	}
	said := t.messages[object]
	before := len(said)
	for _, p := range g.known {
		said.note(p.who, p.accesses)
	}
	if isAwaited {
		said.note(g.number, g.accesses)
	}
	if len(said) != before {
		t.messages[object] = said
	}
}

// learn is what a goroutine knows after it has waited: goroutines of which it knows all
// accesses are joined.
func (t *Tracker) learn(g *goroutine, object uint32) {
	said, found := t.messages[object]
	if !found {
		return
	}
	before := len(said)
	if said = t.awaited(said); len(said) == 0 {
		delete(t.messages, object)
		return
	}
	if len(said) != before {
		t.messages[object] = said
	}
	for _, p := range said {
		if g.known.note(p.who, p.accesses) < t.goroutine(p.who).accesses {
			continue
		}
		for f := g.top; f != nil; f = f.Parent {
			if i := slices.Index(f.stretch.forked, p.who); i >= 0 {
				f.stretch.forked = slices.Delete(f.stretch.forked, i, i+1)
				for _, u := range f.units {
					t.sink.Join(u, p.who)
				}
			}
		}
	}
}
