// Command method_value_in_field makes a meter that counts by itself. It starts
// to do so, by way of a method value in a field, before the meter is complete.
package main

// Meter counts ticks.
type Meter struct {
	ticks int
	total int
	run   func()
}

func (m *Meter) count() {
	m.ticks++
	m.total += 10
}

// NewMeter returns a meter that has counted five ticks and more.
func NewMeter() *Meter {
	m := &Meter{}
	m.run = m.count
	go m.run()
	m.ticks = 5 // count may be at work
	m.total = 50
	return m
}

func main() {
	NewMeter()
}
