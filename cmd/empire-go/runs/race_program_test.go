package runs

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// raceStep is a step of a generated program. Its goroutines do their steps in one order, the schedule, into which they
// are steered without synchronisation (see turnstile), so that all detectors see the same run.
type raceStep struct {
	goroutine int
	code      string       // one line
	touches   []raceAccess // in shared memory
	after     []int        // steps that happen before this one, but for those of its goroutine
	signalled int          // the signal that has ended the wait; -1: none
	begins    bool         // it may wait: others go on, and a later step of its goroutine is its end
	ends      bool
}

type raceAccess struct {
	location         string
	writes, isAtomic bool
}

// raceCase is a generated program: a function of the file that has all of them.
type raceCase struct {
	steps []raceStep
	room  int         // of its channel with a buffer
	done  int         // how many Done its wait group is told to wait for
	line  map[int]int // of the file: the step
}

const (
	raceGoroutines = 4 // the last one is started by another one
	raceSteps      = 24
)

// raceMaker has what is known of a program after the steps that were made. Each step can be done at once, or it begins
// something that a later step of another goroutine lets end.
type raceMaker struct {
	*raceCase
	r       *rand.Rand
	first   int // of the locations that are often accessed
	started bool
	waits   map[int]*raceWait // by goroutine

	holder   [3]int       // of locks, -1: nobody; the last one is for readers, too
	readers  map[int]bool // who reads under the last lock
	released [3][]int     // the last unlock of each, or all read unlocks since and it
	writing  int          // the last unlock of the last lock by a writer

	sends, receives []int // of the channel with room
	dones           []int
	closed, ended   int // the step that closed a channel, or a context; -1
	ran             int // the step that ran the function of the once
	stored          map[string]int
	list            int // length
}

// raceWait is what a goroutine waits for.
type raceWait struct {
	begin  int
	kind   string
	ready  bool
	source []int // steps that happen before its end
	signal int   // that ends it
}

func newRaceCase(seed uint64) *raceCase {
	r := rand.New(rand.NewPCG(seed, 31))
	m := &raceMaker{raceCase: &raceCase{room: 1 + r.IntN(2), done: 1 + r.IntN(2), line: map[int]int{}}, r: r,
		first: r.IntN(100), waits: map[int]*raceWait{}, holder: [3]int{-1, -1, -1}, readers: map[int]bool{},
		writing: -1, closed: -1, ended: -1, ran: -1, stored: map[string]int{}, list: 2}
	for len(m.steps) < raceSteps {
		m.next(r.IntN(raceGoroutines))
	}
	m.finish()
	return m.raceCase
}

func (m *raceMaker) add(g int, code string, after []int, touches ...raceAccess) int {
	m.steps = append(m.steps, raceStep{goroutine: g, code: code, after: slices.Clone(after), signalled: -1,
		touches: touches})
	return len(m.steps) - 1
}

// next tries to add a step of a goroutine.
func (m *raceMaker) next(g int) {
	if g == raceGoroutines-1 && !m.started {
		return
	}
	if w := m.waits[g]; w != nil {
		m.end(g, w)
		return
	}
	switch n := m.r.IntN(32); {
	case n < 11:
		m.access(g)
	case n < 14:
		m.atomic(g)
	case n < 19:
		m.lock(g)
	case n < 22:
		m.channel(g)
	case n < 24:
		m.unbuffered(g)
	case n < 26:
		m.counter(g)
	case n < 27:
		m.closing(g)
	case n < 28:
		m.context(g)
	case n < 29:
		m.once(g)
	case n < 31:
		m.condition(g)
	case !m.started:
		m.started = true
		m.add(g, "go last()", nil)
	}
}

