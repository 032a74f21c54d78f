package random

import "fmt"

// main makes the main function: how the objects are made, shared and waited for.
func (g *generator) main() {
	ways := []func(){
		g.shared, g.shared, g.shared, g.joined, g.joined, g.own, g.elements, g.handedOver, g.handedOver, g.pipeline,
		g.registry, g.registry, g.completed, g.completed,
		g.pool, g.syncMap, g.pointer, g.valuesOf, g.doneOrder, g.parallel,
		g.service, g.returned, g.rounds, g.holder, g.counted,
	}
	ways[g.r.Intn(len(ways))]()
}

// call is a call of some method.
func (g *generator) call(x string) string {
	m := g.methods[g.r.Intn(len(g.methods))]
	return fmt.Sprintf("%s.%s(%s)", x, m.name, m.args)
}

func (g *generator) calls(x string) {
	for range 1 + g.r.Intn(2) {
		g.line("%s", g.call(x))
	}
}

// direct is code outside methods that uses the object.
func (g *generator) direct() {
	switch g.r.Intn(3) {
	case 0:
		done := g.take(false)
		g.write("1")
		g.pause(done)
		g.write("x.b")
		g.line("%s", done)
	case 1:
		g.write("1")
	default:
		g.line("println(%s)", g.value())
	}
}

func (g *generator) goroutine(wg string, body func()) {
	if g.chance(2) {
		g.line("%s.Go(func() {", wg)
		g.indent++
		body()
		g.line("})")
		return
	}
	g.line("%s.Add(1)", wg)
	g.line("go func() {")
	g.line("defer %s.Done()", wg)
	body()
	g.line("}()")
}

// shared is one object, a few goroutines and a wait group.
func (g *generator) shared() {
	g.line("func main() {")
	g.line("x := NewT()")
	if g.chance(3) {
		g.write("1")
	}
	g.line("var wg sync.WaitGroup")
	if g.chance(3) {
		g.line("for range 2 {")
		g.goroutine("wg", func() { g.calls("x") })
		g.line("}")
	} else {
		for range 2 {
			g.goroutine("wg", func() { g.calls("x") })
		}
	}
	if g.chance(3) {
		g.calls("x")
	}
	g.line("wg.Wait()")
	if g.chance(3) {
		g.direct()
	}
	g.line("}")
}

// joined waits by channels, perhaps not for all.
func (g *generator) joined() {
	n := 2
	g.line("func main() {")
	g.line("x := NewT()")
	buffered := g.pick("", ", 1", ", 2")
	g.line("done := make(chan int%s)", buffered)
	closing := g.chance(4)
	if closing {
		n = 1
	}
	for range n {
		g.line("go func() {")
		if g.slip() {
			g.line("done <- 0")
			g.calls("x")
		} else {
			g.calls("x")
			if closing {
				g.line("close(done)")
			} else {
				g.line("done <- %s", g.pick("0", g.call("x")))
			}
		}
		g.line("}()")
	}
	if g.chance(2) {
		g.calls("x")
	}
	wait := n
	if g.slip() {
		wait--
	}
	if g.chance(2) && wait > 1 {
		g.line("for range %d {", wait)
		g.line("<-done")
		g.line("}")
	} else {
		for range wait {
			g.line("<-done")
		}
	}
	g.direct()
	if g.chance(2) {
		g.direct()
	}
	for range n - wait {
		g.line("<-done")
	}
	g.line("}")
}

// own is an object for each goroutine, perhaps.
func (g *generator) own() {
	g.line("func main() {")
	g.line("var wg sync.WaitGroup")
	g.line("all := make([]*T, 3)")
	g.line("for i := range 3 {")
	g.line("x := NewT()")
	g.line("all[i] = x")
	g.goroutine("wg", func() {
		g.calls("x")
		if g.chance(2) {
			g.direct()
		}
		if g.slip() {
			g.line("if i > 0 {")
			g.calls("all[i-1]")
			g.line("}")
		}
	})
	g.line("}")
	if !g.slip() {
		g.line("wg.Wait()")
	}
	g.line("for _, x := range all {")
	g.line("println(%s)", g.value())
	g.line("}")
	g.line("wg.Wait()")
	g.line("}")
}

// elements gives each goroutine an element.
func (g *generator) elements() {
	g.line("func fill(x *T, i int) {")
	g.line("x.items[i] = i")
	if g.slip() {
		g.line("x.items[0]++")
	}
	g.line("}")
	g.line("func main() {")
	g.line("x := NewT()")
	g.line("var wg sync.WaitGroup")
	index := g.pick("i", "i", "i%2", "i/2", "1-i")
	g.line("for i := range 2 {")
	g.goroutine("wg", func() {
		switch g.r.Intn(3) {
		case 0:
			g.line("x.items[%s] = i", index)
			g.line("x.items[%s]++", index)
		case 1:
			g.line("fill(x, %s)", index)
		default:
			g.line("v := x.items[%s]", index)
			g.line("x.items[%s] = v + 1", g.pick("i", index))
		}
		if g.chance(3) {
			g.calls("x")
		}
	})
	g.line("}")
	g.line("wg.Wait()")
	g.line("println(sum(x.items))")
	g.line("}")
}

// holder has a worker of another type that keeps the object.
func (g *generator) holder() {
	g.line("type worker struct {")
	g.line("x *T")
	g.line("n int")
	g.line("}")
	g.line("func (w *worker) run() {")
	g.line("x := w.x")
	g.direct()
	g.calls("w.x")
	if g.slip() {
		g.line("w.x = NewT()")
	}
	g.calls("x")
	g.line("}")
	g.line("func main() {")
	g.line("var wg sync.WaitGroup")
	outside := g.chance(3)
	if outside {
		g.line("x := NewT()")
	}
	g.line("var workers []*worker")
	g.line("for i := range 2 {")
	if !outside {
		g.line("x := NewT()")
	}
	g.line("w := &worker{x: x, n: i}")
	g.line("workers = append(workers, w)")
	if g.slip() {
		g.line("workers[0].x = x")
	}
	g.goroutine("wg", func() { g.line("w.run()") })
	g.line("}")
	if !g.slip() {
		g.line("wg.Wait()")
	}
	g.line("for _, w := range workers {")
	g.line("x := w.x")
	g.direct()
	g.line("}")
	g.line("wg.Wait()")
	g.line("}")
}

// parallel runs a helper that starts goroutines and waits for them.
func (g *generator) parallel() {
	g.line("func inParallel(n int, f func(int)) {")
	g.line("var wg sync.WaitGroup")
	g.line("for i := range n {")
	g.goroutine("wg", func() { g.line("f(i)") })
	g.line("}")
	if !g.slip() {
		g.line("wg.Wait()")
	} else {
		g.line("_ = &wg")
	}
	g.line("}")
	g.line("func main() {")
	g.line("x := NewT()")
	g.line("inParallel(2, func(i int) {")
	g.indent++
	g.line("x.items[i] = i")
	g.calls("x")
	g.line("})")
	g.direct()
	if g.chance(2) {
		g.line("inParallel(2, func(i int) { x.items[i]++ })")
		g.direct()
	}
	g.line("}")
}
