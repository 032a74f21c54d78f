// Command handed_shared decodes its configuration on another goroutine than the one that goes by it.
//
// confirm: reading "{\"Silent\":true}"
package main

import (
	"encoding/json"
	"os"
)

type config struct{ Silent bool }

func main() {
	var c config
	done := make(chan struct{})
	go func() {
		json.NewDecoder(os.Stdin).Decode(&c)
		close(done)
	}()
	<-done
	results := make(chan int, 1)
	if !c.Silent {
		results <- 1
	}
	<-results // want blocked
}
