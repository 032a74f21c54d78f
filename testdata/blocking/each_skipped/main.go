// Package main starts a goroutine for each name that is not empty, and receives for each name.
//
// confirm: with ""
package main

import (
	"fmt"
	"os"
)

func main() {
	names := os.Args[1:]
	if len(names) > 2 {
		return
	}
	lengths := make(chan int)
	for _, name := range names {
		if name == "" {
			continue
		}
		go func() {
			lengths <- len(name)
		}()
	}
	for range names {
		fmt.Println(<-lengths) // want blocked
	}
}
