package random

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
)

// Locking returns the text of a program whose goroutines take several locks, one while they hold others: most of them
// in one order, and such that they give them back. Each program has some ways of its own to do so, and some mistakes.
func Locking(seed int64) string {
	g := &locking{generator: generator{r: rand.New(rand.NewSource(seed)), imports: map[string]bool{}}}
	for range 1 + g.r.Intn(4) {
		g.ways = append(g.ways, way(g.r.Intn(int(numberOfWays))))
	}
	g.far = g.chance(3)
	g.slips = []int{6, 15, 15, 40, 40, 1000}[g.r.Intn(6)]
	g.line("%s", declared)
	for i := 2 + g.r.Intn(4); i >= 0; i-- {
		g.function(i)
	}
	g.main()
	return g.text()
}

// declared is what all of these programs have.
const declared = `type inner struct {
	mu sync.Mutex
	n  int
}

type pointed struct{ x sync.Mutex }

type embedding struct {
	sync.RWMutex
	of *box
}

type box struct {
	a, b  sync.Mutex
	rw    sync.RWMutex
	in    inner
	some  [2]sync.Mutex
	p     *sync.Mutex
	l     sync.Locker
	cond  *sync.Cond
	once  sync.Once
	e     *embedding
	next  *box
	f     func(n int)
	n     int
	items []int
}

type twin box

var (
	outer  sync.Mutex
	global sync.RWMutex
	shared *box
	named  = map[string]*box{}
	tokens = make(chan int, 1)
	group  sync.WaitGroup
	table  sync.Map
)

func newBox() *box {
	x := &box{p: &(&pointed{}).x, items: []int{2, 1}}
	x.l = &(&pointed{}).x
	x.cond = sync.NewCond(&x.a)
	x.e = &embedding{}
	x.e.of = x
	x.f = nothing
	return x
}

func nothing(n int) {}

func take(l sync.Locker) { l.Lock() }
func give(l sync.Locker) { l.Unlock() }

func with(l sync.Locker, f func()) {
	l.Lock()
	defer l.Unlock()
	f()
}

func within[L sync.Locker](l L, f func()) {
	l.Lock()
	f()
	l.Unlock()
}

func locked(l sync.Locker) func() {
	l.Lock()
	return func() { l.Unlock() }
}

func caught(f func()) {
	defer func() { recover() }()
	f()
}

func (x *box) enter() { x.a.Lock() }
func (x *box) leave() { x.a.Unlock() }

func (x *box) other() *box { return x.next }

func (e *embedding) read() int {
	e.RLock()
	defer e.RUnlock()
	return e.of.n
}

func (x *box) all(l sync.Locker) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		l.Lock()
		defer l.Unlock()
		for i := range 2 {
			if !yield(i) {
				return
			}
		}
	}
}
`

// way is something that only some programs do.
type way int

const (
	byHelper way = iota
	byFunction
	byGeneric
	byClosure
	byInterface
	byMethodValue
	byMethods
	byTrying
	ifWanted
	inRounds
	returnsEarly
	opensBetween
	handsOver
	inDeferredLoop
	iterates
	panics
	panicsUnlocked
	endsGoroutine
	assigns
	swaps
	copies
	converts
	waitsForSignal
	communicates
	once
	recursive
	callsStored
	callsBack
	switches
	inLiteral
	selects
	appends
	byStoredValue
	startsAlone
	onceTakes
	grows
	numberOfWays
)

// locking generates such programs.
type locking struct {
	generator
	ways      []way
	slips     int // one in so many is a mistake
	functions []lockFunction
	held      []int // the ranks of what is held where text is added
	depth     int
	returns   string   // how the function, or literal, is left
	open      int      // locks that it has to release by statements
	far       bool     // objects are had from others, too
	boxes     []string // variables
}

// lockFunction is a function, and the lowest rank of what it takes.
type lockFunction struct {
	name string
	rank int
}

// numberOfRanks is how many kinds of locks there are: in order, they are taken in each other.
const numberOfRanks = 10

