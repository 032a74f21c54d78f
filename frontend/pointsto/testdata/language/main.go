// Package main carries pointers through as many forms of the language as there are,
// in combinations that ordinary programs seldom have. TestRun requires what it does.
package main

import (
	"errors"
	"fmt"
)

type node struct {
	n    int
	next *node
}

func (n *node) Get() *node    { return n }
func (n *node) Set(to *node)  { n.next = to }
func (n node) Value() *node   { return n.next }
func (n *node) Error() string { return "node" }

type getter interface{ Get() *node }
type setter interface{ Set(*node) }
type both interface {
	getter
	setter
}

func use(all ...*node) {
	for _, n := range all {
		if n != nil {
			n.n++
		}
	}
}

// Method values and expressions, of embedded pointers and interfaces.

type holder struct{ *node }
type outer struct{ holder }
type wrapped struct{ both }
type deep struct {
	*wrapped
	name string
}

func methods() {
	h := outer{holder{&node{}}}
	get := h.Get
	h.node = &node{n: 2}
	use(get(), h.Get(), h.Value())
	w := deep{wrapped: &wrapped{both: &node{n: 3}}}
	var b both = w
	set := b.Set
	set(&node{n: 4})
	use(b.Get(), w.Get().next)
	f := both.Get
	use(f(w), (*node).Get(w.Get()), node.Value(*w.Get()))
	table := map[string]func() *node{"h": h.Get, "w": w.Get, "v": w.Get().Value}
	for _, name := range []string{"h", "w", "v"} {
		use(table[name]())
	}
	g := getter.Get
	calls := []func(getter) *node{g, func(g getter) *node { return g.Get() }}
	for _, c := range calls {
		use(c(h))
	}
	var i interface{ Value() *node } = *w.Get()
	value := i.Value
	use(value())
}

// Functions in tables, fields, channels and interfaces.

type op func(*node) *node

func (o op) Get() *node { return o(&node{n: 5}) }

type machine struct {
	ops   map[int]op
	hooks []func(...*node)
	last  any
	run   [2]func(func(*node) *node) *node
}

func tables() {
	shared := &node{n: 6}
	m := machine{ops: map[int]op{1: func(n *node) *node { n.next = shared; return n }}}
	m.ops[2] = func(n *node) *node { return m.ops[1](n).next }
	m.hooks = append(m.hooks, use, func(all ...*node) { shared = all[0] })
	m.run[1] = func(f func(*node) *node) *node { return f(shared) }
	var fact func(int, *node) *node
	fact = func(n int, at *node) *node {
		if n == 0 {
			return at
		}
		return fact(n-1, &node{next: at})
	}
	use(m.ops[2](fact(3, &node{})))
	for _, hook := range m.hooks {
		hook(&node{n: 7}, shared)
	}
	use(m.run[1](m.ops[1]), m.run[1](fact2(&node{n: 8})))
	m.last = m.ops[1]
	use(m.last.(getter).Get())
	if f, ok := m.last.(op); ok {
		use(f(&node{n: 9}))
	}
	functions := make(chan func() func() *node, 1)
	functions <- func() func() *node { n := &node{}; return func() *node { n = &node{next: n}; return n } }
	next := (<-functions)()
	use(next(), next().next)
}

func fact2(n *node) func(*node) *node { return func(*node) *node { return n } }

// Generics.

type getting[T any] interface {
	*T
	Get() *node
}

func through[T any, P getting[T]](x *T) *node { return P(x).Get() }

type pairOf[A, B any] struct {
	first  A
	second B
}

func (p pairOf[A, B]) swap() pairOf[B, A]      { return pairOf[B, A]{p.second, p.first} }
func (p *pairOf[A, B]) both() (x A, y B)       { x, y = p.first, p.second; return }
func (p *pairOf[A, B]) visit(f func(A, B))     { f(p.both()) }
func makePair[A, B any](a A, b B) pairOf[A, B] { return pairOf[A, B]{a, b} }

type embedding[T getter] struct {
	pairOf[T, *embedding[T]]
	items []T
}

func (e *embedding[T]) all(yield func(int, T) bool) {
	for i, x := range e.items {
		if !yield(i, x) {
			return
		}
	}
}

type named[T any] = map[string]*pairOf[T, T]
type chain[T any] struct {
	value T
	tail  *chain[T]
}

func (c *chain[T]) push(x T) *chain[T] { return &chain[T]{x, c} }
func mapped[A, B any](c *chain[A], f func(A) B) *chain[B] {
	if c == nil {
		return nil
	}
	return mapped(c.tail, f).push(f(c.value))
}

func assertTo[T any](x any) (t T, ok bool) { t, ok = x.(T); return }

func either[T any](first bool, x, y T) (r T) {
	switch any(r).(type) {
	case *node:
		defer func() { recover() }()
	}
	if first {
		return x
	}
	return y
}

