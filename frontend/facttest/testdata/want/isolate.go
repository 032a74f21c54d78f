package main

// T is the checked type.
type T struct {
	own    map[string]int
	shared map[string]int
}

var table = map[string]int{} // not "only one"

func newT() *T {
	return &T{
		own:    map[string]int{}, // want "share|one holder|only"
		shared: table,
	}
}

func (t *T) put(k string) {
	t.own[k]++
	t.shared[k]++
}

func main() {
	a, b := newT(), newT()
	go a.put("a")
	b.put("b")
}