func (g *locking) slip() bool { return g.chance(g.slips) }

func (g *locking) box() string { return g.boxes[g.r.Intn(len(g.boxes))] }

// object is an expression for an object.
func (g *locking) object() string {
	if g.far && g.chance(3) {
		return g.pick("x.next", "shared", "named[\"k\"]", "x.other()", "y.next")
	}
	return g.box()
}

// lock returns an expression for a lock of a rank, and what is appended to Lock and Unlock.
func (g *locking) lock(rank int) (lock string, reading bool) {
	reading = g.chance(2)
	switch rank {
	case 0:
		return "outer", false
	case 1:
		return g.object() + ".a", false
	case 2:
		return g.object() + ".b", false
	case 3:
		return g.object() + ".rw", reading
	case 4:
		return g.object() + ".in.mu", false
	case 5:
		return "global", reading
	case 6:
		return g.object() + ".p", false
	case 7:
		return g.object() + ".e", reading
	case 8:
		return g.object() + ".some[" + g.pick("0", "1", "1", "n&1") + "]", false
	}
	return g.object() + ".l", false
}

// next returns the rank of the lock that is taken next; -1 for none.
func (g *locking) next() int {
	low := 0
	for _, r := range g.held {
		low = max(low, r+1)
	}
	switch {
	case g.slip():
		return g.r.Intn(numberOfRanks)
	case low >= numberOfRanks:
		return -1
	}
	return low + g.r.Intn(numberOfRanks-low)
}

func (g *locking) function(i int) {
	g.boxes, g.held, g.returns, g.open = []string{"x", "y"}, nil, "return", 0
	name := fmt.Sprintf("f%d", i)
	g.functions = append(g.functions, lockFunction{name, numberOfRanks})
	if g.chance(2) {
		name = fmt.Sprintf("m%d", i)
		g.functions[len(g.functions)-1].name = "." + name
		g.line("func (x *box) %s(y *box, n int) {", name)
	} else {
		g.line("func %s(x, y *box, n int) {", name)
	}
	g.statements(1 + g.r.Intn(3))
	g.line("}")
}

// call returns a call of a function.
func (g *locking) call(f lockFunction, n string) string {
	if f.name[0] == '.' {
		return fmt.Sprintf("%s%s(%s, %s)", g.box(), f.name, g.box(), n)
	}
	return fmt.Sprintf("%s(%s, %s, %s)", f.name, g.box(), g.box(), n)
}

func (g *locking) number() string { return g.pick("n", "n", "n+1", "n-1", "0", "1", "2", "3") }

func (g *locking) condition() string {
	return g.pick("n > 0", "n > 1", "n == 0", "n%2 == 0", "x.n > 1", "x == y")
}

func (g *locking) statements(n int) {
	for range n {
		g.statement()
	}
}

func (g *locking) statement() {
	g.depth++
	defer func() { g.depth-- }()
	switch k := g.r.Intn(10); {
	case g.depth > 4 || k < 2:
		g.line("%s.n++", g.box())
	case k < 4 && len(g.functions) > 1:
		g.calls()
	case k == 4:
		g.line("if %s {", g.condition())
		g.statements(1)
		g.line("}")
	default:
		g.section()
	}
}

// calls calls a function that was made before, which takes no lock that comes before those that are held.
func (g *locking) calls() {
	f := g.functions[g.r.Intn(len(g.functions)-1)]
	high := -1
	for _, r := range g.held {
		high = max(high, r)
	}
	if f.rank <= high && !g.slip() {
		g.line("n++")
		return
	}
	g.takes(f.rank)
	if g.chance(8) {
		g.line("go %s", g.call(f, g.number()))
		return
	}
	g.line("%s", g.call(f, g.number()))
}

// takes notes that the function takes a lock.
func (g *locking) takes(rank int) {
	f := &g.functions[len(g.functions)-1]
	f.rank = min(f.rank, rank)
}

