package test_gives_up

import (
	"sync"
	"testing"
)

func TestAdd(t *testing.T) {
	s := &Sum{}
	var mu sync.Mutex
	for _, n := range []int{1, 3} {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			locked := false
			defer func() {
				s.Add(n) // without the lock, if the number was not right
				if locked {
					mu.Unlock()
				}
			}()
			check(t, n)
			mu.Lock()
			locked = true
		})
	}
}

func check(t *testing.T, n int) {
	t.Helper()
	if n > 2 {
		t.Fatalf("%d is too large", n)
	}
}
