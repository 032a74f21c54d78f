package atomicity_test

import (
	"fmt"
	"go/format"
	"math/rand"
	"strings"
)

// generator writes programs with a type T and methods that are called at the same time.
type generator struct {
	*rand.Rand
	out      strings.Builder
	locals   int
	tame     bool // every access is under the lock, or atomic
	stamp    bool // a and v are changed by idioms only
	once     bool // a and s are changed by idioms only
	onlySums bool // c and d are only added to
}

const (
	methods = 4 // of a program
	slots   = 4 // calls at the same time
	inputs  = 2 // arguments, from 0
)

// program writes the program of a seed.
func program(seed int64) string {
	g := &generator{Rand: rand.New(rand.NewSource(seed))}
	g.tame, g.stamp, g.once, g.onlySums = g.Intn(12) > 0, g.is(30), g.is(30), g.is(40)
	g.out.WriteString(prelude)
	for i := range methods {
		fmt.Fprintf(&g.out, "func (t *T) m%d(x int) int {\n", i)
		g.locals = 0
		g.method()
		g.out.WriteString("}\n\n")
	}
	for slot := range slots {
		for i := range methods {
			for x := range inputs {
				fmt.Fprintf(&g.out, "func g%d_%d_%d(w *W) { w.out[%d] = w.t.m%d(%d) }\n", slot, i, x, slot, i, x)
			}
		}
	}
	g.out.WriteString("func main() {\n\tw := New()\n")
	for slot := range slots {
		g.out.WriteString("\tgo func() {\n")
		for i := range methods {
			for x := range inputs {
				fmt.Fprintf(&g.out, "\t\tg%d_%d_%d(w)\n", slot, i, x)
			}
		}
		g.out.WriteString("\t}()\n")
	}
	g.out.WriteString("}\n")
	text, err := format.Source([]byte(g.out.String()))
	if err != nil {
		panic(err.Error() + g.out.String())
	}
	return string(text)
}

const prelude = `package main

import (
	"sync"
	"sync/atomic"
)

type node struct {
	val  int
	next *node
}

type T struct {
	mu   sync.RWMutex
	mu2  sync.Mutex
	a, b int
	v    int
	s    bool
	m    map[int]int
	l    []int
	err  *node
	n, k atomic.Int64
	f    atomic.Bool
	p    atomic.Pointer[node]
	c, d int // under mu2
	fix  int
}

type W struct {
	t   *T
	out [4]int
}

func New() *W { return &W{t: &T{m: map[int]int{}, fix: 1}} }

`

func (g *generator) line(text string, args ...any) { fmt.Fprintf(&g.out, text+"\n", args...) }

func (g *generator) pick(all ...string) string { return all[g.Intn(len(all))] }

// is tells whether something is to be, in so many of a hundred cases.
func (g *generator) is(percent int) bool { return g.Intn(100) < percent }

// local declares a variable and returns its name.
func (g *generator) local(value string) string {
	name := fmt.Sprintf("r%d", g.locals)
	g.line("%s := %s\n_ = %s", name, value, name)
	g.locals++
	return name
}

// number is an expression of locals.
func (g *generator) number() string {
	all := []string{"0", "1", "x", "x", "t.fix"}
	for i := range g.locals {
		all = append(all, fmt.Sprintf("r%d", i), fmt.Sprintf("r%d+1", i))
	}
	return g.pick(all...)
}

// condition is one of locals.
func (g *generator) condition() string {
	return g.number() + g.pick(" == ", " != ", " < ", " == ") + g.number()
}

// method writes the body of a method.
func (g *generator) method() {
	if g.is(60) {
		idioms := []func(*generator){(*generator).lazy, (*generator).lookUp, (*generator).swapLoop, (*generator).ticket,
			(*generator).flag, (*generator).sticky, (*generator).version, (*generator).idempotent, (*generator).adds,
			(*generator).push, (*generator).pop, (*generator).maximum, (*generator).section, (*generator).sums}
		switch n := g.Intn(len(idioms)); {
		case g.stamp && !g.once && g.is(40):
			g.version()
		case g.once && !g.stamp && g.is(40):
			g.lazy()
		case g.onlySums && g.is(40):
			g.additions()
		default:
			idioms[n](g)
		}
		return
	}
	for range 1 + g.Intn(3) {
		g.chunk(2)
	}
	g.line("return %s", g.number())
}

