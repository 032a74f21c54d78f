package main

import (
	"cmp"
	"container/heap"
	"container/list"
	"container/ring"
	"context"
	"errors"
	"iter"
	"maps"
	"runtime"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
	"time"
	"unique"
	"weak"
)

type item struct {
	rank int
	next *item
}

func (i *item) Error() string { return "item" }

// A queue is a heap of items.
type queue []*item

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	println(q[i]) // want heap1 heap2
	return q[i].rank < q[j].rank
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(*item)) }
func (q *queue) Pop() any {
	old := *q
	last := old[len(old)-1]
	*q = old[:len(old)-1]
	return last
}

func heaps() {
	q := &queue{&item{rank: 2}} // #heap1
	heap.Init(q)
	heap.Push(q, &item{rank: 1}) // #heap2
	println(heap.Pop(q).(*item)) // want heap1 heap2
}

func lists() {
	l := list.New()
	e := l.PushBack(&item{})         // #list1
	l.InsertBefore(&item{}, e)       // #list2
	println(l.Front().Value.(*item)) // want list1 list2
	println(l.Remove(l.Back()))      // want list1 list2
	println(l.Front().Next() == nil) // want
	other := list.New()              // the elements of all lists are allocated in one place
	other.PushBackList(l)            //
	println(other.Front().Value)     // want list1 list2
}

func rings() {
	r := ring.New(2)
	r.Value = &item{} // #ring
	r = r.Next()
	println(r.Next().Value) // want ring
	r.Do(func(v any) {
		println(v) // want ring
	})
}

type key struct{}

func contexts() {
	parent := context.WithValue(context.Background(), key{}, &item{}) // #context
	ctx, cancel := context.WithCancel(parent)
	println(ctx.Value(key{}).(*item)) // want context
	done := make(chan *item)          // #done
	context.AfterFunc(ctx, func() {
		done <- &item{} // #after
	})
	cancel()
	println(<-done) // want after
	cause, stop := context.WithCancelCause(context.Background())
	stop(&item{}) // #cause
	var found *item
	if errors.As(context.Cause(cause), &found) {
		println(found)                        // want cause
		println(context.Cause(cause).(*item)) // want cause
	}
}

type byRank []*item

func (b byRank) Len() int           { return len(b) }
func (b byRank) Less(i, j int) bool { return b[i].rank < b[j].rank }
func (b byRank) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

func sorts() {
	some := []*item{{rank: 2}, {rank: 1}} // #sorted
	sort.Sort(sort.Reverse(byRank(some)))
	println(some[0]) // want sorted
	sort.Slice(some, func(i, j int) bool {
		println(some[i]) // want sorted
		return some[i].rank < some[j].rank
	})
	slices.SortFunc(some, func(a, b *item) int {
		println(a, b) // want sorted; sorted
		return cmp.Compare(a.rank, b.rank)
	})
	i, _ := slices.BinarySearchFunc(some, &item{rank: 1}, func(e, t *item) int { // #target
		println(e, t) // want sorted; target
		return cmp.Compare(e.rank, t.rank)
	})
	println(some[i])                                                               // want sorted
	println(slices.MinFunc(some, func(a, b *item) int { return a.rank - b.rank })) // want sorted
	println(slices.Insert([]*item{}, 0, some...)[0])                               // want sorted
	println(slices.Clone(some)[0])                                                 // want sorted
	println(slices.Concat(some, []*item{nil})[0])                                  // want sorted
}

func mapped() {
	m := map[*item]*item{{}: {}} // #mapped
	for k := range maps.Keys(m) {
		println(k) // want mapped
	}
	println(slices.Collect(maps.Values(m))[0]) // want mapped
	println(maps.Clone(m)[nil])                // want mapped
	copied := maps.Clone(map[int]*item{1: {}}) // #original
	kept := copied
	copied = maps.Clone(kept)
	copied[2] = &item{}      // #added
	println(copied[1])       // want original added
	only := map[bool]*item{} // #only
	other := maps.Clone(only)
	other[true] = &item{} // #other
	println(only[true])   // want
	println(other[true])  // want other
	println(only)         // want only
	list := []*item{{}}   // #list
	cloned := slices.Clone(list)
	cloned[0] = &item{} // #cloned
	println(list[0])    // want list
	println(cloned[0])  // want list cloned
	n := maps.Collect(maps.All(m))
	maps.DeleteFunc(n, func(k, v *item) bool {
		println(v) // want mapped
		return k == nil
	})
}

