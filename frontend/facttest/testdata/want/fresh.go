package main

// T is the checked type.
type T struct {
	n    int
	next *T
}

var all []*T

// What a function makes is its own until it hands it out.
func published() {
	t := &T{}
	t.n = 1 // want "only the goroutine itself"
	all = append(all, t)
	t.n = 2 // not "only the goroutine itself"
}

// What a goroutine was started with is not its starter's own.
func shared() {
	t := &T{}
	go func() { t.n = 3 }()
	t.n = 4 // not "only the goroutine itself"
}

// What is stored in memory that is somebody else's is not one's own.
func linked(to *T) {
	t := &T{}
	t.n = 5 // want "only the goroutine itself"
	to.next = t
	t.n = 6 // not "only the goroutine itself"
}

func main() {
	published()
	shared()
	linked(all[0])
}