// access adds a plain access.
func (m *raceMaker) access(g int) {
	i := len(m.steps)
	switch m.r.IntN(10) {
	case 0:
		m.add(g, "s.pair = pair{x, 1}", nil, writes("pair.a"), writes("pair.b"))
	case 1:
		m.add(g, "z = s.pair; x += z.a", nil, reads("pair.a"), reads("pair.b"))
	case 2:
		if m.list < 8 {
			m.add(g, "s.list = append(s.list, x)", nil, reads("list"), writes("list"), writes(element(m.list)))
			m.list++
		}
	case 3:
		all := []raceAccess{reads("list")}
		for k := range m.list {
			all = append(all, reads(element(k)))
		}
		m.add(g, "for _, y := range s.list { x += y }", nil, all...)
	case 4:
		m.add(g, "x += copy(s.array[:], s.slice)", nil, reads("slice[0]"), reads("slice[1]"), writes("array[0]"),
			writes("array[1]"))
	default:
		all := []string{"s.v0", "s.v0", "s.v1", "s.pair.a", "s.array[0]", "s.array[1]", "s.slice[1]", "s.n", "*s.p",
			"s.table[1]", "local", "s.list[1]"}
		code := all[(m.first+m.r.IntN(4))%len(all)] // some, so that they meet
		location, more := strings.TrimPrefix(code, "s."), []raceAccess(nil)
		switch code {
		case "s.table[1]":
			location = "table"
		case "s.list[1]":
			location, more = element(1), []raceAccess{reads("list")}
		}
		switch m.r.IntN(5) {
		case 0, 1:
			m.add(g, "x += int("+code+")", nil, append(more, reads(location))...)
		case 2:
			m.add(g, code+"++", nil, append(more, reads(location), writes(location))...)
		default:
			m.add(g, fmt.Sprintf("%s = %d", code, i), nil, append(more, writes(location))...)
		}
	}
}

func element(n int) string              { return fmt.Sprintf("list[%d]", n) }
func reads(location string) raceAccess  { return raceAccess{location: location} }
func writes(location string) raceAccess { return raceAccess{location: location, writes: true} }

// atomic adds an atomic access, of an atomic variable or of a plain one.
func (m *raceMaker) atomic(g int) {
	location := "flag"
	code := "s.flag."
	if m.r.IntN(3) == 0 {
		location, code = "n", ""
	}
	name := func(method, args string) string {
		if location == "flag" {
			return code + method + "(" + args + ")"
		}
		return "atomic." + method + "Int64(" + strings.TrimSuffix("&s.n, "+args, ", ") + ")"
	}
	seen := []int(nil)
	if at, isStored := m.stored[location]; isStored {
		seen = []int{at}
	}
	all := raceAccess{location: location, isAtomic: true}
	switch m.r.IntN(5) {
	case 0, 1:
		m.add(g, "x += int("+name("Load", "")+")", seen, all)
		return
	case 2: // it fails
		m.add(g, "_ = "+name("CompareAndSwap", "-1, 5"), seen, all)
		return
	case 3:
		all.writes = true
		m.stored[location] = m.add(g, name("Store", "int64(x)"), nil, all)
		return
	}
	all.writes = true
	m.stored[location] = m.add(g, name("Add", "1"), seen, all)
}

// lock adds an operation of a lock.
func (m *raceMaker) lock(g int) {
	l := m.r.IntN(3)
	if l == 0 && m.holder[0] < 0 && slices.ContainsFunc(slices.Collect(maps.Values(m.waits)),
		func(w *raceWait) bool { return w.kind == "condition" && w.ready }) {
		return // who was woken takes the lock
	}
	name := fmt.Sprintf("s.m%d.", l)
	before := m.released[l]
	switch {
	case m.holder[l] == g:
		m.released[l] = []int{m.add(g, name+"Unlock()", nil)}
		m.holder[l] = -1
		if l == 2 {
			m.writing = m.released[l][0]
		}
	case l == 2 && m.readers[g]:
		m.released[l] = append(m.released[l], m.add(g, name+"RUnlock()", nil))
		delete(m.readers, g)
	case m.holder[l] >= 0 || len(m.readers) > 0 && l == 2 && m.r.IntN(2) == 0:
		m.add(g, "_ = "+name+"TryLock()", nil) // it fails
	case l == 2 && m.r.IntN(2) == 0:
		if before = nil; m.writing >= 0 {
			before = []int{m.writing}
		}
		m.add(g, []string{name + "RLock()", "_ = " + name + "TryRLock()"}[m.r.IntN(2)], before)
		m.readers[g] = true
	case l == 2 && len(m.readers) > 0:
	default:
		m.add(g, []string{name + "Lock()", "_ = " + name + "TryLock()"}[m.r.IntN(2)], before)
		m.holder[l] = g
	}
}

