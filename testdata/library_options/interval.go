// Package interval is a library whose options lead to options again.
package interval

import "sync"

// Options say how an interval is made.
type Options struct {
	Low, High int
	Defaults  func() *Options       // what to use instead of zeros
	Wrap      func(Options) Wrapped // what the options are part of
}

// Wrapped is options with a name.
type Wrapped struct {
	Name    string
	Options Options
}

// Interval has two ends.
type Interval struct {
	mu        sync.Mutex
	low, high int
}

// New returns an interval.
func New(o Options) *Interval {
	if o.Defaults != nil && o.Low == 0 && o.High == 0 {
		o = *o.Defaults()
	}
	return &Interval{low: o.Low, high: o.High}
}

// Set moves the interval.
func (i *Interval) Set(low, high int) {
	i.mu.Lock()
	i.low = low
	i.mu.Unlock()

	i.mu.Lock() // BUG: another goroutine may have set its own
	i.high = high
	i.mu.Unlock()
}
