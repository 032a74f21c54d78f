package explore

import (
	"slices"
	"sort"

	"github.com/empire-go/empire-go/dynamic/predict/order"
)

// A path is from an access s of the block to one of another thread in conflict with it, on in that thread, to an
// access of a third one in conflict, and so on, and back to an access t of the block after s. In a shortest path
// no thread comes twice. It suffices to try, of what could come in its place,
//
//   - the first access of the block that is in conflict with where the path enters a thread, which is easiest to put
//     before it, and, where that is a read whose value matters for a while only, the next ones that matter for longer;
//   - the last access at which it can enter a thread before it leaves it, for the same reason;
//   - the first access in conflict with the next one at which it can leave it, which is easiest to put before that, and
//     needs least to have happened.

// entry is where a path enters a thread.
type entry struct {
	at    order.ID
	until int32 // the index of an entry that is better where the path leaves later; none: after the last event
	from  order.ID
}

// search tries all paths, the short ones first.
func (x *explorer) search() {
	x.vars = map[uint32]*own{}
	for _, i := range x.block.Accesses {
		e := x.h.Find(order.ID{Thread: x.block.Thread, Index: i})
		o := x.vars[e.Object]
		if o == nil {
			o = &own{}
			x.vars[e.Object] = o
		}
		o.all = append(o.all, i)
		if passing := x.until(i); len(o.sources) == 0 || x.until(o.sources[len(o.sources)-1]) < passing {
			o.sources = append(o.sources, i)
		}
		if e.Kind.Writes() {
			o.writes = append(o.writes, i)
		}
	}
	targets := x.targets()
	for hops := 1; hops < x.h.Threads() && len(targets) > 0; hops++ {
		for _, t := range targets {
			if hops > 1 {
				x.tighten(t, hops)
			}
			x.begin(t, hops)
			if x.over() {
				return
			}
		}
		if hops > 1 {
			targets = slices.DeleteFunc(targets, func(t *target) bool { return slices.Max(t.reach[hops-1]) == 0 })
		}
	}
}

// target is an access of the block that a path may come back to.
type target struct {
	id     order.ID
	needs  *candidate // what it needs; nil if it is impossible
	latest []int32    // by thread: the last event that can come before it; known where paths go through two
	reach  [][]int32  // by the number of threads that follow and by thread: where a path can still come back to it
}

// entering is what a path needs that goes on to an entry and comes back to an access of the block; nil if it is
// impossible. Whatever the path does then needs that as well: where it leaves the thread later, what it reads at the
// entry has to be what was observed.
func (x *explorer) entering(c *candidate, e entry, t order.ID) *candidate {
	d := c.clone()
	d.end(x.h, e.from)
	d.end(x.h, e.at)
	if !x.settle(d) || !x.before(d, e.from, e.at, nil) || !x.before(d, e.at, t, nil) {
		return nil
	}
	return d
}

// leaving is what a path needs that comes back from an access; nil if it is impossible.
func (x *explorer) leaving(c *candidate, out, t order.ID) *candidate {
	d := c.clone()
	d.end(x.h, out)
	if !x.settle(d) || !x.before(d, out, t, nil) {
		return nil
	}
	return d
}

// targets are the accesses of the block that a path may come back to, the first ones first.
func (x *explorer) targets() []*target {
	var all []*target
	// The first access of the block that can begin a path. No later one is better: a critical section that the block
	// is in from there on until it comes back, it is in from each later one on, too.
	before := int32(0)
	for _, i := range x.block.Accesses {
		t := x.h.Find(x.own(i))
		if !x.segment.Touched(x.h, x.block, i) {
			continue
		}
		if before == 0 {
			before = i
			continue
		}
		last := make([]int32, x.h.Threads())
		for _, a := range x.h.Accesses(t.Object) {
			if a.Thread != x.block.Thread {
				last[a.Thread] = x.lastOf(a, t.Kind.Writes(), 0, x.segment.Lower[a.Thread]-1, func(id order.ID) bool {
					return x.h.Find(id).Enter.At(x.block.Thread) < i && !x.keptOut(before, i, id)
				})
			}
		}
		if slices.Max(last) == 0 {
			continue
		}
		c := x.empty()
		if c.end(x.h, t.ID); x.settle(c) {
			all = append(all, &target{id: t.ID, needs: c, reach: [][]int32{last}})
		}
	}
	return all
}

// tighten finds from where a path with some more threads can come back.
func (x *explorer) tighten(t *target, hops int) {
	if hops == 2 {
		t.latest = x.latest(t)
	}
	t.reach = append(t.reach, x.reaching(t, t.reach[hops-2]))
}

// latest is for each thread the index of its last event in the segment that can come before an access of the block.
// If one cannot, no later one can: that needs all that it needs, and more.
func (x *explorer) latest(t *target) []int32 {
	all := make([]int32, x.h.Threads())
	for i := range all {
		thread := int32(i)
		if thread == x.block.Thread {
			continue
		}
		lowest, highest := max(x.segment.Upper[i], x.h.Base(thread)), min(x.segment.Lower[i]-1, x.h.Last(thread))
		all[i] = lowest + int32(sort.Search(int(highest-lowest), func(n int) bool {
			c := x.leaving(t.needs, order.ID{Thread: thread, Index: lowest + int32(n) + 1}, t.id)
			return c == nil || !x.saturate(c)
		}))
	}
	return all
}

