package random

// entries makes a program whose object has a map, of which goroutines access entries: each its own,
// or one that others access, too.
func (g *generator) entries() {
	supplies := map[string][]string{
		"int":    {"1", "2", "x.ticket()", "x.late()", "x.added()", "x.b", "n", "n % 2", "number"},
		"string": {`"a"`, `"b"`, "name(n)", "x.word"},
		"*inner": {"&inner{}", "newInner()", "shared"},
		"any":    {"1", "2", "&inner{}", "n", "x.ticket()", `"a"`, "int64(1)"},
	}
	key := g.pick("int", "int", "string", "*inner", "any")
	g.imports["sync/atomic"] = true
	g.line("type inner struct{ v int }")
	g.line("var shared = &inner{}")
	g.line("func newInner() *inner { return &inner{1} }")
	g.line("func name(n int) string { return string(rune('a' + n)) }")
	g.line("type T struct {")
	g.line("mu sync.Mutex")
	g.line("m map[%s]int", key)
	if g.chance(3) {
		g.line("b int")
	} else {
		g.line("b, c int")
	}
	g.line("next int")
	g.line("last atomic.Int64")
	g.line("word string")
	g.line("}")
	g.line("func NewT() *T { return &T{m: map[%s]int{}, word: \"a\"} }", key)
	g.line("func (x *T) ticket() int {")
	g.line("x.mu.Lock()")
	g.line("defer x.mu.Unlock()")
	if g.chance(2) {
		g.line("x.next++")
		g.line("return x.next")
	} else {
		g.line("n := x.next")
		g.line("x.next = n + %s", g.pick("1", "1", "2"))
		g.line("return n")
	}
	g.line("}")
	g.line("func (x *T) late() int {")
	g.line("x.mu.Lock()")
	g.line("n := x.next")
	if g.slip() {
		g.line("x.mu.Unlock()")
		g.line("x.mu.Lock()")
	}
	g.line("x.next++")
	if g.slip() {
		g.line("x.next = 0")
	}
	g.line("x.mu.Unlock()")
	g.line("return n")
	g.line("}")
	g.line("func (x *T) added() int { return int(x.last.Add(%s)) }", g.pick("1", "1", "2"))
	g.line("func (x *T) get(k %s) int {", key)
	g.line("x.mu.Lock()")
	g.line("defer x.mu.Unlock()")
	g.line("return x.m[k]")
	g.line("}")
	g.line("func (x *T) set(k %s, v int) {", key)
	g.line("x.mu.Lock()")
	g.line("x.m[k] = v")
	g.line("x.mu.Unlock()")
	g.line("}")
	for i := range 2 {
		g.entriesMethod(i, key, supplies[key])
	}
	g.entriesMain()
}

// entriesMethod declares a method that accesses entries with one key, or two, in a few sections.
func (g *generator) entriesMethod(i int, key string, supplies []string) {
	g.line("func (x *T) %s(n, number int) int {", string(rune('A'+i)))
	g.line("var k, j %s = %s, %s", key, g.pick(supplies...), g.pick(supplies...))
	g.line("_, _ = k, j")
	if g.chance(6) {
		g.line("j = k")
	}
	if g.chance(6) {
		g.line("if n > 1 { k = j }")
	}
	steps := 2 + g.r.Intn(2)
	held := false
	for range steps {
		of := g.pick("k", "k", "k", "j")
		if g.chance(4) {
			of = g.pick(supplies...)
			if of == "x.ticket()" || of == "x.late()" {
				of = "k"
			}
		}
		if !held && g.chance(3) {
			g.line("%s", g.pick("x.set("+of+", n)", "n += x.get("+of+")", "x.set("+of+", x.get("+of+")*2)"))
			continue
		}
		if !held {
			g.line("x.mu.Lock()")
			held = true
			if g.chance(5) {
				g.line("defer delete(x.m, %s)", of)
			}
		}
		switch g.r.Intn(12) {
		case 0, 1, 2:
			g.line("x.m[%s] = n", of)
		case 3, 4, 5:
			g.line("n += x.m[%s]", of)
		case 6:
			g.line("delete(x.m, %s)", of)
		case 7:
			g.line("if _, ok := x.m[%s]; !ok { x.m[%s] = 1 }", of, of)
		case 8:
			g.line("x.m[%s]++", of)
		case 9:
			g.line("%s", g.pick("n += len(x.m)", "for _, v := range x.m { n += v }", "clear(x.m)"))
		case 10:
			g.line("x.b++")
		default:
			if g.slip() {
				g.line("x.m = map[%s]int{}", key)
			} else {
				g.line("x.b = n + len(x.word)")
			}
		}
		if g.chance(2) {
			g.line("x.mu.Unlock()")
			held = false
		}
	}
	if held {
		g.line("x.mu.Unlock()")
	}
	g.line("return n")
	g.line("}")
}

func (g *generator) entriesMain() {
	g.line("func main() {")
	g.line("x := NewT()")
	g.line("var wg sync.WaitGroup")
	call := func() string { return "println(x." + g.pick("A", "A", "B") + "(" + g.pick("1", "2") + ", i))" }
	if g.chance(2) {
		g.line("for i := range 2 {")
		g.goroutine("wg", func() { g.line("%s", call()) })
		g.line("}")
	} else {
		g.line("i := 1")
		g.goroutine("wg", func() { g.line("%s", call()) })
		g.goroutine("wg", func() { g.line("%s", call()) })
	}
	g.line("wg.Wait()")
	g.line("}")
}
