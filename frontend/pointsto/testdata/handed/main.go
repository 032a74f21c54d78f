// Command handed has functions that call what they are handed: which one that is depends on the caller.
package main

import (
	"errors"
	"slices"
	"sort"
	"strings"
	"sync"
)

func each(values []int, do func(int)) {
	for _, v := range values {
		do(v) // calls (*main.visitor).visit$bound main.add main.either$1 main.main$1 main.main$2 main.main$6
	}
}

// twice hands on what it is handed.
func twice(do func(int)) {
	each([]int{1}, do)
	each([]int{2}, do)
}

// down calls itself with what it is handed.
func down(n int, do func(int)) {
	if n == 0 {
		do(0) // calls main.main$3 main.main$4
		return
	}
	down(n-1, do)
}

// later runs what it is handed in other ways.
func later(do func()) {
	defer do()
	done := make(chan bool)
	go func() {
		do()
		close(done)
	}()
	<-done
}

var sum int

func add(n int) { sum += n }

// Numbers and Words are sorted by their methods.
type Numbers []int

func (n Numbers) Len() int           { return len(n) }
func (n Numbers) Less(i, j int) bool { return n[i] < n[j] }
func (n Numbers) Swap(i, j int)      { n[i], n[j] = n[j], n[i] }

type Words []string

func (w Words) Len() int           { return len(w) }
func (w Words) Less(i, j int) bool { return w[i] < w[j] }
func (w Words) Swap(i, j int)      { w[i], w[j] = w[j], w[i] }

// Handler is a function with a method that calls it.
type Handler func(string) error

func (h Handler) Handle(s string) error { return h(s) }

type server interface{ Handle(string) error }

func serve(s server) { s.Handle("a") }

// Either has one of two functions, which one is not known.
func either(first bool) func(int) {
	if first {
		return add
	}
	return func(n int) { sum -= n }
}

type visitor struct{ seen int }

func (v *visitor) visit(n int) { v.seen += n }

func sequence(yield func(int, string) bool) {
	_ = yield(1, "one") && yield(2, "two")
}

func main() {
	each([]int{1}, func(n int) { println("one", n) })
	each([]int{2}, func(n int) { println("two", n) })
	down(2, func(n int) { println("three", n) })
	down(3, func(n int) { println("four", n) })
	twice(add)
	later(func() { println("later") })
	twice(func(n int) { println("six", n) })
	var none func(int)
	each(nil, none)
	each([]int{3}, either(true))
	v := &visitor{}
	each([]int{4}, v.visit)
	sort.Sort(Numbers{3, 2, 1})
	sort.Sort(sort.Reverse(Words{"b", "a"}))
	sort.Search(3, func(i int) bool { return i > 1 })
	sort.Search(3, func(i int) bool { return i > 2 })
	slices.SortFunc([]int{2, 1}, func(a, b int) int { return a - b })
	serve(Handler(func(string) error { return nil }))
	serve(Handler(func(s string) error { return errors.New(s) }))
	var m sync.Map
	m.Store(1, "one")
	m.Range(func(k, v any) bool { return true })
	m.Range(func(k, v any) bool { return false })
	strings.Map(func(r rune) rune { return r + 1 }, "abc")
	for n, name := range sequence {
		println(n, name)
	}
	var once sync.Once
	once.Do(func() { println("once") })
}
