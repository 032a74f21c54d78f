// Command handed_unknown decodes one of two configurations, and it is not known which one. What is waited for comes
// only if the first one says so.
//
// confirm: with "x"
// confirm: reading "{\"Silent\":true}"
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
	}
	<-results // want blocked
}
