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
	t.released++
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
func (t *Tracker) isAwaited(g *goroutine) bool {
	if len(g.within) == 0 || g.awaitedAsOf == t.released {
		return len(g.within) > 0
	}
	g.awaitedAsOf = t.released
	g.within = slices.DeleteFunc(g.within, func(f *Frame) bool {
		return f.stretch == nil || !slices.Contains(f.stretch.forked, g.number)
	})
	return len(g.within) > 0
}

// release comes where a stretch ends: nobody waits in it any more.
func (t *Tracker) release(s *stretch) {
	if s != nil && len(s.forked) > 0 {
		t.released++
	}
}

// progress is how many accesses a goroutine had come to.
type progress struct {
	who      uint32
	accesses uint64
}

// news is the progress of goroutines.
type news struct {
	all  []progress // by their numbers
	asOf uint64     // how often goroutines had been released when those were dropped that nobody waits for
}

// maxNear is how many places are looked at one by one: two lists mostly have the same goroutines.
const maxNear = 4

// note adds to what is known of a goroutine, which is not before place i, and returns its place.
func (n *news) note(i int, p progress) int {
	for near := min(i+maxNear, len(n.all)); i < near && n.all[i].who < p.who; {
		i++
	}
	if i < len(n.all) && n.all[i].who < p.who {
		further, _ := slices.BinarySearchFunc(n.all[i:], p.who, func(p progress, who uint32) int {
			return cmp.Compare(p.who, who)
		})
		i += further
	}
	if i == len(n.all) || n.all[i].who != p.who {
		n.all = slices.Insert(n.all, i, p)
	}
	n.all[i].accesses = max(n.all[i].accesses, p.accesses)
	return i
}

// dropReleased drops those goroutines that nobody waits for any more. What was added since it was done last has been
// through that elsewhere.
func (t *Tracker) dropReleased(n *news) {
	if n.asOf == t.released {
		return
	}
	n.asOf = t.released
	n.all = slices.DeleteFunc(n.all, func(p progress) bool { return !t.isAwaited(t.goroutine(p.who)) })
}

// tell leaves with a channel or WaitGroup what the goroutine has done and knows of.
func (t *Tracker) tell(g *goroutine, object uint32) {
	t.dropReleased(&g.known)
	isAwaited := t.isAwaited(g)
	if len(g.known.all) == 0 && !isAwaited {
		return
	}
	said := t.messages[object]
	if said == nil {
		said = &news{asOf: t.released}
		t.messages[object] = said
	}
	i := 0
	for _, p := range g.known.all {
		i = said.note(i, p)
	}
	if isAwaited {
		said.note(0, progress{g.number, g.accesses})
	}
}

// learn is what a goroutine knows after it has waited: goroutines of which it knows all
// accesses are joined.
func (t *Tracker) learn(g *goroutine, object uint32) {
	said := t.messages[object]
	if said == nil {
		return
	}
	if t.dropReleased(said); len(said.all) == 0 {
		delete(t.messages, object)
		return
	}
	i := 0
	for _, p := range said.all {
		if i = g.known.note(i, p); g.known.all[i].accesses < t.goroutine(p.who).accesses {
			continue
		}
		for f := g.top; f != nil; f = f.Parent {
			if i := slices.Index(f.stretch.forked, p.who); i >= 0 {
				t.released++
				f.stretch.forked = slices.Delete(f.stretch.forked, i, i+1)
				for _, u := range f.units {
					t.sink.Join(u, p.who)
				}
			}
		}
	}
}
