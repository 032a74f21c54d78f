package random

import "fmt"

// method makes a method of T.
func (g *generator) method(i int) {
	m := method{name: fmt.Sprintf("M%d", i), args: fmt.Sprint(1 + g.r.Intn(3))}
	g.methods = append(g.methods, m)
	bodies := []func(){
		g.update, g.update, g.twoSections, g.lookAgain, g.lookAgain, g.lookAgainHelper, g.retry, g.takeBuffer, g.takeBuffer,
		g.snapshot, g.copyBack, g.count,
		g.countThenCheck, g.callback, g.forkJoin, g.returnEarly, g.unlocked, g.tryLock, g.pointerOut, g.walk, g.mapGet,
		g.flagged, g.deferred, g.chain,
	}
	bodies = append(bodies, g.with, g.panics, g.copied, g.waits, g.switched, g.values, g.swapped, g.deferOrder,
		g.groupInside, g.goMethod, g.retryLabel, g.busy)
	if g.atomics {
		bodies = append(bodies, g.swapLoop, g.swapLoop)
	}
	if g.tried != "" {
		bodies = []func(){g.tries, g.tries, g.update, g.twoSections, g.count}
	}
	g.line("func (x *T) %s(n int) int {", m.name)
	bodies[g.r.Intn(len(bodies))]()
	g.line("}")
}

// update is one critical section.
func (g *generator) update() {
	done := g.take(false)
	if g.chance(2) {
		g.line("defer %s", atEnd(done))
		g.write(g.value())
		g.write("n")
		g.line("return %s", g.value())
		return
	}
	v := g.name("v")
	g.line("%s := %s", v, g.value())
	g.pause(done)
	g.write(v)
	if g.chance(2) {
		g.write("n")
	}
	g.line("%s", done)
	g.line("return %s", v)
}

// twoSections reads in one and writes in another.
func (g *generator) twoSections() {
	done := g.take(true)
	v := g.name("v")
	g.line("%s := %s", v, g.value())
	g.line("%s", done)
	if g.chance(2) {
		g.line("%s += n", v)
	}
	done = g.take(false)
	g.write(g.pick(v, "n"))
	g.line("%s", done)
	g.line("return %s + %s", v, g.pick("0", "n"))
}

// lookAgain is double-checked: the second look may be another one.
func (g *generator) lookAgain() {
	first := g.condition()
	second := first
	if g.slip() || g.chance(8) {
		second = g.condition()
	}
	done := g.take(true)
	held := g.chance(2)
	if held {
		ok := g.name("ok")
		g.line("%s := %s", ok, first)
		g.line("%s", done)
		g.line("if !%s {", ok)
	} else {
		g.line("if !(%s) {", first)
		g.line("%s", done)
	}
	g.line("return 0")
	g.line("}")
	if !held {
		g.line("%s", done)
	}
	done = g.take(false)
	if g.chance(2) {
		g.line("defer %s", atEnd(done))
		if !g.slip() {
			g.line("if !(%s) {", second)
			g.line("return %s", g.pick("0", g.value()))
			g.line("}")
		}
		g.write("n")
		g.line("return 1")
		return
	}
	g.line("if %s {", second)
	g.write(g.pick("n", g.value()))
	g.line("}")
	if g.chance(3) {
		g.write("n")
	}
	g.line("%s", done)
	g.line("return n")
}

// lookAgainHelper has the look in a helper of its own, with its lock.
func (g *generator) lookAgainHelper() {
	k := g.pick("\"k\"", "\"j\"")
	done := g.take(true)
	v, ok := g.name("v"), g.name("ok")
	g.line("%s, %s := x.find(%s)", v, ok, k)
	g.line("%s", done)
	g.line("if %s {", ok)
	g.line("return %s", v)
	g.line("}")
	done = g.take(false)
	g.line("defer %s", atEnd(done))
	if !g.slip() {
		again := k
		if g.slip() {
			again = "\"k\""
		}
		g.line("if %s, %s := x.find(%s); %s {", v, ok, again, ok)
		g.line("return %s", v)
		g.line("}")
	}
	g.line("x.m[%s] = n", k)
	if g.chance(2) {
		g.write("n")
	}
	g.line("return n")
}