// channel adds an operation of the channel with room.
func (m *raceMaker) channel(g int) {
	filled := len(m.sends) - len(m.receives)
	switch isSend := m.r.IntN(2) == 0; {
	case isSend && filled < m.room:
		var before []int
		if k := len(m.sends) - m.room; k >= 0 {
			before = []int{m.receives[k]}
		}
		code := []string{"s.c <- x", "select { case s.c <- x: default: }"}[m.r.IntN(2)]
		m.sends = append(m.sends, m.add(g, code, before))
	case isSend:
		m.add(g, "select { case s.c <- x: default: }", nil) // it is full
	case filled > 0:
		code := []string{"<-s.c", "x += <-s.c", "select { case <-s.c: case <-never: }"}[m.r.IntN(3)]
		m.receives = append(m.receives, m.add(g, code, []int{m.sends[len(m.receives)]}))
	default:
		m.add(g, "select { case <-s.c: default: }", nil) // it is empty
	}
}

// begin adds the beginning of an operation that waits, unless too few would be left.
func (m *raceMaker) begin(g int, kind, code string) *raceWait {
	if len(m.waits) >= 2 {
		return nil
	}
	w := &raceWait{kind: kind}
	w.begin = m.add(g, code, nil)
	m.steps[w.begin].begins = true
	m.waits[g] = w
	return w
}

// partner returns the wait of this kind.
func (m *raceMaker) partner(kind string) *raceWait {
	for _, g := range slices.Sorted(maps.Keys(m.waits)) {
		if w := m.waits[g]; w.kind == kind && !w.ready {
			return w
		}
	}
	return nil
}

// meet adds a step that lets a wait end.
func (m *raceMaker) meet(g int, w *raceWait, code string) {
	w.ready = true
	w.source = []int{m.add(g, code, []int{w.begin})}
}

// unbuffered adds an operation of the channel without room.
func (m *raceMaker) unbuffered(g int) {
	if w := m.partner("send"); w != nil {
		m.meet(g, w, "x += <-s.u")
	} else if w := m.partner("receive"); w != nil {
		m.meet(g, w, "s.u <- x")
	} else if m.r.IntN(2) == 0 {
		m.begin(g, "send", "s.u <- x")
	} else {
		m.begin(g, "receive", "<-s.u")
	}
}

// counter adds an operation of the wait group.
func (m *raceMaker) counter(g int) {
	switch {
	case len(m.dones) < m.done && m.r.IntN(2) == 0:
		m.dones = append(m.dones, m.add(g, "s.all.Done()", nil))
		m.counted()
	case len(m.dones) < m.done:
		m.begin(g, "count", "s.all.Wait()")
	default:
		m.add(g, "s.all.Wait()", m.dones)
	}
}

// counted lets those go on who wait for the wait group.
func (m *raceMaker) counted() {
	for w := m.partner("count"); w != nil && len(m.dones) == m.done; w = m.partner("count") {
		w.ready, w.source = true, m.dones
	}
}

// closing adds an operation of the channel that is closed.
func (m *raceMaker) closing(g int) {
	switch {
	case m.closed >= 0:
		m.add(g, "<-s.closed", []int{m.closed})
	case m.r.IntN(2) == 0:
		m.closed = m.add(g, "close(s.closed)", nil)
		m.over("close", m.closed)
	default:
		m.begin(g, "close", "for range s.closed { x++ }")
	}
}

// context adds an operation of the context.
func (m *raceMaker) context(g int) {
	switch {
	case m.ended >= 0:
		m.add(g, "<-s.context.Done()", []int{m.ended})
	case m.r.IntN(2) == 0:
		m.ended = m.add(g, "s.cancel()", nil)
		m.over("context", m.ended)
	default:
		m.begin(g, "context", "<-s.context.Done()")
	}
}

// over lets all go on who wait for a step.
func (m *raceMaker) over(kind string, step int) {
	for w := m.partner(kind); w != nil; w = m.partner(kind) {
		w.ready, w.source = true, []int{step}
	}
}

