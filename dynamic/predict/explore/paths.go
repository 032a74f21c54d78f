package explore

import (
	"slices"

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
	x.reach = [][]int32{x.leaving()}
	for hops := 1; hops < x.h.Threads() && !x.over(); hops++ {
		if hops > 1 {
			x.reach = append(x.reach, x.reaching(x.reach[hops-2]))
		}
		if !x.begin(hops) {
			return
		}
	}
}

// leaving is, for each thread, the index of its last access from which a path can come back to the block.
func (x *explorer) leaving() []int32 {
	last := make([]int32, x.h.Threads())
	// The first access of the block that can begin a path. No later one is better: a critical section that the block
	// is in from there on until it comes back, it is in from each later one on, too.
	before := int32(0)
	for _, i := range x.block.Accesses {
		t := x.h.Find(x.own(i))
		if !x.segment.Touched(x.h, x.block, i) {
			continue
		}
		if before > 0 {
			for _, a := range x.h.Accesses(t.Object) {
				if a.Thread == x.block.Thread {
					continue
				}
				last[a.Thread] = x.lastOf(a, t.Kind.Writes(), last[a.Thread], x.segment.Lower[a.Thread]-1, func(id order.ID) bool {
					return x.h.Find(id).Enter.At(x.block.Thread) < i && !x.keptOut(before, i, id)
				})
			}
		}
		if before == 0 {
			before = i
		}
	}
	return last
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
func (x *explorer) reaching(back []int32) []int32 {
	last := make([]int32, len(back))
	for t := range last {
		thread := int32(t)
		if thread == x.block.Thread {
			continue
		}
		lowest := max(x.segment.Upper[t], x.h.Base(thread))
		for i := min(x.segment.Lower[t]-1, x.h.Last(thread)); i > lowest && last[t] == 0; i-- {
			out := x.h.Find(order.ID{Thread: thread, Index: i})
			if !out.Kind.IsAccess() || x.guarded(out.ID) {
				continue
			}
			for _, a := range x.h.Accesses(out.Object) {
				if a.Thread != thread && a.Thread != x.block.Thread && x.lastOf(a, out.Kind.Writes(), 0, back[a.Thread],
					func(order.ID) bool { return true }) > 0 {
					last[t] = i
					break
				}
			}
		}
	}
	return last
}

// over tells whether there is no reason to go on.
func (x *explorer) over() bool { return x.result.Path != nil || x.bounded }

// begin tries the paths through a number of other threads, and tells whether there may be longer ones.
func (x *explorer) begin(hops int) bool {
	any := hops == 1 || slices.Max(x.reach[hops-1]) > 0
	for t := range int32(x.h.Threads()) {
		if t == x.block.Thread {
			continue
		}
		if x.reach[hops-1][t] == 0 {
			continue
		}
		for _, e := range x.entries(t) {
			if e.at.Index > x.reach[hops-1][t] {
				break
			}
			x.follow([]entry{e}, hops)
			if x.over() {
				return any
			}
		}
	}
	return any
}

// entries are the accesses of a thread that can come after one of the block.
func (x *explorer) entries(thread int32) []entry {
	var all []entry
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

// stepsPerPath is how many beginnings of paths are looked at for each path that may be tried.
const stepsPerPath = 10

// follow tries the paths that begin with the entries and go through as many threads as hops.
func (x *explorer) follow(path []entry, hops int) {
	if x.steps++; x.options.Paths > 0 && x.steps > stepsPerPath*x.options.Paths {
		x.bounded = true
		return
	}
	e := path[len(path)-1]
	t := e.at.Thread
	end := min(e.until, x.segment.Lower[t])
	if len(path) == hops {
		x.leave(path, end)
		return
	}
	end = min(end, x.reach[hops-len(path)][t]+1)
	back := x.reach[hops-len(path)-1]
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
					x.follow(append(path[:len(path):len(path)], entry{id, next(into, j), out.ID}), hops)
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
func (x *explorer) leave(path []entry, end int32) {
	e := path[len(path)-1]
	t := e.at.Thread
	after := path[0].from.Index
	for _, variable := range x.variables() {
		o := x.vars[variable]
		for _, a := range x.h.Accesses(variable) {
			if a.Thread != t {
				continue
			}
			write, read := from(a.Writes, e.at.Index), from(a.Reads, e.at.Index)
			if write < end {
				x.back(path, order.ID{Thread: t, Index: write}, o.all, after)
			}
			if read < end && read < write {
				x.back(path, order.ID{Thread: t, Index: read}, o.writes, after)
			}
		}
	}
}

// variables are those of the block, in order.
func (x *explorer) variables() []uint32 {
	all := make([]uint32, 0, len(x.vars))
	for v := range x.vars {
		all = append(all, v)
	}
	slices.Sort(all)
	return all
}

// from is the first index that is no less than another one.
func from(indices []int32, index int32) int32 {
	if i, _ := slices.BinarySearch(indices, index); i < len(indices) {
		return indices[i]
	}
	return never
}

// back tries the ways from an access to those of the block that come later than an index.
func (x *explorer) back(path []entry, out order.ID, to []int32, after int32) {
	i, _ := slices.BinarySearch(to, after+1)
	enter := x.h.Find(out).Enter
	until := x.until(after)
	for _, t := range to[i:] {
		if t >= until || x.over() {
			return
		}
		// What must come before out, be it the last event of its thread, cannot come after it.
		if enter.At(x.block.Thread) < t && !x.excluded(path, out, t) {
			x.try(path, out, x.own(t))
		}
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
func (x *explorer) try(path []entry, out, t order.ID) {
	if x.options.Paths > 0 && x.result.Paths == x.options.Paths {
		x.bounded = true
		return
	}
	x.result.Paths++
	x.runs = 0
	c := x.needed(path, out, t)
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
