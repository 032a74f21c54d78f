package random

// callback runs a function, with the lock or without.
func (g *generator) callback() {
	f := g.name("f")
	g.line("%s := func(i int) {", f)
	done := g.take(false)
	g.write("i")
	g.line("%s", done)
	g.line("}")
	g.line("each(%s)", f)
	g.line("return n")
}

// returnEarly leaves the section on one way by hand.
func (g *generator) returnEarly() {
	done := g.take(false)
	g.line("if %s {", g.condition())
	if !g.slip() {
		g.write("n")
	}
	g.line("%s", done)
	if g.slip() {
		g.write("n")
	}
	g.line("return 0")
	g.line("}")
	g.pause(done)
	g.write(g.value())
	g.line("%s", done)
	g.line("return 1")
}

// walk goes through the items, with a section for each or for all.
func (g *generator) walk() {
	done := g.take(true)
	g.line("count := len(x.items)")
	inside := g.chance(2)
	if inside {
		g.line("%s", done)
	}
	g.line("for i := 0; i < count; i++ {")
	if inside {
		done = g.take(false)
		g.line("if i < len(x.items) {")
	}
	g.line("n += x.items[i]")
	if inside {
		g.line("x.items[i] = n")
		g.line("}")
		g.line("%s", done)
	}
	g.line("}")
	if !inside {
		g.line("%s", done)
	}
	g.line("return n")
}

// deferred writes in a deferred function.
func (g *generator) deferred() {
	if g.chance(2) {
		done := g.take(false)
		g.line("defer %s", atEnd(done))
		g.line("defer func() {")
		g.write("n")
		g.line("}()")
		g.write(g.value())
	} else {
		g.line("defer func() {")
		done := g.take(false)
		g.write("n")
		g.line("%s", done)
		g.line("}()")
		done = g.take(g.chance(2))
		g.line("n += %s", g.value())
		g.line("%s", done)
	}
	g.line("return n")
}

// chain calls other methods, one after the other.
func (g *generator) chain() {
	if len(g.methods) < 2 {
		g.update()
		return
	}
	for range 1 + g.r.Intn(2) {
		m := g.methods[g.r.Intn(len(g.methods)-1)]
		g.line("n += x.%s(%s)", m.name, g.pick(m.args, "n"))
	}
	g.line("return n")
}

// with runs a function with the lock held.
func (g *generator) with() {
	lock, unlock := g.section(false)
	f := g.name("with")
	g.line("%s := func(f func()) {", f)
	g.line("%s", lock)
	g.line("defer %s", atEnd(unlock))
	g.line("f()")
	g.line("}")
	v := g.name("v")
	g.line("var %s int", v)
	g.line("%s(func() {", f)
	g.indent++
	g.line("%s = %s", v, g.value())
	if g.chance(2) {
		g.write("n")
	}
	g.line("})")
	if g.chance(2) {
		g.line("%s(func() {", f)
		g.indent++
		g.write(v)
		g.line("})")
	} else if g.slip() {
		g.write(v)
	}
	g.line("return %s", v)
}

// panics in a critical section, and recovers.
func (g *generator) panics() {
	g.line("defer func() {")
	if g.slip() {
		g.line("if recover() != nil {")
		g.write("n")
		g.line("}")
	} else {
		g.line("recover()")
	}
	g.line("}()")
	done := g.take(false)
	g.line("defer %s", atEnd(done))
	g.write("n")
	g.line("if %s {", g.condition())
	g.line("panic(n)")
	g.line("}")
	g.write(g.value())
	g.line("return n")
}

// waits looks for a condition again and again, and lets others in between.
func (g *generator) waits() {
	if g.form != direct || g.rw {
		g.update()
		return
	}
	if g.chance(2) {
		g.line("x.mu.Lock()")
		g.write("n")
		g.pause("x.mu.Unlock()")
		g.line("x.a++")
		g.line("x.mu.Unlock()")
		g.line("return n")
		return
	}
	g.line("x.mu.Lock()")
	g.line("defer x.mu.Unlock()")
	first := g.value()
	v := g.name("v")
	g.line("%s := %s", v, first)
	word := "for"
	if g.slip() {
		word = "if"
	}
	g.line("%s x.a == 0 && n < 9 {", word)
	g.line("n += 3")
	g.line("x.mu.Unlock()")
	g.line("x.mu.Lock()")
	g.line("}")
	g.write(g.pick("n", v))
	g.line("return %s", v)
}

// switched decides by a switch, and looks again.
func (g *generator) switched() {
	done := g.take(true)
	v := g.name("v")
	g.line("%s := x.a", v)
	g.line("%s", done)
	g.line("switch {")
	g.line("case %s == 0:", v)
	g.line("return 0")
	g.line("case %s > 5:", v)
	g.line("return n")
	g.line("}")
	done = g.take(false)
	g.line("defer %s", atEnd(done))
	g.line("switch {")
	g.line("case x.a == 0:")
	g.line("return 0")
	if !g.slip() {
		g.line("case x.a > 5:")
		g.line("return 1")
	}
	g.line("}")
	g.write("n")
	g.line("return n")
}

// deferOrder runs deferred calls in the wrong order, perhaps.
func (g *generator) deferOrder() {
	lock, unlock := g.section(false)
	g.line("%s", lock)
	body := "x.a, x.b = n, n"
	if g.slip() {
		g.line("defer func() { %s }()", body)
		g.line("defer %s", atEnd(unlock))
	} else {
		g.line("defer %s", atEnd(unlock))
		g.line("defer func() { %s }()", body)
	}
	g.write("n")
	g.line("return n")
}

// retryLabel is a loop with a label, and sections that overlap its iterations.
func (g *generator) retryLabel() {
	lock, unlock := g.section(false)
	g.line("%s", lock)
	g.line("for i := range 2 {")
	g.line("n += i")
	g.line("if %s {", g.condition())
	g.line("%s", unlock)
	if g.chance(2) {
		g.line("%s", lock)
		g.line("continue")
	} else {
		g.line("return i")
	}
	g.line("}")
	g.write("i")
	g.line("}")
	g.write("n")
	g.line("%s", unlock)
	g.line("return n")
}

// busy has a flag in the state that says who works on it.
func (g *generator) busy() {
	done := g.take(false)
	g.line("if x.pair[1] != 0 {")
	g.line("%s", done)
	g.line("return 0")
	g.line("}")
	g.line("x.pair[1] = 1")
	g.line("%s", done)
	g.write("n")
	done = g.take(false)
	g.line("x.pair[1] = 0")
	g.line("%s", done)
	g.line("return n")
}
