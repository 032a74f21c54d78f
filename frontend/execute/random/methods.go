package random

import "fmt"

// method makes a method of T.
func (g *generator) method(i int) {
	m := method{name: fmt.Sprintf("M%d", i), args: fmt.Sprint(1 + g.r.Intn(3))}
	g.methods = append(g.methods, m)
	bodies := []func(){
		g.update, g.update, g.twoSections, g.lookAgain, g.lookAgain, g.lookAgainHelper, g.retry, g.takeBuffer, g.takeBuffer, g.snapshot, g.copyBack, g.count,
		g.countThenCheck, g.callback, g.forkJoin, g.returnEarly, g.unlocked, g.tryLock, g.pointerOut, g.walk, g.mapGet, g.flagged, g.deferred, g.chain,
	}
	bodies = append(bodies, g.with, g.panics, g.copied, g.waits, g.switched, g.values, g.swapped, g.deferOrder, g.groupInside, g.goMethod, g.retryLabel, g.busy)
	if g.atomics {
		bodies = append(bodies, g.swapLoop, g.swapLoop)
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
	made := map[string]string{"items": g.pick("nil", "make([]int, 2)", "x.items[:0]"), "p": "&inner{}", "m": "map[string]int{}"}[field]
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

// forkJoin starts goroutines and waits for them.
func (g *generator) forkJoin() {
	wait := g.name("wg")
	done := ""
	if g.chance(2) {
		done = g.take(true)
		g.line("before := %s", g.value())
		g.line("%s", done)
		g.line("n += before")
	}
	g.line("var %s sync.WaitGroup", wait)
	g.line("%s.Go(func() {", wait)
	g.indent++
	done = g.take(false)
	g.write("n")
	g.line("%s", done)
	g.line("})")
	early := g.slip()
	if !early {
		g.line("%s.Wait()", wait)
	}
	done = g.take(false)
	g.write("n")
	g.line("%s", done)
	if early {
		g.line("%s.Wait()", wait)
	}
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

func (g *generator) unlocked() {
	if g.slip() {
		g.write("n")
	}
	g.line("return %s", g.pick(g.value(), "n"))
}

func (g *generator) tryLock() {
	if g.form == semaphore || g.form == striped {
		g.update()
		return
	}
	g.line("if !%s.TryLock() {", g.mutex())
	if g.slip() {
		g.write("n")
	}
	g.line("return 0")
	g.line("}")
	g.line("defer %s.Unlock()", g.mutex())
	g.write("n")
	g.write(g.value())
	g.line("return 1")
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

// flagged takes the lock only if it has not got it.
func (g *generator) flagged() {
	if g.form == semaphore || g.form == striped {
		g.update()
		return
	}
	locked := g.name("locked")
	g.line("%s := n > 1", locked)
	g.line("if %s {", locked)
	g.line("%s.Lock()", g.mutex())
	g.line("}")
	if !g.slip() {
		g.line("if !%s {", locked)
		g.line("return 0")
		g.line("}")
	}
	g.write("n")
	g.write(g.value())
	g.line("if %s {", locked)
	g.line("%s.Unlock()", g.mutex())
	g.line("}")
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

// groupInside starts goroutines in a loop and waits, or adds too late.
func (g *generator) groupInside() {
	g.line("var wg sync.WaitGroup")
	late := g.slip()
	doneFirst := g.slip()
	g.line("for i := range 2 {")
	if !late {
		g.line("wg.Add(1)")
	}
	g.line("go func() {")
	if late {
		g.line("wg.Add(1)")
	}
	if doneFirst {
		g.line("wg.Done()")
	} else {
		g.line("defer wg.Done()")
	}
	done := g.take(false)
	g.line("x.b += i")
	g.write("i")
	g.line("%s", done)
	g.line("}()")
	g.line("}")
	if g.chance(2) {
		g.line("wg.Wait()")
		g.write("n")
	} else {
		done = g.take(false)
		g.write("n")
		g.line("%s", done)
		g.line("wg.Wait()")
	}
	g.line("return n")
}

// goMethod starts a method and goes on.
func (g *generator) goMethod() {
	if len(g.methods) < 2 {
		g.update()
		return
	}
	m := g.methods[g.r.Intn(len(g.methods)-1)]
	g.line("ch := make(chan int%s)", g.pick("", ", 1"))
	g.line("go func() { ch <- x.%s(n) }()", m.name)
	if g.chance(2) {
		g.line("n += <-ch")
		done := g.take(false)
		g.write("n")
		g.line("%s", done)
	} else {
		done := g.take(false)
		g.write("n")
		g.line("%s", done)
		g.line("n += <-ch")
	}
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
