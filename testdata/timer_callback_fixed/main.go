// Command timer_callback_fixed lets a session expire by a timer. The function of the timer
// runs on a goroutine of its own, and takes the lock.
package main

import (
	"fmt"
	"sync"
	"time"
)

// Session is a token and how often it has been renewed.
type Session struct {
	mu      sync.Mutex
	token   string
	renewed int
}

// Renew starts the session again with a new token.
func (s *Session) Renew(token string, renewed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.token = token
	s.renewed = renewed
}

// Expire ends the session.
func (s *Session) Expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.token = ""
	s.renewed = 0
}

func main() {
	s := &Session{}
	timer := time.AfterFunc(time.Millisecond, s.Expire)
	s.Renew("abc", 1)
	time.Sleep(2 * time.Millisecond)
	timer.Stop()
	fmt.Println("done")
}
