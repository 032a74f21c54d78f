package explore

import (
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/dynamic/predict/order"
	"github.com/empire-go/empire-go/dynamic/predict/random"
)

// oracle is a run with its partial order as the table of conflicts says it, pair by pair, and all its almost
// view-preserving interleavings, by the definition. It shares nothing with what is tested but the names of operations.
type oracle struct {
	steps  []random.Step
	before [][]bool // without what reads read from
	must   [][]bool // with it, transitive
	writer []int    // of a read; -1: from before the run
	thread [][]int  // the steps of each thread
	place  []int    // of a step in its thread
}

func newOracle(steps []random.Step) *oracle {
	n := len(steps)
	o := &oracle{steps: steps, writer: make([]int, n), place: make([]int, n)}
	for i := range n {
		o.before = append(o.before, make([]bool, n))
		o.must = append(o.must, make([]bool, n))
		t := int(steps[i].Thread)
		for t >= len(o.thread) {
			o.thread = append(o.thread, nil)
		}
		o.place[i] = len(o.thread[t])
		o.thread[t] = append(o.thread[t], i)
	}
	for j := range n {
		o.writer[j] = -1
		for i := range j {
			if o.conflict(i, j) {
				o.before[i][j] = true
			}
			if reads(steps[j]) && writes(steps[i]) && steps[i].Object == steps[j].Object {
				o.writer[j] = i
			}
		}
		for i := range j {
			o.must[i][j] = o.before[i][j]
		}
		if w := o.writer[j]; w >= 0 {
			o.must[w][j] = true
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				o.must[i][j] = o.must[i][j] || o.must[i][k] && o.must[k][j]
			}
		}
	}
	return o
}

func reads(s random.Step) bool  { return s.Op == order.OpRead || s.Op == order.OpUpdate }
func writes(s random.Step) bool { return s.Op == order.OpWrite || s.Op == order.OpUpdate }

// conflict tells whether step i must come before the later step j because of what the two are.
func (o *oracle) conflict(i, j int) bool {
	a, b := o.steps[i], o.steps[j]
	if a.Thread == b.Thread || a.Op == order.OpFork && a.Object == b.Thread || b.Op == order.OpJoin && b.Object == a.Thread {
		return true
	}
	is := func(s random.Step, ops ...order.Op) bool { return slices.Contains(ops, s.Op) }
	if a.Op == order.OpReceive && o.matched(i) >= 0 {
		// who has sent goes on when there is room
		sent := o.matched(i)
		if o.steps[sent].Op == order.OpPresend && b.Op == order.OpPostsend && b.Thread == o.steps[sent].Thread &&
			o.place[j] == o.place[sent]+1 {
			return true
		}
		if p := o.place[j]; p > 0 {
			prev := o.thread[b.Thread][p-1]
			if o.steps[prev].Op == order.OpSend && o.steps[prev].Object == a.Object &&
				o.number(prev, order.OpSend)-o.room(a.Object, j) == o.received(i) {
				return true
			}
		}
	}
	if a.Object != b.Object {
		return false
	}
	send := []order.Op{order.OpSend, order.OpPresend}
	switch {
	case is(a, send...) && is(b, order.OpReceive):
		return o.matched(j) == i
	case is(a, send...) && is(b, send...), is(a, order.OpReceive) && is(b, order.OpReceive):
		return true
	case is(a, order.OpClose, order.OpLook) && is(b, append(send, order.OpReceive, order.OpClose, order.OpLook)...):
		return !(a.Op == order.OpLook && b.Op == order.OpLook)
	case is(b, order.OpClose, order.OpLook) && is(a, append(send, order.OpReceive)...):
		return true
	case is(a, order.OpPrewait) && is(b, order.OpPrewait, order.OpNotify),
		is(a, order.OpNotify) && is(b, order.OpPrewait, order.OpPostwait),
		is(a, order.OpAdd) && is(b, order.OpDone, order.OpWait), is(a, order.OpDone) && is(b, order.OpWait),
		is(a, order.OpWait) && is(b, order.OpAdd, order.OpDone),
		is(a, order.OpRan) && is(b, order.OpHasRun):
		return true
	case is(b, order.OpTryFailed) && is(a, order.OpAcquire, order.OpReadAcquire):
		r := o.release(i)
		return r < 0 || r > j
	case is(a, order.OpTryFailed):
		return is(b, order.OpAcquire, order.OpReadAcquire, order.OpRelease, order.OpReadRelease)
	}
	return false
}

// number is how many steps of a kind there were on the object of one, up to it.
func (o *oracle) number(i int, ops ...order.Op) int {
	n := 0
	for k := range i + 1 {
		if slices.Contains(ops, o.steps[k].Op) && o.steps[k].Object == o.steps[i].Object {
			n++
		}
	}
	return n
}

// received is the number of the message that a step receives.
func (o *oracle) received(i int) int { return o.number(i, order.OpReceive) }

// matched is the send that a receive receives, or -1.
func (o *oracle) matched(i int) int {
	n := o.received(i)
	for k := range i {
		if s := o.steps[k]; (s.Op == order.OpSend || s.Op == order.OpPresend) && s.Object == o.steps[i].Object {
			if n--; n == 0 {
				return k
			}
		}
	}
	return -1
}

