// Command samples_of_runtime_fixed keeps samples of the metrics of the runtime,
// which package metrics fills in.
package main

import (
	"runtime/metrics"
	"sync"
)

// Meter is a set of metrics and their last values.
type Meter struct {
	mu      sync.Mutex
	samples []metrics.Sample
}

// NewMeter returns a meter for metrics with these names.
func NewMeter(names ...string) *Meter {
	m := &Meter{}
	for _, name := range names {
		m.samples = append(m.samples, metrics.Sample{Name: name})
	}
	metrics.Read(m.samples)
	return m
}

// Refresh reads the values.
func (m *Meter) Refresh() {
	m.mu.Lock()
	metrics.Read(m.samples)
	m.mu.Unlock()
}

// value returns one value. The caller holds the lock.
func (m *Meter) value(i int) uint64 {
	return m.samples[i].Value.Uint64()
}

// Share returns the first value as a percentage of the second.
func (m *Meter) Share() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	part := m.value(0)
	whole := m.value(1)
	if part > whole {
		panic("more than the whole")
	}
	return 100 * part / (whole + 1)
}

func main() {
	meter := NewMeter("/memory/classes/heap/objects:bytes", "/memory/classes/total:bytes")
	quit := make(chan bool)
	go func() {
		meter.Refresh()
		quit <- true
	}()
	if meter.Share() > 100 {
		panic("impossible")
	}
	<-quit
}
