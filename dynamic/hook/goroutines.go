package hook

import "sync/atomic"

// goroutineTable finds a goroutine by the number that the runtime gives it: these are dense,
// so it is an array, in chunks.
type goroutineTable struct {
	chunks atomic.Pointer[[]*chunk]
	lock   spin
}

const chunkSize = 1 << 10

type chunk [chunkSize]atomic.Pointer[Goroutine]

var goroutines goroutineTable

func (t *goroutineTable) get(id uint64) *Goroutine {
	chunks := t.chunks.Load()
	if chunks == nil || id/chunkSize >= uint64(len(*chunks)) {
		return nil
	}
	c := (*chunks)[id/chunkSize]
	if c == nil {
		return nil
	}
	return c[id%chunkSize].Load()
}

func (t *goroutineTable) set(id uint64, g *Goroutine) {
	t.chunk(id / chunkSize)[id%chunkSize].Store(g)
}

// chunk returns chunk i, which it makes if there is none. The list is copied, at each
// doubling of its length.
func (t *goroutineTable) chunk(i uint64) *chunk {
	t.lock.lock()
	defer t.lock.unlock()
	var old []*chunk
	if p := t.chunks.Load(); p != nil {
		old = *p
	}
	if i < uint64(len(old)) && old[i] != nil {
		return old[i]
	}
	grown := make([]*chunk, max(i+1, uint64(len(old))))
	copy(grown, old)
	grown[i] = new(chunk)
	t.chunks.Store(&grown)
	return grown[i]
}

// all calls f for each goroutine that is known.
func (t *goroutineTable) all(f func(*Goroutine)) {
	chunks := t.chunks.Load()
	if chunks == nil {
		return
	}
	for _, c := range *chunks {
		if c == nil {
			continue
		}
		for i := range c {
			if g := c[i].Load(); g != nil {
				f(g)
			}
		}
	}
}
