// Package random makes small concurrent Go programs of the kinds that people write:
// an object with a lock and a few fields, methods with one critical section or two,
// second looks, helpers, callbacks, objects that are handed on, results that are waited
// for. Some are right, some have a section that is interrupted or a lock that is
// missing. They are input for tests that compare what the front end says with what a
// program is seen to do.
package random

import (
	"fmt"
	"math/rand"
	"strings"
)

// Program returns the text of a program whose checked type is T.
func Program(seed int64) string {
	g := &generator{r: rand.New(rand.NewSource(seed))}
	return g.program()
}

type generator struct {
	r       *rand.Rand
	b       strings.Builder
	rw      bool     // the lock is an RWMutex
	spin    bool     // the lock is a variable that is set by compare-and-swap
	tried   string   // what to ask for whether the method try could not do it; "" if there is none
	form    form     // of the lock
	methods []method // of T
	atomics bool
	indent  int
	fresh   int // numbers of variables
	imports map[string]bool
	careful bool              // few mistakes
	escapes bool              // others have the object while it is made
	again   map[string]string // how a section begins again, by how it ends: see shapeSection
}

// form is what the lock of T is.
type form int

const (
	direct    form = iota // x.mu
	outer                 // a package variable
	wrapped               // x.lock() and x.unlock()
	semaphore             // a channel of capacity one
	pointed               // a pointer to a lock
	locker                // x.locker() is a sync.Locker
	striped               // one of several package variables
)

type method struct {
	name string
	args string // of a call
}

// chance is true in one of n cases.
func (g *generator) chance(n int) bool { return g.r.Intn(n) == 0 }

// slip is true where the author makes a mistake.
func (g *generator) slip() bool {
	if g.careful {
		return g.chance(40)
	}
	return g.chance(7)
}

func (g *generator) pick(choices ...string) string { return choices[g.r.Intn(len(choices))] }

func (g *generator) line(format string, args ...any) {
	if strings.HasPrefix(format, "}") {
		g.indent--
	}
	fmt.Fprintf(&g.b, strings.Repeat("\t", g.indent)+format+"\n", args...)
	if strings.HasSuffix(format, "{") || strings.HasSuffix(format, "(func() {") {
		g.indent++
	}
}

func (g *generator) name(prefix string) string {
	g.fresh++
	return fmt.Sprintf("%s%d", prefix, g.fresh)
}

func (g *generator) program() string {
	g.rw, g.atomics, g.careful = g.chance(3), g.chance(6), !g.chance(3)
	if g.chance(2) {
		g.form = form(g.r.Intn(int(striped) + 1))
	}
	g.spin = !g.rw && g.chance(5)
	g.imports = map[string]bool{}
	g.types()
	g.helpers()
	if g.chance(6) {
		g.try()
	}
	for i := range 2 + g.r.Intn(3) {
		g.method(i)
	}
	g.escaped()
	g.main()
	if g.atomics {
		g.imports["sync/atomic"] = true
	}
	return g.text()
}

// text returns the program with its imports.
func (g *generator) text() string {
	g.imports["sync"] = strings.Contains(g.b.String(), "sync.")
	for _, path := range []string{"bytes", "context", "container/list", "runtime", "slices", "sort"} {
		g.imports[path] = strings.Contains(g.b.String(), path[strings.Index(path, "/")+1:]+".")
	}
	var head strings.Builder
	head.WriteString("package main\n\nimport (\n")
	for _, path := range []string{"bytes", "container/list", "context", "runtime", "slices", "sort", "sync",
		"sync/atomic"} {
		if g.imports[path] {
			fmt.Fprintf(&head, "\t%q\n", path)
		}
	}
	head.WriteString(")\n\n")
	return head.String() + g.b.String()
}

