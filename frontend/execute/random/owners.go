package random

// cloneHelpers make copies.
func (g *generator) cloneHelpers() {
	deep := !g.shares()
	g.line("func (p *inner) clone() *inner {")
	if deep {
		g.line("c := *p")
		g.line("return &c")
	} else {
		g.line("return p")
	}
	g.line("}")
	g.line("func (x *T) copyItems() []int {")
	if g.shares() {
		g.line("return x.items")
	} else {
		g.line("return append([]int(nil), x.items...)")
	}
	g.line("}")
	g.line("func (x *T) clone() *T {")
	g.line("c := NewT()")
	g.line("c.a, c.b, c.in = x.a, x.b, x.in")
	if g.shares() {
		g.line("c.p = x.p")
	} else {
		g.line("c.p = x.p.clone()")
	}
	g.line("c.items = x.copyItems()")
	g.line("return c")
	g.line("}")
}

// shares is a mistake that is made more often: a copy has memory of the original.
func (g *generator) shares() bool { return g.slip() || g.chance(4) }

// cloneMethod changes a copy, and puts it in the place of the old one.
func (g *generator) cloneMethod(i int) {
	g.begin(i, "C")
	done := g.take(true)
	v := g.name("next")
	switch g.r.Intn(5) {
	case 4:
		g.line("%s := 1", v)
		g.line("for i := range x.items {")
		g.line("if i+%s < len(x.items) && i+n < len(x.items) {", v)
		g.line("x.items[i+%s] = n", v)
		g.line("x.items[i+n]++")
		g.line("}")
		g.line("}")
	case 0:
		g.line("%s := x.p.clone()", v)
		g.pause(done)
		g.line("%s.v = n", v)
		g.line("%s.w++", v)
		g.line("x.p = %s", v)
	case 1:
		g.line("%s := x.copyItems()", v)
		g.line("for i := range %s {", v)
		g.line("%s[i] += n", v)
		g.line("}")
		g.line("x.items = %s", v)
	case 2:
		g.line("%s := x.in", v)
		g.line("%s.v, %s.w = n, n", v, v)
		g.line("x.in = %s", v)
	default:
		g.line("%s := x.p.clone()", v)
		g.line("%s", done)
		g.line("%s.v += n", v)
		g.line("n += %s.w", v)
		done = ""
	}
	if done != "" {
		g.line("%s", done)
	}
	g.line("return n")
	g.line("}")
}

// owners makes the main function: each object is one's own, for a while.
func (g *generator) owners() {
	ways := []func(){
		g.filled, g.filled, g.freeList, g.pooled, g.token, g.byValue, g.keyed, g.opened, g.copies, g.chained, g.buffers,
		g.waitedFor, g.reassigned, g.sentAgain,
	}
	ways[g.r.Intn(len(ways))]()
}

// use is what a worker does with its object.
func (g *generator) use() {
	if g.chance(2) {
		g.write("1")
		g.write("x.a")
	} else {
		g.calls("x")
	}
	if g.chance(3) {
		g.line("println(%s)", g.value())
	}
}

// filled hands out the elements of a slice that a loop fills.
func (g *generator) filled() {
	g.line("func main() {")
	switch g.r.Intn(3) {
	case 0:
		g.line("all := make([]*T, 2)")
		g.line("for i := range all {")
		g.line("all[i] = NewT()")
		g.line("}")
	case 1:
		g.line("var all []*T")
		g.line("for range 2 {")
		g.line("all = append(all, NewT())")
		g.line("}")
	default:
		g.line("all := []*T{")
		g.line("NewT(),") // each on a line of its own, by which it is known
		g.line("NewT(),")
		g.line("}")
	}
	if g.slip() {
		g.line("all[1] = all[0]")
	}
	g.line("var wg sync.WaitGroup")
	if g.chance(2) {
		index := "i"
		if g.slip() {
			index = "0"
		}
		g.line("for i := range all {")
		g.line("_ = i")
		g.line("x := all[%s]", index)
	} else {
		g.line("for _, x := range all {")
	}
	g.goroutine("wg", g.use)
	g.line("}")
	late := g.slip()
	if !late {
		g.line("wg.Wait()")
	}
	g.line("for _, x := range all {")
	g.use()
	g.line("}")
	if late {
		g.line("wg.Wait()")
	}
	g.line("}")
}

// freeList keeps objects that are not in use.
func (g *generator) freeList() {
	g.line("var free struct {")
	g.line("sync.Mutex")
	g.line("list []*T")
	g.line("}")
	g.line("func get() *T {")
	g.line("free.Lock()")
	g.line("defer free.Unlock()")
	g.line("if k := len(free.list); k > 0 {")
	g.line("x := free.list[k-1]")
	if !g.slip() {
		g.line("free.list = free.list[:k-1]")
	}
	g.line("return x")
	g.line("}")
	g.line("return NewT()")
	g.line("}")
	g.line("func put(x *T) {")
	if g.chance(2) {
		g.line("x.a = 0")
	}
	g.line("free.Lock()")
	g.line("free.list = append(free.list, x)")
	g.line("free.Unlock()")
	if g.slip() {
		g.line("x.b = 0")
	}
	g.line("}")
	g.takers("get()", "put(x)")
}

