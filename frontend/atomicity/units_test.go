package atomicity_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/empire-go/empire-go/frontend/atomicity"
	"github.com/empire-go/empire-go/frontend/facttest"
)

// TestUnits holds the proofs to a program of which each method says by its name whether it is atomic:
// those that begin with Bad are not, and those that begin with Good are.
func TestUnits(t *testing.T) {
	for name, text := range map[string]string{"idioms": idioms, "versions": versions} {
		for _, p := range facttest.Load(t, map[string]string{name: text}) {
			program := atomicity.New(t.Context(), p.Insensitive(t))
			for fn := range ssautil.AllFunctions(p.Loaded.SSA) {
				if fn.Pkg != p.Main {
					continue
				}
				proof := program.Unit(fn)
				at := func() string { return p.Loaded.Position(proof.At).String() }
				switch {
				case strings.HasPrefix(fn.Name(), "Good") && !proof.IsAtomic:
					t.Errorf("%s is not called atomic: %s %s", fn, at(), proof.Why)
				case strings.HasPrefix(fn.Name(), "Bad") && proof.IsAtomic:
					t.Errorf("%s is called atomic, at %s", fn, p.Loaded.Position(proof.Point))
				case strings.HasPrefix(fn.Name(), "Bad"):
					t.Logf("%s: %s %s", fn, at(), proof.Why)
				}
			}
		}
	}
}

