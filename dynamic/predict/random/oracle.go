package random

import (
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/dynamic/predict/order"
)

// Oracle is a run with its partial order as the table of conflicts says it, pair by pair, and all its almost
// view-preserving interleavings, by the definition. It shares nothing with what is tested but the names of operations.
type Oracle struct {
	Steps   []Step
	before  [][]bool // without what reads read from
	must    [][]bool // with it, transitive
	writer  []int    // of a read; -1: from before the run
	Threads [][]int  // the steps of each thread
	Place   []int    // of a step in its thread
}

func NewOracle(steps []Step) *Oracle {
	n := len(steps)
	o := &Oracle{Steps: steps, writer: make([]int, n), Place: make([]int, n)}
	for i := range n {
		o.before = append(o.before, make([]bool, n))
		o.must = append(o.must, make([]bool, n))
		t := int(steps[i].Thread)
		for t >= len(o.Threads) {
			o.Threads = append(o.Threads, nil)
		}
		o.Place[i] = len(o.Threads[t])
		o.Threads[t] = append(o.Threads[t], i)
	}
	for j := range n {
		o.writer[j] = -1
		for i := range j {
			if o.conflict(i, j) {
				o.before[i][j] = true
			}
			if Reads(steps[j]) && Writes(steps[i]) && steps[i].Object == steps[j].Object {
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

// Reads and Writes tell what a step does to a variable.
func Reads(s Step) bool  { return s.Op == order.OpRead || s.Op == order.OpUpdate }
func Writes(s Step) bool { return s.Op == order.OpWrite || s.Op == order.OpUpdate }

// conflict tells whether step i must come before the later step j because of what the two are.
func (o *Oracle) conflict(i, j int) bool {
	a, b := o.Steps[i], o.Steps[j]
	if a.Thread == b.Thread || a.Op == order.OpFork && a.Object == b.Thread ||
		b.Op == order.OpJoin && b.Object == a.Thread {
		return true
	}
	is := func(s Step, ops ...order.Op) bool { return slices.Contains(ops, s.Op) }
	if a.Op == order.OpReceive && o.matched(i) >= 0 {
		// who has sent goes on when there is room
		sent := o.matched(i)
		if o.Steps[sent].Op == order.OpPresend && b.Op == order.OpPostsend && b.Thread == o.Steps[sent].Thread &&
			o.Place[j] == o.Place[sent]+1 {
			return true
		}
		if p := o.Place[j]; p > 0 {
			prev := o.Threads[b.Thread][p-1]
			if o.Steps[prev].Op == order.OpSend && o.Steps[prev].Object == a.Object &&
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
func (o *Oracle) number(i int, ops ...order.Op) int {
	n := 0
	for k := range i + 1 {
		if slices.Contains(ops, o.Steps[k].Op) && o.Steps[k].Object == o.Steps[i].Object {
			n++
		}
	}
	return n
}

// received is the number of the message that a step receives.
func (o *Oracle) received(i int) int { return o.number(i, order.OpReceive) }

// matched is the send that a receive receives, or -1.
func (o *Oracle) matched(i int) int {
	n := o.received(i)
	for k := range i {
		if s := o.Steps[k]; (s.Op == order.OpSend || s.Op == order.OpPresend) && s.Object == o.Steps[i].Object {
			if n--; n == 0 {
				return k
			}
		}
	}
	return -1
}

// room is how many messages a channel was seen to hold, when a step goes on after a send, or some step before it.
func (o *Oracle) room(channel uint32, until int) int {
	room := 0
	for j := range until + 1 {
		p := o.Place[j]
		if p == 0 {
			continue
		}
		sent := o.Threads[o.Steps[j].Thread][p-1]
		if o.Steps[sent].Op != order.OpSend || o.Steps[sent].Object != channel {
			continue
		}
		received := 0
		for k := range j {
			if o.Steps[k].Op == order.OpReceive && o.Steps[k].Object == channel {
				received++
			}
		}
		room = max(room, o.number(sent, order.OpSend)-received)
	}
	return room
}

// release is the step that ends a critical section; -1 if none does.
func (o *Oracle) release(acquire int) int {
	a := o.Steps[acquire]
	for j := acquire + 1; j < len(o.Steps); j++ {
		b := o.Steps[j]
		if b.Thread == a.Thread && b.Object == a.Object &&
			(b.Op == order.OpRelease || b.Op == order.OpReadRelease) {
			return j
		}
	}
	return -1
}

// Block is some steps of one thread.
type Block struct {
	Thread uint32
	Has    map[int]bool
	Until  map[int]int // of a read that matters for a while: the step of the block from which on it does not
}

// end is the last place of the thread, and one, at which what comes after a step of the block may come back.
func (b *Block) end(o *Oracle, i int) int {
	if until, ok := b.Until[i]; ok {
		return o.Place[until]
	}
	return len(o.Steps)
}

// State is an interleaving as far as it has come.
type State struct {
	Run     []int
	Done    []int          // of each thread
	cut     []bool         // threads whose last read was broken
	written map[uint32]int // the last write, +1; negative: of an event that has read something else
	holders map[uint32][]int
	broken  map[int]bool // reads that have read something else
	after   map[int]int  // by step, outside of the block, that comes after it by conflicts and threads: before which place
	Found   bool
}

// Begin is the state before the first step.
func (o *Oracle) Begin() *State {
	return &State{Done: make([]int, len(o.Threads)), cut: make([]bool, len(o.Threads)), written: map[uint32]int{},
		holders: map[uint32][]int{}, broken: map[int]bool{}, after: map[int]int{}}
}

// Ready tells whether all has been run that comes before a step, apart from who holds a lock and from what is read.
func (o *Oracle) Ready(s *State, i int) bool {
	if s.cut[o.Steps[i].Thread] {
		return false
	}
	for j := range o.Steps {
		if o.before[j][i] && !(slices.Contains(s.Run, j) && !s.broken[j]) {
			return false
		}
	}
	return true
}

// Broken tells whether a step has read something else.
func (s *State) Broken(i int) bool { return s.broken[i] }

// Holders are the acquires of a lock that are not over.
func (s *State) Holders(lock uint32) []int { return s.holders[lock] }

// Reorderings visits the states of all runs in which each read reads what it has read: of those that keep the order of
// the critical sections of each lock, if that is asked for.
func (o *Oracle) Reorderings(preserving bool, visit func(*State)) {
	known := map[string]bool{}
	var each func(s *State)
	each = func(s *State) {
		key := s.Key()
		if known[key] {
			return
		}
		known[key] = true
		visit(s)
		for t, steps := range o.Threads {
			if s.Done[t] == len(steps) {
				continue
			}
			i := steps[s.Done[t]]
			if !o.Can(s, i) || preserving && o.overtaken(s, i) {
				continue
			}
			if next := o.Step(s, &Block{}, i); !next.broken[i] {
				each(next)
			}
		}
	}
	each(o.Begin())
}

// overtaken tells whether a later critical section of the lock that a step takes has been begun.
func (o *Oracle) overtaken(s *State, i int) bool {
	a := o.Steps[i]
	takes := func(s Step) bool { return s.Op == order.OpAcquire || s.Op == order.OpReadAcquire }
	return takes(a) && slices.ContainsFunc(s.Run, func(j int) bool {
		b := o.Steps[j]
		return j > i && takes(b) && b.Object == a.Object && (a.Op == order.OpAcquire || b.Op == order.OpAcquire)
	})
}

// Can tells whether a step is the next one of a thread that may be run.
func (o *Oracle) Can(s *State, i int) bool {
	e := o.Steps[i]
	if !o.Ready(s, i) {
		return false
	}
	switch e.Op {
	case order.OpAcquire:
		return len(s.holders[e.Object]) == 0
	case order.OpReadAcquire:
		for _, h := range s.holders[e.Object] {
			if o.Steps[h].Op != order.OpReadAcquire {
				return false
			}
		}
	}
	return true
}

// Step is the state after a step.
func (o *Oracle) Step(s *State, b *Block, i int) *State {
	n := &State{append(s.Run[:len(s.Run):len(s.Run)], i), slices.Clone(s.Done), slices.Clone(s.cut), map[uint32]int{},
		map[uint32][]int{}, map[int]bool{}, map[int]int{}, s.Found}
	for k, v := range s.written {
		n.written[k] = v
	}
	for k, v := range s.holders {
		n.holders[k] = v
	}
	for k, v := range s.after {
		n.after[k] = v
	}
	for k := range s.broken {
		n.broken[k] = true
	}
	e := o.Steps[i]
	n.Done[e.Thread]++
	broken := Reads(e) && s.written[e.Object] != o.writer[i]+1
	n.cut[e.Thread] = broken
	if broken {
		n.broken[i] = true
	}
	if Writes(e) {
		n.written[e.Object] = i + 1
		if broken {
			n.written[e.Object] = -i - 1
		}
	}
	switch e.Op {
	case order.OpAcquire, order.OpReadAcquire:
		n.holders[e.Object] = append(slices.Clone(n.holders[e.Object]), i)
	case order.OpRelease, order.OpReadRelease:
		n.holders[e.Object] = slices.DeleteFunc(slices.Clone(n.holders[e.Object]),
			func(a int) bool { return o.release(a) == i })
	}
	if !Reads(e) && !Writes(e) {
		return n
	}
	for _, j := range s.Run {
		f := o.Steps[j]
		conflict := f.Object == e.Object && (Writes(e) || Writes(f)) && (Reads(f) || Writes(f))
		if !conflict && (f.Thread != e.Thread || e.Thread == b.Thread) {
			continue
		}
		until := s.after[j]
		if b.Has[j] && conflict {
			until = b.end(o, j)
		}
		if e.Thread != b.Thread {
			n.after[i] = max(n.after[i], until)
		} else if b.Has[i] && !b.Has[j] && until > o.Place[i] {
			n.Found = true
		}
	}
	if n.after[i] == 0 {
		delete(n.after, i)
	}
	return n
}

// Key decides what can follow a state, and what that means.
func (s *State) Key() string { return fmt.Sprint(s.Done, s.cut, s.written, s.after) }

// Violated enumerates the interleavings until one is a violation.
func (o *Oracle) Violated(b *Block) bool {
	known := map[string]bool{}
	var visit func(s *State) bool
	visit = func(s *State) bool {
		if s.Found {
			return true
		}
		key := s.Key()
		if known[key] {
			return false
		}
		known[key] = true
		for t, steps := range o.Threads {
			if s.Done[t] < len(steps) && o.Can(s, steps[s.Done[t]]) && visit(o.Step(s, b, steps[s.Done[t]])) {
				return true
			}
		}
		return false
	}
	return visit(o.Begin())
}

// OnPaths are the steps outside the block on paths that end with a step of it.
func (o *Oracle) OnPaths(s *State, last int) []int {
	to := map[int]bool{last: true}
	var all []int
	for k := len(s.Run) - 2; k >= 0; k-- {
		i := s.Run[k]
		if s.after[i] == 0 {
			continue
		}
		for _, j := range s.Run[k+1:] {
			a, b := o.Steps[i], o.Steps[j]
			if to[j] && (a.Thread == b.Thread || a.Object == b.Object && (Writes(a) || Writes(b)) && (Reads(b) || Writes(b))) {
				to[i] = true
			}
		}
		if to[i] {
			all = append(all, i)
		}
	}
	return all
}
