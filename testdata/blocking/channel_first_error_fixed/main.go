// Program channel_first_error_fixed: the mended channel_first_error.
package main

import (
	"fmt"
)

func main() {
	errs := make(chan error, 2)
	for i := range 2 {
		go func() {
			errs <- fmt.Errorf("attempt %d", i)
		}()
	}
	fmt.Println(<-errs)
}
