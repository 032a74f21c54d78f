// Command reopened_section keeps a log from two goroutines.
package main

import (
	"fmt"
	"sync"
)

func main() {
	log := &Log{}

	var wg sync.WaitGroup
	wg.Go(func() { log.Append("listening") })
	wg.Go(func() { log.Append("connected") })
	wg.Wait()

	fmt.Println(log.Size())
}
