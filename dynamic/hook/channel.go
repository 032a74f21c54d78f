package hook

import (
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// Out is a channel that is about to be sent to: To(g, site, ch).Send(v).
type Out[T any] struct {
	g    *Goroutine
	ch   chan<- T
	site uint32
}

// To is ch for a send.
func To[T any](g *Goroutine, site uint32, ch chan<- T) Out[T] { return Out[T]{g, ch, site} }

// Send is ch <- v.
func (o Out[T]) Send(v T) {
	g, p := o.g, channel(o.ch)
	if g.off || p == nil {
		o.ch <- v
		return
	}
	if !g.slow {
		g.synced(trace.Send, o.site, p)
		select {
		case o.ch <- v:
		default:
			g.waits(trace.Send, o.site, p)
			o.ch <- v
		}
		return
	}
	// The record stands before the operation: see trace.Op.
	g.perform(trace.Send, o.site, g.syncNumber(p), func() bool {
		if !ready(o.ch) {
			return false
		}
		g.synced(trace.Send, o.site, p)
		o.ch <- v
		return true
	}, func() {
		g.synced(trace.Send, o.site, p)
		o.ch <- v
	})
}

// ready tells whether a buffered channel has room. Only while nobody else runs does that
// mean that a send would not block.
func ready[T any](ch chan<- T) bool { return len(ch) < cap(ch) }

// From is <-ch.
func From[T any](g *Goroutine, site uint32, ch <-chan T) T {
	v, _ := From2(g, site, ch)
	return v
}

// From2 is v, ok := <-ch.
func From2[T any](g *Goroutine, site uint32, ch <-chan T) (v T, ok bool) {
	p := receiver(ch)
	if g.off || p == nil {
		v, ok = <-ch
		return v, ok
	}
	if g.slow {
		return fromSlowly(g, site, p, ch)
	}
	select {
	case v, ok = <-ch:
	default:
		g.waits(trace.Recv, site, p)
		v, ok = <-ch
	}
	g.synced(trace.Recv, site, p)
	return v, ok
}

// fromSlowly is From2 with steering or noise; a function of its own, since its results are
// allocated.
func fromSlowly[T any](g *Goroutine, site uint32, p unsafe.Pointer, ch <-chan T) (v T, ok bool) {
	g.perform(trace.Recv, site, g.syncNumber(p), func() bool {
		select {
		case v, ok = <-ch:
			return true
		default:
			return false
		}
	}, func() { v, ok = <-ch })
	g.synced(trace.Recv, site, p)
	return v, ok
}

// Close is close(ch).
func Close[T any](g *Goroutine, site uint32, ch chan<- T) {
	g.before(trace.Close, site, channel(ch))
	close(ch)
}

// Offer records that a select may send v, which it returns: case ch <- To(g, site, ch).Offer(v).
func (o Out[T]) Offer(v T) T {
	o.g.offer(o.site, channel(o.ch))
	return v
}

// Offering is Offer for a channel that must not be evaluated twice: case Offering(g, site, f()) <- v.
func Offering[T any](g *Goroutine, site uint32, ch chan<- T) chan<- T {
	g.offer(site, channel(ch))
	return ch
}

// offer records that a select may send. Whoever receives the message may record that before this
// goroutine goes on, so this record stands before the select, and Chose completes it.
func (g *Goroutine) offer(site uint32, ch unsafe.Pointer) {
	if g.off || ch == nil {
		return
	}
	g.speaks()
	g.putFrames()
	before := offer{at: g.at, firm: g.firm, told: g.told}
	count := g.recorded()
	if g.synced(trace.Offer, site, ch); g.recorded() != count {
		if at := g.at - trace.RecordSize; at != before.at { // something else was recorded, too
			before.at, before.firm = at, at
		}
		if reducing {
			before.on = g.objectAt(ch, 0)
		}
		g.offers = append(g.offers, before)
	}
}

// offer is a record of an offer, and how things were before it.
type offer struct {
	at   int // in the block
	firm int
	on   *object // nil if the record stays in any case
	told bool
}

// Chose says that a select has chosen the send with a site, or none if that is 0. Offers that have
// been written already, which is rare, stay what they are.
func (g *Goroutine) Chose(site uint32) { g.chose(site, trace.Send) }

// chose makes the offer with a site what it was.
func (g *Goroutine) chose(site uint32, send trace.Op) {
	if len(g.offers) == 0 {
		return
	}
	g.era++
	for i := len(g.offers) - 1; i >= 0; i-- {
		o := g.offers[i]
		op := trace.Declined
		if g.siteAt(o.at) == site {
			op = send
			g.published++
		} else if g.takesBack(o) {
			continue
		}
		g.block[o.at] = byte(op)
	}
	g.offers = g.offers[:0]
}

// takesBack takes back the last record, which is an offer that was declined, if nobody has done anything to the channel
// since.
func (g *Goroutine) takesBack(o offer) bool {
	if o.on == nil || o.at != g.at-trace.RecordSize {
		return false
	}
	version := trace.GetRecord(g.block[o.at:]).Arg
	if !o.on.version.CompareAndSwap(trace.NextVersion(trace.Offer, version), version) {
		return false
	}
	clear(g.block[o.at:g.at])
	g.at, g.firm, g.told = o.at, min(o.firm, o.at), o.told
	return true
}

// Received records a receive that a select has carried out.
func Received[T any](g *Goroutine, site uint32, ch <-chan T) {
	if !g.off {
		seen(receiver(ch))
		g.synced(trace.Recv, site, receiver(ch))
	}
}

func channel[T any](ch chan<- T) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&ch)) }

func receiver[T any](ch <-chan T) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&ch)) }