// retry tries until it succeeds, or gives up.
func (g *generator) retry() {
	g.line("for i := 0; i < %d; i++ {", 2+g.r.Intn(2))
	done := g.take(false)
	g.line("if %s {", g.condition())
	g.pause(done)
	g.write(g.pick("i", "n"))
	g.line("%s", done)
	g.line("%s", g.pick("return i", "break", "continue"))
	g.line("}")
	if g.chance(3) {
		g.write("i")
	}
	g.line("%s", done)
	g.line("}")
	if g.chance(3) {
		done = g.take(false)
		g.write("n")
		g.line("%s", done)
	}
	g.line("return 0")
}

// takeBuffer takes contents out of a field and works on them alone.
func (g *generator) takeBuffer() {
	field := g.pick("items", "p", "m")
	done := g.take(false)
	v := g.name("taken")
	g.line("%s := x.%s", v, field)
	g.pause(done)
	made := map[string]string{"items": g.pick("nil", "make([]int, 2)", "x.items[:0]"), "p": "&inner{}",
		"m": "map[string]int{}"}[field]
	if !g.slip() {
		g.line("x.%s = %s", field, made)
	}
	if g.chance(3) {
		g.write("n")
	}
	g.line("%s", done)
	work := func() {
		switch field {
		case "items":
			g.line("for i := range %s {", v)
			g.line("%s[i] += n", v)
			g.line("}")
		case "p":
			g.line("%s.v++", v)
			g.line("%s.w = n", v)
		case "m":
			g.line("%s[\"k\"]++", v)
			g.line("delete(%s, \"j\")", v)
		}
	}
	work()
	if g.chance(3) {
		done = g.take(false)
		switch g.r.Intn(3) {
		case 0:
			g.line("x.%s = %s", field, v)
		case 1:
			if field == "items" {
				g.line("x.items = append(x.items, %s...)", v)
			} else {
				g.line("x.a += n")
			}
		default:
			work()
		}
		g.line("%s", done)
	}
	g.line("return n")
}

// snapshot returns several fields, or a copy.
func (g *generator) snapshot() {
	done := g.take(true)
	v, w := g.name("v"), g.name("w")
	g.line("%s := %s", v, g.value())
	g.pause(done)
	g.line("%s := %s", w, g.value())
	if g.chance(2) {
		g.line("%s", done)
		g.line("return %s + %s", v, w)
		return
	}
	list := g.name("list")
	g.line("%s := %s", list, g.pick("x.items", "append([]int(nil), x.items...)"))
	g.line("%s", done)
	g.line("return sum(%s) + %s + %s", list, v, w)
}

// copyBack copies results out and writes them back in another critical section.
func (g *generator) copyBack() {
	done := g.take(true)
	list := g.name("list")
	g.line("%s := %s", list, g.pick("append([]int(nil), x.items...)", "x.items"))
	g.line("%s", done)
	g.line("%s = append(%s, n)", list, list)
	done = g.take(false)
	g.line("defer %s", atEnd(done))
	g.line("x.items = %s", list)
	if g.chance(2) {
		g.line("x.a = len(%s)", list)
	}
	g.line("return 0")
}

// count is a counter in a section of its own, and perhaps more.
func (g *generator) count() {
	field := g.pick("a", "b")
	done := g.take(false)
	g.line("x.%s++", field)
	g.line("%s", done)
	if g.chance(3) {
		done = g.take(false)
		g.line("x.%s++", g.pick("a", "b"))
		g.line("%s", done)
	}
	g.line("return n")
}

func (g *generator) countThenCheck() {
	field := g.pick("a", "b")
	done := g.take(true)
	c := g.name("c")
	g.line("%s := x.%s", c, field)
	g.line("%s", done)
	g.line("if %s < %d {", c, 1+g.r.Intn(2))
	done = g.take(false)
	g.line("x.%s++", field)
	g.line("%s", done)
	g.line("}")
	g.line("return n")
}

