//go:build unix

package predict

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/empire-go/empire-go/dynamic/events"
	"github.com/empire-go/empire-go/internal/testmain"
	"github.com/empire-go/empire-go/scenarios"
)

// server is a long run: threads handle requests, each a block that takes a lock, reads and writes what it guards, and
// some memory of its own, and now and then looks at something that others write without a lock. Its length is bounded;
// it needs no memory for that.
type server struct {
	r         *rand.Rand
	threads   int
	left      int
	number    int
	open      []request // by thread
	begun     int
	guarded   int // variables of a lock
	locks     int
	holders   []bool
	unguarded int // of 1000 requests: that look at what is written without a lock
}

// request is what a thread is doing, and how far it is.
type request struct {
	steps []events.Event
	done  int
}

func (q *request) isOver() bool { return q.done == len(q.steps) }

func newServer(length, threads int) *server {
	return &server{r: rand.New(rand.NewPCG(7, 1)), threads: threads, left: length, guarded: 8, locks: 64,
		open: make([]request, threads), holders: make([]bool, 64), unguarded: 5}
}

func (s *server) Place(uint32) events.Place  { return events.Place{} }
func (s *server) Thread(t uint32) string     { return fmt.Sprintf("T%d", t) }
func (s *server) Text(e events.Event) string { return fmt.Sprintf("%s(%d)", e.Op, e.Object) }
func (s *server) Unit() string               { return "event" }
func (s *server) emit(e events.Event) events.Event {
	s.number++
	s.left--
	e.Number, e.Place = s.number, uint32(e.Op)+1
	return e
}

// Next lets a thread go on.
func (s *server) Next() (events.Event, error) {
	if s.begun < s.threads-1 {
		s.begun++
		return s.emit(events.Event{Op: events.Fork, Object: uint64(s.begun)}), nil
	}
	for {
		t := s.r.IntN(s.threads)
		q := &s.open[t]
		if q.isOver() {
			if s.left <= 0 {
				if s.done() {
					return events.Event{}, io.EOF
				}
				continue
			}
			s.begin(q, uint32(t))
		}
		e := q.steps[q.done]
		if e.Op == events.Lock {
			if s.holders[e.Object] {
				continue
			}
			s.holders[e.Object] = true
		}
		if e.Op == events.Unlock {
			s.holders[e.Object] = false
		}
		q.done++
		return s.emit(e), nil
	}
}

func (s *server) done() bool {
	for i := range s.open {
		if !s.open[i].isOver() {
			return false
		}
	}
	return true
}

// begin begins a request, in the memory of the one before it: what makes the trace is to cost little.
func (s *server) begin(q *request, t uint32) {
	q.steps, q.done = q.steps[:0], 0
	add := func(op events.Op, object int) {
		q.steps = append(q.steps, events.Event{Op: op, Thread: t, Object: uint64(object)})
	}
	access := func(variable, writes int) {
		op := events.Read
		if s.r.IntN(100) < writes {
			op = events.Write
		}
		add(op, variable)
	}
	lock := s.r.IntN(s.locks)
	add(events.BlockBegin, 0)
	add(events.Lock, lock)
	for range 2 + s.r.IntN(6) {
		access(lock*s.guarded+s.r.IntN(s.guarded), 40)
		access(1000+int(t)*100+s.r.IntN(100), 50)
	}
	add(events.Unlock, lock)
	if s.r.IntN(1000) < s.unguarded {
		access(10_000+s.r.IntN(10), 50)
	}
	add(events.BlockEnd, 0)
}

// BenchmarkSegments is the rate of vectors, frontiers and static checks of all blocks.
func BenchmarkSegments(b *testing.B) { benchmark(b, func(o *Options) { o.NoSearch = true }) }

// BenchmarkPrediction is the rate with the search for violations where the static check does not prove that there is
// none.
func BenchmarkPrediction(b *testing.B) { benchmark(b, func(*Options) {}) }

// BenchmarkPatterns is the rate with segments, the static check and the patterns of all scenarios of any two blocks.
func BenchmarkPatterns(b *testing.B) {
	benchmark(b, func(o *Options) { o.NoSearch, o.Scenarios = true, scenarios.Table })
}

func benchmark(b *testing.B, set func(*Options)) {
	for _, length := range []int{100_000, 1_000_000, 10_000_000} {
		if length > 100_000 && testing.Short() {
			break
		}
		b.Run(fmt.Sprint(length), func(b *testing.B) {
			for range b.N {
				o := Defaults
				set(&o)
				begin := testmain.CPU().Seconds()
				r, err := Run(context.Background(), newServer(length, 16), Transactions(), o)
				if err != nil {
					b.Fatal(err)
				}
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				b.ReportMetric(float64(length)/(testmain.CPU().Seconds()-begin)/1e6, "Mevents/CPU-s")
				b.ReportMetric(float64(r.Blocks), "blocks")
				b.ReportMetric(float64(r.Static), "static")
				b.ReportMetric(float64(r.Violated), "violated")
				b.ReportMetric(float64(r.Cut+r.Bounded), "unknown")
				b.ReportMetric(float64(r.SegmentSize)/float64(r.Blocks), "segment")
				b.ReportMetric(float64(m.HeapSys>>20), "MiB")
			}
		})
	}
}
