package random

import "fmt"

// main makes the main function: how the objects are made, shared and waited for.
func (g *generator) main() {
	ways := []func(){
		g.shared, g.shared, g.shared, g.joined, g.joined, g.own, g.elements, g.handedOver, g.handedOver, g.pipeline, g.registry, g.registry, g.completed, g.completed,
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

// handedOver sends objects through a channel.
func (g *generator) handedOver() {
	g.line("func main() {")
	g.line("ch := make(chan *T%s)", g.pick("", ", 1", ", 2"))
	g.line("var wg sync.WaitGroup")
	workers := 1 + g.r.Intn(2)
	for range workers {
		g.goroutine("wg", func() {
			g.line("for x := range ch {")
			g.calls("x")
			if g.chance(2) {
				g.direct()
			}
			if g.slip() {
				g.line("wg.Go(func() {")
				g.indent++
				g.calls("x")
				g.line("})")
			}
			g.line("}")
		})
	}
	again := g.slip()
	outside := g.slip()
	if outside {
		g.line("x := NewT()")
	}
	g.line("for range 2 {")
	if !outside {
		g.line("x := NewT()")
	}
	if g.chance(2) {
		g.direct()
	}
	g.line("ch <- x")
	if again {
		switch g.r.Intn(3) {
		case 0:
			g.line("ch <- x")
		case 1:
			g.direct()
		default:
			g.calls("x")
		}
	}
	g.line("}")
	g.line("close(ch)")
	g.line("wg.Wait()")
	g.line("}")
}

// pipeline hands an object from stage to stage.
func (g *generator) pipeline() {
	g.line("func main() {")
	g.line("first, second := make(chan *T), make(chan *T, 1)")
	g.line("done := make(chan bool)")
	g.line("go func() {")
	g.line("for x := range first {")
	g.direct()
	late := g.slip()
	if !late {
		g.calls("x")
	}
	g.line("second <- x")
	if late {
		g.calls("x")
	}
	g.line("}")
	g.line("close(second)")
	g.line("}()")
	g.line("go func() {")
	g.line("for x := range second {")
	g.calls("x")
	g.direct()
	g.line("}")
	g.line("close(done)")
	g.line("}()")
	g.line("var last *T")
	g.line("for range 2 {")
	g.line("x := NewT()")
	g.direct()
	g.line("first <- x")
	g.line("last = x")
	g.line("}")
	g.line("close(first)")
	if !g.slip() {
		g.line("<-done")
	}
	g.line("x := last")
	g.direct()
	g.line("<-done")
	g.line("}")
}

// registry keeps objects in a map, by name.
func (g *generator) registry() {
	g.line("var registry = struct {")
	g.line("sync.Mutex")
	g.line("all map[string]*T")
	g.line("}{all: map[string]*T{}}")
	g.line("func lookup(name string) *T {")
	g.line("registry.Lock()")
	early := g.chance(3)
	if !early {
		g.line("defer registry.Unlock()")
	}
	g.line("x := registry.all[name]")
	if early {
		g.line("registry.Unlock()")
	}
	g.line("if x == nil {")
	g.line("x = NewT()")
	if early {
		g.line("registry.Lock()")
	}
	publish := func() { g.line("registry.all[name] = x") }
	if g.slip() {
		publish()
		if early {
			g.line("registry.Unlock()")
		}
		g.line("x.a = 1")
		g.line("x.b = 1")
	} else {
		g.line("x.a = 1")
		g.line("x.b = 1")
		publish()
		if early {
			g.line("registry.Unlock()")
		}
	}
	g.line("}")
	g.line("return x")
	g.line("}")
	remove := g.chance(3)
	if remove {
		g.line("func remove(name string) *T {")
		g.line("registry.Lock()")
		g.line("defer registry.Unlock()")
		g.line("x := registry.all[name]")
		if !g.slip() {
			g.line("delete(registry.all, name)")
		}
		g.line("return x")
		g.line("}")
	}
	g.line("func main() {")
	g.line("var wg sync.WaitGroup")
	for range 2 {
		g.goroutine("wg", func() {
			g.line("x := lookup(%s)", g.pick(`"a"`, `"a"`, `"b"`))
			g.calls("x")
			if g.chance(3) {
				g.direct()
			}
		})
	}
	if remove {
		g.line("if x := remove(\"a\"); x != nil {")
		g.direct()
		g.line("}")
	}
	g.line("wg.Wait()")
	g.line("}")
}

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

// pool takes objects from a pool.
func (g *generator) pool() {
	g.line("var pool = sync.Pool{New: func() any { return NewT() }}")
	g.line("func main() {")
	g.line("var wg sync.WaitGroup")
	for range 2 {
		g.goroutine("wg", func() {
			g.line("x := pool.Get().(*T)")
			if !g.slip() {
				g.calls("x")
				g.direct()
				g.line("pool.Put(x)")
			} else {
				g.line("pool.Put(x)")
				g.calls("x")
				g.direct()
			}
		})
	}
	g.line("x := pool.Get().(*T)")
	g.direct()
	if g.slip() {
		g.line("pool.Put(x)")
	}
	g.line("pool.Put(x)")
	g.line("wg.Wait()")
	g.line("}")
}

// syncMap finds objects in a map of package sync.
func (g *generator) syncMap() {
	g.line("var all sync.Map")
	g.line("func find(name string) *T {")
	if g.chance(2) {
		g.line("v, _ := all.LoadOrStore(name, NewT())")
		g.line("return v.(*T)")
	} else {
		g.line("if v, ok := all.Load(name); ok {")
		g.line("return v.(*T)")
		g.line("}")
		g.line("x := NewT()")
		if g.slip() {
			g.line("all.Store(name, x)")
			g.line("x.a, x.b = 1, 1")
		} else {
			g.line("x.a, x.b = 1, 1")
			g.line("all.Store(name, x)")
		}
		g.line("return x")
	}
	g.line("}")
	g.line("func main() {")
	g.line("var wg sync.WaitGroup")
	for range 2 {
		g.goroutine("wg", func() {
			g.line("x := find(%s)", g.pick(`"a"`, `"a"`, `"b"`))
			g.calls("x")
			if g.chance(3) {
				g.direct()
			}
		})
	}
	g.line("if v, ok := all.LoadAndDelete(\"a\"); ok {")
	g.line("x := v.(*T)")
	g.direct()
	g.line("}")
	g.line("wg.Wait()")
	g.line("}")
}

// pointer replaces the object as a whole.
func (g *generator) pointer() {
	g.imports["sync/atomic"] = true
	g.line("var current atomic.Pointer[T]")
	g.line("func update(n int) {")
	g.line("old := current.Load()")
	g.line("x := NewT()")
	g.line("x.a, x.b = old.a+n, old.b+n")
	if g.slip() {
		g.line("current.Store(x)")
		g.line("x.p.v = n")
		g.write("n")
	} else {
		g.line("x.p.v = n")
		g.line("current.Store(x)")
	}
	if g.slip() {
		g.line("old.a = 0")
		g.line("old.b = 0")
	}
	g.line("}")
	g.line("func main() {")
	g.line("current.Store(NewT())")
	g.line("var wg sync.WaitGroup")
	for range 2 {
		g.goroutine("wg", func() {
			g.line("update(1)")
			g.line("x := current.Load()")
			g.direct()
			if g.chance(2) {
				g.calls("x")
			}
		})
	}
	g.line("wg.Wait()")
	g.line("}")
}

// valuesOf has objects in a slice or an array, by value.
func (g *generator) valuesOf() {
	g.line("func main() {")
	g.line("all := make([]T, 2)")
	g.line("for i := range all {")
	g.line("x := &all[i]")
	made := "x.items, x.m, x.p = make([]int, 2), map[string]int{}, &inner{}"
	switch g.form {
	case semaphore:
		made += "\nx.sem = make(chan bool, 1)"
	case pointed:
		made += "\nx.pm = NewT().pm"
	}
	g.line("%s", made)
	g.line("}")
	g.line("var wg sync.WaitGroup")
	g.line("for i := range 2 {")
	index := "i"
	if g.slip() {
		index = g.pick("0*i", "i/2", "(i+1)%2")
	}
	g.goroutine("wg", func() {
		g.line("x := &all[%s]", index)
		g.calls("x")
		if g.slip() {
			g.line("x = &all[0]")
		}
		g.direct()
	})
	g.line("}")
	if !g.slip() {
		g.line("wg.Wait()")
	}
	g.line("for i := range all {")
	g.line("x := &all[i]")
	g.direct()
	g.line("}")
	g.line("wg.Wait()")
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
