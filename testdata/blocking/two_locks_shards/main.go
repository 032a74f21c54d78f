// Program two_locks_shards: A copy between two shards locks the one that it reads, then the one that it writes.
package main

import (
	"fmt"
	"sync"
)

type shard struct {
	mu   sync.Mutex
	data []int
}

type shards struct{ all [2]shard }

func (s *shards) copy(from, to int) {
	s.all[from].mu.Lock()
	data := append([]int(nil), s.all[from].data...)
	s.all[to].mu.Lock() // want deadlock
	s.all[to].data = data
	s.all[to].mu.Unlock()
	s.all[from].mu.Unlock()
}

func main() {
	s := &shards{}
	s.all[0].data = []int{1}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		s.copy(0, 1)
	}()
	s.copy(1, 0)
	wg.Wait()
	fmt.Println(len(s.all[1].data))
}
