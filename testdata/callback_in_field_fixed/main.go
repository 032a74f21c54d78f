// Command callback_in_field_fixed makes a meter with a callback for ticks. The
// callback is called by another goroutine when the meter is complete.
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
	m.ticks = 5
	m.total = 50
	m.onTick = func() {
		m.ticks++
		m.total += 10
	}
	tick = m.onTick
	go tick()
	return m
}

func main() {
	NewMeter()
}
