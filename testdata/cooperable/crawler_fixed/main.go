// Command crawler has workers that fetch pages, and somebody who cancels what takes too long. A result is stored only if
// its task is not cancelled yet.
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

func (t *task) cancel() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cancelled, t.result = true, -1
}

// run fetches the page of a task, unless it is cancelled.
func (t *task) run(page int) {
	v := page * page
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.cancelled {
		t.result = v
	}
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
