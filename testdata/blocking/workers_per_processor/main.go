// Command workers_per_processor asks more workers than it may have: there may be one processor.
//
// confirm: under "GOMAXPROCS=1"
package main

import "runtime"

func main() {
	answers := make(chan int, 1)
	n := runtime.GOMAXPROCS(0)
	if n > 1 {
		go func() { answers <- runtime.NumCPU() }()
	}
	println(<-answers) // want blocked
}
