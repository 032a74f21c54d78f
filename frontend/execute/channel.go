package execute

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

type channel struct {
	capacity int
	element  types.Type
	buffer   []value
	closed   bool
	closer   *goroutine
	shared   bool
	clock    []int
	origin   *origin
}

// parked is a goroutine at one or several channel operations, of which one is to happen.
type parked struct {
	cases      []channelCase
	hasDefault bool
	done       bool // another goroutine has carried one out
	chosen     int
	received   value
	ok         bool
}

type channelCase struct {
	ch   *channel
	send bool
	val  value
}

// can tells whether a case of p, which g is at, can happen.
func (g *goroutine) can(p *parked, c channelCase) bool {
	switch {
	case c.ch == nil:
		return false
	case c.ch.closed:
		return true
	case c.send && len(c.ch.buffer) < c.ch.capacity, !c.send && len(c.ch.buffer) > 0:
		return true
	case c.ch.capacity > 0:
		return false
	}
	other, _ := g.partner(p, c)
	return other != nil
}

// partner returns a goroutine that waits at the opposite operation.
func (g *goroutine) partner(p *parked, c channelCase) (*goroutine, int) {
	for _, other := range g.m.goroutines {
		if other == g || other.parked == nil || other.parked.done || p.hasDefault && other.parked.hasDefault {
			continue
		}
		for k, oc := range other.parked.cases {
			if oc.ch == c.ch && oc.send != c.send {
				return other, k
			}
		}
	}
	return nil, 0
}

// communicate carries out one of the cases: -1 is the default.
func (g *goroutine) communicate(p *parked) *parked {
	for _, c := range p.cases {
		if c.send && c.ch != nil {
			g.m.publish(c.ch)
			g.m.publish(c.val)
		}
	}
	g.newSection()
	for _, c := range p.cases {
		g.observeChannel(c.ch)
		g.buffers = g.buffers || c.ch != nil && c.ch.capacity > 0
	}
	g.parked = p
	able := func() []int {
		var all []int
		for k, c := range p.cases {
			if g.can(p, c) {
				all = append(all, k)
			}
		}
		return all
	}
	g.point(func() bool { return p.done || p.hasDefault || len(able()) > 0 })
	g.parked = nil
	g.newSection()
	if p.done {
		return p
	}
	ready := able()
	if len(ready) == 0 {
		p.chosen = -1
		return p
	}
	k := ready[0]
	if len(ready) > 1 {
		k = ready[g.m.among(len(ready))]
	}
	p.chosen = k
	g.observeChannel(p.cases[k].ch)
	g.carryOut(p, p.cases[k])
	return p
}

func (g *goroutine) carryOut(p *parked, c channelCase) {
	ch := c.ch
	if c.send {
		if ch.closed {
			g.misuses("send on closed channel")
		}
		g.tick()
		if other, k := g.partner(p, c); other != nil && len(ch.buffer) == 0 {
			o := other.parked
			o.done, o.chosen, o.received, o.ok = true, k, c.val, true
			other.observeChannel(ch)
			other.learn(g.clock)
			if ch.capacity == 0 {
				g.learn(other.clock)
			}
			return
		}
		ch.buffer = append(ch.buffer, c.val)
		ch.clock = joinClocks(ch.clock, g.clock)
		return
	}
	if len(ch.buffer) > 0 {
		p.received, p.ok = ch.buffer[0], true
		ch.buffer = ch.buffer[1:]
		g.learn(ch.clock)
		g.tick()
		ch.clock = joinClocks(ch.clock, g.clock)
		// Whoever waits to send can go on by itself: it is ready now.
		return
	}
	if ch.closed {
		p.received, p.ok = zero(ch.element), false
		g.learn(ch.clock)
		g.joins(ch.closer)
		return
	}
	other, k := g.partner(p, c)
	o := other.parked
	o.done, o.chosen = true, k
	other.observeChannel(ch)
	p.received, p.ok = o.cases[k].val, true
	g.learn(other.clock)
	g.tick()
	other.learn(g.clock)
}

func (g *goroutine) send(ch *channel, v value) {
	g.communicate(&parked{cases: []channelCase{{ch, true, v}}})
}

func (g *goroutine) receive(ch *channel, commaOk bool) value {
	p := g.communicate(&parked{cases: []channelCase{{ch, false, nil}}})
	if commaOk {
		return aggregate{p.received, p.ok}
	}
	return p.received
}

func (g *goroutine) closeChannel(ch *channel) {
	g.point(nil)
	if ch == nil || ch.closed {
		g.misuses("close of closed channel")
	}
	ch.closed, ch.closer = true, g
	g.observeChannel(ch)
	g.tick()
	ch.clock = joinClocks(ch.clock, g.clock)
}

func (fr *frame) doSelect(i *ssa.Select, op *operation) value {
	g := fr.g
	p := &parked{hasDefault: !i.Blocking}
	k := 0
	for _, st := range i.States {
		ch, t := fr.operand(&op.args[k])
		g.use(t)
		k++
		c := channelCase{ch: ch.(*channel), send: st.Dir == types.SendOnly}
		if len(op.args) > k && st.Send != nil {
			var vt taint
			c.val, vt = fr.operand(&op.args[k])
			g.keep(vt)
		}
		k++
		p.cases = append(p.cases, c)
	}
	g.communicate(p)
	result := aggregate{int64(p.chosen), p.ok}
	for k, st := range i.States {
		if st.Dir == types.RecvOnly {
			v := zero(st.Chan.Type().Underlying().(*types.Chan).Elem())
			if k == p.chosen {
				v = p.received
			}
			result = append(result, v)
		}
	}
	return result
}

// tick counts an event of the goroutine.
func (g *goroutine) tick() {
	for len(g.clock) <= g.id {
		g.clock = append(g.clock, 0)
	}
	g.clock[g.id]++
}

func (g *goroutine) learn(clock []int) { g.clock = joinClocks(g.clock, clock) }

func joinClocks(a, b []int) []int {
	joined := append([]int(nil), a...)
	for len(joined) < len(b) {
		joined = append(joined, 0)
	}
	for i, n := range b {
		joined[i] = max(joined[i], n)
	}
	return joined
}
