package trace

import (
	"container/heap"
	"math"
	"slices"
)

// objects knows for each object the version that is due, and which streams wait for later
// ones. Numbers of objects are dense, so this is an array, in pages; a page is freed when all
// its objects are gone.
type objects struct {
	pages  []*page
	epochs bool  // see NextVersion
	freed  *page // stands for all that were
}

const pageSize = 1 << 10

type page struct {
	gone   int
	states [pageSize]objectState
}

type objectState struct {
	next    uint64   // isGone: no order is known any more
	waiting *waiting // nil if nothing
}

const isGone = math.MaxUint64

// waiting is what waits for versions of an object that are not due: streams, and perhaps the
// object's end.
type waiting struct {
	streams waiters
	early   []uint64 // versions of late looks that have come before their turn
	end     *Event
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
	version := rec.Arg
	if o.epochs && version&LateVersion != 0 {
		if version &^= LateVersion; rec.Arg == NoVersion || version>>EpochBits == st.next>>EpochBits {
			return true
		}
		version = version >> EpochBits << EpochBits // it waits for its epoch
	}
	if version == st.next || st.next == isGone {
		return true
	}
	if version > st.next {
		if st.waiting == nil {
			st.waiting = &waiting{}
		}
		heap.Push(&st.waiting.streams, waiter{version, s})
	}
	return false
}

// advance passes the version of a record. It returns ready with the streams that waited for the next one, and the
// end of the object if that is due.
func (o *objects) advance(rec Record, ready []*stream) (_ []*stream, end *Event) {
	st := o.state(rec.Object)
	if st.next == isGone || o.epochs && rec.Arg == NoVersion {
		return ready, nil
	}
	w := st.waiting
	if version := rec.Arg &^ LateVersion; o.epochs && version > st.next { // others come between
		if w == nil {
			w = &waiting{}
			st.waiting = w
		}
		w.early = append(w.early, version)
		return ready, nil
	}
	for op := rec.Op; ; op = Read {
		if o.epochs {
			st.next = NextVersion(op, st.next)
		} else {
			st.next++
		}
		if w == nil {
			return ready, nil
		}
		for n := 0; len(w.streams) > 0 && w.streams[0].version == st.next; n++ {
			next := heap.Pop(&w.streams).(waiter).stream
			if n == 0 || o.epochs { // else the same version twice: it is in no order
				ready = append(ready, next)
			}
		}
		i := slices.Index(w.early, st.next)
		if i < 0 {
			break
		}
		w.early = slices.Delete(w.early, i, i+1)
	}
	switch {
	case w.end != nil && st.next >= w.end.Arg:
		end = w.end
		o.forget(rec.Object, st)
	case len(w.streams) == 0 && len(w.early) == 0 && w.end == nil:
		st.waiting = nil
	}
	return ready, end
}

// ends takes in the record of an object's end. It tells whether that is due: all versions before have
// passed.
func (o *objects) ends(e Event) bool {
	st := o.state(e.Object)
	switch {
	case st.next == isGone:
	case st.next >= e.Arg:
		o.forget(e.Object, st)
	default:
		if st.waiting == nil {
			st.waiting = &waiting{}
		}
		st.waiting.end = &e
		return false
	}
	return true
}

// forget frees the page of an object when all of its objects are gone.
func (o *objects) forget(object uint32, st *objectState) {
	*st = objectState{next: isGone}
	i := object / pageSize
	if o.pages[i].gone++; o.pages[i].gone < pageSize {
		return
	}
	if o.freed == nil {
		o.freed = o.pages[i]
	}
	o.pages[i] = o.freed
}

// waiters is a heap of streams by the version that they wait for.
type waiters []waiter

type waiter struct {
	version uint64
	stream  *stream
}

func (w waiters) Len() int           { return len(w) }
func (w waiters) Less(i, j int) bool { return w[i].version < w[j].version }
func (w waiters) Swap(i, j int)      { w[i], w[j] = w[j], w[i] }
func (w *waiters) Push(x any)        { *w = append(*w, x.(waiter)) }
func (w *waiters) Pop() any {
	n := len(*w) - 1
	x := (*w)[n]
	*w = (*w)[:n]
	return x
}
