package random

// spinLock declares type spin, a lock that is a variable, with some ways to take it and to
// release it; drop is for those who have not taken it.
func (g *generator) spinLock() {
	g.imports["sync/atomic"] = true
	swap, load, zero, one := "l.held.Swap(true)", "l.held.Load()", "l.held.Store(false)",
		"l.held.CompareAndSwap(true, false)"
	take := "l.held.CompareAndSwap(false, true)"
	if g.chance(2) {
		g.line("type spin struct{ held atomic.Bool }")
	} else {
		g.line("type spin uint32")
		swap, load, zero, one = "atomic.SwapUint32((*uint32)(l), 1) != 0", "atomic.LoadUint32((*uint32)(l)) == 1",
			"atomic.StoreUint32((*uint32)(l), 0)", "atomic.CompareAndSwapUint32((*uint32)(l), 1, 0)"
		take = "atomic.CompareAndSwapUint32((*uint32)(l), 0, 1)"
	}
	g.line("func (l *spin) Lock() {")
	g.line("for %s {", g.pick("!"+take, swap, load+" || !"+take))
	g.line("}")
	g.line("}")
	g.line("func (l *spin) TryLock() bool { return %s }", take)
	g.line("func (l *spin) Unlock() { %s }", g.pick(zero, zero, one))
	g.line("func (l *spin) drop() { %s }", g.pick(zero, one))
}
