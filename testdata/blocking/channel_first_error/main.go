// Program channel_first_error: Only the first of two results is received.
package main

import (
	"fmt"
)

func main() {
	errs := make(chan error)
	for i := range 2 {
		go func() {
			errs <- fmt.Errorf("attempt %d", i) // want blocked
		}()
	}
	fmt.Println(<-errs)
}
