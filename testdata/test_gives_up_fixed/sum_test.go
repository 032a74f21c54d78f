package test_gives_up_fixed

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
			check(t, n)
			mu.Lock()
			if n < 0 {
				mu.Unlock()
				t.Skip("not now")
			}
			s.Add(n)
			mu.Unlock()
		})
	}
}

func check(t *testing.T, n int) {
	t.Helper()
	if n > 2 {
		t.Fatalf("%d is too large", n)
	}
}
