//go:build !unix

package runs

import "time"

var start = time.Now()

// used is the time that has gone by: that of the processor is not known here.
func used() float64 { return time.Since(start).Seconds() }
