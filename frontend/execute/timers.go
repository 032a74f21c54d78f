package execute

// Timers of a machine whose time stands still: they expire where a trial says that time passes.

type timer struct {
	at       *cell // the time.Timer or time.Ticker
	channel  *channel
	function *closure // called in place of a message
	repeats  bool
	stopped  bool
}

// passing is how much time passes at once, in nanoseconds: more than any argument of a trial.
const passing = int64(2 * 3_600_000_000_000)

// letTimePass moves the clock, and lets all timers expire.
func (g *goroutine) letTimePass() {
	g.m.clock += passing
	g.expire()
}

// expire lets all timers expire, once each.
func (g *goroutine) expire() {
	for _, t := range append([]*timer(nil), g.m.timers...) {
		if t.stopped {
			continue
		}
		t.stopped = !t.repeats
		if t.function != nil {
			g.m.spawn(t.function, nil, nil)
			continue
		}
		if g.point(nil); len(t.channel.buffer) < t.channel.capacity {
			t.channel.buffer = append(t.channel.buffer, zero(t.channel.element))
		}
	}
	g.point(nil)
}

// newTimer makes a timer of one of the types of package time.
func newTimer(name string, repeats bool) native {
	return func(g *goroutine, a []value) value {
		if !g.m.idle {
			unsupported("time.New%s", name)
		}
		c := g.allocate(g.m.program.typeOf("time", name))
		t := &timer{at: c, repeats: repeats,
			channel: &channel{capacity: 1, shared: true, element: g.m.program.typeOf("time", "Time")}}
		if at := partAt(c, "C"); at != nil {
			at.set(t.channel)
		}
		g.m.timers = append(g.m.timers, t)
		return c
	}
}

// afterFunc makes a timer that calls a function.
func (g *goroutine) afterFunc(fn *closure) value {
	c := g.allocate(g.m.program.typeOf("time", "Timer"))
	g.m.timers = append(g.m.timers, &timer{at: c, function: fn})
	return c
}

// after makes a timer that sends a message.
func (g *goroutine) after(ch *channel) { g.m.timers = append(g.m.timers, &timer{channel: ch}) }

// setTimer stops a timer, or starts it again; it tells whether the timer would have expired.
func setTimer(stopped bool) native {
	return func(g *goroutine, a []value) value {
		if !g.m.idle {
			unsupported("stopping and setting timers")
		}
		g.point(nil)
		for _, t := range g.m.timers {
			if t.at != nil && t.at == a[0].(*cell) {
				was := !t.stopped
				t.stopped = stopped
				if t.channel != nil {
					t.channel.buffer = nil
				}
				return was
			}
		}
		return false
	}
}

// timers are the functions of package time that make and set them.
func timers() map[string]native {
	return map[string]native{
		"time.NewTimer": newTimer("Timer", false), "time.NewTicker": newTimer("Ticker", true),
		"(*time.Timer).Stop": setTimer(true), "(*time.Timer).Reset": setTimer(false),
		"(*time.Ticker).Stop": setTimer(true), "(*time.Ticker).Reset": setTimer(false),
	}
}
