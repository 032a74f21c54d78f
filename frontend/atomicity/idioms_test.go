package atomicity_test

// Each idiom is written as it should be, or in a way that looks like it: what is left out, or comes
// twice, is drawn.

// noise may write a step that does not belong there.
func (g *generator) noise() {
	if g.is(12) {
		g.chunk(0)
	}
}

// lazy makes a value when it is asked for first.
func (g *generator) lazy() {
	g.line("t.mu.RLock()\nmade := t.s\nt.mu.RUnlock()")
	g.noise()
	g.line("if !made {\nt.mu.Lock()")
	if g.is(70) {
		g.line("if !t.s {\nt.a, t.s = %s, true\n}", g.number())
	} else {
		g.line("t.%s, t.s = %s, true", g.pick("a", "b"), g.number())
	}
	g.line("t.mu.Unlock()\n}")
	if g.is(30) {
		g.line("t.mu.RLock()\ndefer t.mu.RUnlock()\nreturn t.a")
		return
	}
	g.line("return %s", g.number())
}

// lookUp looks a key up, and again under the lock.
func (g *generator) lookUp() {
	g.line("t.mu.RLock()\nv, ok := t.m[x]\nt.mu.RUnlock()\nif ok {\nreturn v\n}")
	g.noise()
	if g.is(50) {
		g.line("t.mu.Lock()\ndefer t.mu.Unlock()")
		if g.is(70) {
			g.line("if v, ok := t.m[x]; ok {\nreturn v\n}")
		}
		if g.is(30) {
			g.line("for _, e := range t.l { v += e }")
		}
		g.line("v = v + 1 + x\nt.m[x] = v\nreturn v")
		return
	}
	g.line("t.mu.Lock()")
	if g.is(70) {
		g.line("v, ok = t.m[x]")
	}
	g.line("if !ok {\nv = %s\nt.m[x] = v\n}\nt.mu.Unlock()\nreturn v", g.number())
}

// swapLoop tries again until nobody has come between.
func (g *generator) swapLoop() {
	n := g.pick("n", "k")
	if g.is(20) {
		g.line("old := t.%s.Load()\nfor {", n)
	} else if g.is(15) {
		g.line("for i := 0; i < 2; i++ {\nold := t.%s.Load()", n)
	} else {
		g.line("for {\nold := t.%s.Load()", n)
	}
	if g.is(30) {
		g.line("if old %s int64(%s) {\nreturn int(old)\n}", g.pick(">", "==", "!="), g.number())
	}
	g.noise()
	g.line("if t.%s.CompareAndSwap(old, %s) {", n, g.pick("old+1", "old+1", "old+int64(x)", "int64(x)"))
	switch g.Intn(6) {
	case 0:
		g.line("return int(t.%s.Load())", n)
	case 1:
		g.line("t.k.Add(1)\nreturn 1")
	default:
		g.line("return int(old)")
	}
	g.line("}\n}")
	g.line("return -1")
}

// ticket draws a number.
func (g *generator) ticket() {
	n := g.pick("n", "k")
	switch g.Intn(4) {
	case 0:
		g.line("t.%s.Add(1)", n)
		g.noise()
		g.line("return int(t.%s.Load())", n)
	case 1:
		g.line("return int(t.%s.Load()+t.%s.Add(1))", n, n)
	default:
		g.line("r := int(t.%s.Add(1))", n)
		g.noise()
		g.line("return r * 2")
	}
}

// flag sets a flag once.
func (g *generator) flag() {
	g.line("if t.f.Load() {\nreturn 0\n}")
	g.noise()
	switch g.Intn(4) {
	case 0:
		g.line("t.f.Store(true)\nreturn 1")
	case 1:
		g.line("t.f.Store(true)\nreturn 0")
	case 2:
		g.line("if t.f.Swap(true) {\nreturn 0\n}\nreturn 1")
	case 3:
		g.line("if !t.f.CompareAndSwap(false, true) {\nreturn 0\n}")
		if g.is(30) {
			g.line("t.n.Store(1)")
		}
		g.line("return 1")
	}
}

// sticky keeps the first error.
func (g *generator) sticky() {
	g.line("t.mu.RLock()\nerr := t.err\nt.mu.RUnlock()\nif err != nil {\nreturn err.val\n}")
	g.noise()
	g.line("t.mu.Lock()\ndefer t.mu.Unlock()")
	if g.is(65) {
		g.line("if t.err != nil {\nreturn t.err.val\n}")
	}
	g.line("t.err = &node{val: %s}\nreturn t.err.val", g.number())
}

