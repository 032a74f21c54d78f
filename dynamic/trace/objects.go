package trace

import (
	"container/heap"
	"math"
)

// objects knows for each object the version that is due, and which streams wait for later
// ones. Numbers of objects are dense, so this is an array, in pages.
type objects struct {
	pages []*page
}

const pageSize = 1 << 10

type page struct {
	gone   int
	states [pageSize]objectState
}

type objectState struct {
	next    uint64
	waiting *waiting // nil if none
}

func (o *objects) state(object uint32) *objectState {
	i := int(object / pageSize)
	if i >= len(o.pages) {
		o.pages = append(o.pages, make([]*page, i+1-len(o.pages))...)
	}
	p := o.pages[i]
	if p == nil {
		p = &page{}
		o.pages[i] = p
	}
	return &p.states[object%pageSize]
}

// due says whether a record of s is the next of its object; if not, s waits for it. A version
// that has been passed never comes: s waits for ever.
func (o *objects) due(s *stream, rec Record) bool {
	st := o.state(rec.Object)
	if rec.Arg == st.next {
		return true
	}
	if rec.Arg > st.next {
		if st.waiting == nil {
			st.waiting = &waiting{}
		}
		heap.Push(st.waiting, waiter{rec.Arg, s})
	}
	return false
}

// advance passes the version of a record and returns the stream that waited for the next one.
func (o *objects) advance(rec Record) *stream {
	st := o.state(rec.Object)
	if rec.Op == ObjectGone {
		st.next = math.MaxUint64
		o.forget(rec.Object)
		return nil
	}
	st.next++
	w := st.waiting
	if w == nil || (*w)[0].version != st.next {
		return nil
	}
	next := heap.Pop(w).(waiter).stream
	for len(*w) > 0 && (*w)[0].version == st.next {
		heap.Pop(w) // the same version twice: it is in no order
	}
	if len(*w) == 0 {
		st.waiting = nil
	}
	return next
}

// forget frees the page of an object when all of its objects are gone.
func (o *objects) forget(object uint32) {
	p := o.pages[object/pageSize]
	if p.gone++; p.gone == pageSize {
		o.pages[object/pageSize] = nil
	}
}

// waiting is a heap of streams by the version that they wait for.
type waiting []waiter

type waiter struct {
	version uint64
	stream  *stream
}

func (w waiting) Len() int           { return len(w) }
func (w waiting) Less(i, j int) bool { return w[i].version < w[j].version }
func (w waiting) Swap(i, j int)      { w[i], w[j] = w[j], w[i] }
func (w *waiting) Push(x any)        { *w = append(*w, x.(waiter)) }
func (w *waiting) Pop() any {
	n := len(*w) - 1
	x := (*w)[n]
	*w = (*w)[:n]
	return x
}
