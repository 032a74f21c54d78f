// Command idle_lock has two locks that are package variables. Under one the clock is set,
// by calls; under the other nothing happens to it.
package main

import "sync"

var (
	turn    sync.Mutex // for who uses a clock
	journal sync.Mutex
	lines   []string
)

// Clock is hours and minutes.
type Clock struct{ hours, minutes int }

func NewClock() *Clock { return &Clock{} }

func note(line string) {
	journal.Lock()
	defer journal.Unlock()
	lines = append(lines, line)
}

func (c *Clock) setHours(hours int) { c.hours = hours }

func (c *Clock) setMinutes(minutes int) { c.minutes = minutes }

func (c *Clock) Set(hours, minutes int) {
	turn.Lock()
	c.setHours(hours)
	turn.Unlock()
	note("the hours are set") // and seen with the minutes before
	turn.Lock()
	c.setMinutes(minutes)
	turn.Unlock()
}

func (c *Clock) Get() (int, int) {
	turn.Lock()
	defer turn.Unlock()
	hours := c.hours
	minutes := c.minutes
	note("the clock is read")
	return hours, minutes
}

func main() {
	c := NewClock()
	var wg sync.WaitGroup
	wg.Go(func() { c.Set(1, 60) })
	wg.Go(func() { println(c.Get()) })
	wg.Wait()
	note("done")
}
