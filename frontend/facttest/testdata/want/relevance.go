package main

import (
	"sync"
	"sync/atomic"
)

// T is the checked type.
type T struct {
	mu    sync.Mutex
	data  map[string]int
	n     int
	done  bool
	seats atomic.Int64
}

// What was seen first no longer matters when it is looked at again.
func (t *T) twice(k string) {
	t.mu.Lock()
	_, known := t.data[k]
	t.mu.Unlock()
	if known {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, known := t.data[k]; !known { // want "matter"
		t.data[k] = 1
		t.n++
	}
}

// It does where it is what is stored.
func (t *T) lost() {
	t.mu.Lock()
	n := t.n
	t.mu.Unlock()
	t.mu.Lock()
	t.n = n + 1 // not "matter"
	t.mu.Unlock()
}

// It does where it has decided which way control goes, and is not asked again.
func (t *T) decides() int {
	t.mu.Lock()
	n := t.n
	t.mu.Unlock()
	if n > 3 {
		return 0
	}
	t.mu.Lock()
	t.data["b"] = 1 // not "matter"
	t.mu.Unlock()
	return 1
}

// Nor is another sum asked again.
func (t *T) another(k, j int) int {
	t.mu.Lock()
	full := t.n+k > 3
	t.mu.Unlock()
	if full {
		return 0
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n+j > 3 { // not "matter"
		return 0
	}
	t.n++
	return 1
}

// What a swap that has failed expected no longer matters when it is looked at again.
func (t *T) retries() {
	old := t.seats.Load()
	if !t.seats.CompareAndSwap(old, old+1) {
		old = t.seats.Load() // want "matter"
		t.seats.CompareAndSwap(old, old+1)
	}
}

// It does where it has been stored.
func (t *T) restores() {
	old := t.seats.Load()
	if !t.seats.CompareAndSwap(old, old+1) {
		t.seats.Store(old)
		old = t.seats.Load() // not "matter what .t1 "
		t.seats.CompareAndSwap(old, old+1)
	}
}

// Both parts of a condition are asked again.
func (t *T) parts(most int) {
	t.mu.Lock()
	no := t.done || t.n >= most
	t.mu.Unlock()
	if no {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.done || t.n >= most { // want "matter"
		return
	}
	t.n++
}

// It matters where the second look asks something else.
func (t *T) partsNot(most int) {
	t.mu.Lock()
	no := t.done || t.n >= most
	t.mu.Unlock()
	if no {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.done || t.n > most { // not "matter"
		return
	}
	t.n++
}

// So they are where the opposite is asked.
func (t *T) negated(most int) {
	t.mu.Lock()
	no := t.done || t.n >= most
	t.mu.Unlock()
	if no {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !(!t.done && t.n < most) { // want "matter"
		return
	}
	t.n++
}

// It matters where the second look asks something else.
func (t *T) negatedNot(most int) {
	t.mu.Lock()
	no := t.done || t.n >= most
	t.mu.Unlock()
	if no {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !(!t.done || t.n < most) { // not "matter"
		return
	}
	t.n++
}

// The second part is asked only where the first one says so.
func (t *T) nested(most int) {
	t.mu.Lock()
	no := t.done && len(t.data) >= most
	t.mu.Unlock()
	if no {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.done && // want "matter what .t5 = "
		len(t.data) >= most {
		return
	}
	t.n++
}

// It matters where the second look asks something else.
func (t *T) nestedNot(most int) {
	t.mu.Lock()
	no := t.done && len(t.data) >= most
	t.mu.Unlock()
	if no {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.done && // not "matter what .t5 = "
		len(t.data) >= most {
		return
	}
	t.n++
}

// over reports whether no more is to be done.
func (t *T) over(most int) bool { return t.done || t.n >= most }

// A helper asks the same as who looks in place.
func (t *T) inHelper(most int) {
	t.mu.Lock()
	no := t.over(most)
	t.mu.Unlock()
	if no {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n >= most || t.done { // want "matter"
		return
	}
	t.n++
}

// It matters where the second look asks something else.
func (t *T) inHelperNot(most int) {
	t.mu.Lock()
	no := t.over(most)
	t.mu.Unlock()
	if no {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n >= most && t.done { // not "matter"
		return
	}
	t.n++
}

// It matters where numbers are compared otherwise.
func (t *T) comparedNot(most int) {
	t.mu.Lock()
	no := t.n < most
	t.mu.Unlock()
	if no {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n == most { // not "matter"
		return
	}
	t.n++
}

// A flag says the opposite of the first part.
func (t *T) flag(most int) {
	t.mu.Lock()
	no := t.done || t.n >= most
	t.mu.Unlock()
	if no {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	open := !t.done // want "matter what .t5 = "
	if open && t.n < most {
		t.n++
	} else {
		t.n = 0
	}
}

// Each case of a switch is decided by a second one.
func (t *T) cases() {
	t.mu.Lock()
	switch t.n {
	case 1, 2:
		t.mu.Unlock()
		return
	}
	t.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	switch t.n { // want "matter"
	case 2, 1:
		return
	}
	t.n = 1
}

// It matters where a case is left out.
func (t *T) casesNot() {
	t.mu.Lock()
	switch t.n {
	case 1, 2:
		t.mu.Unlock()
		return
	}
	t.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	switch t.n { // not "matter"
	case 1:
		return
	}
	t.n = 1
}

// What a swap that has failed expected is lost; what was decided on it is decided again.
func (t *T) swaps(most int64) bool {
	for {
		seats := t.seats.Load() // want "matter"
		if seats >= most {
			return false
		}
		if t.seats.CompareAndSwap(seats, seats+1) {
			return true
		}
	}
}

// It matters where the number is loaded again but not compared.
func (t *T) swapsNot(most int64) bool {
	seats := t.seats.Load() // not "matter"
	if seats >= most {
		return false
	}
	if t.seats.CompareAndSwap(seats, seats+1) {
		return true
	}
	seats = t.seats.Load()
	return t.seats.CompareAndSwap(seats, seats+1)
}

// Who gives up counts on the first part, which the second look does not answer.
func (t *T) countsOn(most int) {
	t.mu.Lock()
	if !t.done || len(t.data) >= most {
		t.mu.Unlock()
		return
	}
	t.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.done && // not "matter what .t14 = "
		len(t.data) >= most {
		return
	}
	t.n++
}

// A loop waits, and its flag is a look of its own.
func (t *T) waits(most int, ready *sync.Cond) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for over := t.over(most); over; over = t.over(most) { // want "matter"
		ready.Wait()
	}
	t.n++
}

// It matters for a swap between the two looks, which does something if it succeeds.
func (t *T) claims() bool {
	t.mu.Lock()
	done := t.done
	t.mu.Unlock()
	if done {
		return false
	}
	if t.seats.CompareAndSwap(0, 1) { // not "matter"
		return true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.done {
		return false
	}
	return true
}

func main() {
	t := &T{data: map[string]int{}}
	go t.twice("a")
	go t.twice("a")
	go t.past(true)
	go t.lost()
	go t.claims()
	go t.retries()
	go t.restores()
	go t.decides()
	go t.another(2, 3)
	go t.parts(3)
	go t.partsNot(3)
	go t.negated(3)
	go t.negatedNot(3)
	go t.nested(3)
	go t.nestedNot(3)
	go t.inHelper(3)
	go t.inHelperNot(3)
	go t.comparedNot(3)
	go t.flag(3)
	go t.swaps(3)
	go t.swapsNot(3)
	go t.countsOn(3)
	go t.cases()
	go t.casesNot()
	go t.waits(3, sync.NewCond(&t.mu))
}

// The second look is on one of several ways, past which another one leads out of the function.
func (t *T) past(quick bool) {
	t.mu.Lock()
	full := t.n > 3
	t.mu.Unlock()
	if full {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	again := t.done
	if !again {
		if quick {
			return
		}
		again = t.n > 3
	}
	if again {
		return
	}
	t.data["c"] = 1
}
