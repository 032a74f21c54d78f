// Command racy_read asks how much work is done while another goroutine does it.
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

// Done returns the number of finished tasks. It reads without the lock: a data
// race, but as it reads one field once, the number is one that there was.
func (p *Progress) Done() int {
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
