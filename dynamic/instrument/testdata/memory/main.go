// The command has accesses to all kinds of memory that goroutines can share and that is no field of a named type.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
	"time"
)

type grid [][]float64

type cell struct{ a, b int }

type pair[T any] struct{ x, y T }

func row(g grid, i int, wg *sync.WaitGroup) {
	defer wg.Done()
	for j := range g[i] {
		g[i][j] = float64(i*j) + g[i][j]
		g[i][j]++
		g[i][j] += 2
	}
	for j, v := range g[i] {
		g[i][j] = v * 2
	}
	for _, v := range g[i] {
		_ = v
	}
	g[i] = g[i][:2]
	x, y := g[i][0], g[i][1]
	g[i][0], g[i][1] = y, x
}

func add(n *int, by int) { *n += by; *n++; *n = *n + by }

func swap[T any](s []T, i, j int) { s[i], s[j] = s[j], s[i] }

func named() (n int, err error) {
	defer func() { n++; err = errors.Join(err) }()
	return 1, nil
}

func deferred(m map[string][]int) (out []int) {
	defer func() {
		if r := recover(); r != nil {
			out = nil
		}
	}()
	m["a"] = append(m["a"], 1)

	return m["a"]
}

type weights []float64

func grown[S ~[]E, E any](s S, e E) S { return append(s, e) }

func bytesOf() []byte { return []byte("cd") }

// lists appends to slices and sorts them, with all forms of operands.
func lists() {
	var failures []error
	failures = append(failures, errors.New("a"), nil)
	cells := append([]cell(nil), cell{2, 1}, cell{1, 2})
	cells = append(cells, cells...)
	slices.SortFunc(cells, func(a, b cell) int { return a.a - b.a })
	w := append(weights{}, 3, 1.5)
	w = append(w[:1], w...)
	sort.Float64s(w)
	sort.Slice(cells, func(i, j int) bool { return cells[i].b < cells[j].b })
	text := append([]byte("ab"), bytesOf()...)
	text = append(text, "ef"...)
	fs := append([]func() int{}, func() int { return 1 }, nil)
	pointers := append([]*cell{&cells[0]}, nil, &cells[1])
	i, found := slices.BinarySearch(w, 2)
	fmt.Println(len(failures), cells, w, string(text), len(fs), pointers[2].a, i, found, slices.Max(w), grown(w, 4),
		slices.Insert(slices.Clone(w), 1, w...))
}

func main() {
	lists()
	g := grid{{1, 2}, {3, 4}}
	var wg sync.WaitGroup
	for i := range g {
		wg.Add(1)
		go row(g, i, &wg)
	}
	wg.Wait()
	n := 0
	var mu sync.Mutex
	f := func() { mu.Lock(); n++; mu.Unlock() }
	wg.Go(f)
	wg.Go(f)
	wg.Wait()
	k := 1
	go add(&k, 2)
	time.Sleep(10 * time.Millisecond)
	m := map[string]int{}
	m["x"]++
	m["y"] = 2
	delete(m, "x")
	if v, ok := m["y"]; ok {
		m["z"] = v
	}
	for k, v := range m {
		_, _ = k, v
	}
	clear(m)
	cells := []cell{{1, 2}, {3, 4}}
	for i, c := range cells {
		cells[i].a = c.b
	}
	for _, c := range cells {
		_ = c
	}
	anon := []struct{ p, q int }{{1, 2}}
	anon[0].p = 3
	anon[0].q++
	for _, t := range anon {
		fmt.Println(t.p)
	}
	local := struct {
		n int
		s [4]int
	}{}
	h := func() { local.n++; local.s[1] = 2; local.s[2]++ }
	h()
	var arr [8]int
	go func() { arr[1] = 2; arr[len(arr)-1]++ }()
	const size = len(arr)
	var fixed [size]int
	fixed[0] = len(fixed)
	time.Sleep(10 * time.Millisecond)
	s := arr[:]
	s[0]++
	copy(s, s[1:])
	copy(s[2:], []int{1})
	swap(s, 0, 1)
	p := &pair[int]{1, 2}
	p.x++
	q := &struct{ z int }{}
	q.z++
	go func() { q.z = 2 }()
	var hits int64
	var count atomic.Int64
	go func() { atomic.AddInt64(&hits, 1); count.Add(1) }()
	time.Sleep(10 * time.Millisecond)
	fmt.Println(atomic.LoadInt64(&hits), count.Load())
	var buf bytes.Buffer
	go func() { buf.WriteString("x") }()
	time.Sleep(10 * time.Millisecond)
	fmt.Println(buf.String(), size)
	var err error
	ff := func() { err = errors.New("x") }
	ff()
	v, err := named()
	fmt.Println(v, err)
	if w, err := named(); err != nil {
		fmt.Println(w, err)
	}
	for i := 0; i < 3; i++ {
		go func() { i++; fmt.Print() }()
	}
	var pp **int
	pk := &k
	pp = &pk
	**pp = 7
	var fns []func()
	for i := range 3 {
		fns = append(fns, func() { i++ })
	}
	for _, fn := range fns {
		fn()
	}
	var nilmap map[int]int
	fmt.Println(nilmap[1], len(nilmap))
	type inner struct{ n int }
	in := inner{}
	up := func() { in.n++; in = inner{in.n} }
	up()
	ip := &in
	ip.n++
	fmt.Println(in, n, k)
	mm := map[string]map[string]int{"a": {}}
	mm["a"]["b"]++
	mp := map[string]*cell{"a": {}}
	mp["a"].a++
	ms := map[string]cell{}
	ms["a"] = cell{1, 2}
	_ = ms["a"].b
	mi := map[string]struct{ n int }{}
	_ = mi["a"].n
	pa := &[3]int{}
	pa[1]++
	for i, x := range pa {
		pa[i] = x
	}
	var e any = 3
	switch z := e.(type) {
	case int:
		func() { z++ }()
		fmt.Println(z)
	}
	ch := make(chan int, 1)
	ch <- 1
	var got int
	func() { got = 1 }()
	select {
	case got = <-ch:
	default:
	}
	got, ok := 3, true
	fmt.Println(got, ok)
}
