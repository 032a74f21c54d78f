// Command method_value_in_field_fixed makes a meter that counts by itself. It
// starts to do so, by way of a method value in a field, when the meter is
// complete.
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
	m.ticks = 5
	m.total = 50
	m.run = m.count
	go m.run()
	return m
}

func main() {
	NewMeter()
}
