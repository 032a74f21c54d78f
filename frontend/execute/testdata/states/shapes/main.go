// Command shapes is a trial of a holder of values of many kinds.
package main

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"unique"
)

type shape interface{ area() int }

type square struct{ side int }

func (s *square) area() int { return s.side * s.side }

type pair [2]square

func (p pair) area() int { return p[0].area() + p[1].area() }

type holder struct {
	sync.RWMutex
	shapes  []shape
	kinds   map[shape]string
	ready   chan int
	count   atomic.Int64
	latest  atomic.Pointer[square]
	any     any
	name    unique.Handle[string]
	builder strings.Builder
	inner   struct{ a, b [3]int }
	at      *int
	pool    sync.Pool
}

func newHolder(n int) *holder {
	h := &holder{kinds: map[shape]string{}, ready: make(chan int, 4), name: unique.Make("h")}
	h.at = &h.inner.b[1]
	h.pool.New = func() any { return new(square) }
	for i := range n {
		h.add(&square{i})
	}
	return h
}

func (h *holder) add(s shape) int {
	h.Lock()
	h.shapes = append(h.shapes, s)
	h.kinds[s] = fmt.Sprintf("%T", s)
	h.Unlock()
	h.count.Add(1)
	*h.at += s.area()
	return len(h.shapes)
}

func make1() *holder { return newHolder(0) }

func make2() *holder { return newHolder(3) }

func step1(o *holder) any { return o.add(&square{5}) }

func step2(o *holder) any { return o.add(pair{{1}, {2}}) }

func step3(o *holder) any {
	select {
	case o.ready <- len(o.shapes):
		return nil
	default:
		return <-o.ready
	}
}

func step4(o *holder) any {
	s := o.pool.Get().(*square)
	s.side++
	o.latest.Store(s)
	o.pool.Put(s)
	return o.inner
}

func step5(o *holder) any {
	o.any = o.latest.Load()
	o.builder.WriteString(o.name.Value())
	o.name = unique.Make(o.builder.String())
	return o.builder.String()
}

func step6(o *holder) any {
	n := o.count.Load()
	o.RLock()
	defer o.RUnlock()
	return n == int64(len(o.shapes))
}

func main() {}
