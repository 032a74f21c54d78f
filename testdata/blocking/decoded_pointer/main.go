// Package main decodes into one of two configurations, and waits for nobody if the first one has got a limit.
//
// confirm: with "{\"Limit\":1}"
package main

import (
	"encoding/json"
	"os"
)

type config struct{ Limit *int }

func main() {
	all := []*config{{}, {}}
	if err := json.Unmarshal([]byte(os.Args[1]), all[len(os.Args)%2]); err != nil {
		return
	}
	if first := all[0]; first.Limit != nil {
		<-make(chan int) // want blocked
	}
}