// section is what is done with a lock.
func (g *locking) section() {
	rank := g.next()
	if rank < 0 {
		g.line("n++")
		return
	}
	g.takes(rank)
	lock, reading := g.lock(rank)
	mode := ""
	if reading {
		mode = "R"
	}
	s := lockSection{lock: lock, locker: "&" + lock, take: lock + "." + mode + "Lock()",
		give: lock + "." + mode + "Unlock()"}
	if reading {
		s.locker = lock + ".RLocker()"
	} else if strings.HasSuffix(lock, ".p") || strings.HasSuffix(lock, ".l") || strings.HasSuffix(lock, ".e") {
		s.locker = lock
	}
	g.held = append(g.held, rank)
	defer func() { g.held = g.held[:len(g.held)-1] }()
	if g.r.Intn(5) < 2 {
		g.special(s, g.ways[g.r.Intn(len(g.ways))], rank)
		return
	}
	g.plain(s)
}

// lockSection is expressions for a lock.
type lockSection struct{ lock, locker, take, give string }

func (g *locking) plain(s lockSection) {
	switch g.r.Intn(4) {
	case 0:
		g.literal("func() {\n"+s.take+"\ndefer "+s.give, "}()", "return")
	default:
		g.line("%s", s.take)
		g.body()
		if !g.slip() {
			g.line("%s", s.give)
		}
	}
}

// body adds statements before the lock is released by another one.
func (g *locking) body() {
	g.open++
	g.statements(1 + g.r.Intn(2))
	g.open--
}

// literal adds statements that are the body of a function literal, left in some way, between two lines.
func (g *locking) literal(before, after, returns string) {
	outer, open := g.returns, g.open
	g.returns, g.open = returns, 0
	g.line("%s", before)
	g.indent++
	g.statements(1 + g.r.Intn(2))
	g.indent--
	g.line("%s", after)
	g.returns, g.open = outer, open
}

// unheld adds statements where the last lock is not held.
func (g *locking) unheld(n int) {
	held := g.held
	g.held = slices.Clone(held[:len(held)-1])
	g.statements(n)
	g.held = held
}

