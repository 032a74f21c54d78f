package random

import "fmt"

// The forms of locks that Shape makes.
const (
	embedded    form = striped + 1 + iota // T is a lock
	interfaced                            // T has a sync.Locker, made by a function
	released                              // to lock returns the function that unlocks
	transaction                           // Begin locks, Commit unlocks
	flagged                               // a view says whether it is locked for writing
	optional                              // locked if the object says so, which all do
	owned                                 // the lock is in an object that T leads to
	sharded                               // one of several locks in a slice
	conditional                           // the lock of a condition variable
	cancelled                             // a channel, or whoever waits gives up
	ticket                                // a channel with a token in it
	forms
)

// shapeFields are the fields of T that the lock is in.
func (g *generator) shapeFields() {
	switch g.form {
	case embedded:
		g.line("sync.Mutex")
	case interfaced:
		g.line("l sync.Locker")
	case optional:
		g.line("safe bool")
	case owned:
		g.line("home *home")
	case sharded:
		g.line("shards []sync.Mutex")
	case conditional:
		g.line("cond *sync.Cond")
	case cancelled, ticket:
		g.line("sem chan struct{}")
	}
}

// shapeMade makes them.
func (g *generator) shapeMade() {
	switch g.form {
	case interfaced:
		if g.slip() {
			g.line("x.l = noLock{}")
		} else {
			g.line("x.l = newLock()")
		}
	case optional:
		g.line("x.safe = %s", map[bool]string{true: "len(x.items) > 2", false: "true"}[g.slip()])
	case owned:
		g.line("x.home = &home{}")
		g.line("x.home.x = x")
	case sharded:
		g.line("x.shards = make([]sync.Mutex, 2)")
	case conditional:
		g.line("x.cond = sync.NewCond(%s)", g.pick("&x.mu", "&sync.Mutex{}"))
	case cancelled:
		g.line("x.sem = make(chan struct{}, %s)", map[bool]string{true: "2", false: "1"}[g.slip()])
	case ticket:
		n := map[bool]int{true: 2, false: 1}[g.slip()]
		g.line("x.sem = make(chan struct{}, %d)", n)
		if g.chance(2) {
			g.line("for range cap(x.sem) {")
			g.line("x.sem <- struct{}{}")
			g.line("}")
		} else {
			for range n {
				g.line("x.sem <- struct{}{}")
			}
		}
	}
}

// shapeHelpers are the types and functions around the lock.
func (g *generator) shapeHelpers() {
	if g.form <= striped {
		return
	}
	early := g.slip()
	switch g.form {
	case interfaced:
		g.line("func newLock() sync.Locker { return &sync.Mutex{} }")
		g.line("type noLock struct{}")
		g.line("func (noLock) Lock() {}")
		g.line("func (noLock) Unlock() {}")
	case released:
		g.line("func (x *T) enter() func() {")
		g.line("x.mu.Lock()")
		switch {
		case early:
			g.line("x.mu.Unlock()")
			g.line("return func() {}")
		case g.chance(2):
			g.line("return x.mu.Unlock")
		default:
			g.line("return func() { x.mu.Unlock() }")
		}
		g.line("}")
	case transaction:
		g.line("type tx struct{ x *T }")
		g.line("func (x *T) Begin() *tx {")
		g.line("x.mu.Lock()")
		if early {
			g.line("defer x.mu.Unlock()")
		}
		g.line("return &tx{x}")
		g.line("}")
		if early {
			g.line("func (t *tx) Commit() {}")
			g.line("func (t *tx) Rollback() {}")
		} else {
			g.line("func (t *tx) Commit() { t.x.mu.Unlock() }")
			g.line("func (t *tx) Rollback() { t.x.mu.Unlock() }")
		}
	case flagged:
		g.line("type view struct {")
		g.line("x *T")
		g.line("writable bool")
		g.line("}")
		g.line("func (x *T) view(writable bool) view {")
		g.line("v := view{x, writable}")
		g.line("if writable {")
		g.line("x.mu.Lock()")
		g.line("} else {")
		g.indent++
		g.line("x.mu.RLock()")
		g.line("}")
		g.line("return v")
		g.line("}")
		g.line("func (v view) close() {")
		g.line("if v.writable {")
		g.line("v.x.mu.Unlock()")
		g.line("} else {")
		g.indent++
		g.line("v.x.mu.RUnlock()")
		g.line("}")
		g.line("}")
	case owned:
		g.line("type home struct {")
		g.line("sync.Mutex")
		g.line("x *T")
		g.line("}")
		g.line("func (h *home) lock() *T {")
		g.line("h.Lock()")
		g.line("return h.x")
		g.line("}")
	case sharded:
		g.line("func (x *T) shard(k int) *sync.Mutex { return &x.shards[k%%len(x.shards)] }")
	case cancelled:
		if g.chance(2) {
			g.line("var ctx = context.Background()")
			g.line("var cancel = func() {}")
		} else {
			g.line("var ctx, cancel = context.WithCancel(context.Background())")
		}
		g.line("func (x *T) acquire(ctx context.Context) error {")
		g.line("select {")
		g.line("case x.sem <- struct{}{}:")
		g.line("return nil")
		g.line("case <-ctx.Done():")
		g.line("return ctx.Err()")
		g.line("}")
		g.line("}")
		g.line("func (x *T) release() { <-x.sem }")
	}
	g.line("func withLock(l sync.Locker, f func()) {")
	g.line("l.Lock()")
	if g.slip() {
		g.line("l.Unlock()")
		g.line("f()")
	} else {
		g.line("defer l.Unlock()")
		g.line("f()")
	}
	g.line("}")
	g.line("func locked[R any](l sync.Locker, f func() R) R {")
	g.line("l.Lock()")
	g.line("defer l.Unlock()")
	g.line("return f()")
	g.line("}")
}

