package serial

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/empire-go/empire-go/dynamic/trace/std"
	"github.com/empire-go/empire-go/internal/testmain"
)

const benchmarkEvents = 2_000_000

// BenchmarkSerial checks serializable traces of two million events, from their text and from
// events in memory, and reports events per CPU second.
//
//	go test -run '^$' -bench Serial ./dynamic/serial
func BenchmarkSerial(b *testing.B) {
	for _, m := range mixes {
		for _, m.threads = range []int{16, 64, 200} {
			text := m.text(1, benchmarkEvents)
			b.Run(fmt.Sprintf("%s/threads=%d/text", m.name, m.threads), func(b *testing.B) {
				measure(b, func() int {
					r, err := Check(context.Background(), std.NewScanner(bytes.NewReader(text)))
					if err != nil || !r.Serializable {
						b.Fatal(r, err)
					}
					return r.Events
				})
			})
			events := parse(b, text)
			b.Run(fmt.Sprintf("%s/threads=%d/events", m.name, m.threads), func(b *testing.B) {
				measure(b, func() int {
					c := NewChecker()
					for _, e := range events {
						if ok, err := c.Step(e); !ok || err != nil {
							b.Fatal(ok, err)
						}
					}
					return len(events)
				})
			})
		}
	}
}

// BenchmarkViolation checks traces of two million events that have a violation at nine tenths, and explains it: a cycle
// that is short, and one whose first event is the first of all.
//
//	go test -run '^$' -bench Violation ./dynamic/serial
func BenchmarkViolation(b *testing.B) {
	for _, m := range mixes {
		for _, m.threads = range []int{16, 64} {
			text := m.text(1, benchmarkEvents*9/10)
			const begin, end = "A|begin|1\nA|r(V)|2\n", "B|w(V)|3\nA|w(V)|4\n"
			b.Run(fmt.Sprintf("%s/threads=%d/short", m.name, m.threads), func(b *testing.B) {
				explain(b, slices.Concat(text, []byte(begin+end)))
			})
			b.Run(fmt.Sprintf("%s/threads=%d/long", m.name, m.threads), func(b *testing.B) {
				explain(b, slices.Concat([]byte(begin), text, []byte(end)))
			})
		}
	}
}

func explain(b *testing.B, text []byte) {
	measure(b, func() int {
		r, err := Check(context.Background(), std.NewScanner(bytes.NewReader(text)))
		if err != nil || r.Serializable {
			b.Fatal(r, err)
		}
		if cycle, err := Explain(context.Background(), bytes.NewReader(text), r); err != nil || len(cycle) < 2 {
			b.Fatal(cycle, err)
		}
		return r.Events
	})
}

func measure(b *testing.B, check func() int) {
	events, begin := 0, testmain.CPU().Seconds()
	for b.Loop() {
		events += check()
	}
	b.ReportMetric(float64(events)/(testmain.CPU().Seconds()-begin), "events/cpu-s")
	b.ReportMetric(0, "ns/op")
}

func parse(t testing.TB, text []byte) []std.Event {
	t.Helper()
	s := std.NewScanner(bytes.NewReader(text))
	var out []std.Event
	for {
		e, err := s.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
}
