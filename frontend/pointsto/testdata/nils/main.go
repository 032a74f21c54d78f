// Package main calls methods on nil pointers, slices, maps, channels and functions in
// interfaces, which run as any others do.
package main

import "sort"

type leaf struct{ next *leaf }

func (l *leaf) Empty() bool { return l == nil }
func (l *leaf) Next() *leaf {
	if l == nil {
		return none()
	}
	return l.next
}

type names []*leaf

func (n names) Len() int           { return len(n) }
func (n names) Less(i, j int) bool { return n[i].Empty() }
func (n names) Swap(i, j int)      { n[i], n[j] = n[j], n[i] }
func (n names) Empty() bool        { return n == nil }

type index map[string]*leaf

func (i index) Empty() bool { return len(i) == 0 }

type hook func()

func (h hook) Empty() bool { return h == nil }

type signal chan int

func (s signal) Empty() bool { return cap(s) == 0 }

type empty interface{ Empty() bool }

func none() *leaf { return nil }

type fields struct {
	l *leaf
	n names
	i index
	h hook
	s signal
}

func all(f *fields) []empty {
	return []empty{none(), f.l, f.n, f.i, f.h, f.s, f.l.Next(), (*leaf)(nil), names(nil)}
}

type failing struct{ why error }

func (f *failing) Error() string { return "failing" }

func try() *failing { return nil }

func wrapped() error { return try() }

func main() {
	for _, e := range all(&fields{}) {
		println(e.Empty())
	}
	var f fields
	sort.Sort(f.n)
	call := empty(f.i).Empty
	println(call())
	if err := wrapped(); err != nil {
		println(err.Error())
	}
	defer empty(f.l).Empty()
	type walker interface{ Next() *leaf }
	var w walker = f.l
	println(w.Next() == nil)
	if w, ok := any(f.l).(walker); ok {
		println(w.Next().Empty())
	}
}
