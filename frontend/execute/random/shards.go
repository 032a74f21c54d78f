package random

// shards makes a program whose object has locks in an array, or a slice, beside arrays of what they
// guard: each element with the lock of the same index, but for mistakes.
func (g *generator) shards() {
	slices, reads := g.chance(2), g.chance(3)
	lock := "sync.Mutex"
	if reads {
		lock = "sync.RWMutex"
	}
	of := "[2]"
	if slices {
		of = "[]"
	}
	g.line("type T struct {")
	g.line("mu %s%s", of, lock)
	g.line("n, k %sint", of)
	g.line("m %smap[string]int", of)
	g.line("b int")
	g.line("}")
	if slices {
		g.line("func NewT() *T {")
		g.line("x := &T{mu: make([]%s, 2), n: make([]int, 2), k: make([]int, 2), m: make([]map[string]int, 2)}", lock)
	} else {
		g.line("func NewT() *T {")
		g.line("x := &T{}")
	}
	g.line("for i := range 2 { x.m[i] = map[string]int{} }")
	if g.slip() {
		g.line("x.m[1] = x.m[0]")
	}
	g.line("return x")
	g.line("}")
	g.line("func (x *T) add(i, n int) { x.n[i] += n }")
	g.line("func (x *T) of(i int) int { return x.k[i] }")
	for i := range 2 {
		g.shardsMethod(i, reads)
	}
	g.line("func main() {")
	g.line("x := NewT()")
	g.line("var wg sync.WaitGroup")
	for range 2 {
		g.goroutine("wg", func() {
			g.line("println(x.%s(%s, %s))", g.pick("A", "A", "B"), g.pick("1", "2"), g.pick("0", "1"))
		})
	}
	g.line("wg.Wait()")
	g.line("}")
}

// shardsMethod declares a method that accesses elements in a few sections.
func (g *generator) shardsMethod(number int, reads bool) {
	g.line("func (x *T) %s(n, i int) int {", string(rune('A'+number)))
	g.line("j := %s", g.pick("1 - i", "i", "(i + n) % 2", "n % 2"))
	g.line("_ = j")
	if g.chance(4) {
		g.line("if n > 1 { i = j }")
	}
	for range 1 + g.r.Intn(3) {
		at := g.pick("i", "i", "i", "j")
		other := g.pick("i", "j", "1 - i", "0")
		both := at != other && g.chance(5)
		takes, gives := "Lock", "Unlock"
		if reads && g.chance(3) {
			takes, gives = "RLock", "RUnlock"
		}
		if both {
			g.line("if i < j { x.mu[i].Lock(); x.mu[j].Lock() } else if j < i { x.mu[j].Lock(); x.mu[i].Lock() } " +
				"else { x.mu[i].Lock() }")
			at, other = "i", "j"
		} else {
			g.line("x.mu[%s].%s()", at, takes)
		}
		for range 1 + g.r.Intn(3) {
			element := at
			if both && g.chance(2) || g.slip() && g.chance(3) {
				element = other
			}
			g.shardsStep(element)
			if !both && g.slip() && g.chance(3) {
				g.line("%s = 1 - %s", at, at)
			}
		}
		if both {
			g.line("x.mu[i].Unlock()")
			g.line("if i != j { x.mu[j].Unlock() }")
		} else {
			g.line("x.mu[%s].%s()", at, gives)
		}
	}
	g.line("return n")
	g.line("}")
}

func (g *generator) shardsStep(at string) {
	switch g.r.Intn(9) {
	case 0:
		g.line("x.n[%s]++", at)
	case 1:
		g.line("x.k[%s] = x.n[%s]", at, at)
	case 2:
		g.line("x.add(%s, 1)", at)
	case 3:
		g.line("n += x.of(%s)", at)
	case 4, 5:
		g.line("x.m[%s][%s] = n", at, g.pick(`"a"`, `"b"`))
	case 6:
		g.line("n += x.m[%s][\"a\"] + len(x.m[%s])", at, at)
	case 7:
		if g.slip() {
			g.line("%s", g.pick("n += len(x.n)", "for _, v := range x.n { n += v }", "x.m[0] = map[string]int{}"))
		} else {
			g.line("n += x.n[%s]", at)
		}
	default:
		g.line("{")
		g.line("m := x.m[%s]", at)
		g.line("m[\"a\"]++")
		g.line("}")
	}
}
