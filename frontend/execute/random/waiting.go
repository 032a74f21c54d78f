package random

// completed is a result that others wait for.
func (g *generator) completed() {
	group := g.chance(2)
	g.line("type call struct {")
	if group {
		g.line("wg sync.WaitGroup")
	} else {
		g.line("done chan bool")
	}
	g.line("val *T")
	g.line("n, m int")
	g.line("}")
	signal := func() {
		if group {
			g.line("c.wg.Done()")
		} else {
			g.line("close(c.done)")
		}
	}
	wait := func() {
		if group {
			g.line("c.wg.Wait()")
		} else {
			g.line("<-c.done")
		}
	}
	g.line("var calls struct {")
	g.line("sync.Mutex")
	g.line("all map[string]*call")
	g.line("}")
	g.line("func do(name string) *T {")
	g.line("calls.Lock()")
	g.line("if c := calls.all[name]; c != nil {")
	g.line("calls.Unlock()")
	if !g.slip() {
		wait()
	}
	if g.slip() {
		g.line("c.n++")
	}
	g.line("x := c.val")
	g.line("if x != nil {")
	g.direct()
	g.line("}")
	g.line("return x")
	g.line("}")
	g.line("c := &call{}")
	if group {
		g.line("c.wg.Add(1)")
	} else {
		g.line("c.done = make(chan bool)")
	}
	g.line("calls.all[name] = c")
	g.line("calls.Unlock()")
	g.line("x := NewT()")
	early := g.slip()
	if early {
		g.line("c.val = x")
		signal()
		g.write("1")
		g.line("c.n = x.a")
	} else {
		g.write("1")
		g.line("c.val = x")
		g.line("c.n = x.a")
		g.line("c.m = x.b")
		signal()
	}
	if g.chance(2) {
		g.line("calls.Lock()")
		g.line("delete(calls.all, name)")
		g.line("calls.Unlock()")
	}
	g.calls("x")
	g.line("return x")
	g.line("}")
	g.line("func main() {")
	g.line("calls.all = map[string]*call{}")
	g.line("var wg sync.WaitGroup")
	for range 2 {
		g.goroutine("wg", func() {
			g.line("x := do(\"a\")")
			g.line("if x != nil {")
			g.calls("x")
			g.line("}")
		})
	}
	g.line("wg.Wait()")
	g.line("}")
}

// service is a goroutine that serves requests, and others that call methods.
func (g *generator) service() {
	g.line("func (x *T) serve(requests chan int, stop chan bool) {")
	if g.chance(2) {
		g.line("for n := range requests {")
		g.direct()
		g.line("x.%s = n", g.pick("a", "b", "p.v"))
		g.line("}")
		g.line("close(stop)")
	} else {
		g.line("last := 0")
		g.line("for {")
		g.line("n, ok := <-requests")
		g.line("if !ok {")
		g.line("close(stop)")
		g.line("return")
		g.line("}")
		g.line("if last != 0 {")
		g.line("x.b = last")
		g.line("}")
		g.line("last = x.a + n")
		g.direct()
		g.line("}")
	}
	g.line("}")
	g.line("func main() {")
	g.line("x := NewT()")
	g.line("requests, stop := make(chan int), make(chan bool)")
	g.line("go x.serve(requests, stop)")
	g.line("requests <- 1")
	g.calls("x")
	g.line("requests <- 2")
	g.line("close(requests)")
	if g.chance(2) {
		g.calls("x")
	}
	g.line("<-stop")
	g.direct()
	g.line("}")
}

// returned starts a goroutine in a function that returns the object.
func (g *generator) returned() {
	g.line("func start(wg *sync.WaitGroup) *T {")
	g.line("x := NewT()")
	g.line("x.a = 1")
	g.line("wg.Add(1)")
	g.line("go func() {")
	g.line("defer wg.Done()")
	g.calls("x")
	g.line("}()")
	if g.slip() {
		g.line("x.a = 2")
		g.line("x.b = 2")
	}
	g.line("return x")
	g.line("}")
	g.line("func main() {")
	g.line("var wg sync.WaitGroup")
	g.line("x := start(&wg)")
	if g.chance(3) {
		g.line("y := start(&wg)")
		g.calls("y")
	}
	g.calls("x")
	g.line("wg.Wait()")
	if g.chance(2) {
		g.direct()
	}
	g.line("}")
}

// rounds starts goroutines in rounds, and waits for each round.
func (g *generator) rounds() {
	g.line("func main() {")
	g.line("x := NewT()")
	g.line("for range 2 {")
	g.line("var wg sync.WaitGroup")
	for range 1 + g.r.Intn(2) {
		g.goroutine("wg", func() { g.calls("x") })
	}
	if g.slip() {
		g.line("go %s", g.call("x"))
	}
	g.line("wg.Wait()")
	g.direct()
	g.line("}")
	g.line("}")
}

// counted waits until a counter in the object says that all are done.
func (g *generator) counted() {
	g.line("func main() {")
	g.line("x := NewT()")
	g.line("var once sync.Once")
	g.line("var wg sync.WaitGroup")
	for range 2 {
		g.goroutine("wg", func() {
			g.line("once.Do(func() {")
			g.indent++
			g.write("1")
			g.write("2")
			g.line("})")
			if g.slip() {
				g.write("3")
			}
			g.calls("x")
		})
	}
	if g.chance(2) {
		g.line("once.Do(func() {")
		g.indent++
		g.direct()
		g.line("})")
	}
	g.line("wg.Wait()")
	g.direct()
	g.line("}")
}

// doneOrder says that it is done before it is, perhaps.
func (g *generator) doneOrder() {
	g.line("func main() {")
	g.line("x := NewT()")
	g.line("var wg sync.WaitGroup")
	g.line("wg.Add(2)")
	for range 2 {
		g.line("go func() {")
		switch {
		case g.slip():
			g.line("defer %s", g.call("x"))
			g.line("defer wg.Done()")
		case g.slip():
			g.line("wg.Done()")
		case g.chance(2):
			g.line("defer wg.Done()")
			g.line("defer %s", g.call("x"))
		default:
			g.line("defer func() {")
			g.line("x.a++")
			g.line("wg.Done()")
			g.line("}()")
		}
		g.calls("x")
		g.line("}()")
	}
	g.line("wg.Wait()")
	g.direct()
	g.direct()
	g.line("}")
}
