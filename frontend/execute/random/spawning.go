package random

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