func (g *generator) types() {
	lock := "sync.Mutex"
	switch {
	case g.rw:
		lock = "sync.RWMutex"
	case g.spin:
		lock = "spin"
		g.spinLock()
	}
	switch g.form {
	case outer:
		g.line("var outer %s", lock)
	case striped:
		g.line("var locks [2]sync.Mutex")
	}
	g.line("type inner struct{ v, w int }")
	g.line("type T struct {")
	g.line("mu %s", lock)
	switch g.form {
	case semaphore:
		g.line("sem chan bool")
	case pointed:
		g.line("pm *%s", lock)
	case striped:
		g.line("id int")
	default:
		g.shapeFields()
	}
	g.line("a, b int")
	g.line("items []int")
	g.line("m map[string]int")
	g.line("p *inner")
	g.line("pair [2]int")
	g.line("in inner")
	if g.atomics {
		g.line("n atomic.Int64")
	}
	g.line("}")
	g.line("func NewT() *T {")
	made := "items: make([]int, 2), m: map[string]int{}, p: &inner{}"
	switch g.form {
	case semaphore:
		capacity := "1"
		if g.slip() {
			capacity = "2"
		}
		made += ", sem: make(chan bool, " + capacity + ")"
	case pointed:
		made += ", pm: new(" + lock + ")"
	}
	g.line("x := &T{%s}", made)
	g.shapeMade()
	g.escape()
	g.line("return x")
	g.line("}")
	switch g.form {
	case wrapped:
		g.line("func (x *T) lock() { x.mu.Lock() }")
		g.line("func (x *T) unlock() { x.mu.Unlock() }")
	case locker:
		g.line("func (x *T) locker() sync.Locker { return &x.mu }")
	default:
		g.shapeHelpers()
	}
}

// escape lets others have the object while it is made.
func (g *generator) escape() {
	if !g.chance(12) {
		return
	}
	g.line("%s", g.pick("started = append(started, x)", "named[\"x\"] = x", "last = x", "onDone = func() { x.b++ }",
		"keep(x)", "doer = x", "queue <- x"))
	g.escapes = true
	if g.slip() || g.chance(3) {
		g.line("x.a = 1")
		g.line("x.b = 1")
	}
}

// escaped makes a goroutine of those that have the object so.
func (g *generator) escaped() {
	if !g.escapes {
		return
	}
	b := g.b.String()
	use := "x.a, x.b = 3, 3"
	if len(g.methods) > 0 && g.chance(2) {
		use = g.call("x")
	}
	g.line("var started []*T")
	g.line("var named = map[string]*T{}")
	g.line("var last *T")
	g.line("var onDone func()")
	g.line("var queue = make(chan *T, 4)")
	g.line("var doer interface{ reset() }")
	g.line("var kept = struct{ x *T }{}")
	g.line("func keep(x *T) { kept.x = x }")
	g.line("func init() {")
	g.line("go func() {")
	switch {
	case strings.Contains(b, "started = append"):
		g.line("for _, x := range started {")
		g.line("%s", use)
		g.line("}")
	case strings.Contains(b, "named[\"x\"] = x"):
		g.line("if x := named[\"x\"]; x != nil {")
		g.line("%s", use)
		g.line("}")
	case strings.Contains(b, "last = x"):
		g.line("if x := last; x != nil {")
		g.line("%s", use)
		g.line("}")
	case strings.Contains(b, "onDone = "):
		g.line("if onDone != nil {")
		g.line("onDone()")
		g.line("}")
	case strings.Contains(b, "keep(x)"):
		g.line("if x := kept.x; x != nil {")
		g.line("%s", use)
		g.line("}")
	case strings.Contains(b, "doer = x"):
		g.line("if doer != nil {")
		g.line("doer.reset()")
		g.line("}")
	default:
		g.line("x := <-queue")
		g.line("%s", use)
	}
	g.line("}()")
	g.line("}")
}

// mutex returns the lock.
func (g *generator) mutex() string {
	switch g.form {
	case outer:
		return "outer"
	case pointed:
		return "x.pm"
	}
	return "x.mu"
}

// helpers makes functions that are called with the lock held.
func (g *generator) helpers() {
	g.line("func (x *T) full() bool { return x.a >= %d }", 1+g.r.Intn(3))
	g.line("func (x *T) get() int { return x.%s }", g.pick("a", "b", "p.v", "items[0]", "m[\"k\"]"))
	g.line("func (x *T) put(v int) { x.%s = v }", g.pick("a", "b", "p.v", "items[0]", "m[\"k\"]"))
	g.line("func (x *T) reset() {")
	for range 1 + g.r.Intn(2) {
		g.line("%s", g.pick("x.a = 0", "x.b = 0", "x.items = nil", "x.m = map[string]int{}", "x.p = &inner{}",
			"x.items = make([]int, 2)"))
	}
	g.line("}")
	g.line("func (x *T) find(k string) (int, bool) {")
	g.line("v, ok := x.m[k]")
	g.line("return v, ok")
	g.line("}")
	g.line("func each(f func(int)) {")
	g.line("for i := range 2 {")
	g.line("f(i)")
	g.line("}")
	g.line("}")
	g.line("func sum(list []int) (s int) {")
	g.line("for _, v := range list {")
	g.line("s += v")
	g.line("}")
	g.line("return s")
	g.line("}")
}

