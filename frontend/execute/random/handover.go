package random

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
