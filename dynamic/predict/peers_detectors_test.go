package predict

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/empire-go/empire-go/dynamic/events"
	"github.com/empire-go/empire-go/dynamic/races"
)

// What one program of TestPeers may take, and how much text its trace may be.
const (
	perProgram = time.Minute
	mostText   = 1 << 20
)

func isAccess(e peerEvent) bool { return e.Op.Kind() == events.Variable && !e.isMessage }
func isWrite(e peerEvent) bool  { return e.Op == events.Write || e.Op == events.Update }

// common tells whether two accesses hold a lock together.
func common(a, b peerEvent) bool {
	return slices.ContainsFunc(a.held, func(x peerHold) bool {
		return slices.ContainsFunc(b.held, func(y peerHold) bool { return x.lock == y.lock && !(x.shared && y.shared) })
	})
}

// unordered are the pairs of conflicting accesses that happens-before without locks does not order.
func unordered(list []peerEvent, found func(a, b peerEvent)) {
	d := races.New()
	byNumber := map[int]peerEvent{}
	for _, e := range list {
		if isAccess(e) { // the end of a thread has the number of its last line
			byNumber[e.Number] = e
		}
		if e.Op.Kind() != events.Mutex {
			d.Add(e.Event, func(r races.Race) {
				if first, ok := byNumber[r.First.Number]; ok && isAccess(e) {
					found(first, e)
				}
			})
		}
	}
}

// hybrid is the hybrid of O'Callahan and Choi (PPoPP 2003).
func hybrid(list []peerEvent) (all []warning) {
	unordered(list, func(a, b peerEvent) {
		if !common(a, b) {
			all = append(all, warning{a.field, []string{a.field}})
		}
	})
	return all
}

// racy are the variables that hybrid warns of.
func racy(list []peerEvent) map[string]bool {
	all := map[string]bool{}
	for _, w := range hybrid(list) {
		all[w.what] = true
	}
	return all
}

// atomizer is that of Flanagan and Freund (POPL 2004): in a block, what moves to the right comes before at most one
// access that does not move, and that before what moves to the left.
func atomizer(list []peerEvent) (all []warning) {
	none := racy(list)
	type state struct {
		committed bool
		first     string // an access in it
	}
	states := map[int]*state{}
	for _, e := range list {
		for i, n := range e.block {
			s := states[n]
			if s == nil {
				s = &state{}
				states[n] = s
			}
			if isAccess(e) && s.first == "" {
				s.first = e.pos
			}
			broken := false
			switch {
			case e.Op == events.Lock || e.Op == events.RLock:
				broken = s.committed
			case e.Op == events.Unlock || e.Op == events.RUnlock:
				s.committed = true
			case isAccess(e) && none[e.field]:
				broken = s.committed
				s.committed = true
			}
			if broken && s.first != "" {
				all = append(all, warning{"the block at " + e.names[i], []string{"block with " + s.first}})
			}
		}
	}
	return all
}

// views is view consistency (Artho, Havelund and Biere, 2003): what a thread accesses in the sections of a lock is a
// view; the overlaps of another thread's views with one that is maximal are to form a chain.
func views(list []peerEvent) (all []warning) {
	type section struct {
		thread uint32
		lock   uint64
		n      int
	}
	number := map[[2]uint64]int{}
	var order []section
	fields := map[section]map[string]bool{}
	for _, e := range list {
		if e.Op == events.Lock || e.Op == events.RLock {
			number[[2]uint64{uint64(e.Thread), e.Object}]++
		}
		for _, h := range e.held {
			s := section{e.Thread, h.lock, number[[2]uint64{uint64(e.Thread), h.lock}]}
			if isAccess(e) && fields[s] == nil {
				fields[s] = map[string]bool{}
				order = append(order, s)
			}
			if isAccess(e) {
				fields[s][e.field] = true
			}
		}
	}
	within := func(a, b map[string]bool) bool {
		for f := range a {
			if !b[f] {
				return false
			}
		}
		return true
	}
	for _, m := range order {
		if slices.ContainsFunc(order, func(s section) bool { // it is not maximal
			return s.thread == m.thread && s.lock == m.lock && within(fields[m], fields[s]) && !within(fields[s], fields[m])
		}) {
			continue
		}
		var overlaps []map[string]bool
		for _, s := range order {
			if s.thread == m.thread || s.lock != m.lock {
				continue
			}
			o := map[string]bool{}
			for f := range fields[s] {
				if fields[m][f] {
					o[f] = true
				}
			}
			for _, other := range overlaps {
				if !within(o, other) && !within(other, o) {
					all = append(all, together(o, other))
				}
			}
			overlaps = append(overlaps, o)
		}
	}
	return all
}

// together is a warning of the variables of two sets.
func together(sets ...map[string]bool) warning {
	var of []string
	for _, s := range sets {
		for f := range s {
			if !slices.Contains(of, f) {
				of = append(of, f)
			}
		}
	}
	slices.Sort(of)
	return warning{strings.Join(of, " with "), of}
}

