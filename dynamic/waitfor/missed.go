package waitfor

import (
	"slices"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// Missed is what a goroutine that waits would have needed.
type Missed struct {
	What string // in words: "signal of c", or what has changed
	At   Place
	By   string // the goroutine that has done it
	// IsChange tells that it was no signal: what the goroutine looked at before it began to wait has changed since, and
	// nobody has signalled after that.
	IsChange bool
}

// condition is who waits for a condition, the longest first: that is the order in which signals wake them.
type condition struct {
	waiting []*goroutine
	early   act // the last signal that nobody waited for
	op      trace.Op
}

func (c *condition) has(g *goroutine) bool { return c != nil && slices.Contains(c.waiting, g) }

func (e *ending) condition(object uint32) *condition {
	c := e.conditions[object]
	if c == nil {
		c = &condition{}
		e.conditions[object] = c
	}
	return c
}

// sight is a look at a location.
type sight struct {
	at     location
	number uint64 // of the record
	site   uint32
}

// mostLooked is how many locations are kept that a goroutine has looked at before it waits.
const mostLooked = 16

// signals follows who waits for what signal, and what those who wait have looked at.
func (e *ending) signals(g *goroutine, r trace.Event) {
	switch r.Op {
	case trace.Lock, trace.RLock:
		g.before = g.before[:0]
	case trace.Read, trace.AtomicRead:
		at := e.locationOf(r.Record)
		i := slices.IndexFunc(g.before, func(s sight) bool { return s.at == at })
		switch {
		case i >= 0:
			g.before[i].number = e.number
		case len(g.before) < mostLooked:
			g.before = append(g.before, sight{at, e.number, r.Site})
		}
	case trace.Prewait:
		e.waits(g, r)
	case trace.Waits:
		if trace.Op(r.Arg) == trace.CondWait && g.prewait == 0 {
			e.waits(g, r)
		}
	case trace.CondWait:
		c := e.condition(r.Object)
		c.waiting = slices.DeleteFunc(c.waiting, func(other *goroutine) bool { return other == g })
		g.changed, g.prewait = act{}, 0
	case trace.Signal, trace.Broadcast:
		e.wakes(r)
	case trace.Write, trace.AtomicWrite, trace.RMW:
		e.changes(r)
	case trace.Declined:
		if e.header.Site(r.Site).Kind == trace.LookToSend {
			e.channel(r.Object).leftOut = e.act(r)
		}
	}
}

// waits lets a goroutine wait for a condition.
func (e *ending) waits(g *goroutine, r trace.Event) {
	c := e.condition(r.Object)
	c.waiting = append(c.waiting, g)
	g.prewait, g.changed = e.number, act{}
	for _, s := range g.before {
		if w := e.written[s.at]; w.number > s.number && w.goroutine != r.Goroutine {
			g.changed, g.what = w, s
		}
		e.watched[s.at] = append(e.watched[s.at], r.Goroutine)
	}
}

// wakes takes in a signal.
func (e *ending) wakes(r trace.Event) {
	c := e.condition(r.Object)
	for _, g := range c.waiting {
		g.changed = act{}
	}
	switch {
	case len(c.waiting) == 0:
		c.early, c.op = e.act(r), r.Op
	case r.Op == trace.Broadcast:
		c.waiting = nil
	default:
		c.waiting = c.waiting[1:]
	}
}

// changes tells those who wait that what they have looked at changes.
func (e *ending) changes(r trace.Event) {
	if len(e.watched) == 0 {
		return
	}
	at := e.locationOf(r.Record)
	for _, number := range e.watched[at] {
		if g := e.of(number); number != r.Goroutine && g.prewait > 0 {
			i := slices.IndexFunc(g.before, func(s sight) bool { return s.at == at })
			g.changed, g.what = e.act(r), g.before[max(0, i)]
		}
	}
	delete(e.watched, at)
}

// missed is the signal that a goroutine which waits has missed, if one is known. If it has looked at something before
// it began to wait, a signal that came before that has told it nothing new: what it looked at has to have changed
// since.
func (e *ending) missed(number uint32, g *goroutine) *Missed {
	told := func(a act, what string) *Missed {
		if a.number == 0 || a.goroutine == number {
			return nil
		}
		return &Missed{What: what, At: e.place(a.site), By: nameOf(a.goroutine)}
	}
	switch trace.Op(g.last.Arg) {
	case trace.CondWait:
		c := e.condition(g.last.Object)
		isEarly := c.early.number > 0 && c.early.number < g.prewait
		switch {
		case isEarly && (len(g.before) == 0 || g.changed.number > 0 && g.changed.number < c.early.number):
			return told(c.early, c.op.String()+" of "+e.nameOf(g.last))
		case g.changed.number > 0:
			m := told(g.changed, e.nameOf(trace.Record{Site: g.what.site, Object: g.what.at.object}))
			m.IsChange = true
			return m
		}
	case trace.Recv:
		if c := e.channels[g.last.Object]; c != nil { // who had waited then would have been sent it
			return told(c.leftOut, "send to "+e.nameOf(trace.Record{Site: c.leftOut.site, Object: g.last.Object}))
		}
	}
	return nil
}
