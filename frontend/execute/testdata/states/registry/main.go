// Command registry is a trial of tables that package variables lead to, and that lead to each other's memory.
package main

import (
	"errors"
	"slices"
	"sync"
)

// A table shares its names with a package variable, and its entries with the last table.
type table struct {
	mu      sync.Mutex
	entries map[string]*entry
	names   []string
	last    *table
	byName  func(string) *entry
}

type entry struct {
	name string
	n    int
	in   *table
}

var (
	all    []*table
	recent *table
	names  = make([]string, 0, 8)
	errOld = errors.New("old")
	once   sync.Once
	limit  int
)

func newTable() *table {
	once.Do(func() { limit = 3 })
	t := &table{entries: map[string]*entry{}, last: recent, names: names[:0:4]}
	t.byName = func(name string) *entry { return t.entries[name] }
	all, recent = append(all, t), t
	return t
}

func (t *table) put(name string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.entries) >= limit {
		return errOld
	}
	e := t.byName(name)
	if e == nil {
		e = &entry{name: name, in: t}
		t.entries[name] = e
		t.names = append(t.names, name)
	}
	e.n++
	return nil
}

func (t *table) total() (sum int) {
	for _, e := range t.entries {
		sum += e.n
	}
	return sum
}

func make1() *table { return newTable() }

func make2() *table {
	t := newTable()
	t.put("a")
	return newTable()
}

func make3() *table { return nil }

func step1(o *table) any { return o.put("a") }

func step2(o *table) any { return o.put("b") }

func step3(o *table) any {
	n := len(o.names)
	o.mu.Lock()
	defer o.mu.Unlock()
	return n == len(o.entries)
}

func step4(o *table) any {
	if o.last != nil {
		delete(o.last.entries, "a")
		return o.last.total()
	}
	return o.total()
}

func step5(*table) any {
	limit++
	return []any{len(all), slices.Clone(names[:cap(names)]), recent == all[len(all)-1]}
}

func step6(o *table) any {
	recent = o.last
	return recent.names // panics if there is none
}

func main() {}