// shapeSection returns how a critical section begins and ends.
func (g *generator) shapeSection(reading bool) (lock, unlock string) {
	handle := func(take, end string) (string, string) {
		v := g.name("held")
		unlock := v + end
		g.again[unlock] = v + " = " + take
		return v + " := " + take + "\n_ = " + v, unlock
	}
	plain := func(lock, unlock string) (string, string) {
		g.again[unlock] = lock
		return lock, unlock
	}
	switch g.form {
	case embedded:
		return plain("x.Lock()", "x.Unlock()")
	case interfaced:
		return plain("x.l.Lock()", "x.l.Unlock()")
	case released:
		return handle("x.enter()", "()")
	case transaction:
		return handle("x.Begin()", g.pick(".Commit()", ".Commit()", ".Rollback()"))
	case flagged:
		writable := "true"
		if reading || g.chance(30) {
			writable = "false"
		}
		return handle("x.view("+writable+")", ".close()")
	case optional:
		return plain("if x.safe {\nx.mu.Lock()\n}", "if x.safe {\nx.mu.Unlock()\n}")
	case owned:
		if g.chance(2) {
			return plain("x.home.lock()", "x.home.Unlock()")
		}
		return plain("x.home.Lock()", "x.home.Unlock()")
	case sharded:
		k := "0"
		if g.slip() {
			k = "n0"
		}
		if k == "n0" {
			k = fmt.Sprint(g.r.Intn(2))
		}
		return plain("x.shard("+k+").Lock()", "x.shard("+k+").Unlock()")
	case conditional:
		return plain("x.cond.L.Lock()", "x.cond.L.Unlock()")
	case cancelled:
		return plain("for x.acquire(ctx) != nil {\n}", "x.release()")
	case ticket:
		return plain("<-x.sem", "x.sem <- struct{}{}")
	}
	return "", ""
}

// locker returns an expression for the lock as a sync.Locker, "" if it is none.
func (g *generator) locker() string {
	switch g.form {
	case embedded:
		return "x"
	case interfaced:
		return "x.l"
	case owned:
		return "x.home"
	case sharded:
		return "x.shard(0)"
	case conditional:
		return "x.cond.L"
	case released, transaction, flagged:
		return "&x.mu"
	}
	return ""
}

// lockMethod is a method that has the lock in a way of its own.
func (g *generator) lockMethod(i int) {
	l := g.locker()
	if l == "" || g.form == cancelled && g.chance(2) {
		if g.form == cancelled {
			g.givesUp(i)
			return
		}
		g.method(i)
		return
	}
	g.begin(i, "W")
	v := g.name("v")
	if g.chance(2) {
		g.line("%s := locked(%s, func() int { return %s })", v, l, g.value())
	} else {
		g.line("%s := n", v)
	}
	g.line("withLock(%s, func() {", l)
	g.indent++
	g.write(g.pick("n", g.value()))
	if g.chance(2) {
		g.write("n")
	}
	g.line("})")
	if g.slip() {
		g.write(v)
	}
	g.line("return %s", v)
	g.line("}")
}

// givesUp returns where the lock cannot be had in time.
func (g *generator) givesUp(i int) {
	g.begin(i, "W")
	if g.slip() {
		g.line("x.acquire(ctx)")
	} else {
		g.line("if err := x.acquire(ctx); err != nil {")
		g.line("return %s", g.pick("0", "n"))
		g.line("}")
	}
	if g.chance(2) {
		g.line("defer x.release()")
		g.write("n")
		g.write(g.value())
	} else {
		g.write("n")
		g.write(g.value())
		g.line("x.release()")
	}
	if g.chance(4) {
		g.line("cancel()")
	}
	g.line("return n")
	g.line("}")
}
