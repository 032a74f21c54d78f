// Program context_lock_fixed: the mended context_lock.
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
	s.mu.Unlock()
	<-ctx.Done()
}

func (s *service) Stop() {
	s.mu.Lock()
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