const idioms = `package main

import (
	"sync"
	"sync/atomic"
)

type node struct {
	value int
	next  *node
}

type T struct {
	mu     sync.RWMutex
	made   bool
	value  string
	n      atomic.Int64
	once   atomic.Bool
	head   atomic.Pointer[node]
	count  int
	total  int
	m      map[string]*node
	text   string
	version int
	err    error
	name   string
	max    atomic.Int64
	list   []int
}

func New(name string) *T { return &T{m: map[string]*node{}, name: name} }

func (t *T) GoodLazy() string {
	t.mu.Lock()
	made := t.made
	t.mu.Unlock()
	if !made {
		t.mu.Lock()
		if !t.made {
			t.value, t.made = "made", true
		}
		t.mu.Unlock()
	}
	return "x"
}

func (t *T) GoodLook(key string) *node {
	t.mu.RLock()
	n, ok := t.m[key]
	t.mu.RUnlock()
	if ok {
		return n
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if n, ok := t.m[key]; ok {
		return n
	}
	n = &node{value: len(t.name)}
	t.m[key] = n
	return n
}

func (t *T) BadLook(key string) *node {
	t.mu.RLock()
	n, ok := t.m[key]
	t.mu.RUnlock()
	if ok {
		return n
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	n = &node{value: len(t.name)}
	t.m[key] = n
	return n
}

func (t *T) GoodSum() (sum int) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for _, n := range t.m {
		if n != nil {
			sum += n.value
		}
	}
	return sum
}

func (t *T) GoodAdd() int64 {
	for {
		old := t.n.Load()
		if t.n.CompareAndSwap(old, old+1) {
			return old
		}
	}
}

func (t *T) BadAdd() int64 {
	old := t.n.Load()
	for !t.n.CompareAndSwap(old, old+1) {
	}
	return old
}

func (t *T) BadTwice() int64 {
	for {
		old := t.n.Load()
		if t.n.CompareAndSwap(old, old+1) {
			return t.n.Load()
		}
	}
}

func (t *T) BadTries() bool {
	for i := 0; i < 3; i++ {
		old := t.n.Load()
		if t.n.CompareAndSwap(old, old+1) {
			return true
		}
	}
	return false
}

func (t *T) GoodTicket() int64 { return t.n.Add(1) * 2 }

func (t *T) BadTicket() int64 {
	t.n.Add(1)
	return t.n.Load()
}

func (t *T) GoodFlag() bool {
	if t.once.Load() {
		return false
	}
	return t.once.CompareAndSwap(false, true)
}

func (t *T) BadFlag() bool {
	if t.once.Load() {
		return false
	}
	t.once.Store(true)
	return true
}

func (t *T) GoodSet() {
	if !t.once.Load() {
		t.once.Store(true)
	}
}

func (t *T) GoodPush(v int) {
	for {
		old := t.head.Load()
		n := &node{value: v, next: old}
		if t.head.CompareAndSwap(old, n) {
			return
		}
	}
}

func (t *T) GoodPop() int {
	for {
		old := t.head.Load()
		if old == nil {
			return -1
		}
		next := old.next
		if t.head.CompareAndSwap(old, next) {
			return old.value
		}
	}
}

func (t *T) BadAppendToo(more string) {
	for {
		t.mu.Lock()
		version, text := t.version, t.text
		t.mu.Unlock()
		text += more
		t.mu.Lock()
		if t.version == version {
			t.version, t.text = version+1, text
			t.mu.Unlock()
			return
		}
		t.mu.Unlock()
	}
}

func (t *T) BadAppend(more string) {
	t.mu.Lock()
	version, text := t.version, t.text
	t.mu.Unlock()
	text += more
	t.mu.Lock()
	t.version, t.text = version+1, text
	t.mu.Unlock()
}

func (t *T) GoodMax(v int64) {
	for {
		old := t.max.Load()
		if v <= old {
			return
		}
		if t.max.CompareAndSwap(old, v) {
			return
		}
	}
}

func (t *T) BadMax(v int64) {
	if v > t.max.Load() {
		t.max.Store(v)
	}
}

func (t *T) GoodFail(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil {
		t.err = err
	}
}

func (t *T) GoodErr() error {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.err
}

func (t *T) GoodSlice(v int) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.list = append(t.list, v)
	sum := 0
	for _, x := range t.list {
		sum += x
	}
	return sum
}

func (t *T) BadSums(n int) {
	t.mu.Lock()
	t.count++
	t.mu.Unlock()
	t.mu.Lock()
	t.total += n
	t.mu.Unlock()
}

func (t *T) GoodMean() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.total - t.count
}

func (t *T) Reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.made = false
	t.m = map[string]*node{}
	t.value = ""
	t.once.Store(false)
	t.n.Store(0)
	t.err = nil
	t.list = nil
}

func main() {
	t := New("x")
	run := func(f func()) { go f() }
	run(func() { t.GoodLazy() })
	run(func() { t.GoodLook("a"); t.BadLook("b"); t.GoodSum() })
	run(func() { t.GoodAdd(); t.BadAdd(); t.BadTwice(); t.GoodTicket(); t.BadTicket(); t.BadTries() })
	run(func() { t.GoodFlag(); t.BadFlag(); t.GoodSet() })
	run(func() { t.GoodPush(1); t.GoodPop() })
	run(func() { t.BadAppendToo("x"); t.BadAppend("x"); t.Reset(); t.BadSums(1); t.GoodMean() })
	run(func() { t.GoodMax(1); t.BadMax(1); t.GoodFail(nil); t.GoodErr(); t.GoodSlice(1) })
}
`

const versions = `package main

import "sync"

type Store struct {
	mu      sync.Mutex
	version int
	text    string
	sum     int
}

func (s *Store) GoodAppend(more string) {
	for {
		s.mu.Lock()
		version, text := s.version, s.text
		s.mu.Unlock()
		text += more
		s.mu.Lock()
		if s.version == version {
			s.version, s.text = version+1, text
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
	}
}

func (s *Store) GoodSum(n int) {
	s.mu.Lock()
	s.sum += n
	s.mu.Unlock()
	s.mu.Lock()
	s.sum--
	s.mu.Unlock()
}

func main() {
	s := &Store{}
	go func() { s.GoodAppend("x"); s.GoodSum(1) }()
	go func() { s.GoodAppend("x") }()
}
`