func generics() {
	use(through(&node{n: 10}))
	p := makePair(&node{n: 11}, getter(&node{n: 12}))
	q := p.swap()
	a, b := q.both()
	use(a.Get(), b)
	q.visit(func(g getter, n *node) { use(g.Get(), n) })
	e := &embedding[getter]{items: []getter{op(func(n *node) *node { return n }), &node{n: 13}}}
	e.second, e.first = e, p.second
	for i, g := range e.all {
		if i > 0 {
			defer use(g.Get())
		}
		e.second.items[i] = g
	}
	var n named[*node] = named[*node]{"a": {&node{n: 14}, &node{n: 15}}}
	n["b"] = &pairOf[*node, *node]{n["a"].second, n["a"].first}
	use(n["b"].first, n["b"].swap().first)
	c := (*chain[*node])(nil).push(&node{n: 16}).push(&node{n: 17})
	d := mapped(c, func(n *node) getter { return holder{n} })
	use(d.value.Get(), d.tail.value.Get())
	if x, ok := assertTo[getter](c.value); ok {
		use(x.Get())
	}
	if x, ok := assertTo[*node](any(c.tail.value)); ok {
		use(x, either(true, x, c.value), either(false, x, &node{n: 18}))
	}
	f := makePair[func() *node, [1]*node]
	use(f(c.value.Get, [1]*node{{n: 19}}).second[0], f(c.value.Get, [1]*node{}).first())
}

// Defer, panic, recover, named results.

func deferred() (result *node, err error) {
	one := &node{n: 20}
	defer one.Set(&node{n: 21})
	defer func(old *node) {
		if r := recover(); r != nil {
			err, _ = r.(error)
			result = old
		}
		use(result)
	}(one)
	for i := range 2 {
		defer func() { one.next = &node{n: i} }()
	}
	result = &node{n: 22}
	panic(&node{n: 23})
}

func multiple() (a, b *node, f func() *node) {
	defer func() { a, b = b, a }()
	defer func() func() { use(a); return func() { use(b); a = &node{n: 24} } }()()
	b = &node{n: 25}
	return b, a, func() *node { return a }
}

type failure struct{ at *node }

func (f failure) Error() string { return fmt.Sprint(f.at.n) }
func (f failure) Unwrap() error { return f.at }
func (f failure) Mark()         {}

func rethrown() (err error) {
	defer func() {
		switch r := recover().(type) {
		case failure:
			err = r
		case *node:
			use(r)
		}
	}()
	defer func() {
		r := recover()
		panic(failure{r.(*node)})
	}()
	panic(&node{n: 26})
}

func panics() {
	r, err := deferred()
	use(r, r.next)
	use(err.(*node))
	a, b, f := multiple()
	use(a, b, f())
	err = rethrown()
	use(err.(failure).at)
	var target *node
	if errors.As(err, &target) {
		use(target)
		target.n++
	}
	var wide interface {
		error
		Unwrap() error
		Mark()
	}
	if errors.As(fmt.Errorf("x: %w", err), &wide) {
		use(wide.Unwrap().(*node))
	}
	var value failure
	if errors.As(errors.Join(err, nil), &value) {
		use(value.at)
	}
}

// Iterators, labels, goto, switches.

func count(n int, first *node) func(yield func(int, *node) bool) {
	return func(yield func(int, *node) bool) {
		for i := range n {
			if !yield(i, first) {
				return
			}
			first = &node{next: first}
		}
	}
}

func flow() *node {
	kept := map[*node]**node{}
	var last *node
outer:
	for i, n := range count(3, &node{n: 27}) {
		for _, m := range count(2, n) {
			kept[m] = &last
			if i == 2 {
				break outer
			}
			if m.next == n {
				continue outer
			}
			last = m
		}
	}
	for n, p := range kept {
		use(n, *p)
	}
	i := 0
again:
	if i < 2 {
		i++
		last = &node{next: last}
		goto again
	}
	var x any = last
	switch y := x.(type) {
	case interface{ Nothing() }:
		return nil
	case setter:
		y.Set(&node{n: 28})
		fallthroughTo(y)
	}
	for _, n := range count(2, last) {
		return n
	}
	return nil
}

func fallthroughTo(s setter) {
	switch s := s.(type) {
	case nil:
	case getter:
		switch n := s.Get(); {
		case n != nil:
			use(n)
			fallthrough
		default:
			use(n.next)
		}
	}
}

// Structs, arrays and maps by value.

type record struct {
	list [2]struct{ at *node }
	more map[[1]*node]*node
	any
}

func (r record) change() record { r.list[0].at = &node{n: 29}; return r }
func (r *record) first() **node { return &r.list[0].at }

