package empire_test

import (
	"runtime"
	"testing"

	empire "github.com/empire-go/empire-go"
)

// TestNothingLeaks answers one query again and again: neither goroutines nor memory are
// left behind.
func TestNothingLeaks(t *testing.T) {
	var goroutines []int
	var heap []uint64
	for range 4 {
		result, err := empire.Run(t.Context(), empire.Request{Packages: []string{"./testdata/vector"}, Type: "Vector",
			Fields: []string{"count", "data"}})
		if err != nil || result.Verdict != empire.VerdictViolation {
			t.Fatal(result, err)
		}
		result = nil
		for range 2 { // what a finaliser or a pool holds goes with the second
			runtime.GC()
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		goroutines, heap = append(goroutines, runtime.NumGoroutine()), append(heap, m.HeapAlloc>>20)
	}
	t.Logf("goroutines %v, MiB %v", goroutines, heap)
	if goroutines[3] > goroutines[1] || heap[3] > heap[1]+heap[1]/10+2 {
		t.Errorf("goroutines %v, MiB %v after each query", goroutines, heap)
	}
}