// pointerOut keeps a pointer beyond the section.
func (g *generator) pointerOut() {
	done := g.take(true)
	p := g.name("p")
	g.line("%s := x.p", p)
	g.line("%s", done)
	again := g.chance(2)
	if again {
		done = g.take(false)
	}
	if g.chance(2) {
		g.line("%s.v++", p)
	} else {
		g.line("n += %s.v + %s.w", p, p)
	}
	if again {
		g.line("%s", done)
	}
	g.line("return n")
}

func (g *generator) mapGet() {
	done := g.take(true)
	v, ok := g.name("v"), g.name("ok")
	g.line("%s, %s := x.m[\"k\"]", v, ok)
	g.line("%s", done)
	g.line("if !%s {", ok)
	done = g.take(false)
	if !g.slip() && g.chance(2) {
		g.line("if %s, %s = x.m[\"k\"]; %s {", v, ok, ok)
		g.line("%s", done)
		g.line("return %s", v)
		g.line("}")
	}
	g.line("%s = n", v)
	g.line("x.m[\"k\"] = %s", v)
	g.line("%s", done)
	g.line("}")
	g.line("return %s", v)
}

// swapLoop is a loop around a compare-and-swap.
func (g *generator) swapLoop() {
	g.line("for {")
	g.line("old := x.n.Load()")
	if g.chance(2) {
		g.line("if old > 3 {")
		g.line("return 0")
		g.line("}")
	}
	g.line("if x.n.CompareAndSwap(old, %s) {", g.pick("old+1", "int64(n)", "old*2+1"))
	if g.chance(2) {
		done := g.take(false)
		g.write("int(old)")
		g.line("%s", done)
	}
	g.line("return int(old)")
	g.line("}")
	g.line("}")
}

// copied copies a struct or an array out, and perhaps back.
func (g *generator) copied() {
	field := g.pick("in", "pair")
	done := g.take(true)
	c := g.name("c")
	g.line("%s := x.%s", c, field)
	g.line("%s", done)
	part := map[string]string{"in": "v", "pair": ""}[field]
	if part == "" {
		g.line("%s[0] += n", c)
	} else {
		g.line("%s.v += n", c)
	}
	if g.chance(2) {
		done = g.take(false)
		g.line("x.%s = %s", field, c)
		g.line("%s", done)
		g.line("return 0")
		return
	}
	if part == "" {
		g.line("return %s[0] + %s[1]", c, c)
	} else {
		g.line("return %s.v + %s.w", c, c)
	}
}

// values calls methods by their values, through an interface or deferred.
func (g *generator) values() {
	if len(g.methods) < 2 {
		g.update()
		return
	}
	m := g.methods[g.r.Intn(len(g.methods)-1)]
	switch g.r.Intn(4) {
	case 0:
		g.line("f := x.%s", m.name)
		g.line("n += f(n)")
		g.line("n += f(1)")
	case 1:
		g.line("var i interface{ %s(int) int } = x", m.name)
		g.line("n += i.%s(n)", m.name)
	case 2:
		g.line("defer x.%s(n)", m.name)
		done := g.take(false)
		g.write("n")
		g.line("%s", done)
	default:
		g.line("f := (*T).%s", m.name)
		g.line("n += f(x, n)")
	}
	g.line("return n")
}

// swapped replaces contents with others.
func (g *generator) swapped() {
	field := g.pick("items", "m", "p")
	fresh := map[string]string{"items": "make([]int, 2)", "m": "map[string]int{\"k\": n}", "p": "&inner{n, n}"}[field]
	next := g.name("next")
	g.line("%s := %s", next, fresh)
	work := func(v string) {
		switch field {
		case "items":
			g.line("%s[0] = n", v)
		case "m":
			g.line("%s[\"k\"] = n", v)
		case "p":
			g.line("%s.w = n", v)
		}
	}
	work(next)
	done := g.take(false)
	old := g.name("old")
	g.line("%s := x.%s", old, field)
	g.line("x.%s = %s", field, next)
	g.pause(done)
	if g.chance(2) {
		g.write("n")
	}
	g.line("%s", done)
	work(old)
	if g.slip() {
		work(next)
	}
	g.line("return n")
}
