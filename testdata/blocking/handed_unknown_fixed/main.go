// Command handed_unknown_fixed closes the channel where nothing is sent.
package main

import (
	"encoding/json"
	"os"
)

type config struct{ Silent bool }

func main() {
	first, second := &config{}, &config{}
	json.NewDecoder(os.Stdin).Decode([]*config{first, second}[len(os.Args)%2])
	results := make(chan int, 1)
	if !first.Silent {
		results <- 1
	} else {
		close(results)
	}
	<-results
}
