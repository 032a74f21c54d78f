// Program double_lock_error_path_fixed: the mended double_lock_error_path.
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
	s.mu.Lock()
	if n < 0 {
		s.mu.Unlock()
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
