// Command crawler has workers that fetch pages, and somebody who cancels what takes too long. Whether a task is cancelled
// is looked at before its page is fetched, and its result is stored after that, as if nothing had happened in between.
package main

import (
	"fmt"
	"sync"
)

const (
	workers = 3
	pages   = 200
)

type task struct {
	mu        sync.Mutex
	cancelled bool
	result    int
}

func (t *task) isCancelled() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.cancelled
}

func (t *task) store(v int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.result = v
}

func (t *task) cancel() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cancelled, t.result = true, -1
}

// run fetches the page of a task, unless it is cancelled.
func (t *task) run(page int) {
	if t.isCancelled() {
		return
	}
	t.store(page * page)
}

type crawler struct {
	tasks [4]*task
	wg    sync.WaitGroup
}

func (c *crawler) work() {
	defer c.wg.Done()
	for page := range pages {
		//empire:yield
		c.tasks[page%len(c.tasks)].run(page)
	}
}

func (c *crawler) watch() {
	defer c.wg.Done()
	for page := range pages {
		//empire:yield
		c.tasks[page%len(c.tasks)].cancel()
	}
}

func main() {
	c := &crawler{}
	for i := range c.tasks {
		c.tasks[i] = &task{}
	}
	c.wg.Add(workers + 1)
	for range workers {
		//empire:yield
		go c.work()
	}
	//empire:yield
	go c.watch()
	c.wg.Wait()
	fmt.Println("all pages are done")
}
