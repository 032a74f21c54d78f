//go:build fast

package main

// guard is none, where one goroutine was thought to be enough.
type guard struct{}

func (*guard) enter() {}
func (*guard) leave() {}