func values() {
	r := record{any: &node{n: 30}, more: map[[1]*node]*node{}}
	s := r.change()
	t := &s
	*t.first() = &node{n: 31}
	array := [2]record{*t, s.change()}
	copied := array
	copied[0].list[1].at = &node{n: 32}
	use(copied[0].list[0].at, copied[1].list[0].at, copied[0].list[1].at, array[0].list[1].at)
	boxed := any(copied)
	if same := any([1]getter{&node{}}); same == any([1]getter{}) || same == same.([1]getter)[0] {
		boxed = same
	}
	unboxed := boxed.([2]record)
	use(unboxed[1].any.(*node), unboxed[0].list[1].at)
	k := [1]*node{copied[0].list[0].at}
	r.more[k] = k[0]
	for key, v := range unboxed[0].more {
		use(key[0], v)
	}
	records := map[string]record{"a": unboxed[1]}
	use(records["a"].list[0].at)
	anonymous := struct {
		record
		*outer
	}{records["a"], &outer{holder{&node{n: 33}}}}
	use(*anonymous.first(), anonymous.Get(), anonymous.node)
	converted := struct{ at *node }(anonymous.list[1])
	use(converted.at)
	pointers := []*[2]record{&unboxed, {s, r}}
	for _, p := range pointers {
		for i := range p {
			use(p[i].list[0].at)
		}
		for _, r := range *p {
			use(r.list[1].at)
		}
	}
	clear(records)
	matrix := [][]*[1]*node{{{{n: 34}}}}
	use(matrix[0][0][0])
}

func slicing() {
	s := make([]*node, 4, 8)
	s[0] = &node{n: 35}
	p := (*[4]*node)(s)
	p[1] = &node{n: 36}
	a := [4]*node(s)
	use(s[1], a[0])
	t := append(s[:1], &node{n: 37})
	use(s[1], t[1])
	n := copy(s[2:], t)
	use(s[2], s[n])
	u := append(append([]*node(nil), s[1:]...), t...)
	u[0] = &node{n: 38}
	use(u[0], s[1])
	v := p[:2:3]
	v = append(v, &node{n: 39})
	use(s[2], v[2])
	text := []byte("abc")
	text = append(text, "def"...)
	copy(text, "x")
	other := []byte(string(text))
	runes := []rune(string(other))
	println(len(text), len(other), len(runes), min(len(text), 2), max("a", string(other)))
	var nilled []*node
	nilled = append(nilled, s...)
	for i := range nilled {
		use(nilled[i])
	}
	for i := range p {
		use(p[i])
	}
}

// Channels.

type request struct {
	reply chan<- *node
	with  chan *node
}

func channels() {
	requests := make(chan chan request, 1)
	requests2 := make(chan request, 1)
	requests <- requests2
	reply := make(chan *node, 1)
	with := make(chan *node, 1)
	with <- &node{n: 40}
	go func() {
		for r := range <-requests {
			r.reply <- <-r.with
		}
	}()
	requests2 <- request{reply, with}
	close(requests2)
	select {
	case n, ok := <-reply:
		if ok {
			use(n)
		}
	}
	out := make([]chan *node, 2)
	for i := range out {
		out[i] = make(chan *node, 1)
	}
	for range 2 {
		select {
		case out[0] <- &node{n: 41}:
			out[0] = nil
		case out[1] <- &node{n: 42}:
			out[1] = nil
		}
	}
	var in <-chan *node = reply
	both := make(chan (<-chan *node), 1)
	both <- in
	reply <- &node{n: 43}
	var n *node
	var ok bool
	select {
	case n, ok = <-<-both:
	default:
	}
	if ok {
		use(n)
	}
	fields := map[string]*node{}
	reply <- &node{n: 44}
	select {
	case fields["x"] = <-in:
	case <-make(chan int):
	}
	use(fields["x"])
	done := make(chan struct{})
	go new(node).start(done)
	<-done
}

func (n *node) start(done chan struct{}) {
	defer close(done)
	use(n)
}

// Variables.

var (
	table  = map[string]func(*node) *node{"late": late}
	global = initial()
	second = &global.next
	arr    = [...]*node{2: {n: 45}}
)

func initial() *node {
	n := &node{n: 46}
	n.next = &node{n: 47}
	return n
}

func late(n *node) *node { *second = n; return global }

func init() { arr[0] = late(arr[2]) }
func init() { use(arr[0], *second) }

func variables() {
	use(table["late"](&node{n: 48}), global.next, arr[0])
	var list []*node
	var functions []func() *node
	for i, n := 0, (*node)(nil); i < 3; i, n = i+1, (&node{next: n}) {
		functions = append(functions, func() *node { return n })
		list = append(list, n)
	}
	for _, f := range functions {
		use(f())
	}
	x, y := &list[1], &list[2]
	*x, *y = *y, *x
	use(*x, *y)
	z := &x
	**z = &node{n: 49}
	use(list[1])
	func() { x = y }()
	use(*x)
	if n := list[2]; n != nil {
		n := n.next
		use(n)
	}
}

func main() {
	methods()
	tables()
	generics()
	panics()
	use(flow())
	values()
	slicing()
	channels()
	variables()
}
