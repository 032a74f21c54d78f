package serial

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/empire-go/empire-go/dynamic/trace/std"
)

// TestForget: forgetting names changes no answer.
func TestForget(t *testing.T) {
	for seed := range uint64(10_000) {
		r := rand.New(rand.NewPCG(seed, 17))
		events := possible(random(r, randomShape(r)))
		want := oracle(events)
		got, err := check(context.Background(), std.NewScanner(bytes.NewReader(text(events))),
			pace{every: 1 + r.IntN(4), marks: 100})
		if err != nil || got.Serializable != (want < 0) || got.Line != want+1 {
			t.Fatalf("seed %d: %+v, %v; the first violation is at event %d", seed, got, err, want)
		}
	}
}

// endless is a trace that has new variables, locks and threads all the time.
type endless struct {
	n, most int
	rest    []byte
}

func (e *endless) Read(p []byte) (int, error) {
	for len(e.rest) == 0 {
		if e.n == e.most {
			return 0, io.EOF
		}
		n := e.n
		e.n++
		e.rest = fmt.Appendf(nil, "T0|fork(T%d)\nT%d|begin\nT%d|w(V%d)\nT%d|r(V%d)\nT%d|acq(L%d)\nT%d|rel(L%d)\nT%d|end\n",
			n+1, n, n, n, n, n-1, n, n, n, n, n)
	}
	k := copy(p, e.rest)
	e.rest = e.rest[k:]
	return k, nil
}

// TestConstantMemory: what is known of ended transactions does not add up, nor do names.
func TestConstantMemory(t *testing.T) {
	memory := func(n int) uint64 {
		s := std.NewScanner(&endless{most: n})
		r, err := check(context.Background(), s, pace{atLeast: 1000, every: 100, marks: 1000})
		if err != nil || !r.Serializable || r.Events != 7*n {
			t.Fatal(r, err)
		}
		if s.Len() > 2000 {
			t.Errorf("%d names are left", s.Len())
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		runtime.KeepAlive(s)
		return m.HeapAlloc
	}
	short, long := memory(2000), memory(200_000)
	if long > short+16<<20 { // 600,000 names take more than 60 MiB; the tables of plain ones 12 at most
		t.Errorf("%d bytes after 14,000 events, %d after 1,400,000", short, long)
	}
}
