// Command syncs uses what synchronises.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"
)

type config struct{ n int }

func main() {
	var i32 atomic.Int32
	var u64 atomic.Uint64
	var b atomic.Bool
	var p atomic.Pointer[config]
	var v atomic.Value
	var up atomic.Uintptr
	fmt.Println(i32.Add(2), i32.CompareAndSwap(2, 5), i32.Load(), u64.Swap(7), u64.Load(), b.Swap(true), b.Load(), up.Add(1))
	p.Store(&config{1})
	old := p.Load()
	fmt.Println(p.CompareAndSwap(old, &config{2}), p.Load().n, v.Load() == nil, i32.And(4), i32.Or(1), i32.Load())
	v.Store(config{3})
	fmt.Println(v.Load().(config).n, v.CompareAndSwap(config{3}, config{4}), v.Swap(config{5}))
	var raw unsafe.Pointer
	atomic.StorePointer(&raw, unsafe.Pointer(&config{6}))
	fmt.Println((*config)(atomic.LoadPointer(&raw)).n)
	var n int64
	fmt.Println(atomic.AddInt64(&n, 3), atomic.LoadInt64(&n))
	var once sync.Once
	once.Do(func() { fmt.Println("once") })
	once.Do(func() { fmt.Println("twice") })
	get := sync.OnceValue(func() int { fmt.Println("made"); return 4 })
	fmt.Println(get(), get())
	var m sync.Map
	m.Store("a", 1)
	x, loaded := m.LoadOrStore("a", 2)
	m.Range(func(k, v any) bool { fmt.Println(k, v); return true })
	fmt.Println(x, loaded)
	var wg sync.WaitGroup
	var mu sync.RWMutex
	c := sync.NewCond(&mu)
	for range 3 {
		wg.Go(func() {
			mu.Lock()
			n++
			mu.Unlock()
			c.Broadcast()
		})
	}
	mu.Lock()
	for n < 6 {
		c.Wait()
	}
	mu.Unlock()
	wg.Wait()
	fmt.Println(n, mu.TryLock(), mu.TryRLock())
	pool := sync.Pool{New: func() any { return new(config) }}
	fmt.Println(pool.Get().(*config).n)
}
