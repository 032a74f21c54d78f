// Command channel_opened_elsewhere sets a volume and reads it from goroutines that wait at
// a gate. What opens the gate uses no field.
package main

import (
	"fmt"
	"sync"
)

// Volume is a level for each side.
type Volume struct {
	left  int
	right int
}

// Set changes the volume.
func (v *Volume) Set(left, right int) {
	v.left = left
	v.right = right
}

// Get returns the volume.
func (v *Volume) Get() (left, right int) {
	left = v.left
	right = v.right
	return left, right
}

var gate = make(chan struct{})

func open() { close(gate) }

func main() {
	v := &Volume{}
	var wg sync.WaitGroup
	wg.Go(func() {
		<-gate
		v.Set(3, 4)
	})
	wg.Go(func() {
		<-gate
		fmt.Println(v.Get()) // at the same time as Set
	})
	go open()
	wg.Wait()
}
