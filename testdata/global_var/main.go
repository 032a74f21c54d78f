// Command global_var keeps the metrics of a server in a global variable.
package main

import (
	"fmt"
	"sync"
)

// metrics is used by all goroutines.
var metrics Metrics

func main() {
	var wg sync.WaitGroup
	wg.Add(3)
	go func() {
		defer wg.Done()
		handle("/login")
	}()
	go func() {
		defer wg.Done()
		handle("/logout")
	}()
	go func() {
		defer wg.Done()
		fmt.Println(metrics.Snapshot())
	}()
	wg.Wait()
}

// handle stands for the answer to a request.
func handle(path string) {
	metrics.Observe(path)
}
