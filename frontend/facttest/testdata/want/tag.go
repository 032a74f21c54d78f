package main

// T is the checked type.
type T struct {
	n    int
	next *T
}

func newT() *T { return &T{} }

func walk(t *T) {
	for ; t != nil; t = t.next { // want "may be t1"
		t.n++
	}
}

func main() {
	t := newT()
	t.next = newT()
	go walk(t)
	walk(t)
}
