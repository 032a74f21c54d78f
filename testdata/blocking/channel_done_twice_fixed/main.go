// Program channel_done_twice_fixed: the mended channel_done_twice.
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
			<-done
		}()
	}
	close(done)
	wg.Wait()
	fmt.Println("end")
}
