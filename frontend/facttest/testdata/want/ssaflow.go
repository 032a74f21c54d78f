package main

// T is the checked type.
type T struct{ n, m int }

// A block of straight code is executed once each time, one of a loop is not.
func (t *T) loop(k int) { // want "\"jump 1\" in loop is executed at most once" not "if .* is executed at most once"
	t.n = 0
	for i := 0; i < k; i++ {
		if t.m > i {
			t.n++
		}
	}
	t.m = t.n
}

// What comes later does not lead back.
func (t *T) branch(yes bool) { // want "after .*jump 2.* does not come to .*if yes"
	if yes {
		t.n = 1
	} else {
		t.m = 1
	}
	t.n += t.m
}

func main() {
	t := &T{}
	t.loop(3)
	t.branch(t.n > 1)
}
