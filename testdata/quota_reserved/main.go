// Command quota_reserved reserves quota for teams. Each team has a limit.
package main

import (
	"errors"
	"sync"
)

// Quota is what teams use and what they may use.
type Quota struct {
	mu    sync.Mutex
	used  map[string]int
	limit map[string]int
}

var errQuota = errors.New("quota exceeded")

// room reports whether there is room for n more.
func (q *Quota) room(team string, n int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.used[team]+n <= q.limit[team]
}

// Reserve reserves n for a team.
func (q *Quota) Reserve(team string, n int) error {
	if !q.room(team, n) {
		return errQuota
	}
	q.mu.Lock() // BUG: there may be no room any more
	defer q.mu.Unlock()
	q.used[team] += n
	return nil
}

// Raise raises the limit of a team.
func (q *Quota) Raise(team string, limit int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.limit[team] = limit
}

func main() {
	quota := &Quota{used: make(map[string]int), limit: make(map[string]int)}
	quota.Raise("red", 10)
	quota.Raise("blue", 5)
	errs := make(chan error, 4)
	go func() { errs <- quota.Reserve("red", 6) }()
	go func() { errs <- quota.Reserve("red", 7) }()
	go func() { errs <- quota.Reserve("blue", 5) }()
	go func() {
		quota.Raise("blue", 8)
		errs <- nil
	}()
	failed := 0
	for range cap(errs) {
		if err := <-errs; err != nil {
			failed++
		}
	}
	if failed == 3 {
		panic("nothing reserved")
	}
}
