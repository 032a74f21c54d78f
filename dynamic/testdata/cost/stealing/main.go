// Command stealing colours a grid by tasks that split: each worker has a ring of tasks of its own, takes from the ring
// of another one when that is empty, and sleeps on a condition when all are.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

type task struct{ left, top, width, height int }

// ring is the tasks of a worker: the owner takes the newest one, others the oldest.
type ring struct {
	mu          sync.Mutex
	tasks       []task
	first, size int
	stolen      int
}

func (r *ring) push(t task) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.size == len(r.tasks) {
		grown := make([]task, max(4, 2*r.size))
		for i := range r.size {
			grown[i] = r.tasks[(r.first+i)%r.size]
		}
		r.tasks, r.first = grown, 0
	}
	r.tasks[(r.first+r.size)%len(r.tasks)] = t
	r.size++
}

func (r *ring) pop() (task, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.size == 0 {
		return task{}, false
	}
	r.size--
	return r.tasks[(r.first+r.size)%len(r.tasks)], true
}

func (r *ring) steal() (task, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.size == 0 {
		return task{}, false
	}
	t := r.tasks[r.first]
	r.first = (r.first + 1) % len(r.tasks)
	r.size--
	r.stolen++
	return t, true
}

// Pool is the workers, and what they wait for.
type Pool struct {
	mu       sync.Mutex
	more     *sync.Cond
	sleepers int
	done     bool
	open     atomic.Int64 // tasks that are not finished
	rings    []ring
	cells    []uint32
	width    int
}

func newPool(workers, width int) *Pool {
	p := &Pool{rings: make([]ring, workers), width: width}
	p.cells = make([]uint32, width*width)
	p.more = sync.NewCond(&p.mu)
	return p
}

func (p *Pool) add(worker int, t task) {
	p.open.Add(1)
	p.rings[worker].push(t)
	p.mu.Lock()
	if p.sleepers > 0 {
		p.more.Signal()
	}
	p.mu.Unlock()
}

// next returns a task, false when all are finished.
func (p *Pool) next(worker int) (task, bool) {
	for {
		if t, ok := p.find(worker); ok {
			return t, true
		}
		p.mu.Lock()
		if p.done {
			p.mu.Unlock()
			return task{}, false
		}
		if t, ok := p.find(worker); ok { // it may have come while nobody was asleep
			p.mu.Unlock()
			return t, true
		}
		p.sleepers++
		p.more.Wait()
		p.sleepers--
		p.mu.Unlock()
	}
}

func (p *Pool) find(worker int) (task, bool) {
	if t, ok := p.rings[worker].pop(); ok {
		return t, true
	}
	for i := 1; i < len(p.rings); i++ {
		if t, ok := p.rings[(worker+i)%len(p.rings)].steal(); ok {
			return t, true
		}
	}
	return task{}, false
}

func (p *Pool) finish() {
	if p.open.Add(-1) > 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = true
	p.more.Broadcast()
}

func (p *Pool) work(worker int) {
	for {
		t, ok := p.next(worker)
		if !ok {
			return
		}
		switch {
		case t.width > 8:
			half := t.width / 2
			p.add(worker, task{t.left, t.top, half, t.height})
			p.add(worker, task{t.left + half, t.top, t.width - half, t.height})
		case t.height > 8:
			half := t.height / 2
			p.add(worker, task{t.left, t.top, t.width, half})
			p.add(worker, task{t.left, t.top + half, t.width, t.height - half})
		default:
			p.colour(t)
		}
		p.finish()
	}
}

func (p *Pool) colour(t task) {
	for y := t.top; y < t.top+t.height; y++ {
		for x := t.left; x < t.left+t.width; x++ {
			c := uint32(x*31 + y*17)
			for range 40 {
				c = c*1664525 + 1013904223
			}
			p.cells[y*p.width+x] = c
		}
	}
}

func main() {
	sum := uint32(0)
	for range 4 {
		p := newPool(4, 1024)
		p.add(0, task{0, 0, p.width, p.width})
		var wg sync.WaitGroup
		for worker := range p.rings {
			wg.Go(func() { p.work(worker) })
		}
		wg.Wait()
		for _, c := range p.cells {
			sum += c
		}
	}
	fmt.Println(sum)
}
