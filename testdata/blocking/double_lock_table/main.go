// Program double_lock_table: What handles a message is in a table, and takes the lock that is held while it is called.
// Which one that is depends on the message.
package main

import (
	"fmt"
	"os"
	"sync"
)

type session struct {
	mu    sync.Mutex
	pings int
	data  int
}

var handlers = []func(*session, int){(*session).handleData, (*session).handlePing}

func (s *session) handleData(n int) { s.data += n }

func (s *session) handlePing(n int) {
	s.mu.Lock() // want deadlock
	defer s.mu.Unlock()
	s.pings += n
}

func (s *session) handle(kind, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	handlers[kind](s, n)
}

func main() {
	s := &session{}
	s.handle(len(os.Args)%2, 1)
	fmt.Println("handled")
}