// version writes only what is made of what is still there.
func (g *generator) version() {
	g.line("for {\nt.mu.Lock()\nv, a := t.v, t.a\n_, _ = v, a\nt.mu.Unlock()")
	g.noise()
	g.line("t.mu.Lock()\nif t.%s {", g.pick("v == v", "v == v && t.a == a", "a == a"))
	g.line("%s\nt.mu.Unlock()\nreturn a\n}\nt.mu.Unlock()", g.pick("t.v, t.a = v+1, a+1", "t.v, t.a = t.v+1, a+x",
		"t.v, t.a = v+1, a+1", "t.v, t.a = v+1, a+x", "t.v, t.a = v, a+x", "t.v = v+1"))
	if g.is(20) {
		g.line("break")
	}
	g.line("}")
	g.line("return -1")
}

// idempotent writes what is there already, if it is.
func (g *generator) idempotent() {
	switch g.Intn(3) {
	case 0:
		g.line("if t.k.Load() != 1 {\nt.k.Store(1)\n}\nreturn 0")
	case 1:
		g.line("if t.k.Load() != int64(x) {\nt.k.Store(int64(x))\nreturn 1\n}\nreturn %s", g.pick("0", "1"))
	case 2:
		g.line("t.f.Store(true)")
		g.noise()
		g.line("t.f.Store(true)\nreturn 0")
	}
}

// adds adds to two variables.
func (g *generator) adds() {
	g.line("t.n.Add(%s)", g.pick("1", "int64(x)"))
	g.noise()
	g.line("t.k.Add(1)\nreturn %s", g.pick("0", "0", "int(t.n.Load())"))
}

// sums adds up in one critical section, or in two.
func (g *generator) sums() {
	g.line("t.mu.Lock()\nt.a++")
	if g.is(60) {
		g.line("t.mu.Unlock()")
		g.noise()
		g.line("t.mu.Lock()")
	}
	g.line("t.b += x\nt.mu.Unlock()\nreturn 0")
}

// additions adds up where nobody looks, or somebody does.
func (g *generator) additions() {
	g.line("t.mu2.Lock()\nt.c++\nt.mu2.Unlock()")
	g.noise()
	g.line("t.mu2.Lock()\nt.d += x")
	if g.is(10) {
		g.local("t." + g.pick("c", "d"))
	}
	g.line("t.mu2.Unlock()\nreturn %s", g.number())
}

// push puts something onto a stack.
func (g *generator) push() {
	if g.is(70) {
		g.line("for {\nold := t.p.Load()\ne := &node{val: x, next: old}\nif t.p.CompareAndSwap(old, e) {\nreturn 0\n}\n}")
		return
	}
	g.line("old := t.p.Load()\nt.p.Store(&node{val: x, next: old})\nreturn 0")
}

// pop takes something off.
func (g *generator) pop() {
	g.line("for {\nold := t.p.Load()\nif old == nil {\nreturn -1\n}\nnext := old.next")
	g.noise()
	if g.is(75) {
		g.line("if t.p.CompareAndSwap(old, next) {\nreturn old.val\n}\n}")
		return
	}
	g.line("t.p.Store(next)\nreturn old.val\n}")
}

// maximum keeps the largest one.
func (g *generator) maximum() {
	g.line("v := int64(x)\nfor {\nold := t.k.Load()\nif v <= old {\nreturn %s\n}", g.pick("0", "int(old)"))
	if g.is(75) {
		g.line("if t.k.CompareAndSwap(old, v) {\nreturn 1\n}\n}")
		return
	}
	g.line("t.k.Store(v)\nreturn 1\n}")
}

// section is one critical section, with more in it than is followed.
func (g *generator) section() {
	g.noise()
	g.line("t.mu.Lock()\ndefer t.mu.Unlock()\nsum := 0\nfor _, e := range t.l {\nsum += e\n}")
	g.noise2()
	g.line("if len(t.l) < 3 {\nt.l = append(t.l, %s)\n}\nt.%s = sum\nreturn sum", g.number(), g.target())
}

// noise2 may write a step of another kind into a critical section.
func (g *generator) noise2() {
	if g.is(15) {
		g.line("t.%s.Add(1)", g.pick("n", "k"))
	}
}
