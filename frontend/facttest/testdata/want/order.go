package main

import "sync"

// T is the checked type.
type T struct{ n, m int }

func (t *T) work() { t.n++ }

// The goroutines are done behind Wait.
func joined(t *T) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		t.work()
	}()
	wg.Wait() // want "are done"
	t.m = t.n
}

// One that nobody counts is not waited for.
func uncounted(t *T) {
	var wg sync.WaitGroup
	go t.work()
	wg.Wait() // not "are done"
	t.m = t.n
}

// A receive waits for who sends when it is done.
func received(t *T) {
	done := make(chan bool)
	go func() {
		t.work()
		done <- true
	}()
	<-done // want "are done"
	t.m = t.n
}

// One receive does not wait for two.
func half(t *T) {
	done := make(chan bool, 2)
	for i := 0; i < 2; i++ {
		go func() {
			t.work()
			done <- true
		}()
	}
	<-done // not "are done"
	t.m = t.n
}

func main() {
	joined(&T{})
	uncounted(&T{})
	received(&T{})
	half(&T{})
}