// lastOf is the index of the last access in the segment above one index and up to another one that is wanted, or the
// first index. Reads are accesses if the variable is written elsewhere.
func (x *explorer) lastOf(a order.Accesses, written bool, above, to int32, wanted func(order.ID) bool) int32 {
	down := func(indices []int32) {
		in := x.segment.In(a.Thread, indices)
		for i := len(in) - 1; i >= 0 && in[i] > above; i-- {
			if id := (order.ID{Thread: a.Thread, Index: in[i]}); in[i] <= to && !x.guarded(id) && wanted(id) {
				above = in[i]
			}
		}
	}
	down(a.Writes)
	if written {
		down(a.Reads)
	}
	return above
}

// reaching is, for each thread, the index of its last access from which a path can go on to another thread, no later
// than where it can come back from there.
func (x *explorer) reaching(t *target, back []int32) []int32 {
	last := make([]int32, len(back))
	for i := range last {
		thread := int32(i)
		if thread == x.block.Thread {
			continue
		}
		lowest := max(x.segment.Upper[i], x.h.Base(thread))
		for at := t.latest[i]; at > lowest && last[i] == 0; at-- {
			out := x.h.Find(order.ID{Thread: thread, Index: at})
			if !out.Kind.IsAccess() || x.guarded(out.ID) {
				continue
			}
			for _, a := range x.h.Accesses(out.Object) {
				if a.Thread != thread && a.Thread != x.block.Thread && x.lastOf(a, out.Kind.Writes(), 0, back[a.Thread],
					func(order.ID) bool { return true }) > 0 {
					last[i] = at
					break
				}
			}
		}
	}
	return last
}

// over tells whether there is no reason to go on.
func (x *explorer) over() bool { return x.result.Path != nil || x.bounded }

// begin tries the paths through a number of other threads.
func (x *explorer) begin(t *target, hops int) {
	for thread, last := range t.reach[hops-1] {
		if last == 0 {
			continue
		}
		for _, e := range x.entriesOf(int32(thread)) {
			if e.at.Index > last {
				break
			}
			if e.from.Index >= t.id.Index || x.until(e.from.Index) <= t.id.Index {
				continue
			}
			x.follow(t, t.needs, nil, e, hops)
			if x.over() {
				return
			}
		}
	}
}

// entriesOf are the accesses of a thread that can come after one of the block.
func (x *explorer) entriesOf(thread int32) []entry {
	if x.entries[thread] != nil {
		return x.entries[thread]
	}
	all := []entry{}
	for variable, o := range x.vars {
		for _, a := range x.h.Accesses(variable) {
			if a.Thread != thread {
				continue
			}
			writes := x.segment.In(thread, a.Writes)
			for i, w := range writes {
				for _, source := range o.sources {
					all = append(all, entry{order.ID{Thread: thread, Index: w}, next(writes, i), x.own(source)})
				}
			}
			if len(o.writes) == 0 {
				continue
			}
			reads := x.segment.In(thread, a.Reads)
			for i, r := range reads {
				until := next(reads, i)
				if j, _ := slices.BinarySearch(writes, r+1); j < len(writes) {
					until = min(until, writes[j])
				}
				all = append(all, entry{order.ID{Thread: thread, Index: r}, until, x.own(o.writes[0])})
			}
		}
	}
	all = slices.DeleteFunc(all, func(e entry) bool { return x.h.Find(e.from).Follows(e.at) || x.guarded(e.at) })
	slices.SortFunc(all, func(a, b entry) int {
		if a.at != b.at {
			return int(a.at.Index - b.at.Index)
		}
		return int(a.from.Index - b.from.Index)
	})
	x.entries[thread] = all
	return all
}

// until is the index of the access of the block from which on another one matters no more, or never.
func (x *explorer) until(index int32) int32 {
	place, _ := slices.BinarySearch(x.block.Accesses, index)
	if until := x.block.UntilOf(place); until > 0 && x.h.Find(x.own(index)).Kind == order.Read {
		return x.block.Accesses[until]
	}
	return never
}

func (x *explorer) guarded(id order.ID) bool { return x.segment.Guarded(x.h, id.Thread, id.Index) }

func (x *explorer) own(index int32) order.ID { return order.ID{Thread: x.block.Thread, Index: index} }

const never = 1<<31 - 1

func next(indices []int32, i int) int32 {
	if i+1 < len(indices) {
		return indices[i+1]
	}
	return never
}