// chunk writes a step, or several.
func (g *generator) chunk(depth int) {
	switch n := g.Intn(12); {
	case n < 4:
		g.locked()
	case n < 8:
		g.atomic()
	case n < 10 && depth > 0:
		before := g.locals
		g.line("if %s {", g.condition())
		g.chunk(depth - 1)
		if g.is(30) {
			g.line("return %s", g.number())
		}
		g.line("}")
		g.forget(before)
	case n == 10 && !g.tame:
		g.line("t.%s = %s", g.pick("a", "b"), g.number())
	case n == 11:
		g.local(g.number())
	default:
		g.line("if %s { return %s }", g.condition(), g.number())
	}
}

// forget makes the variables of a block unknown, without that their names are used again.
func (g *generator) forget(before int) {
	for i := before; i < g.locals; i++ {
		g.line("r%d := 0\n_ = r%d", i, i)
	}
}

// locked writes a critical section.
func (g *generator) locked() {
	if g.is(20) {
		g.line("t.mu2.Lock()")
		for range 1 + g.Intn(2) {
			if g.onlySums {
				g.line("t.%s", g.pick("c++", "d += x", "c -= t.fix", "d--"))
			} else if g.is(50) {
				g.local("t." + g.pick("c", "d"))
			} else {
				g.line("t.%s = %s", g.pick("c", "d"), g.number())
			}
		}
		if g.is(15) {
			g.line("t.mu.Lock()\nt.%s = %s\nt.mu.Unlock()", g.target(), g.number())
		}
		g.line("t.mu2.Unlock()")
		return
	}
	if g.is(25) {
		g.line("t.mu.RLock()")
		for range 1 + g.Intn(2) {
			g.read()
		}
		g.line("t.mu.RUnlock()")
		return
	}
	g.line("t.mu.Lock()")
	for range 1 + g.Intn(3) {
		switch g.Intn(6) {
		case 0, 1:
			g.read()
		case 2, 3:
			g.write()
		case 4:
			g.line("if %s {", g.pick("t.s", "!t.s", "t.a == "+g.number(), "t.v == "+g.number(), "t.b != "+g.number()))
			g.write()
			if g.is(20) {
				g.line("t.mu.Unlock()\nreturn %s", g.number())
			}
			g.line("}")
		case 5:
			if g.is(30) {
				g.atomic()
			} else {
				g.write()
			}
		}
	}
	g.line("t.mu.Unlock()")
}

func (g *generator) read() {
	switch g.Intn(7) {
	case 0:
		g.local("t.v")
	case 1:
		g.local(fmt.Sprintf("t.m[%s]", g.pick("0", "1", "x")))
	case 2:
		name := g.local("0")
		g.line("if t.s { %s = 1 }", name)
	case 3:
		name := g.local("0")
		g.line("for _, e := range t.l { %s += e }", name)
	default:
		g.local("t." + g.pick("a", "b"))
	}
}

// target is a variable that may be written.
func (g *generator) target() string {
	if g.stamp || g.once {
		return "b"
	}
	return g.pick("a", "b")
}

func (g *generator) write() {
	n := g.Intn(9)
	if g.stamp && n == 0 || g.once && n == 3 {
		n = 8
	}
	switch n {
	case 0:
		g.line("t.v++")
	case 1:
		g.line("t.m[%s] = %s", g.pick("0", "1", "x"), g.number())
	case 2:
		g.line("delete(t.m, %s)", g.pick("0", "x"))
	case 3:
		g.line("t.s = %s", g.pick("true", "true", "false"))
	case 4:
		g.line("if len(t.l) < 3 { t.l = append(t.l, %s) }", g.number())
	case 5:
		g.line("t.%s += %s", g.target(), g.number())
	default:
		g.line("t.%s = %s", g.target(), g.number())
	}
}

func (g *generator) atomic() {
	n := g.pick("n", "n", "k")
	switch g.Intn(7) {
	case 0, 1:
		g.local(fmt.Sprintf("int(t.%s.Load())", n))
	case 2:
		g.line("t.%s.Store(int64(%s))", n, g.number())
	case 3:
		g.local(fmt.Sprintf("int(t.%s.Add(%s))", n, g.pick("1", "2", "-1")))
	case 4:
		name := g.local("0")
		g.line("if t.%s.CompareAndSwap(int64(%s), int64(%s)) { %s = 1 }", n, g.number(), g.number(), name)
	case 5:
		g.local(fmt.Sprintf("int(t.%s.Swap(int64(%s)))", n, g.number()))
	case 6:
		name := g.local("0")
		g.line("if t.f.%s { %s = 1 }", g.pick("Load()", "CompareAndSwap(false, true)", "Swap(true)"), name)
	}
}
