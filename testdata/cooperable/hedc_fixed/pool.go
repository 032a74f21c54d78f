package main

import "sync"

// pool has workers that run tasks in the order in which they come.
type pool struct {
	mu     sync.Mutex
	come   *sync.Cond // a task, or the end
	queue  []*task
	isDone bool
	end    sync.WaitGroup
}

func newPool(workers int) *pool {
	p := &pool{}
	p.come = sync.NewCond(&p.mu)
	for id := range workers {
		//empire:yield
		p.end.Go(func() { p.work(id + 1) })
	}
	return p
}

func (p *pool) submit(t *task) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queue = append(p.queue, t)
	p.come.Signal()
}

// next waits for a task; nil if no more will come.
func (p *pool) next() *task {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.queue) == 0 && !p.isDone {
		p.come.Wait()
	}
	if len(p.queue) == 0 {
		return nil
	}
	t := p.queue[0]
	p.queue = p.queue[1:]
	return t
}

func (p *pool) work(id int) {
	for {
		//empire:yield
		t := p.next()
		if t == nil {
			return
		}
		//empire:yield
		t.run(id)
	}
}

// finish lets the workers end when nothing is left, and waits for them.
func (p *pool) finish() {
	//empire:yield
	p.last()
	p.end.Wait()
}

func (p *pool) last() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.isDone = true
	p.come.Broadcast()
}
