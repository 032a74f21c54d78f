package main

// T is the checked type.
type T struct{ n int }

func (t *T) once() { t.n = 1 }

func (t *T) often() { t.n = 2 } // not "entered at most once"

func main() {
	t := &T{}
	t.once()
	for i := 0; i < 2; i++ {
		go t.often()
	}
	go t.often()
}
