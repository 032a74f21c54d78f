// Command pool_in_table hands work to a pool. The pool keeps the functions in a list
// of any values, so that nothing in the source shows who runs them; the entry
// "Pool.Submit#1" of the table says it.
package main

import (
	"fmt"
	"reflect"
	"sync"
)

// Pool runs functions on goroutines of its own.
type Pool struct {
	wg    sync.WaitGroup
	tasks []reflect.Value
}

// Submit keeps f for the next Run.
func (p *Pool) Submit(f func()) { p.tasks = append(p.tasks, reflect.ValueOf(f)) }

// Run runs what was submitted, all at the same time, and waits for it.
func (p *Pool) Run() {
	for _, task := range p.tasks {
		p.wg.Add(1)
		go func() {
			defer p.wg.Done()
			task.Call(nil)
		}()
	}
	p.wg.Wait()
}

// Last is the result that came last, and whose it is.
type Last struct {
	mu     sync.Mutex
	job    int
	result string
}

// Note notes a result.
func (l *Last) Note(job int, result string) {
	l.mu.Lock()
	l.job = job
	l.mu.Unlock()

	l.mu.Lock() // another goroutine may have noted its own
	l.result = result
	l.mu.Unlock()
}

func main() {
	last := &Last{}
	pool := &Pool{}
	pool.Submit(func() { last.Note(1, "one") })
	pool.Submit(func() { last.Note(2, "two") })
	pool.Run()
	fmt.Println("done")
}
