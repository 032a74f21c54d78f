// Package main decodes into one of two configurations, and waits for nobody if a third one has a limit.
package main

import (
	"encoding/json"
	"os"
)

type config struct{ Limit *int }

type other struct {
	Limit *int
	Name  string
}

func main() {
	all := []*config{{}, {}}
	third := &other{}
	if err := json.Unmarshal([]byte(os.Args[1]), all[len(os.Args)%2]); err != nil {
		return
	}
	if third.Limit != nil {
		<-make(chan int)
	}
}
