package explore

import (
	"slices"

	"github.com/empire-go/empire-go/dynamic/predict/order"
)

// mostEdges is how many edges there may be until no more are added because they follow from others.
const mostEdges = 128

// mostLooked is how many events are looked at for that, at most.
const mostLooked = 1 << 13

// saturate adds the edges that follow from others, since there is no choice about them:
//
//   - a critical section that begins before another one of the lock ends comes before it;
//   - a write before a read that does not see it comes before the write that it sees;
//   - a write after a write comes after the reads that see that one.
//
// It tells whether the edges are still possible. What follows is the same whatever is left out, so it looks only at
// what comes after an edge that is new, or has more before it than before, and stops at a bound.
func (x *explorer) saturate(c *candidate) bool {
	for looked := 0; ; {
		first := x.unknown(c)
		if first == nil {
			return true
		}
		for t, from := range first {
			for i := from; i <= c.looked[t]; i++ {
				e := x.h.Find(order.ID{Thread: int32(t), Index: i})
				if e.Kind == order.Write || e.Kind == order.Sync || e.Kind.Acquires() {
					continue
				}
				x.result.Looks++
				if looked++; len(c.edges) >= mostEdges || looked > mostLooked {
					return true
				}
				switch {
				case e.Kind == order.Release || e.Kind == order.ReadRelease:
					if !x.sections(c, e) {
						return false
					}
				case !c.isFree(e.ID):
					if !x.sees(c, e) {
						return false
					}
				}
			}
		}
	}
}

// unknown is for each thread the index of the first event of which it is not known what follows from the edges; nil if
// there is none. It is known afterwards.
func (x *explorer) unknown(c *candidate) []int32 {
	first, follows := x.scratch[0], x.scratch[1]
	for t := range first {
		first[t], follows[t] = never, never
	}
	for i := range c.edges {
		e := &c.edges[i]
		after := x.after(e.to)
		for t, index := range after {
			follows[t] = min(follows[t], index)
		}
		if e.isNew {
			for t, index := range after {
				first[t] = min(first[t], index)
			}
			e.isNew = false
		}
	}
	any := false
	for t := range first {
		first[t] = max(min(first[t], max(follows[t], c.looked[t]+1)), x.h.Base(int32(t))+1)
		c.looked[t] = c.until[t]
		any = any || first[t] <= c.until[t]
	}
	if !any {
		return nil
	}
	return first
}

// after is for each thread the index of its first event that is one, or must come after it.
func (x *explorer) after(id order.ID) []int32 {
	if first, ok := x.firsts[id]; ok {
		return first
	}
	first := make([]int32, x.h.Threads())
	for i := range first {
		if first[i] = id.Index; int32(i) != id.Thread {
			first[i] = x.h.FirstAfter(int32(i), id)
		}
	}
	x.firsts[id] = first
	return first
}

// view is what comes before an event, as all says; it is to be read until the next call. From one event of a thread to
// the next it is mostly the same.
func (x *explorer) view(c *candidate, e *order.Event) ([]int32, []reasons) {
	v, clock := &x.viewed, x.clock(c, e)
	if v.of != c || v.changes != c.changes || v.clock != clock || v.at.Thread != e.Thread || v.at.Index > e.Index ||
		v.before[e.Thread] != v.at.Index || slices.ContainsFunc(c.edges, func(f known) bool {
		return f.to.Thread == e.Thread && f.to.Index > v.at.Index && f.to.Index <= e.Index
	}) {
		v.of, v.changes, v.clock = c, c.changes, clock
		v.before, v.why = x.all(c, e.ID)
	}
	v.at, v.before[e.Thread] = e.ID, max(v.before[e.Thread], e.Index)
	return v.before, v.why
}

// viewed is what was viewed last.
type viewed struct {
	of      *candidate
	changes int
	clock   *order.Clock
	at      order.ID
	before  []int32
	why     []reasons
}

// sections puts those before a critical section that begin before its release.
func (x *explorer) sections(c *candidate, release *order.Event) bool {
	if !x.h.Kept(release.Pair) {
		return true
	}
	shared := release.Kind == order.ReadRelease
	before, why := x.view(c, release)
	for _, of := range x.acquiresOf(release.Object, shared) {
		thread := of[0].Thread
		if thread == release.Thread {
			continue
		}
		n, _ := slices.BinarySearchFunc(of, before[thread]+1, func(id order.ID, index int32) int {
			return int(id.Index - index)
		})
		if n == 0 {
			continue
		}
		a := of[n-1] // those before it in its thread end earlier
		other, known := x.h.ReleaseOf(a)
		if known && other.Index <= c.until[other.Thread] && x.ordered(c, other, release.Pair) {
			continue
		}
		if !x.exclude(c, a, release.Pair, whyOf(why, thread)) {
			return false
		}
		before, why = x.view(c, release)
	}
	return true
}

// acquiresOf are those of a lock in the window that exclude others, by thread.
func (x *explorer) acquiresOf(lock uint32, shared bool) [][]order.ID {
	k := section{lock, shared}
	all, known := x.acquires[k]
	if known {
		return all
	}
	place := map[int32]int{}
	for _, a := range x.h.Acquires(lock) {
		if shared && x.h.Find(a).Kind == order.ReadAcquire {
			continue
		}
		i, ok := place[a.Thread]
		if !ok {
			i = len(all)
			place[a.Thread] = i
			all = append(all, nil)
		}
		all[i] = append(all[i], a)
	}
	x.acquires[k] = all
	return all
}

// section is what is known of a kind of critical sections: of a lock, for reading or not.
type section struct {
	lock   uint32
	shared bool
}

// sees orders the writes that come before a read, or after the write that it sees.
func (x *explorer) sees(c *candidate, read *order.Event) bool {
	writer := read.Writer
	kept := writer.Index > 0 && x.h.Kept(writer)
	before, why := x.view(c, read)
	for _, a := range x.h.Accesses(read.Object) {
		if a.Thread == read.Thread {
			continue
		}
		i, _ := slices.BinarySearch(a.Writes, before[a.Thread]+1)
		if i > 0 {
			last := order.ID{Thread: a.Thread, Index: a.Writes[i-1]}
			switch {
			case last == writer, !x.h.Kept(last), kept && x.ordered(c, last, writer):
			case !kept:
				return c.fail(whyOf(why, a.Thread))
			case !x.before(c, last, writer, whyOf(why, a.Thread)):
				return false
			default:
				before, why = x.view(c, read)
			}
		}
		if !kept {
			continue
		}
		for _, w := range a.Writes[i:] {
			if w > c.until[a.Thread] {
				break
			}
			next := order.ID{Thread: a.Thread, Index: w}
			if next == writer {
				continue
			}
			later, why := x.precedes(c, writer, next)
			if !later {
				continue
			}
			if !x.before(c, read.ID, next, why) {
				return false
			}
			break
		}
	}
	return true
}
