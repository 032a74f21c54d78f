package predict

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/dynamic/events"
	"github.com/empire-go/empire-go/dynamic/predict/explore"
)

// std predicts from a trace in the STD format.
func std(t *testing.T, text string, o Options) *Report {
	t.Helper()
	src, err := events.STD(func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil })
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(context.Background(), src, Transactions(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestWindows predicts from long runs with small windows: no more is proved and no more is found than with all of the
// run, and each block has one answer.
func TestWindows(t *testing.T) {
	for seed := range uint64(4) {
		run := func(window int) *Report {
			s := newServer(3000, 5)
			s.locks, s.guarded, s.unguarded = 3, 2, 300
			for range seed {
				s.r.Uint64()
			}
			o := Defaults
			o.Window = window
			o.Explore = explore.Options{Paths: 300, Runs: 100}
			r, err := Run(context.Background(), s, Transactions(), o)
			if err != nil {
				t.Fatal(err)
			}
			if n := r.Static + r.Atomic + r.Violated + r.Bounded + r.Cut; n != r.Blocks {
				t.Fatalf("%d blocks have an answer, not %d", n, r.Blocks)
			}
			return r
		}
		all := run(1 << 16)
		for _, window := range []int{16, 64, 400, 1500} {
			some := run(window)
			if some.Blocks != all.Blocks || some.Static > all.Static {
				t.Errorf("seed %d, window %d: %d of %d blocks proved by the static check, with all of the run %d of %d", seed,
					window, some.Static, some.Blocks, all.Static, all.Blocks)
			}
			if most := all.Blocks - all.Static - all.Atomic; some.Violated > most {
				t.Errorf("seed %d, window %d: %d blocks violated, but with all of the run %d at most", seed, window, some.Violated,
					most)
			}
		}
		if all.Violated == 0 || all.Static == 0 {
			t.Errorf("seed %d: %+v says little", seed, all)
		}
	}
}

// TestShort begins and ends in the middle: what is cut off is never called atomic.
func TestShort(t *testing.T) {
	const text = "T0|fork(T1)\nT0|begin\nT0|acq(L)\nT0|r(x)\nT0|rel(L)\nT0|acq(L)\nT0|w(x)\nT0|rel(L)\nT0|end\n" +
		"T1|begin\nT1|acq(L)\nT1|w(x)\nT1|rel(L)\nT1|end\nT0|join(T1)\n"
	if r := std(t, text, Defaults); r.Violated != 1 || !r.Known() {
		t.Errorf("%+v", r)
	}
	lines := strings.SplitAfter(text, "\n")
	for n := range lines {
		r := std(t, strings.Join(lines[:n], ""), Defaults)
		inside := n > 1 && n < 9 || n > 9 && n < 14
		if inside && (r.EndsEarly == nil || r.Known()) {
			t.Errorf("%d lines: %+v", n, r)
		}
	}
	if r := std(t, "", Defaults); r.Blocks != 0 || !r.Known() {
		t.Errorf("%+v", r)
	}
}

// TestManyThreads has more threads than memory for vectors of all of them would be there: numbers are used again.
func TestManyThreads(t *testing.T) {
	var text strings.Builder
	const threads = 3000
	for i := 1; i <= threads; i++ {
		n := strconv.Itoa(i)
		text.WriteString("T0|fork(T" + n + ")\nT" + n + "|begin\nT" + n + "|acq(L)\nT" + n + "|r(x)\nT" + n + "|w(x)\nT" + n +
			"|rel(L)\nT" + n + "|end\nT0|join(T" + n + ")\n")
	}
	o := Defaults
	o.Window = 64
	r := std(t, text.String(), o)
	if r.Static != threads || r.Threads != threads+1 {
		t.Errorf("%+v", r)
	}
}

// TestFault is an event that no run of Go has: a lock is taken again by who holds it.
func TestFault(t *testing.T) {
	src, err := events.STD(func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("A|acq(L)\nA|acq(L)\n")), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(context.Background(), src, Transactions(), Defaults)
	const want = "line 2: acq(L) by A: the lock is held already"
	if fault := new(FaultError); !errors.As(err, &fault) || fault.Error() != want {
		t.Error(err)
	}
}
