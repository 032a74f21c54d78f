// Command frozen has fields of which the comments say whether they are frozen, with the value if it
// is the same in all objects of a site, or only ever become true, or change.
package main

import "sync"

// list is made by newList, with one argument.
type list struct {
	shared bool // want frozen true
	zero   bool // want frozen false
	late   bool // want grows
	on     bool // want changes
	size   int
}

func newList(shared bool) *list {
	l := &list{shared: shared, size: 1}
	l.size++
	return l
}

func (l *list) finish() { l.late = true }

func (l *list) toggle() { l.on = !l.on }

// mixed is made by newMixed, with several arguments.
type mixed struct {
	shared bool // want frozen
	copied bool // want frozen true
	early  bool // want changes
}

type options struct{ copied, other bool }

func newMixed(shared bool, o options) *mixed {
	m := &mixed{shared: shared, copied: o.copied}
	use(m)
	m.early = !o.other
	return m
}

func use(m *mixed) { println(m.early) }

// nested holds options as a whole.
type nested struct {
	copied bool // want frozen false
	whole  options
	reset  bool // want changes
	some   bool // want frozen
}

func newNested(o options) *nested {
	n := &nested{whole: o}
	if o.other {
		n.some = true
	}
	return n
}

func (n *nested) clear() { n.reset = false }

func main() {
	l := newList(true)
	m := newMixed(true, options{copied: true})
	newMixed(false, options{copied: true, other: true})
	n := newNested(options{copied: true})
	var wg sync.WaitGroup
	wg.Go(func() { l.finish(); l.toggle(); n.clear() })
	wg.Go(func() { println(l.shared, l.zero, l.late, m.shared, m.copied, n.whole.copied, n.some) })
	wg.Wait()
}
