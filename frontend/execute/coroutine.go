package execute

import (
	"iter"
	"sync"
)

// coroutine is a stack that a goroutine of a run lives on. It serves one goroutine after the other,
// of any run: a stack that has grown does not have to grow again.
type coroutine struct {
	next  func() (struct{}, bool)
	yield func(struct{}) bool
	body  func() // of the goroutine that it serves; nil: it has ended
}

// idle are coroutines that serve nobody, maxIdle at most.
var idle struct {
	sync.Mutex
	all []*coroutine
}

const maxIdle = 32

// newCoroutine returns a coroutine that carries out the body when it goes on.
func newCoroutine(body func()) *coroutine {
	idle.Lock()
	defer idle.Unlock()
	if n := len(idle.all); n > 0 {
		c := idle.all[n-1]
		idle.all = idle.all[:n-1]
		c.body = body
		return c
	}
	c := &coroutine{body: body}
	c.next, _ = iter.Pull(func(yield func(struct{}) bool) {
		c.yield = yield
		for c.body != nil {
			c.body()
			c.body = nil
			yield(struct{}{})
		}
	})
	return c
}

// release gives it back, when its body has ended.
func (c *coroutine) release() {
	idle.Lock()
	full := len(idle.all) == maxIdle
	if !full {
		idle.all = append(idle.all, c)
	}
	idle.Unlock()
	if full {
		c.next()
	}
}
