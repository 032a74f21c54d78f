// Package main waits for nobody if what it has decoded has no limit, as it is null.
//
// confirm: with "{\"Limit\":null}"
package main

import (
	"encoding/json"
	"os"
)

type config struct{ Limit *int }

func main() {
	most := 5
	c := config{Limit: &most}
	if err := json.Unmarshal([]byte(os.Args[1]), &c); err != nil {
		return
	}
	if c.Limit == nil {
		<-make(chan int) // want blocked
	}
}
