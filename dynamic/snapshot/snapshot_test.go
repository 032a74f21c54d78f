package snapshot

import (
	"sync"
	"sync/atomic"
	"testing"
)

type node struct {
	name  string
	next  *node
	count *int
}

type sample struct {
	mu     sync.Mutex
	rw     sync.RWMutex
	once   sync.Once
	wait   sync.WaitGroup
	sum    atomic.Int64
	last   atomic.Pointer[node]
	any    atomic.Value
	shared sync.Map
	ring   *node
	byName map[string]*node
	byNode map[*node]int
	queue  chan int
	list   []int
	part   []int
	bytes  []byte
	do     func()
	value  any
	n      int
	inner  *int
}

func newSample() *sample {
	a := &node{name: "a", count: nil}
	a.next = &node{name: "b", next: a}
	s := &sample{ring: a, byName: map[string]*node{"b": a.next, "a": a}, byNode: map[*node]int{a: 1, a.next: 2},
		queue: make(chan int, 4), list: []int{1, 2, 3}, bytes: []byte("text"), do: nil, value: a}
	s.mu.Lock()
	s.rw.RLock()
	s.once.Do(func() {})
	s.wait.Add(2)
	s.sum.Store(7)
	s.last.Store(a)
	s.any.Store("x")
	s.shared.Store("k", 5)
	s.queue <- 1
	<-s.queue
	s.queue <- 2
	s.queue <- 3
	s.part = s.list[:2]
	s.inner = &s.n
	return s
}

const wanted = `s: not nil
s.mu: locked
s.rw: locked by readers: 1
s.once: done
s.wait: 2
s.sum: 7
s.last: not nil
s.last.name: "a"
s.last.next: not nil
s.last.next.name: "b"
s.last.next.next: the same as s.last
s.last.next.count: nil
s.last.count: nil
s.any: of type string
s.any: "x"
s.shared: 1 entry
s.shared["k"]: of type int
s.shared["k"]: 5
s.ring: the same as s.last
s.byName: 2 entries
s.byName["a"]: the same as s.last
s.byName["b"]: the same as s.last.next
s.byNode: 2 entries
s.byNode key 1: the same as s.last
s.byNode[key 1]: 1
s.byNode key 2: the same as s.last.next
s.byNode[key 2]: 2
s.queue: 2 elements
s.queue[0]: 2
s.queue[1]: 3
s.list: 3 elements
s.list[0]: 1
s.list[1]: 2
s.list[2]: 3
s.part: 2 elements, the array of s.list
s.bytes: "text"
s.do: nil
s.value: of type *snapshot.node
s.value: the same as s.last
s.n: 0
s.inner: the same as s.n
`

// TestTake has one of everything: what is shared is named by where it was met first, and twice
// the same is the same text.
func TestTake(t *testing.T) {
	for range 20 {
		lines, whole := Take([]Root{{"s", newSample()}}, 1000)
		if got := String(lines); got != wanted || !whole {
			t.Fatalf("got\n%s", got)
		}
	}
}

// TestShape has pairs of graphs that differ in identity alone.
func TestShape(t *testing.T) {
	one, two, three := 1, 1, 1
	text := func(values ...any) string {
		var roots []Root
		for i, v := range values {
			roots = append(roots, Root{string(rune('a' + i)), v})
		}
		lines, _ := Take(roots, 100)
		return String(lines)
	}
	if text(&one, &one) == text(&one, &two) || text(&one, &two) != text(&two, &three) {
		t.Error("identity does not count, or addresses do")
	}
	s := struct{ p, q *int }{&one, &two}
	if text(&one, s) == text(&three, s) {
		t.Error("what is shared with another root does not count")
	}
	list := []int{1, 2}
	if text(list, list) == text(list, []int{1, 2}) {
		t.Error("the array of a slice does not count")
	}
	if _, whole := Take([]Root{{"list", make([]int, 200)}}, 100); whole {
		t.Error("a snapshot that is cut off says that it is whole")
	}
}
