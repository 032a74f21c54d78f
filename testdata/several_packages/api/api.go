// Package api has what a clock can do.
package api

type Setter interface{ Set(hours, minutes int) }

// Apply sets s.
func Apply(s Setter, hours int) { s.Set(hours, 10*hours) }
