// Program double_lock_error_path: On the path of an error the lock is not released, and the next call waits for it.
package main

import (
	"errors"
	"fmt"
	"sync"
)

type store struct {
	mu    sync.Mutex
	items map[string]int
}

func (s *store) Put(key string, n int) error {
	s.mu.Lock() // want deadlock
	if n < 0 {
		return errors.New("negative")
	}
	s.items[key] = n
	s.mu.Unlock()
	return nil
}

func main() {
	s := &store{items: map[string]int{}}
	if err := s.Put("a", -1); err != nil {
		fmt.Println(err)
	}
	fmt.Println(s.Put("b", 1))
}
