package hook

import (
	"strings"
	"sync"
	"testing"
)

// hold takes a lock at a site, unlock gives it back.
func (b *bench) hold(w *worker, mu *sync.Mutex, site uint32) {
	b.s.park(w, steerPoint{site: site, try: mu.TryLock})
}

func (b *bench) unlock(w *worker, mu *sync.Mutex) {
	b.s.park(w, steerPoint{site: 2})
	mu.Unlock()
}

// buffer is a program in which main reads twice, but only if there is something; two goroutines
// add something and take it away again.
func buffer(b *bench, w *worker) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	lines := 0
	for _, name := range []string{"a", "b"} {
		wg.Add(1)
		b.start(10, func(w *worker) {
			defer wg.Done()
			b.s.open(w, 20)
			b.hold(w, &mu, 21)
			b.access(w, 22, 1, name+":add")
			lines++
			b.unlock(w, &mu)
			b.s.close(w)
			b.hold(w, &mu, 23)
			b.access(w, 24, 1, name+":take")
			lines = 0
			b.unlock(w, &mu)
		})
	}
	b.s.open(w, 30)
	b.hold(w, &mu, 31)
	b.access(w, 32, 1, "look")
	some := lines > 0
	b.unlock(w, &mu)
	if some {
		b.access(w, 33, 1, "look again")
	}
	b.s.close(w)
	b.s.park(w, steerPoint{op: 99, mayBlock: true})
	wg.Wait()
	b.s.park(w, steerPoint{op: 98})
}

// TestPrepared: there is something to look at only if one goroutine has added it, and has not
// taken it away, before all.
func TestPrepared(t *testing.T) {
	const script = "mode follow\nmain 0\nunit 0 30\nunit 1 20\n" +
		"origin 1 10\n" +
		"event 0 1 32\nunder 31\nevent 1 1 22\nunder 21\nevent 0 1 33\n"
	want := "a:add look b:add look again"
	if got, log := steered(t, script+"forward 1\nlate 1\nskip 1 1", buffer); !strings.HasPrefix(got, want) ||
		!strings.Contains(log, "+3 ") {
		t.Errorf("got %s, want %s\n%s", got, want, log)
	}
}

// TestReserved: main stops when it sees that three have sold, and somebody sells just then. Nobody
// is left for that unless one is kept back.
func TestReserved(t *testing.T) {
	sale := func(b *bench, w *worker) {
		sold, stop := 0, false
		for range 9 {
			b.s.open(w, 30)
			b.access(w, 31, 1, "look")
			if stop {
				b.access(w, 32, 1, "undo")
				b.s.close(w)
				break
			}
			b.s.close(w)
			b.s.park(w, steerPoint{op: 99, site: 10})
			b.start(10, func(w *worker) {
				b.s.open(w, 20)
				b.access(w, 21, 1, "sell")
				if sold++; sold > 3 {
					b.access(w, 22, 1, "stop")
					stop = true
				}
				b.s.close(w)
			})
		}
		b.s.park(w, steerPoint{op: exitPoint})
	}
	const script = "mode follow\nmain 0\nunit 0 30\nunit 1 20\norigin 1 10\n" +
		"event 0 1 31\nevent 1 1 21\nevent 1 1 22\nevent 0 1 32\n"
	want := "look sell stop undo"
	if got, log := steered(t, script+"seed 1\nreserve 1\nlate 1\nyoung 1\nmix 1", sale); !strings.Contains(got, want) ||
		!strings.Contains(log, "+4 ") {
		t.Errorf("got %s, want %s\n%s", got, want, log)
	}
}

// TestTimer: a timer goes off when nothing else can happen, or as soon as that may help.
func TestTimer(t *testing.T) {
	timed := func(b *bench, w *worker) {
		for _, name := range []string{"timer", "other"} {
			c := b.s.announce(10)
			c.isTimer = name == "timer"
			go func() {
				b.s.start(c)
				defer b.s.leave(c)
				b.s.open(c, 20)
				b.access(c, 21, 1, name)
				b.s.close(c)
			}()
		}
		b.s.park(w, steerPoint{op: exitPoint})
	}
	const script = "mode follow\nunit 0 30\norigin 0 11\norigin 1 12\nevent 0 1 41\nevent 1 1 42\n"
	for _, test := range []struct{ more, want string }{{"", "other timer"}, {"eager 1\norigin 1 10\n", "timer other"}} {
		if got, log := steered(t, script+test.more, timed); got != test.want {
			t.Errorf("%q: got %s, want %s\n%s", test.more, got, test.want, log)
		}
	}
}
