package random

// guarded is a program whose objects of the checked type hold others that guard themselves: each has
// a lock of its own.
func (g *generator) guarded() {
	g.line("type counter struct {")
	g.line("mu sync.Mutex")
	g.line("n, last int")
	g.line("seen []int")
	g.line("}")
	g.line("func (c *counter) add(n int) {")
	locked := !g.slip()
	if locked {
		g.line("c.mu.Lock()")
	}
	if deferred := g.chance(2); locked && deferred {
		g.line("defer c.mu.Unlock()")
		locked = false
	}
	g.line("c.n += n")
	g.line("c.last = n")
	if g.chance(2) {
		g.line("c.seen = append(c.seen, n)")
	}
	if locked {
		g.line("c.mu.Unlock()")
	}
	g.line("}")
	g.line("func (c *counter) get() int {")
	g.line("c.mu.Lock()")
	if g.chance(2) {
		g.line("defer c.mu.Unlock()")
		g.line("return c.n - c.last")
	} else {
		g.line("v := c.n")
		g.line("c.mu.Unlock()")
		if g.slip() {
			g.line("return v + c.last")
		} else {
			g.line("return v")
		}
	}
	g.line("}")
	g.line("type T struct {")
	g.line("mu sync.Mutex")
	g.line("a, b int")
	g.line("all map[string]*counter")
	g.line("first *counter")
	g.line("}")
	g.line("func NewT() *T {")
	g.line("x := &T{all: map[string]*counter{}, first: &counter{}}")
	if g.chance(3) {
		g.line("x.all[%q] = &counter{}", "k")
	}
	g.line("return x")
	g.line("}")
	g.line("func (x *T) at(name string) *counter {")
	g.line("x.mu.Lock()")
	g.line("defer x.mu.Unlock()")
	g.line("c := x.all[name]")
	g.line("if c == nil {")
	g.line("c = &counter{}")
	g.line("c.last = 1")
	g.line("x.all[name] = c")
	g.line("}")
	g.line("return c")
	g.line("}")
	for i := range 2 + g.r.Intn(2) {
		g.begin(i, "G")
		g.line("%s", g.pick("x.at(\"j\").add(n)", "x.at(\"j\").add(n)", "x.at(\"k\").add(n)", "x.first.add(n)",
			"n += x.at(\"j\").get()", "n += x.first.get()",
			"x.first.mu.Lock()\nx.first.n++\nx.first.mu.Unlock()"))
		if g.chance(2) {
			g.line("x.mu.Lock()")
			g.line("x.a += n")
			g.line("x.b = x.a")
			g.line("x.mu.Unlock()")
		}
		g.line("return n")
		g.line("}")
	}
	g.line("func main() {")
	g.line("x := NewT()")
	g.line("var wg sync.WaitGroup")
	for range 2 {
		g.line("wg.Go(func() {")
		g.calls("x")
		g.line("})")
	}
	g.line("wg.Wait()")
	g.calls("x")
	g.line("}")
}
