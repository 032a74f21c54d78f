// Command racy_read_fixed asks how much work is done while another goroutine
// does it.
package main

import (
	"fmt"
	"sync"
)

// Progress counts tasks.
type Progress struct {
	mu    sync.Mutex
	done  int
	hours int
}

// Finish counts a finished task.
func (p *Progress) Finish(hours int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	p.hours += hours
}

// Done returns the number of finished tasks.
func (p *Progress) Done() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.done
}

func main() {
	progress := &Progress{}

	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		for _, hours := range []int{2, 1, 5} {
			progress.Finish(hours)
		}
	}()
	go func() {
		defer wg.Done()
		fmt.Println(progress.Done(), "done")
	}()
	wg.Wait()
}
