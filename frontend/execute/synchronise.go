package execute

import (
	"go/types"
	"slices"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// The state of synchronisation objects, in the cells where they live.

type lockState struct {
	writer    bool
	readers   int
	announced bool         // a writer waits for the readers: others do not become readers meanwhile
	owner     *goroutine   // that has taken it, if it is taken
	reading   []*goroutine // that have taken it for reading
}

// spinState is of a variable that package atomic sets from zero to something else: a lock, if
// that is how it is used.
type spinState struct{ owner *goroutine }

type groupState struct {
	by    *goroutine // that has counted last
	count int
	clock []int
}

type condState struct{ waiters []*waiter }

type waiter struct{ woken bool }

type poolState struct{ values []value }

// native is a function that is built in.
type native func(g *goroutine, args []value) value

// state returns the state of a synchronisation object.
func state[S any](g *goroutine, v value) *S {
	c := v.(*cell)
	g.nonNil(c)
	if c.state == nil {
		c.state = new(S)
	}
	s, ok := c.state.(*S)
	if !ok {
		unsupported("a synchronisation object used as another one")
	}
	return s
}

func lock(g *goroutine, a []value) value {
	s := state[lockState](g, a[0])
	if g.m.announces() {
		g.waitFor(a[0], func() bool { return !s.writer && !s.announced })
		s.announced = s.readers > 0
	}
	if !g.m.announces() || s.announced {
		g.waitFor(a[0], func() bool { return !s.writer && s.readers == 0 })
		s.announced = false
	}
	s.writer, s.owner = true, g
	g.hold(a[0], 1)
	return nil
}

// announces tells whether a writer that waits for readers keeps others from becoming readers meanwhile, as in package
// sync: where it is told how a run ends, or who waits for ever, that decides whether it comes to its end.
func (m *machine) announces() bool {
	_, is := m.observer.(Ending)
	return is || m.announcing
}

// waitFor waits for a lock until it can be taken.
func (g *goroutine) waitFor(lock value, ready func() bool) {
	g.wants = lock.(*cell)
	g.pointFor(lock, ready)
	g.wants = nil
}

// hold notes that the goroutine has taken or released a lock: a section begins.
func (g *goroutine) hold(lock value, n int) {
	g.observe(lock.(*cell), ReadModifyWrite)
	g.held[lock.(*cell)] += n
	g.noteLocked(lock.(*cell))
	g.newSection()
}

// noteLocked notes a lock, or an operation of package atomic that may be one, in code outside the standard library. A
// package variable guards no object, where objects are asked about.
func (g *goroutine) noteLocked(lock *cell) {
	if g.locked {
		return
	}
	fr := g.top
	for fr != nil && slices.Contains([]string{"sync", "sync/atomic"}, knowledge.PackagePath(fr.fn.ssa)) {
		fr = fr.caller
	}
	g.locked = fr != nil && !g.m.program.isStandard(fr.fn.ssa.Pkg) &&
		(g.m.watch.Subject.Type == nil || !g.m.isOfVariable(lock))
}

// isOfVariable tells whether memory is that of a package variable.
func (m *machine) isOfVariable(c *cell) bool {
	for _, v := range m.globals {
		if v.mem == c.mem {
			return true
		}
	}
	return false
}

// newSection notes that the goroutine synchronises.
func (g *goroutine) newSection() {
	g.m.sections++
	g.section = g.m.sections
}

func unlock(g *goroutine, a []value) value {
	s := state[lockState](g, a[0])
	g.pointFor(a[0], nil)
	if !s.writer {
		g.wants = a[0].(*cell)
		g.misusesLock("unlock of unlocked mutex")
	}
	s.writer, s.owner = false, nil
	g.hold(a[0], -1)
	return nil
}

func tryLock(g *goroutine, a []value) value {
	s := state[lockState](g, a[0])
	g.pointFor(a[0], nil)
	if s.writer || s.announced || s.readers > 0 {
		g.observe(a[0].(*cell), Read)
		return false
	}
	s.writer, s.owner = true, g
	g.hold(a[0], 1)
	return true
}

func readLock(g *goroutine, a []value) value {
	s := state[lockState](g, a[0])
	g.waitFor(a[0], func() bool { return !s.writer && !s.announced })
	s.readers++
	s.reading = append(s.reading, g)
	g.hold(a[0], 1)
	return nil
}

func readUnlock(g *goroutine, a []value) value {
	s := state[lockState](g, a[0])
	g.pointFor(a[0], nil)
	if s.readers == 0 {
		g.wants = a[0].(*cell)
		g.misusesLock("RUnlock of unlocked RWMutex")
	}
	s.readers--
	s.stopReading(g)
	g.hold(a[0], -1)
	return nil
}

func tryReadLock(g *goroutine, a []value) value {
	s := state[lockState](g, a[0])
	g.pointFor(a[0], nil)
	if s.writer || s.announced {
		g.observe(a[0].(*cell), Read)
		return false
	}
	s.readers++
	s.reading = append(s.reading, g)
	g.hold(a[0], 1)
	return true
}

// fatal ends the program, as what cannot be recovered does.
func (g *goroutine) fatal(why string) {
	g.m.over, g.m.ended = true, why
	panic(killed{})
}

func groupAdd(g *goroutine, a []value) value {
	s := state[groupState](g, a[0])
	g.point(nil)
	g.observe(a[0].(*cell), ReadModifyWrite)
	s.count += int(a[1].(int64))
	if s.count < 0 {
		g.misuses("negative WaitGroup counter")
	}
	g.tick()
	s.clock, s.by = joinClocks(s.clock, g.clock), g
	return nil
}

func groupWait(g *goroutine, a []value) value {
	s := state[groupState](g, a[0])
	g.point(func() bool { return s.count == 0 })
	g.observe(a[0].(*cell), ReadModifyWrite)
	g.learn(s.clock)
	g.joins(s.by)
	return nil
}

func condWait(g *goroutine, a []value) value {
	s := state[condState](g, a[0])
	w := &waiter{}
	s.waiters = append(s.waiters, w)
	l := a[0].(*cell)
	locker := partAt(l, "L").val.(iface)
	g.callMethod(locker, "Unlock")
	g.observe(l, ReadModifyWrite)
	g.point(func() bool { return w.woken })
	g.observe(l, ReadModifyWrite)
	g.callMethod(locker, "Lock")
	return nil
}

func wake(g *goroutine, v value, n int) value {
	s := state[condState](g, v)
	g.point(nil)
	g.observe(v.(*cell), ReadModifyWrite)
	for len(s.waiters) > 0 && n > 0 {
		s.waiters[0].woken = true
		s.waiters = s.waiters[1:]
		n--
	}
	return nil
}

// callMethod calls a method of what is in an interface.
func (g *goroutine) callMethod(x iface, name string, args ...value) value {
	if x.typ == nil {
		panic(goPanic{runtimeError("nil pointer dereference")})
	}
	fn := g.m.method(x.typ, nil, name)
	v, _ := g.invoke(&closure{fn: fn}, append([]value{x.val}, args...), nil)
	return v
}

func publishAll(g *goroutine, a []value) value {
	for _, v := range a {
		g.m.publish(v)
	}
	return nil
}

// syncMap returns the contents of a sync.Map that is about to be accessed.
func syncMap(g *goroutine, v value, kind int) *mapping {
	c := v.(*cell)
	g.nonNil(c)
	if c.state == nil {
		m := newMapping()
		m.mem.shared = c.mem.shared
		c.state = m
	}
	g.pointFor(c, nil)
	g.access(c, kind)
	g.m.version++
	return c.state.(*mapping)
}

func mapLoad(g *goroutine, a []value) value {
	if e := syncMap(g, a[0], Read).index[hash(a[1])]; e != nil {
		return aggregate{e.val, true}
	}
	return aggregate{iface{}, false}
}

func mapStore(g *goroutine, a []value) value {
	syncMap(g, a[0], Write).put(a[1], a[2])
	return publishAll(g, a[1:])
}

func mapDelete(g *goroutine, a []value) value {
	syncMap(g, a[0], Write).remove(a[1])
	return nil
}

func mapClear(g *goroutine, a []value) value {
	m := syncMap(g, a[0], Write)
	for _, e := range slices.Clone(m.order) {
		m.remove(e.key)
	}
	return nil
}

func mapLoadOrStore(g *goroutine, a []value) value {
	m := syncMap(g, a[0], ReadModifyWrite)
	if e := m.index[hash(a[1])]; e != nil {
		return aggregate{e.val, true}
	}
	m.put(a[1], a[2])
	publishAll(g, a[1:])
	return aggregate{a[2], false}
}

func mapLoadAndDelete(g *goroutine, a []value) value {
	m := syncMap(g, a[0], ReadModifyWrite)
	if e := m.index[hash(a[1])]; e != nil {
		m.remove(a[1])
		return aggregate{e.val, true}
	}
	return aggregate{iface{}, false}
}

func mapSwap(g *goroutine, a []value) value {
	m := syncMap(g, a[0], ReadModifyWrite)
	old := value(aggregate{iface{}, false})
	if e := m.index[hash(a[1])]; e != nil {
		old = aggregate{e.val, true}
	}
	m.put(a[1], a[2])
	publishAll(g, a[1:])
	return old
}

func mapCompareAndSwap(g *goroutine, a []value) value {
	m := syncMap(g, a[0], ReadModifyWrite)
	e := m.index[hash(a[1])]
	if e == nil || !equal(e.val, a[2]) {
		return false
	}
	e.val = a[3]
	publishAll(g, a[3:])
	return true
}

func mapCompareAndDelete(g *goroutine, a []value) value {
	m := syncMap(g, a[0], ReadModifyWrite)
	e := m.index[hash(a[1])]
	if e == nil || !equal(e.val, a[2]) {
		return false
	}
	m.remove(a[1])
	return true
}

func mapRange(g *goroutine, a []value) value {
	for _, e := range slices.Clone(syncMap(g, a[0], Read).order) {
		if e.gone {
			continue
		}
		if more, _ := g.invoke(a[1].(*closure), []value{e.key, e.val}, nil); !more.(bool) {
			break
		}
	}
	return nil
}

func poolGet(g *goroutine, a []value) value {
	s := state[poolState](g, a[0])
	g.pointFor(a[0], nil)
	g.observe(a[0].(*cell), ReadModifyWrite)
	if n := len(s.values); n > 0 {
		v := s.values[n-1]
		s.values = s.values[:n-1]
		return v
	}
	if fn := partAt(a[0].(*cell), "New").val.(*closure); fn != nil {
		v, _ := g.invoke(fn, nil, nil)
		return v
	}
	return iface{}
}

func poolPut(g *goroutine, a []value) value {
	s := state[poolState](g, a[0])
	if a[0].(*cell).mem.quiet {
		return nil // a pool may drop what it is handed: what is in none need not be shared
	}
	g.pointFor(a[0], nil)
	g.observe(a[0].(*cell), ReadModifyWrite)
	s.values = append(s.values, a[1])
	return publishAll(g, a[1:])
}

// atomicCell returns the cell of an atomic operation, after its scheduling point.
func atomicCell(g *goroutine, v value, kind int) *cell {
	c := v.(*cell)
	g.nonNil(c)
	g.pointAtomic(c, kind)
	g.noteLocked(c)
	if _, ok := c.typ.Underlying().(*types.Struct); ok { // atomic.Value
		return c.parts[0]
	}
	return c
}

func atomicLoad(g *goroutine, a []value) value {
	c := atomicCell(g, a[0], Read)
	g.returned = g.access(c, Read)
	return c.get()
}

func atomicStore(g *goroutine, a []value) value {
	c := atomicCell(g, a[0], Write)
	g.access(c, Write)
	g.m.publish(a[1])
	g.setSpin(c, a[1])
	c.set(a[1])
	g.m.version++
	return nil
}

func atomicSwap(g *goroutine, a []value) value {
	c := atomicCell(g, a[0], ReadModifyWrite)
	g.returned = g.access(c, ReadModifyWrite)
	g.m.publish(a[1])
	old := c.get()
	g.setSpin(c, a[1])
	c.set(a[1])
	g.m.version++
	return old
}

func atomicAdd(g *goroutine, a []value) value {
	c := atomicCell(g, a[0], ReadModifyWrite)
	g.returned = g.access(c, ReadModifyWrite)
	for _, e := range g.returned {
		e.adds = resultIsDropped(g)
	}
	c.set(wrap(c.typ, c.val.(int64)+a[1].(int64)))
	return c.val
}

// atomicBits changes bits of a number, and returns the old one.
func atomicBits(combine func(x, y int64) int64) native {
	return func(g *goroutine, a []value) value {
		c := atomicCell(g, a[0], ReadModifyWrite)
		g.returned = g.access(c, ReadModifyWrite)
		old := c.val.(int64)
		c.set(wrap(c.typ, combine(old, a[1].(int64))))
		g.m.version++
		return old
	}
}

func atomicCompareAndSwap(g *goroutine, a []value) value {
	c := atomicCell(g, a[0], ReadModifyWrite)
	for _, e := range g.handed {
		// The expected value ceases to matter.
		if e.swap == 0 && c.at == e.loc {
			e.swap = g.m.now
		}
	}
	if !equal(c.get(), a[1]) {
		g.returned = g.access(c, Read)
		for _, e := range g.returned {
			e.failed = true
		}
		if g.m.swapLost != nil {
			g.m.swapLost(g)
		}
		return false
	}
	g.returned = g.access(c, ReadModifyWrite)
	g.m.publish(a[2])
	g.setSpin(c, a[2])
	c.set(a[2])
	g.m.version++
	return true
}

// resultIsDropped tells whether nobody uses what the call returns, that of a method of
// an atomic type included.
func resultIsDropped(g *goroutine) bool {
	fr := g.top
	if fr != nil && fr.fn.ssa.Pkg != nil && fr.fn.ssa.Pkg.Pkg.Path() == "sync/atomic" {
		fr = fr.caller
	}
	if fr == nil || fr.instr == nil {
		return false
	}
	call, ok := fr.instr.(callInstruction)
	return ok && call.Referrers() != nil && len(*call.Referrers()) == 0
}
