// Program channel_done_twice: Two goroutines wait for the end, and only one value is sent.
package main

import (
	"fmt"
	"sync"
)

func main() {
	done := make(chan bool)
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			<-done // want blocked
		}()
	}
	done <- true
	wg.Wait()
	fmt.Println("end")
}