// room is how many messages a channel was seen to hold, when a step goes on after a send, or some step before it.
func (o *oracle) room(channel uint32, until int) int {
	room := 0
	for j := range until + 1 {
		p := o.place[j]
		if p == 0 {
			continue
		}
		sent := o.thread[o.steps[j].Thread][p-1]
		if o.steps[sent].Op != order.OpSend || o.steps[sent].Object != channel {
			continue
		}
		received := 0
		for k := range j {
			if o.steps[k].Op == order.OpReceive && o.steps[k].Object == channel {
				received++
			}
		}
		room = max(room, o.number(sent, order.OpSend)-received)
	}
	return room
}

// release is the step that ends a critical section; -1 if none does.
func (o *oracle) release(acquire int) int {
	a := o.steps[acquire]
	for j := acquire + 1; j < len(o.steps); j++ {
		b := o.steps[j]
		if b.Thread == a.Thread && b.Object == a.Object &&
			(b.Op == order.OpRelease || b.Op == order.OpReadRelease) {
			return j
		}
	}
	return -1
}

// block is some steps of one thread.
type block struct {
	thread uint32
	has    map[int]bool
}

// state is an interleaving as far as it has come.
type state struct {
	run     []int
	done    []int          // of each thread
	cut     []bool         // threads whose last read was broken
	written map[uint32]int // the last write, +1; negative: of an event that has read something else
	holders map[uint32][]int
	broken  map[int]bool // reads that have read something else
	after   map[int]bool // steps that come after the block by conflicts and threads, outside it
	found   bool
}

func (o *oracle) begin() *state {
	return &state{done: make([]int, len(o.thread)), cut: make([]bool, len(o.thread)), written: map[uint32]int{},
		holders: map[uint32][]int{}, broken: map[int]bool{}, after: map[int]bool{}}
}

// can tells whether a step is the next one of a thread that may be run.
func (o *oracle) can(s *state, i int) bool {
	e := o.steps[i]
	if s.cut[e.Thread] {
		return false
	}
	for j := range o.steps {
		if o.before[j][i] && !(slices.Contains(s.run, j) && !s.broken[j]) {
			return false
		}
	}
	switch e.Op {
	case order.OpAcquire:
		return len(s.holders[e.Object]) == 0
	case order.OpReadAcquire:
		for _, h := range s.holders[e.Object] {
			if o.steps[h].Op != order.OpReadAcquire {
				return false
			}
		}
	}
	return true
}

// step is the state after a step.
func (o *oracle) step(s *state, b *block, i int) *state {
	n := &state{append(s.run[:len(s.run):len(s.run)], i), slices.Clone(s.done), slices.Clone(s.cut), map[uint32]int{},
		map[uint32][]int{}, map[int]bool{}, map[int]bool{}, s.found}
	for k, v := range s.written {
		n.written[k] = v
	}
	for k, v := range s.holders {
		n.holders[k] = v
	}
	for k := range s.after {
		n.after[k] = true
	}
	for k := range s.broken {
		n.broken[k] = true
	}
	e := o.steps[i]
	n.done[e.Thread]++
	broken := reads(e) && s.written[e.Object] != o.writer[i]+1
	n.cut[e.Thread] = broken
	if broken {
		n.broken[i] = true
	}
	if writes(e) {
		n.written[e.Object] = i + 1
		if broken {
			n.written[e.Object] = -i - 1
		}
	}
	switch e.Op {
	case order.OpAcquire, order.OpReadAcquire:
		n.holders[e.Object] = append(slices.Clone(n.holders[e.Object]), i)
	case order.OpRelease, order.OpReadRelease:
		n.holders[e.Object] = slices.DeleteFunc(slices.Clone(n.holders[e.Object]), func(a int) bool { return o.release(a) == i })
	}
	if !reads(e) && !writes(e) {
		return n
	}
	for _, j := range s.run {
		f := o.steps[j]
		if f.Thread == e.Thread && e.Thread != b.thread && s.after[j] ||
			f.Object == e.Object && (writes(e) || writes(f)) && (reads(f) || writes(f)) && (s.after[j] || b.has[j]) {
			if e.Thread != b.thread {
				n.after[i] = true
			} else if b.has[i] && s.after[j] {
				n.found = true
			}
		}
	}
	return n
}

// violated enumerates the interleavings until one is a violation.
func (o *oracle) violated(b *block) bool {
	known := map[string]bool{}
	var visit func(s *state) bool
	visit = func(s *state) bool {
		if s.found {
			return true
		}
		key := fmt.Sprint(s.done, s.cut, s.written, s.after) // decides what can follow, and what that means
		if known[key] {
			return false
		}
		known[key] = true
		for t, steps := range o.thread {
			if s.done[t] < len(steps) && o.can(s, steps[s.done[t]]) && visit(o.step(s, b, steps[s.done[t]])) {
				return true
			}
		}
		return false
	}
	return visit(o.begin())
}

// onPaths are the steps outside the block on paths that end with a step of it.
func (o *oracle) onPaths(s *state, last int) []int {
	to := map[int]bool{last: true}
	var all []int
	for k := len(s.run) - 2; k >= 0; k-- {
		i := s.run[k]
		if !s.after[i] {
			continue
		}
		for _, j := range s.run[k+1:] {
			a, b := o.steps[i], o.steps[j]
			if to[j] && (a.Thread == b.Thread || a.Object == b.Object && (writes(a) || writes(b)) && (reads(b) || writes(b))) {
				to[i] = true
			}
		}
		if to[i] {
			all = append(all, i)
		}
	}
	return all
}