// numbered is an iterator.
func numbered(first *item) iter.Seq2[int, *item] {
	return func(yield func(int, *item) bool) {
		for i := first; i != nil; i = i.next {
			if !yield(i.rank, i) {
				return
			}
		}
	}
}

func iterators() {
	last := &item{}            // #last
	first := &item{next: last} // #first
	for _, i := range numbered(first) {
		println(i) // want first last
	}
	next, stop := iter.Pull2(numbered(first))
	defer stop()
	_, i, _ := next()
	println(i) // want first last
}

type atomics struct {
	p atomic.Pointer[item]
	v atomic.Value
	m sync.Map
}

func shared() {
	a := &atomics{}
	a.p.Store(&item{})                  // #pointer1
	a.p.CompareAndSwap(nil, &item{})    // #pointer2
	println(a.p.Load())                 // want pointer1 pointer2
	println(a.p.Swap(nil))              // want pointer1 pointer2
	a.v.Store(&item{})                  // #value
	println(a.v.Load().(*item))         // want value
	a.m.Store("a", &item{})             // #map1
	a.m.LoadOrStore("b", &item{})       // #map2
	v, _ := a.m.LoadAndDelete("a")      //
	println(v.(*item))                  // want map1 map2 map3 map4
	w, _ := a.m.Swap("b", &item{})      // #map3
	println(w)                          // want ? map1 map2 map3 map4
	a.m.CompareAndSwap("b", w, &item{}) // #map4
	a.m.Range(func(_, v any) bool {
		println(v) // want ? map1 map2 map3 map4
		return true
	})
	pool := sync.Pool{New: func() any { return &item{} }} // #new
	pool.Put(&item{})                                     // #put
	println(pool.Get().(*item))                           // want new put
	get := sync.OnceValues(func() (*item, error) {
		return &item{}, nil // #once
	})
	i, _ := get()
	println(i) // want once
}

func later() {
	fired := make(chan *item) // #fired
	timer := time.AfterFunc(0, func() {
		fired <- &item{} // #timer
	})
	println(<-fired) // want timer
	timer.Stop()
	finalized := make(chan *item, 1) // #finalized
	func() {
		i := &item{rank: 1} // #finalizer
		runtime.SetFinalizer(i, func(i *item) {
			println(i) // want finalizer
			finalized <- i
		})
	}()
	runtime.GC()
	println(<-finalized)    // want finalizer
	owner := &item{rank: 1} // #owner
	runtime.AddCleanup(owner, func(i *item) {
		println(i) // want cleanup
	}, &item{rank: 2}) // #cleanup
	w := weak.Make(owner)
	println(w.Value()) // want ? owner
	h := unique.Make(item{next: owner})
	println(h.Value().next) // want owner
}

// A tree is a generic container.
type tree[K cmp.Ordered, V any] struct {
	left, right *tree[K, V]
	key         K
	value       V
}

func (t *tree[K, V]) put(k K, v V) *tree[K, V] {
	switch {
	case t == nil:
		return &tree[K, V]{key: k, value: v} // #node
	case k < t.key:
		t.left = t.left.put(k, v)
	case k > t.key:
		t.right = t.right.put(k, v)
	default:
		t.value = v
	}
	return t
}

func (t *tree[K, V]) all(yield func(K, V) bool) bool {
	return t == nil || t.left.all(yield) && yield(t.key, t.value) && t.right.all(yield)
}

func generic() {
	var t *tree[string, *item]
	t = t.put("b", &item{}) // #value1
	t = t.put("a", &item{}) // #value2
	println(t)              // want node
	t.all(func(k string, v *item) bool {
		println(v) // want value1 value2
		return true
	})
	u := (*tree[int, chan *item])(nil).put(1, make(chan *item, 1)) // #channel
	u.value <- &item{}                                             // #sent
	println(<-u.value)                                             // want sent
}

func main() {
	heaps()
	lists()
	rings()
	contexts()
	sorts()
	mapped()
	iterators()
	shared()
	later()
	generic()
}
