// receiver: container/list sync internal/sync sync/atomic
// callsite: internal/sync
package main

import (
	"container/list"
	"sort"
	"sync"
	"sync/atomic"
	"time"
)

type state struct {
	n    int64
	once sync.Once
	p    *int
}

func main() {
	x := new(int) // #x
	y := new(int) // #y

	l, m := list.New(), new(list.List)
	l.PushBack(x)
	m.PushFront(y)
	for e := l.Front(); e != nil; e = e.Next() {
		println(e.Value) // want x
	}

	var p, q atomic.Pointer[int]
	p.Store(x)
	q.Swap(y)
	println(p.Load(), q.Load()) // want x; y

	var v, w atomic.Value
	v.Store(x)
	w.CompareAndSwap(nil, y)
	println(v.Load().(*int), w.Load()) // want x; y

	var a, b sync.Map
	a.Store("k", x)
	b.LoadOrStore("k", y)
	i, _ := a.Load("k")
	j, _ := b.Load("k")
	println(i, j) // want x; y
	a.Range(func(key, value any) bool {
		println(value) // want x
		return true
	})

	pool := sync.Pool{New: func() any { return y }}
	pool.Put(x)
	println(pool.Get()) // want x y

	s := &state{} // #s
	s.once.Do(func() { s.p = x })
	println(s.p) // want x
	atomic.AddInt64(&s.n, 1)
	println(&s.n) // want s.n

	things := []*int{x, y}
	sort.Slice(things, func(i, j int) bool { return things[i] == nil })
	println(things[0]) // want x y

	get := sync.OnceValue(func() *int { return y })
	println(get()) // want y

	time.AfterFunc(time.Second, func() { println(x) }) // want x
	var wg sync.WaitGroup
	wg.Go(func() { println(y) }) // want y
}