// once adds a call of the function that runs once.
func (m *raceMaker) once(g int) {
	code := "s.once.Do(func() { s.v1 = x })"
	if m.ran < 0 {
		m.ran = m.add(g, code, nil, writes("v1"))
		return
	}
	m.add(g, code, []int{m.ran})
}

// condition adds a wait of the goroutine that holds the lock, unless another one waits, or a signal.
func (m *raceMaker) condition(g int) {
	if w := m.partner("condition"); w != nil {
		if m.holder[0] == g || m.r.IntN(3) == 0 {
			m.signal(g, w)
		}
		return
	}
	for _, w := range m.waits {
		if w.kind == "condition" {
			return
		}
	}
	if m.holder[0] != g {
		return
	}
	if w := m.begin(g, "condition", "s.condition.Wait()"); w != nil {
		m.holder[0], m.released[0] = -1, []int{w.begin}
	}
}

func (m *raceMaker) signal(g int, w *raceWait) {
	w.ready = true
	w.signal = m.add(g, []string{"s.condition.Signal()", "s.condition.Broadcast()"}[m.r.IntN(2)], nil)
}

// end adds the end of what a goroutine waits for, if it can end.
func (m *raceMaker) end(g int, w *raceWait) {
	if !w.ready || w.kind == "condition" && m.holder[0] >= 0 {
		return
	}
	before := w.source
	signal := -1
	if w.kind == "condition" {
		before, signal, m.holder[0] = m.released[0], w.signal, g
	}
	step := &m.steps[m.add(g, "", before)]
	step.ends, step.signalled = true, signal
	delete(m.waits, g)
}

// finish lets all that waits end.
func (m *raceMaker) finish() {
	for len(m.waits) > 0 {
		free := 0
		for m.waits[free] != nil {
			free++
		}
		for g := range raceGoroutines {
			if w := m.waits[g]; w != nil {
				m.resolve(g, w, free)
			}
		}
	}
}

func (m *raceMaker) resolve(g int, w *raceWait, free int) {
	switch {
	case w.ready && w.kind == "condition" && m.holder[0] >= 0:
		if m.waits[m.holder[0]] != nil {
			return
		}
		m.released[0] = []int{m.add(m.holder[0], "s.m0.Unlock()", nil)}
		m.holder[0] = -1
	case w.ready:
		m.end(g, w)
	case w.kind == "send":
		m.meet(free, w, "<-s.u")
	case w.kind == "receive":
		m.meet(free, w, "s.u <- x")
	case w.kind == "count":
		m.dones = append(m.dones, m.add(free, "s.all.Done()", nil))
		m.counted()
	case w.kind == "close":
		m.closed = m.add(free, "close(s.closed)", nil)
		m.over(w.kind, m.closed)
	case w.kind == "context":
		m.ended = m.add(free, "s.cancel()", nil)
		m.over(w.kind, m.ended)
	default:
		m.signal(free, w)
	}
}

// write writes the program, and notes the lines of its steps.
func (c *raceCase) write(out *strings.Builder, n int) {
	fmt.Fprintf(out, "func case%d(s *shared, t *turn.Stile) {\n\tlocal := 0\n", n)
	for _, g := range []int{raceGoroutines - 1, 0, 1, 2} {
		if g == raceGoroutines-1 {
			out.WriteString("\tlast := func() {\n\t\tx, z := 0, pair{}\n")
		} else {
			out.WriteString("\tgo func() {\n\t\tx, z := 0, pair{}\n")
		}
		for i, step := range c.steps {
			if step.goroutine != g {
				continue
			}
			fmt.Fprintf(out, "\t\tt.Await(%d)\n", i)
			if i > 0 && c.steps[i-1].begins && strings.HasPrefix(c.steps[i-1].code, "s.condition.") {
				out.WriteString("\t\tturn.Asleep()\n")
			}
			if step.begins {
				fmt.Fprintf(out, "\t\tt.Over(%d)\n", i)
			}
			if step.code != "" {
				c.line[strings.Count(out.String(), "\n")+1] = i
				fmt.Fprintf(out, "\t\t%s\n", step.code)
			}
			if !step.begins {
				fmt.Fprintf(out, "\t\tt.Over(%d)\n", i)
			}
		}
		out.WriteString("\t\t_, _, _ = x, z, &local\n\t}")
		if g != raceGoroutines-1 {
			out.WriteString("()")
		}
		out.WriteString("\n")
	}
	fmt.Fprintf(out, "\t_ = last\n\tt.Await(%d)\n}\n\n", len(c.steps))
}

