// A package variable is waited for without synchronisation.
package main

import (
	"fmt"
	"runtime"
)

var (
	ready bool
	value string
)

func main() {
	go func() {
		value = "set"
		ready = true // want data-race
	}()
	for !ready { // want data-race
		runtime.Gosched()
	}
	fmt.Println("ready")
}