// follow tries the paths to a target that begin with the entries, of which the last one is new, and go through as many
// threads as hops. What the others need is known.
func (x *explorer) follow(to *target, c *candidate, path []entry, e entry, hops int) {
	x.result.Looks += 1 + len(c.edges)
	if x.tooMuch() {
		return
	}
	c = x.entering(c, e, to.id)
	if c == nil {
		return
	}
	if hops > 1 && !x.saturate(c) {
		return
	}
	path = append(path[:len(path):len(path)], e)
	t := e.at.Thread
	end := min(e.until, x.segment.Lower[t])
	if len(path) == hops {
		x.leave(to, c, path, end)
		return
	}
	end = min(end, to.reach[hops-len(path)][t]+1)
	back := to.reach[hops-len(path)-1]
	type used struct {
		variable uint32
		writes   bool
	}
	seen := map[used]bool{}
	for i := e.at.Index; i < end; i++ {
		out := x.h.Find(order.ID{Thread: t, Index: i})
		if !out.Kind.IsAccess() || x.guarded(out.ID) {
			continue
		}
		u := used{out.Object, out.Kind.Writes()}
		if seen[u] || seen[used{out.Object, true}] {
			continue // an earlier one does all that this one could
		}
		seen[u] = true
		for _, a := range x.h.Accesses(out.Object) {
			if back[a.Thread] == 0 || slices.ContainsFunc(path, func(p entry) bool { return p.at.Thread == a.Thread }) {
				continue
			}
			into := x.segment.In(a.Thread, a.Writes)
			if out.Kind.Writes() {
				into = merged(into, x.segment.In(a.Thread, a.Reads))
			}
			for j, in := range into {
				id := order.ID{Thread: a.Thread, Index: in}
				if in > back[a.Thread] {
					break
				}
				if out.Enter.At(id.Thread) < in && !x.guarded(id) {
					x.follow(to, c, path, entry{id, next(into, j), out.ID}, hops)
				}
				if x.over() {
					return
				}
			}
		}
	}
}

// merged are two ascending lists as one.
func merged(a, b []int32) []int32 {
	if len(a) == 0 {
		return b
	}
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// leave tries the ways back to the block from the last thread, before an index.
func (x *explorer) leave(to *target, c *candidate, path []entry, end int32) {
	e := path[len(path)-1]
	thread := e.at.Thread
	t := x.h.Find(to.id)
	for _, a := range x.h.Accesses(t.Object) {
		if a.Thread != thread {
			continue
		}
		write, read := from(a.Writes, e.at.Index), from(a.Reads, e.at.Index)
		if write < end {
			x.back(to, c, path, order.ID{Thread: thread, Index: write})
		}
		if read < end && read < write && t.Kind.Writes() {
			x.back(to, c, path, order.ID{Thread: thread, Index: read})
		}
	}
}

// from is the first index that is no less than another one.
func from(indices []int32, index int32) int32 {
	if i, _ := slices.BinarySearch(indices, index); i < len(indices) {
		return indices[i]
	}
	return never
}

// back tries the way from an access to the target.
func (x *explorer) back(to *target, c *candidate, path []entry, out order.ID) {
	// What must come before out, be it the last event of its thread, cannot come after it.
	if !x.over() && x.h.Find(out).Enter.At(x.block.Thread) < to.id.Index && !x.excluded(path, out, to.id.Index) {
		x.try(c, path, out, to.id)
	}
}

// excluded tells whether an event of the path cannot come between two accesses of the block because both are in one
// critical section, and the event in one of the same lock.
func (x *explorer) excluded(path []entry, out order.ID, t int32) bool {
	first := path[0].from
	for i, e := range path {
		if x.keptOut(first.Index, t, e.at) || i > 0 && x.keptOut(first.Index, t, e.from) {
			return true
		}
	}
	return x.keptOut(first.Index, t, out)
}

// keptOut tells whether an event cannot come between two accesses of the block for that reason.
func (x *explorer) keptOut(first, last int32, id order.ID) bool {
	until := x.h.HeldAt(x.block.Thread, last-1)
	for l := x.h.HeldAt(x.block.Thread, first); l != nil; l = l.Next {
		if until.Has(l.Acquire) && x.conflicts(id, l) {
			return true
		}
	}
	return false
}

// conflicts tells whether an event is in a critical section that cannot overlap with one.
func (x *explorer) conflicts(id order.ID, l *order.Held) bool {
	for held := x.h.HeldAt(id.Thread, id.Index); held != nil; held = held.Next {
		if held.Excludes(l) {
			return true
		}
	}
	return false
}

// try looks for a run with a path.
func (x *explorer) try(c *candidate, path []entry, out, t order.ID) {
	if x.options.Paths > 0 && x.result.Paths == x.options.Paths {
		x.bounded = true
		return
	}
	x.result.Paths++
	x.runs = 0
	c = x.leaving(c, out, t)
	if c == nil {
		return
	}
	if run, _ := x.run(c, 0); run != nil {
		x.result.Run = run
		for _, e := range path {
			if n := len(x.result.Path); n == 0 || x.result.Path[n-1] != e.from {
				x.result.Path = append(x.result.Path, e.from)
			}
			x.result.Path = append(x.result.Path, e.at)
		}
		if last := x.result.Path[len(x.result.Path)-1]; last != out {
			x.result.Path = append(x.result.Path, out)
		}
		x.result.Path = append(x.result.Path, t)
	}
}
