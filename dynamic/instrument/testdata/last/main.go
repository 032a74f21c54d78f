// Command last ends critical sections: a comment says behind which of them the function accesses nothing more.
package main

import "sync"

// Box is watched.
type Box struct {
	mu      sync.Mutex
	rw      sync.RWMutex
	n, m    int
	items   map[int]*int
	wake    chan struct{}
	limit   int
	onClose func()
}

func (b *Box) add() {
	b.mu.Lock()
	b.n++
	b.m++
	b.mu.Unlock() // last
}

func (b *Box) tell() bool {
	b.mu.Lock()
	if b.n == 0 {
		b.mu.Unlock() // last
		return false
	}
	b.n--
	b.mu.Unlock() // last
	select {
	case b.wake <- struct{}{}:
	default:
	}
	return b.limit > 0
}

func (b *Box) get(key int) *int {
	b.rw.RLock()
	v := b.items[key]
	b.rw.RUnlock() // last if v != nil
	if v != nil {
		return v
	}
	b.rw.Lock()
	defer b.rw.Unlock() // last
	b.items[key] = new(int)
	return b.items[key]
}

func (b *Box) divides(key, by int) *int {
	b.rw.RLock()
	v := b.items[key]
	b.rw.RUnlock() // the condition may panic, which it may not do before
	if key/by > 0 {
		return v
	}
	b.n++
	return nil
}

func (b *Box) compares(key int, a, c any) *int {
	b.rw.RLock()
	v := b.items[key]
	b.rw.RUnlock() // so it may
	if a == c {
		return v
	}
	b.n++
	return nil
}

func (b *Box) getAndLook(key int) *int {
	b.rw.RLock()
	v := b.items[key]
	b.rw.RUnlock()
	if v != nil {
		b.n++
		return v
	}
	return nil
}

func (b *Box) getByLiteral(key int) (v *int) {
	var wg sync.WaitGroup
	b.rw.RLock()
	v = b.items[key]
	wg.Go(func() { v = nil })
	b.rw.RUnlock()
	if v != nil {
		return v
	}
	b.n++
	wg.Wait()
	return nil
}

func (b *Box) looksAgain() int {
	b.mu.Lock()
	b.n++
	b.mu.Unlock()
	if b.limit > 0 {
		return b.limit
	}
	return b.n
}

func (b *Box) looksInReturn() int {
	b.mu.Lock()
	b.n++
	b.mu.Unlock()
	return b.m
}

func (b *Box) readsBehindPointer(key int) int {
	b.mu.Lock()
	v := b.items[key]
	b.mu.Unlock()
	return *v
}

func (b *Box) calls() {
	b.mu.Lock()
	b.n++
	b.mu.Unlock()
	b.onClose()
}

func (b *Box) closes() {
	b.mu.Lock()
	b.n++
	b.mu.Unlock() // last
	close(b.wake)
}

func (b *Box) loops() int {
	for i := range 3 {
		b.mu.Lock()
		if b.n++; b.n > i {
			b.mu.Unlock() // last
			return i
		}
		b.mu.Unlock()
	}
	return 0
}

func (b *Box) branches(x int) int {
	b.mu.Lock()
	b.n++
	if x > 0 {
		b.mu.Unlock() // last
	} else {
		b.mu.Unlock() // last
	}
	x++
	return x
}

func (b *Box) defersBefore(key int) *int {
	defer func() { b.n++ }()
	b.rw.RLock()
	v := b.items[key]
	b.rw.RUnlock()
	if v != nil {
		return v
	}
	b.m++
	return nil
}

func (b *Box) defersInLoop() int {
	for i := range 3 {
		b.mu.Lock()
		b.n++
		b.mu.Unlock()
		if i > 1 {
			return i
		}
		defer func() { b.m++ }()
	}
	return 0
}

func (b *Box) goesBack(x int) int {
again:
	b.mu.Lock()
	b.n++
	b.mu.Unlock()
	if x--; x > 0 {
		goto again
	}
	return x
}

func (b *Box) jumps(x int) int {
	switch x {
	case 0:
		b.mu.Lock()
		b.n++
		b.mu.Unlock()
		break
	case 1:
		b.mu.Lock()
		b.n++
		b.mu.Unlock() // last
		return x
	}
	return x
}

func main() {
	b := &Box{items: map[int]*int{1: new(int)}, wake: make(chan struct{}, 1), onClose: func() {}}
	b.add()
	b.tell()
	b.get(1)
	b.get(2)
	b.getAndLook(1)
	b.getByLiteral(1)
	b.looksAgain()
	b.looksInReturn()
	b.readsBehindPointer(1)
	b.calls()
	b.closes()
	b.loops()
	b.branches(1)
	b.defersBefore(1)
	b.defersInLoop()
	b.goesBack(2)
	b.jumps(1)
}
