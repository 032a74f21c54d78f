// Program lock_channel_error: After an error the lock is kept, and the consumer, which needs it, never receives.
package main

import (
	"errors"
	"fmt"
	"sync"
)

type feed struct {
	mu   sync.Mutex
	last int
}

func (f *feed) check(n int) error {
	f.mu.Lock()
	if n < f.last {
		return errors.New("going back")
	}
	f.last = n
	f.mu.Unlock()
	return nil
}

func main() {
	f := &feed{}
	values := make(chan int)
	go func() {
		for v := range values {
			f.mu.Lock() // want blocked
			f.last += v
			f.mu.Unlock()
		}
	}()
	fmt.Println(f.check(-1))
	values <- 1
	close(values)
}