// take begins a critical section; done ends it.
func (g *generator) take(reading bool) (done string) {
	lock, done := g.section(reading)
	g.line("%s", lock)
	return done
}

// section returns how a critical section begins and ends.
func (g *generator) section(reading bool) (lock, unlock string) {
	mu := g.mutex()
	switch g.form {
	case wrapped:
		return "x.lock()", "x.unlock()"
	case semaphore:
		return "x.sem <- true", "<-x.sem"
	case locker:
		return "x.locker().Lock()", "x.locker().Unlock()"
	case striped:
		index := "x.id%2"
		if g.slip() {
			index = "x.a&1"
		}
		return "locks[" + index + "].Lock()", "locks[" + index + "].Unlock()"
	}
	if g.form > striped {
		return g.shapeSection(reading)
	}
	if reading && g.rw || g.rw && g.chance(30) {
		return mu + ".RLock()", mu + ".RUnlock()"
	}
	return mu + ".Lock()", mu + ".Unlock()"
}

// atEnd returns how the end of a section is deferred.
func atEnd(done string) string {
	if strings.Contains(done, "<-") || strings.HasPrefix(done, "if ") {
		return "func() { " + done + " }()"
	}
	return done
}

// condition returns one about the state.
func (g *generator) condition() string {
	all := []string{"x.a > 0", "x.a < 2", "x.a == 0", "x.full()", "x.b == 0", "len(x.items) > 0", "x.get() == 0",
		"len(x.m) == 0", "x.p.v == 0", "x.p != nil && x.p.v < 2", "x.a == x.b"}
	if g.atomics {
		all = append(all, "x.n.Load() == 0")
	}
	return g.pick(all...)
}

// value returns an expression over the state.
func (g *generator) value() string {
	return g.pick("x.a", "x.b", "len(x.items)", "x.get()", "x.m[\"k\"]", "x.p.v", "sum(x.items)", "x.a + x.b", "x.in.v",
		"x.pair[0] + x.pair[1]", "x.in.v - x.in.w")
}

// write is a statement that changes the state; v is something to store.
func (g *generator) write(v string) {
	all := []string{
		"x.a = " + v, "x.b = " + v, "x.a++", "x.b++", "x.a += " + v, "x.items = append(x.items, " + v + ")",
		"x.m[\"k\"] = " + v, "x.p.v = " + v, "x.p.v++",
		"x.put(" + v + ")", "x.reset()", "x.p = &inner{v: " + v + "}", "delete(x.m, \"k\")", "x.items = []int{" + v + "}",
		"x.a, x.b = " + v + ", " + v, "x.pair[0] = " + v, "x.pair[x.a&1]++", "x.in.v = " + v,
		"x.in = inner{" + v + ", " + v + "}", "x.pair = [2]int{" + v + "}",
	}
	if g.atomics {
		all = append(all, "x.n.Add(1)", "x.n.Store(int64("+v+"))")
	}
	if g.spin && g.slip() {
		g.line("x.mu.drop()")
	}
	switch g.r.Intn(14) {
	case 0:
		g.line("for i := range x.items {")
		g.line("x.items[i] = %s", v)
		g.line("}")
	case 1:
		g.line("if len(x.items) > 0 {")
		g.line("x.items[0]++")
		g.line("}")
	case 2:
		g.line("each(func(i int) { x.%s += i })", g.pick("a", "b"))
	default:
		g.line("%s", g.pick(all...))
	}
}

// pause interrupts a critical section by mistake.
func (g *generator) pause(done string) {
	if !g.slip() {
		return
	}
	g.line("%s", done)
	if again, ok := g.again[done]; ok {
		g.line("%s", again)
		return
	}
	relock := strings.NewReplacer("RUnlock", "RLock", "Unlock", "Lock", "unlock", "lock", "<-x.sem", "x.sem <- true")
	g.line("%s", relock.Replace(done))
}