// special is a section in one of the ways that only some programs have.
func (g *locking) special(s lockSection, w way, rank int) {
	around := func(take, give string) {
		g.line("%s", take)
		g.body()
		if !g.slip() {
			g.line("%s", give)
		}
	}
	v := g.name("v")
	switch w {
	case byHelper:
		around("take("+s.locker+")", "give("+s.locker+")")
	case byFunction:
		g.literal("with("+s.locker+", func() {", "})", "return")
	case byGeneric:
		g.literal("within("+s.locker+", func() {", "})", "return")
	case byClosure:
		if g.chance(2) {
			around(v+" := locked("+s.locker+")\n_ = "+v, v+"()")
		} else {
			g.literal("func() {\ndefer locked("+s.locker+")()", "}()", "return")
		}
	case byInterface:
		around("var "+v+" sync.Locker = "+s.locker+"\n"+v+".Lock()", v+".Unlock()")
	case byMethodValue:
		take, give := strings.TrimSuffix(s.take, "()"), strings.TrimSuffix(s.give, "()")
		around(v+", u"+v+" := "+take+", "+give+"\n_ = u"+v+"\n"+v+"()", "u"+v+"()")
	case byMethods:
		if rank != 1 {
			g.plain(s)
			return
		}
		x := strings.TrimSuffix(s.lock, ".a")
		around(x+".enter()", x+".leave()")
	case byTrying:
		if strings.HasSuffix(s.lock, ".l") {
			g.plain(s)
			return
		}
		g.line("if %s {", strings.Replace(strings.Replace(s.take, ".Lock", ".TryLock", 1), ".RLock", ".TryRLock", 1))
		g.body()
		g.line("%s", s.give)
		g.line("}")
	case ifWanted:
		condition := g.condition()
		g.line("if %s {", condition)
		g.line("%s", s.take)
		g.line("}")
		g.body()
		if g.slip() {
			condition = g.condition()
		}
		g.line("if %s {", condition)
		g.line("%s", s.give)
		g.line("}")
	case inRounds:
		g.line("for %s := range 2 {", v)
		g.line("%s", s.take)
		g.body()
		g.line("if %s == n {", v)
		if !g.slip() {
			g.line("%s", s.give)
		}
		g.line("%s", g.pick("continue", "break"))
		g.line("}")
		g.line("%s", s.give)
		g.line("}")
	case returnsEarly:
		if g.open > 0 && !g.slip() {
			g.plain(s)
			return
		}
		g.line("%s", s.take)
		g.body()
		g.line("if %s {", g.condition())
		if !g.slip() {
			g.line("%s", s.give)
		}
		g.line("%s", g.returns)
		g.line("}")
		g.line("%s", s.give)
	case opensBetween:
		g.line("%s", s.take)
		g.body()
		g.line("%s", s.give)
		g.unheld(1)
		around(s.take, s.give)
	case handsOver:
		g.literal(s.take+"\ngo func() {", s.give+"\n}()", "return")
	case inDeferredLoop:
		g.literal("func() {\nfor range "+g.pick("1", "1", "2")+" {\n"+s.take+"\ndefer "+s.give+"\n}", "}()", "return")
	case iterates:
		g.line("for %s := range x.all(%s) {", v, s.locker)
		g.body()
		g.line("if %s == n {", v)
		way := g.pick("break", "continue", g.returns)
		if way == g.returns && g.open > 0 && !g.slip() {
			way = "break"
		}
		g.line("%s", way)
		g.line("}")
		g.line("}")
	case panics:
		g.literal("caught(func() {\n"+s.take+"\ndefer "+s.give+"\nif "+g.condition()+" {\npanic(\"it is so\")\n}", "})",
			"return")
	case panicsUnlocked:
		g.literal("caught(func() {\n"+s.take+"\nif "+g.condition()+" {\npanic(\"it is so\")\n}", s.give+"\n})", "return")
	case endsGoroutine:
		g.line("%s", s.take)
		if !g.slip() {
			g.line("%s", s.give)
		} else {
			defer g.line("%s", s.give)
		}
		g.line("if n > 3 {")
		g.line("runtime.Goexit()")
		g.line("}")
	case assigns:
		g.line("%s", s.take)
		g.line("%s", g.pick("x.next = y", "y.next = y", "x.p = y.p", "x.p = new(sync.Mutex)", "x.l = y.l", "x.l = &x.b",
			"shared = y", "named[\"k\"] = x", "x.e = y.e", "*x.e = embedding{of: x}", "x.p = &x.in.mu"))
		g.body()
		g.line("%s", s.give)
	case swaps:
		g.line("%s", s.take)
		g.line("if %s {", g.condition())
		g.line("%s", g.pick("x = y", "x, y = y, x", "x = x.next", "x, y = y.next, x"))
		g.line("}")
		g.body()
		g.line("%s", s.give)
	case copies:
		g.line("%s := *%s", v, g.box())
		g.boxes = append(g.boxes, "(&"+v+")")
		around(s.take, s.give)
		g.boxes = g.boxes[:len(g.boxes)-1]
		g.line("_ = %s.n", v)
	case converts:
		if rank != 2 {
			g.plain(s)
			return
		}
		g.line("(*twin)(x).b.Lock()")
		g.body()
		g.line("%s", g.pick("x.b.Unlock()", "(*twin)(x).b.Unlock()"))
	case waitsForSignal:
		if rank != 1 {
			g.plain(s)
			return
		}
		g.line("x.a.Lock()")
		g.line("for x.n < %d {", g.r.Intn(3))
		g.line("x.cond.Wait()")
		g.line("}")
		g.body()
		g.line("x.cond.%s()", g.pick("Signal", "Broadcast"))
		g.line("x.a.Unlock()")
	case communicates:
		g.line("%s", s.take)
		g.line("%s", g.pick("tokens <- n", "<-tokens", "group.Wait()"))
		g.body()
		g.line("%s", s.give)
	case once:
		g.literal(g.object()+".once.Do(func() {", "})", "return")
		g.plain(s)
	case recursive:
		g.line("%s", s.take)
		g.body()
		inside := g.chance(3)
		if !inside {
			g.line("%s", s.give)
		}
		g.line("if n > 0 {")
		f := g.functions[len(g.functions)-1]
		g.line("%s", g.call(f, "n-1"))
		g.line("}")
		if inside {
			g.line("%s", s.give)
		}
	case callsStored:
		if g.chance(2) {
			g.literal("x.f = func(n int) {", "}", "return")
		} else {
			around(s.take, s.give)
		}
		g.line("%s.f(%s)", g.box(), g.number())
	case callsBack:
		g.line("%s", s.take)
		g.literal(g.pick("sort.Slice(x.items, func(i, j int) bool {", "table.Range(func(k, v any) bool {",
			"slices.ContainsFunc(x.items, func(i int) bool {"), "return n > 1\n})", "return n > 1")
		g.line("%s", s.give)
	case switches:
		g.line("%s", s.take)
		g.line("switch n {")
		g.line("case 0:")
		g.body()
		g.line("%s", s.give)
		g.line("case 1:")
		if !g.slip() {
			g.line("%s", s.give)
		}
		g.line("default:")
		g.line("%s", s.give)
		g.line("}")
	case inLiteral:
		g.literal(v+" := func() {\n"+s.take, s.give+"\n}", "return")
		g.line("%s", g.pick(v+"()", "go "+v+"()", "defer "+v+"()"))
	case selects:
		g.line("%s", s.take)
		g.line("select {")
		g.line("case tokens <- n:")
		g.body()
		g.line("%s", g.pick("case <-tokens:", "default:"))
		g.line("}")
		g.line("%s", s.give)
	case byStoredValue:
		around(v+" := []func(){"+strings.TrimSuffix(s.take, "()")+", "+strings.TrimSuffix(s.give, "()")+"}\n"+v+"[0]()",
			v+"[1]()")
	case startsAlone:
		if !g.slip() {
			g.plain(s)
			return
		}
		g.line("go %s", g.pick(s.take, s.give))
	case onceTakes:
		if !g.slip() {
			g.plain(s)
			return
		}
		g.line("x.once.Do(%s)", strings.TrimSuffix(s.take, "()"))
	case grows:
		g.line("%s := append([]inner(nil), inner{n: n})", v)
		g.line("%s[0].mu.Lock()", v)
		g.body()
		if g.slip() {
			g.line("%s = append(%s, inner{})", v, v)
		}
		g.line("%s[0].mu.Unlock()", v)
		g.line("%s = append(%s, %s...)", v, v, v)
		g.line("%s[1].mu.Lock()", v)
		g.line("%s[1].mu.Unlock()", v)
	case appends:
		g.line("%s := []*box{x, y}", v)
		g.line("for _, b%s := range %s {", v, v)
		g.line("b%s.b.Lock()", v)
		if g.chance(2) {
			g.line("b%s.b.Unlock()", v)
			g.line("}")
		} else {
			g.line("}")
			g.line("for _, b%s := range %s {", v, v)
			g.line("b%s.b.Unlock()", v)
			g.line("}")
		}
	}
}

func (g *locking) main() {
	g.boxes = []string{"x", "y"}
	calls := func() {
		for range 1 + g.r.Intn(2) {
			g.line("%s", g.call(g.functions[g.r.Intn(len(g.functions))], g.pick("0", "1", "2", "3")))
		}
	}
	g.line("func main() {")
	g.line("x, y := newBox(), newBox()")
	g.line("x.next, y.next, shared, named[\"k\"] = y, x, x, y")
	g.line("table.Store(1, 2)")
	for range 2 + g.r.Intn(2) {
		g.line("group.Go(func() {")
		calls()
		g.line("})")
	}
	if g.chance(2) {
		calls()
	}
	if !g.chance(5) {
		g.line("group.Wait()")
	}
	g.line("}")
}