// takers are goroutines that take an object, use it and give it back.
func (g *generator) takers(get, put string) {
	g.line("func main() {")
	g.line("var wg sync.WaitGroup")
	worker := func() {
		g.line("x := %s", get)
		if g.chance(2) {
			g.line("defer func() { %s }()", put)
			g.use()
			return
		}
		g.use()
		g.line("%s", put)
		if g.slip() {
			g.use()
		}
	}
	if g.chance(2) {
		g.line("for range 2 {")
		g.goroutine("wg", worker)
		g.line("}")
	} else {
		g.goroutine("wg", worker)
		g.goroutine("wg", worker)
	}
	g.line("wg.Wait()")
	g.line("}")
}

// reassigned has a variable that closures share, which gets another object, perhaps.
func (g *generator) reassigned() {
	g.line("func main() {")
	g.line("x := NewT()")
	g.line("first := func() *T { return x }")
	g.line("var wg sync.WaitGroup")
	g.line("y := x")
	g.line("y.a = 1")
	g.goroutine("wg", func() { g.calls("x") })
	if g.chance(2) {
		g.line("wg.Wait()")
		g.line("x = NewT()")
		g.line("x.b = 2")
	}
	g.goroutine("wg", func() { g.calls("y") })
	g.line("z := first()")
	g.calls("z")
	g.line("wg.Wait()")
	g.line("println(x.a + y.b)")
	g.line("}")
}

// sentAgain changes an object that it has sent before, or a new one in each round.
func (g *generator) sentAgain() {
	g.line("func main() {")
	g.line("out := make(chan *T, 2)")
	g.line("var wg sync.WaitGroup")
	g.goroutine("wg", func() {
		g.line("for x := range out {")
		g.use()
		g.line("}")
	})
	again := g.chance(3)
	if again {
		g.line("x := NewT()")
	}
	g.line("for i := range 2 {")
	if !again {
		g.line("x := NewT()")
	}
	g.line("x.a = i")
	g.line("x.b = i")
	g.line("out <- x")
	g.line("}")
	g.line("close(out)")
	g.line("wg.Wait()")
	g.line("}")
}

// waitedFor waits for goroutines that are counted, perhaps too late.
func (g *generator) waitedFor() {
	g.line("func main() {")
	g.line("x := NewT()")
	g.line("var wg sync.WaitGroup")
	for range 2 {
		late := g.slip() || g.chance(6)
		if !late {
			g.line("wg.Add(1)")
		}
		g.line("go func() {")
		if late {
			g.line("wg.Add(1)")
		}
		g.line("defer wg.Done()")
		g.calls("x")
		g.line("}()")
	}
	g.line("wg.Wait()")
	g.use()
	g.line("}")
}

// pooled has a sync.Pool.
func (g *generator) pooled() {
	made := "NewT()"
	if g.slip() {
		g.line("var one = NewT()")
		made = "one"
	}
	g.line("var spare = sync.Pool{New: func() any { return %s }}", made)
	get := "spare.Get().(*T)"
	if g.chance(2) {
		g.line("func get() *T { return spare.Get().(*T) }")
		get = "get()"
	}
	g.takers(get, "spare.Put(x)")
}

// token hands one object to and fro through a channel.
func (g *generator) token() {
	g.line("var turn = make(chan *T, 1)")
	if g.slip() {
		g.line("func init() {")
		g.line("x := NewT()")
		g.line("turn <- x")
		g.line("go func() {")
		g.use()
		g.line("}()")
		g.line("}")
	} else {
		g.line("func init() { turn <- NewT() }")
	}
	g.takers("<-turn", "turn <- x")
}

// byValue has a constructor that returns a struct.
func (g *generator) byValue() {
	g.line("func makeT() T {")
	g.line("return T{items: make([]int, 2), m: map[string]int{}, p: &inner{}}")
	g.line("}")
	g.line("func main() {")
	g.line("var wg sync.WaitGroup")
	g.line("for range 2 {")
	g.line("x := makeT()")
	if g.slip() {
		g.line("wg.Go(func() { x.a++ })")
	}
	g.goroutine("wg", g.use)
	g.line("}")
	g.line("wg.Wait()")
	g.line("}")
}

