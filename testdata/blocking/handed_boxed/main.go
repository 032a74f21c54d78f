// Command handed_boxed waits for a result that comes only if the configuration, which is decoded, says so.
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
	if err := json.NewDecoder(os.Stdin).Decode(&c); err != nil {
		return
	}
	results := make(chan int, 1)
	if !c.Silent {
		results <- 1
	}
	<-results // want blocked
}
