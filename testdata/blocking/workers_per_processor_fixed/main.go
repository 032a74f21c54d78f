// Command workers_per_processor_fixed asks a worker, of which there is at least one.
package main

import "runtime"

func main() {
	answers := make(chan int, 1)
	n := runtime.GOMAXPROCS(0)
	if n > 0 {
		go func() { answers <- runtime.NumCPU() }()
	}
	println(<-answers)
}
