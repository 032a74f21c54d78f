package random

// lookMethod looks, and looks again before it acts.
func (g *generator) lookMethod(i int) {
	g.begin(i, "L")
	bodies := []func(){g.shortCircuit, g.shortCircuit, g.negated, g.helperLooks, g.switches, g.counts}
	if g.atomics {
		bodies = append(bodies, g.failedSwap, g.failedSwap, g.failedSwap)
	}
	bodies[g.r.Intn(len(bodies))]()
	g.line("}")
}

// lookOnce is the first look, in a section of its own.
func (g *generator) lookOnce(condition string) {
	done := g.take(true)
	if g.chance(2) {
		ok := g.name("ok")
		g.line("%s := %s", ok, condition)
		g.line("%s", done)
		g.line("if %s {", ok)
	} else {
		g.line("if %s {", condition)
		g.line("%s", done)
		g.line("return 0")
		g.line("}")
		g.line("%s", done)
		return
	}
	g.line("return 0")
	g.line("}")
}

// actAfter is the second look, and what is done then.
func (g *generator) actAfter(condition string) {
	done := g.take(false)
	g.line("defer %s", atEnd(done))
	if !g.slip() {
		g.line("if %s {", condition)
		g.line("return %s", g.pick("0", "n", g.value()))
		g.line("}")
	}
	g.write("n")
	if g.chance(2) {
		g.write("n")
	}
	g.line("return 1")
}

// shortCircuit has a condition of several parts.
func (g *generator) shortCircuit() {
	first := g.pick("n > 0 && x.a >= n", "n > 1 && len(x.items) >= n", "x.a > 0 && x.b > 0",
		"n == 0 || x.a > 2", "x.p != nil && x.p.v > 1", "x.a > 2 || x.b > 2")
	second := first
	if g.slip() {
		second = g.pick("n > 0 && x.b >= n", "x.b > 0 && x.a > 0", "x.a > 2")
	}
	g.lookOnce(first)
	g.actAfter(second)
}

// negated looks for the opposite.
func (g *generator) negated() {
	pair := [][2]string{
		{"!(x.a < 2)", "x.a >= 2"}, {"x.full()", "!!x.full()"}, {"x.b != 0", "!(x.b == 0)"},
		{"len(x.m) > 0", "len(x.m) != 0"}, {"x.a == 0", "!(x.a != 0)"},
	}[g.r.Intn(5)]
	if g.chance(2) {
		pair[0], pair[1] = pair[1], pair[0]
	}
	if g.slip() {
		pair[1] = g.condition()
	}
	g.lookOnce(pair[0])
	g.actAfter(pair[1])
}

// helperLooks has one of the looks in a helper, as it is in the other.
func (g *generator) helperLooks() {
	first, second := "x.get() > 2", "x.get() > 2"
	switch g.r.Intn(4) {
	case 0:
		first, second = "x.full()", "x.full()"
	case 1:
		g.line("over := func() bool { return x.a > 1 && x.b >= 0 }")
		first, second = "over()", g.pick("over()", "x.a > 1 && x.b >= 0")
	case 2:
		g.line("if v, ok := x.find(\"k\"); ok && n > 7 {")
		g.line("n += v")
		g.line("}")
	}
	if g.slip() {
		second = g.condition()
	}
	g.lookOnce(first)
	g.actAfter(second)
}

// switches decides by a switch on one value.
func (g *generator) switches() {
	done := g.take(true)
	v := g.name("v")
	g.line("%s := x.a", v)
	g.line("%s", done)
	g.line("switch %s {", v)
	g.line("case 1, 2:")
	g.line("return 0")
	g.line("case 3:")
	g.line("n++")
	if g.chance(2) {
		g.line("default:")
		g.line("n--")
	}
	g.line("}")
	done = g.take(false)
	g.line("defer %s", atEnd(done))
	if !g.slip() {
		g.line("switch x.a {")
		g.line("case 1, 2:")
		g.line("return 0")
		g.line("}")
	}
	g.write(g.pick("n", "1"))
	g.line("return 1")
}

// counts looks at a number, and waits until it is as it should be, or gives up.
func (g *generator) counts() {
	g.line("for range 3 {")
	done := g.take(false)
	g.line("if %s {", g.pick("x.a < 2", "x.a >= n && n > 0", "len(x.items) > 1"))
	g.write("n")
	g.line("%s", done)
	g.line("return 1")
	g.line("}")
	if g.slip() {
		g.write("n")
	}
	g.line("%s", done)
	g.line("}")
	g.line("return 0")
}

// failedSwap tries a compare-and-swap; where it fails, somebody else has been there.
func (g *generator) failedSwap() {
	old := g.name("old")
	switch g.r.Intn(4) {
	case 0:
		g.line("%s := x.n.Load()", old)
		g.line("if %s > 3 || !x.n.CompareAndSwap(%s, %s+1) {", old, old, old)
		g.line("return %s", g.pick("0", "int("+old+")"))
		g.line("}")
	case 1:
		g.line("%s := x.n.Load()", old)
		g.line("if !x.n.CompareAndSwap(%s, %s+1) {", old, old)
		if g.slip() {
			g.line("x.n.Store(%s)", old)
		}
		g.line("%s = x.n.Load()", old)
		g.line("if !x.n.CompareAndSwap(%s, %s+1) {", old, old)
		g.line("return 0")
		g.line("}")
		g.line("}")
	case 2:
		g.line("for {")
		g.line("%s := x.n.Load()", old)
		g.line("if %s >= 4 {", old)
		g.line("return 0")
		g.line("}")
		g.line("if x.n.CompareAndSwap(%s, %s) {", old, g.pick(old+"+1", old+"+int64(n)"))
		g.line("break")
		g.line("}")
		g.line("}")
	default:
		g.line("if !x.n.CompareAndSwap(0, 1) {")
		g.line("return 0")
		g.line("}")
		done := g.take(false)
		g.write("n")
		g.line("%s", done)
		g.line("x.n.Store(0)")
	}
	if g.chance(2) {
		done := g.take(false)
		g.write("n")
		g.line("%s", done)
	}
	g.line("return n")
}
