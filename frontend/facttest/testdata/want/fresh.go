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

// One that was made in another iteration may have been handed out in this one, before the next was made.
func earlier(n int) {
	var last *T
	for i := 0; i < n; i++ {
		if last != nil {
			all = append(all, last)
		}
		t := &T{}
		if last != nil {
			last.n = 7 // not "only the goroutine itself"
		}
		last = t
	}
}

func main() {
	published()
	earlier(3)
	shared()
	linked(all[0])
}