// keyed has an object for each key of a map.
func (g *generator) keyed() {
	g.line("func main() {")
	g.line("keys := []string{\"a\", \"b\"}")
	g.line("all := map[string]*T{}")
	g.line("for _, k := range keys {")
	g.line("all[k] = NewT()")
	g.line("}")
	g.line("var wg sync.WaitGroup")
	key := "k"
	if g.slip() {
		key = "\"a\""
	}
	switch g.r.Intn(3) {
	case 0:
		g.line("for _, k := range keys {")
		g.line("_ = k")
		g.goroutine("wg", func() {
			g.line("x := all[%s]", key)
			g.use()
		})
	case 1:
		g.line("for k, x := range all {")
		g.line("_, x = k, all[%s]", key)
		g.goroutine("wg", g.use)
	default:
		g.line("for _, x := range all {")
		g.goroutine("wg", g.use)
	}
	g.line("}")
	g.line("wg.Wait()")
	g.line("}")
}

// opened has a constructor that may fail, and returns an interface.
func (g *generator) opened() {
	g.line("type worker interface{ %s(int) int }", g.methods[0].name)
	g.line("type failure struct{}")
	g.line("func (failure) Error() string { return \"\" }")
	g.line("func open(n int) (worker, error) {")
	g.line("if n < 0 {")
	g.line("return nil, failure{}")
	g.line("}")
	g.line("x := NewT()")
	g.line("x.a = n")
	if g.slip() {
		g.line("go func() { x.b++ }()")
	}
	g.line("return x, nil")
	g.line("}")
	g.line("func main() {")
	g.line("var wg sync.WaitGroup")
	g.line("d, err := open(1)")
	g.line("if err != nil {")
	g.line("return")
	g.line("}")
	for range 2 {
		g.goroutine("wg", func() { g.line("d.%s(%s)", g.methods[0].name, g.methods[0].args) })
	}
	g.line("wg.Wait()")
	g.line("}")
}

// copies works on copies of an object that others change.
func (g *generator) copies() {
	g.line("func main() {")
	g.line("x := NewT()")
	g.line("var wg sync.WaitGroup")
	g.goroutine("wg", func() { g.calls("x") })
	g.goroutine("wg", func() {
		done := g.take(true)
		g.line("c := x.clone()")
		g.line("%s", done)
		g.line("c.a++")
		g.line("c.items = append(c.items, c.a)")
		g.line("c.p.v++")
		g.line("println(c.a + c.b + c.p.w + sum(c.items))")
	})
	g.line("wg.Wait()")
	g.line("}")
}

// chained is a list of nodes that are locked hand over hand.
func (g *generator) chained() {
	g.line("type node struct {")
	g.line("sync.Mutex")
	g.line("next *node")
	g.line("x *T")
	g.line("}")
	g.line("func visit(first *node, n int) {")
	g.line("at := first")
	g.line("at.Lock()")
	g.line("for at.next != nil {")
	g.line("next := at.next")
	if g.slip() {
		g.line("at.Unlock()")
		g.line("next.Lock()")
	} else {
		g.line("next.Lock()")
		g.line("at.Unlock()")
	}
	g.line("at = next")
	g.line("if at.x != nil {")
	g.line("x := at.x")
	g.use()
	g.line("}")
	g.line("}")
	early := g.slip()
	if !early {
		g.line("x := at.x")
		g.line("x.a, x.b = n, n")
	}
	g.line("at.Unlock()")
	if early {
		g.line("x := at.x")
		g.line("x.a, x.b = n, n")
	}
	g.line("}")
	g.line("func main() {")
	g.line("last := &node{x: NewT()}")
	g.line("first := &node{next: &node{next: last}}")
	g.line("var wg sync.WaitGroup")
	g.goroutine("wg", func() { g.line("visit(first, 1)") })
	g.goroutine("wg", func() { g.line("visit(first, 2)") })
	g.line("wg.Wait()")
	g.line("}")
}

// buffers are two containers of a library, one for each goroutine.
func (g *generator) buffers() {
	kind := g.r.Intn(2)
	first, second := "one", "two"
	if g.slip() {
		second = "one"
	}
	g.line("type out struct {")
	g.line("x *T")
	g.line("%s", []string{"buf bytes.Buffer", "list list.List"}[kind])
	g.line("}")
	g.line("func (o *out) put(n int) {")
	g.line("x := o.x")
	g.line("x.a += n")
	g.line("x.b += n")
	g.line("%s", []string{"o.buf.WriteByte(byte(n))", "o.list.PushBack(n)"}[kind])
	g.line("}")
	g.line("func main() {")
	g.line("one := &out{x: NewT()}")
	g.line("two := &out{x: NewT()}")
	g.line("_ = two")
	g.line("var wg sync.WaitGroup")
	g.goroutine("wg", func() {
		g.line("%s.put(1)", first)
		g.line("%s.put(2)", first)
	})
	g.goroutine("wg", func() { g.line("%s.put(3)", second) })
	g.line("wg.Wait()")
	g.line("one.put(two.x.a)")
	g.line("}")
}
