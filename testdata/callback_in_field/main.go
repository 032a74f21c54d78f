// Command callback_in_field makes a meter with a callback for ticks. The
// callback is called by another goroutine before the meter is complete.
package main

// Meter counts ticks.
type Meter struct {
	ticks  int
	total  int
	onTick func()
}

var tick func()

// NewMeter returns a meter that has counted five ticks and more.
func NewMeter() *Meter {
	m := &Meter{}
	m.onTick = func() {
		m.ticks++
		m.total += 10
	}
	tick = m.onTick
	go tick()
	m.ticks = 5 // the callback has the meter by now
	m.total = 50
	return m
}

func main() {
	NewMeter()
}
