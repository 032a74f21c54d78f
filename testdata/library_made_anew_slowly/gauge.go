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

// Reset takes the level down to its last bit: what is stored after it was loaded is lost.
func (g *Gauge) Reset() {
	g.level.Store(g.level.Load() & 1)
}

// Set sets the level.
func (g *Gauge) Set(n int64) { g.level.Store(n) }

// Level returns it.
func (g *Gauge) Level() int64 { return g.level.Load() }
