// Package main starts a goroutine for each name, and receives from each.
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
		go func() {
			lengths <- len(name)
		}()
	}
	for range names {
		fmt.Println(<-lengths)
	}
}