const raceHead = `package main

import (
	"context"
	"sync"
	"sync/atomic"

	"example.com/turn"
)

type pair struct{ a, b int }

type shared struct {
	v0, v1    int
	n         int64
	pair      pair
	array     [2]int
	slice     []int
	list      []int
	table     map[int]int
	p         *int
	flag      atomic.Int64
	m0, m1    sync.Mutex
	m2        sync.RWMutex
	c, u      chan int
	closed    chan int
	all       sync.WaitGroup
	once      sync.Once
	condition *sync.Cond
	context   context.Context
	cancel    context.CancelFunc
}

var never chan int

func newShared(room, done int) *shared {
	s := &shared{slice: make([]int, 2), list: make([]int, 2, 8), table: map[int]int{}, p: new(int),
		c: make(chan int, room), u: make(chan int), closed: make(chan int)}
	s.all.Add(done)
	s.condition = sync.NewCond(&s.m0)
	s.context, s.cancel = context.WithCancel(context.Background())
	return s
}

`

// turnstile is another module, that is not looked at. It steers goroutines into an order by what the race detector does
// not see, so that the order is no reason for one access to happen before another.
const turnstile = `package turn

import (
	"bytes"
	"runtime"
)

type Stile struct{ next int }

//go:norace
func (s *Stile) Await(n int) {
	for tries := 0; s.next != n; tries++ {
		if tries > 10_000_000 {
			panic("nobody goes on")
		}
		runtime.Gosched()
	}
}

//go:norace
func (s *Stile) Over(n int) { s.next = n + 1 }

// Asleep returns once a goroutine waits for a condition: a signal that comes before is lost.
//
//go:norace
func Asleep() {
	stacks := make([]byte, 1<<20)
	for !bytes.Contains(stacks[:runtime.Stack(stacks, true)], []byte("[sync.Cond.Wait")) {
		runtime.Gosched()
	}
}
`

// races are the pairs of steps that race, by the definition. That a signal happens before the end of the wait that it
// ends is said by package sync, but the detector of the go command does not know it; order tells whether it counts.
func (c *raceCase) races(order bool) map[[2]int]bool {
	n := len(c.steps)
	before := make([][]bool, n)
	for j, b := range c.steps {
		before[j] = make([]bool, n)
		for i, a := range c.steps[:j] {
			before[i][j] = a.goroutine == b.goroutine || slices.Contains(b.after, i) || order && i == b.signalled ||
				a.code == "go last()" && b.goroutine == raceGoroutines-1
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				before[i][j] = before[i][j] || before[i][k] && before[k][j]
			}
		}
	}
	all := map[[2]int]bool{}
	for j := range n {
		for i := range j {
			if c.conflict(i, j) && !before[i][j] {
				all[[2]int{i, j}] = true
			}
		}
	}
	return all
}

// conflict tells whether two steps of two goroutines access one location, one of them writes it, and not both are
// atomic.
func (c *raceCase) conflict(i, j int) bool {
	if c.steps[i].goroutine == c.steps[j].goroutine {
		return false
	}
	for _, a := range c.steps[i].touches {
		for _, b := range c.steps[j].touches {
			if a.location == b.location && (a.writes || b.writes) && !(a.isAtomic && b.isAtomic) {
				return true
			}
		}
	}
	return false
}

// String has the steps, a line each.
func (c *raceCase) String() string {
	var out strings.Builder
	for i, s := range c.steps {
		fmt.Fprintf(&out, "%2d goroutine %d %s", i, s.goroutine, s.code)
		if s.ends {
			out.WriteString("(end)")
		}
		fmt.Fprintf(&out, " after %v\n", s.after)
	}
	fmt.Fprintf(&out, "room %d\n", c.room)
	return out.String()
}
