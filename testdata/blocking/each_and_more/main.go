// Package main starts a goroutine for each name, and receives once more than that: the list has become longer.
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
	names = append(names, "last")
	for range names {
		fmt.Println(<-lengths) // want blocked
	}
}
