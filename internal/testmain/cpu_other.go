//go:build !unix

package testmain

import "time"

var begin = time.Now()

// CPU returns the time since this process has begun.
func CPU() time.Duration { return time.Since(begin) }
