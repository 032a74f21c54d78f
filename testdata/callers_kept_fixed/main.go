// Command callers_kept_fixed keeps the call stack of whoever used a resource last,
// to say so when it leaks.
package main

import (
	"runtime"
	"sync"
)

// Trace is the place in the program that took the resource last.
type Trace struct {
	mu    sync.Mutex
	pcs   [8]uintptr
	depth int
}

// Record remembers the caller.
func (t *Trace) Record() {
	t.mu.Lock()
	t.keep(runtime.Callers(2, t.pcs[:]))
	t.mu.Unlock()
}

// keep stores how many counters are of use. The caller holds the lock.
func (t *Trace) keep(depth int) {
	t.depth = depth
}

// Names returns the functions on the stack.
func (t *Trace) Names() []string {
	t.mu.Lock()
	depth := t.depth
	pcs := t.pcs
	t.mu.Unlock()

	var names []string
	frames := runtime.CallersFrames(pcs[:depth])
	for {
		frame, more := frames.Next()
		names = append(names, frame.Function)
		if !more {
			return names
		}
	}
}

func nested(t *Trace, n int) {
	if n > 0 {
		nested(t, n-1)
		return
	}
	t.Record()
}

func main() {
	trace := new(Trace)
	trace.Record()
	var wg sync.WaitGroup
	wg.Go(func() { nested(trace, 3) })
	wg.Go(func() { nested(trace, 0) })
	wg.Go(func() {
		if len(trace.Names()) == 0 {
			panic("nobody")
		}
	})
	wg.Wait()
}