// avio is AVIO (Lu, Tucek, Qin and Zhou, 2006) without what it has learned: two accesses of a thread in one block, and
// one of another thread in between that no order of them explains.
func avio(list []peerEvent) (all []warning) {
	for j, b := range list {
		if !isAccess(b) || len(b.block) == 0 {
			continue
		}
		var remote []peerEvent
		for i := j - 1; i >= 0; i-- {
			a := list[i]
			if !isAccess(a) || a.field != b.field {
				continue
			}
			if a.Thread != b.Thread {
				remote = append(remote, a)
				continue
			}
			if len(a.block) == 0 || a.block[0] != b.block[0] {
				break
			}
			for _, r := range remote {
				if unserializable(isWrite(a), isWrite(r), isWrite(b)) {
					all = append(all, warning{a.field, []string{a.field}})
				}
			}
			break
		}
	}
	return all
}

// unserializable is the four cases of AVIO: a read that sees two values, a write that is lost, one that is not seen by
// the own read, and one that is seen in between.
func unserializable(first, between, second bool) bool {
	return between && !(first && second) || !between && first && second
}

// muvi is MUVI (Lu et al., 2007): variables that are accessed together in a block twice and more are correlated; if
// another thread writes one of them between the two, they do not belong together any more.
func muvi(list []peerEvent) (all []warning) {
	last := map[int]map[string]int{} // by outermost block: the index of the last access to each field
	count := map[string]int{}
	type pair struct {
		a, b string
		from int
		to   int
	}
	var pairs []pair
	for i, e := range list {
		if !isAccess(e) || len(e.block) == 0 {
			continue
		}
		block := e.block[0]
		if last[block] == nil {
			last[block] = map[string]int{}
		}
		for f, at := range last[block] {
			if f != e.field {
				pairs = append(pairs, pair{min(f, e.field), max(f, e.field), at, i})
				count[min(f, e.field)+" "+max(f, e.field)]++
			}
		}
		last[block][e.field] = i
	}
	for _, p := range pairs {
		if count[p.a+" "+p.b] < 2 {
			continue
		}
		for _, e := range list[p.from:p.to] {
			if isWrite(e) && e.Thread != list[p.to].Thread && (e.field == p.a || e.field == p.b) {
				all = append(all, together(map[string]bool{p.a: true}, map[string]bool{p.b: true}))
			}
		}
	}
	return all
}

// pset is PSet (Yu and Narayanasamy, 2009) with the first half of a run as what was learned: an access whose
// predecessor by another thread was not seen before at a place that was.
func pset(list []peerEvent) (all []warning) {
	seen, known := map[string]bool{}, map[string]bool{}
	last := map[string]peerEvent{}
	for i, e := range list {
		if !isAccess(e) {
			continue
		}
		before, ok := last[e.field]
		if ok && before.Thread != e.Thread && (isWrite(before) || isWrite(e)) {
			key := fmt.Sprint(before.pos, " ", e.pos)
			if i > len(list)/2 && known[e.pos] && !seen[key] {
				all = append(all, warning{e.field, []string{e.field}})
			}
			seen[key] = true
		}
		known[e.pos] = true
		last[e.field] = e
	}
	return all
}

// conmem is two of the four patterns of ConMem (Zhang, Sun and Lu, 2010), as far as a trace without values has them: a
// first write, or a last one, that happens-before without locks does not order with a read by another thread.
func conmem(list []peerEvent) (all []warning) {
	first, last := map[string]int{}, map[string]int{}
	for _, e := range list {
		if isWrite(e) {
			last[e.field] = e.Number
			if first[e.field] == 0 {
				first[e.field] = e.Number
			}
		}
	}
	unordered(list, func(a, b peerEvent) {
		for _, w := range []peerEvent{a, b} {
			if isWrite(w) && isWrite(a) != isWrite(b) && (w.Number == first[w.field] || w.Number == last[w.field]) {
				all = append(all, warning{w.field, []string{w.field}})
			}
		}
	})
	return all
}

// goodLock is GoodLock (Havelund, 2000; Bensalem and Havelund, 2005): circles of locks that threads take while they
// hold others, without a lock that all of them hold.
func goodLock(list []peerEvent) (all []warning) {
	type edge struct {
		thread   uint32
		from, to uint64
		gates    []uint64
		pos      string
	}
	var edges []edge
	for _, e := range list {
		if e.Op != events.Lock && e.Op != events.RLock {
			continue
		}
		for _, h := range e.held {
			var gates []uint64
			for _, g := range e.held {
				if g.lock != h.lock {
					gates = append(gates, g.lock)
				}
			}
			edges = append(edges, edge{e.Thread, h.lock, e.Object, gates, e.pos})
		}
	}
	var extend func(path []edge)
	extend = func(path []edge) {
		end := path[len(path)-1]
		if len(path) > 1 && end.to == path[0].from {
			var of []string
			for _, e := range path {
				of = append(of, e.pos)
			}
			slices.Sort(of)
			all = append(all, warning{strings.Join(of, " and "), of})
			return
		}
		if len(path) == 3 {
			return
		}
		for _, next := range edges {
			if next.from == end.to && !slices.ContainsFunc(path, func(e edge) bool {
				return e.thread == next.thread || slices.ContainsFunc(e.gates, func(g uint64) bool {
					return slices.Contains(next.gates, g)
				})
			}) {
				extend(append(slices.Clip(path), next))
			}
		}
	}
	for _, e := range edges {
		extend([]edge{e})
	}
	return all
}
