package instrument

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
)

const swaps = `package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

type Counter struct {
	a atomic.Int64
	b int32
	p atomic.Pointer[string]
}

func (c *Counter) method() (failed int) {
	for {
		old := c.a.Load()
		if c.a.CompareAndSwap(old, old+1) {
			return failed
		}
		failed++
	}
}

func (c *Counter) function() (failed int) {
	for {
		old := atomic.LoadInt32(&c.b)
		if atomic.CompareAndSwapInt32(
			&c.b, old,
			old+1,
		) {
			return failed
		}
		failed++
	}
}

func (c *Counter) others() int64 {
	c.p.Store(nil)
	s := "s"
	c.p.Swap(&s)
	atomic.StoreInt32(&c.b, atomic.AddInt32(&c.b, 0))
	return c.a.Add(0)
}

func main() {
	c := &Counter{}
	var failed atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 500 {
				failed.Add(int64(c.method() + c.function()))
			}
		})
	}
	wg.Wait()
	c.others()
	fmt.Println(failed.Load())
}
`

// TestCompareAndSwap: one that fails is a read, and which one fails agrees with the order of
// the trace: it fails if and only if there was a swap since the load before it.
func TestCompareAndSwap(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/swaps\n\ngo 1.26\n", "main.go": swaps} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	plan := &watch.Plan{Sets: []watch.Set{{Type: "example.com/swaps.Counter", Fields: []string{"a", "b", "p"}}}}
	header, events, out := record(t, dir, plan, ".")
	failed, changes := 0, map[string]int{}
	loaded := map[string]int{}
	for _, e := range events {
		site := header.Site(e.Site)
		by := fmt.Sprint(site.Field, e.Goroutine)
		swap := strings.HasSuffix(site.Function, "method") && site.Kind == "rmw" ||
			strings.HasSuffix(site.Function, "function") && site.Kind == "rmw"
		switch {
		case e.Op > trace.AtomicWrite:
		case swap:
			if isLate := changes[site.Field] != loaded[by]; isLate != (e.Op == trace.AtomicRead) {
				t.Fatalf("a %v of %s at %s, and %d changes since the load", e.Op, site.Field, site.Pos,
					changes[site.Field]-loaded[by])
			}
			if e.Op == trace.RMW {
				changes[site.Field]++
			} else {
				failed++
			}
		case e.Op == trace.AtomicRead:
			loaded[by] = changes[site.Field]
		}
	}
	if strings.TrimSpace(out) != fmt.Sprint(failed) {
		t.Errorf("%d failures in the trace; the program says %s", failed, out)
	}
	if changes["a"] != 2000 || changes["b"] != 2000 {
		t.Errorf("%v", changes)
	}
}
