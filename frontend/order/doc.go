// Package order is the happens-before edges between goroutines that hold in every run: from a
// start to the goroutine, from the last act of each goroutine to whoever waits for all of them
// (wait groups, channels that count or are closed), from the first call of Once.Do to the others,
// and from who sets a flag that only becomes true to who finds it so.
//
// A join that is not evident is no edge, which only adds interleavings. (The one false alarm of
// the Empire report came from an imprecise join.)
package order
