// Package gauge measures.
package gauge

import "sync/atomic"

// Gauge has a limit that others read, and a level.
type Gauge struct {
	level atomic.Int64
	peak  atomic.Int64
	name  string
}

// New returns a gauge.
func New(name string) *Gauge { return &Gauge{name: name} }

// Reset makes it anew for another use: it overwrites the atomics, as only who has it alone can.
func (g *Gauge) Reset(name string) {
	*g = Gauge{name: name}
}

// Set sets the level.
func (g *Gauge) Set(n int64) { g.level.Store(n) }

// Level returns it.
func (g *Gauge) Level() int64 { return g.level.Load() }
