package dynamic_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/empire-go/empire-go/dynamic"
	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// BenchmarkCheck measures a whole check of a trace as a program with locks writes it:
// methods that lock an object, access its fields and unlock it.
func BenchmarkCheck(b *testing.B) {
	for _, objects := range []int{1, 1000} {
		b.Run(fmt.Sprintf("%d objects", objects), func(b *testing.B) {
			const methods = 100_000
			plan := &watch.Plan{Schema: watch.Schema, Sets: []watch.Set{{Type: "p.T", Fields: []string{"a", "b", "c"}}}}
			var file bytes.Buffer
			header := &trace.Header{Sites: []trace.Site{
				{}, {Kind: "method", Function: "(*p.T).M"}, {Kind: "read", Function: "(*p.T).M", Field: "a"},
				{Kind: "write", Function: "(*p.T).M", Field: "b"}, {Kind: "lock", Set: -1}}}
			header.Plan, _ = plan.Encode()
			w, err := trace.NewWriter(&file, header)
			if err != nil {
				b.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, 2))
			version := map[uint32]uint64{}
			record := func(g uint32, op trace.Op, site, object uint32) {
				rec := trace.Record{Op: op, Site: site, Object: object}
				if op.Versioned() {
					rec.Arg = version[object]
					version[object]++
				}
				w.Append(g, rec)
			}
			const goroutines = 8
			for g := uint32(2); g <= goroutines; g++ {
				w.Append(1, trace.Record{Op: trace.Go, Arg: uint64(g)})
				w.Append(g, trace.Record{Op: trace.Start, Arg: 1})
			}
			for range methods {
				g, o := uint32(1+r.IntN(goroutines)), uint32(1+r.IntN(objects))
				record(g, trace.UnitBegin, 1, o)
				record(g, trace.Lock, 4, o+uint32(objects))
				for range 4 {
					record(g, trace.Read, 2, o)
					record(g, trace.Write, 3, o)
				}
				record(g, trace.Unlock, 4, o+uint32(objects))
				record(g, trace.UnitEnd, 0, 0)
			}
			if err := w.Close(); err != nil {
				b.Fatal(err)
			}
			text := file.Bytes()
			b.ResetTimer()
			begin := time.Now()
			events := uint64(0)
			for range b.N {
				checked, err := dynamic.Check(context.Background(), bytes.NewReader(text), dynamic.Options{})
				if err != nil && err != io.EOF {
					b.Fatal(err)
				}
				events += checked.Stats.Events
				if len(checked.Findings) > 0 || checked.Stats.Lost > 0 {
					b.Fatalf("%+v", checked.Stats)
				}
			}
			b.ReportMetric(float64(events)/time.Since(begin).Seconds()/1e6, "Mevents/s")
		})
	}
}
