// Program context_lock: The lock is held while the goroutine waits for a context that is cancelled under the lock.
package main

import (
	"context"
	"fmt"
	"sync"
)

type service struct {
	mu     sync.Mutex
	cancel context.CancelFunc
}

func (s *service) Wait(ctx context.Context) {
	s.mu.Lock()
	<-ctx.Done() // want deadlock
	s.mu.Unlock()
}

func (s *service) Stop() {
	s.mu.Lock() // want deadlock
	s.cancel()
	s.mu.Unlock()
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	s := &service{cancel: cancel}
	done := make(chan bool)
	go func() {
		s.Wait(ctx)
		close(done)
	}()
	s.Stop()
	<-done
	fmt.Println("stopped")
}
