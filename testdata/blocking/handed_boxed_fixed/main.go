// Command handed_boxed_fixed closes the channel where nothing is sent.
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
	} else {
		close(results)
	}
	<-results
}
