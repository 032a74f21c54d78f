// Package main starts a goroutine for each name, and receives for each name; the list is one that literals have captured.
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
	for i := range names {
		go func() {
			lengths <- len(names[i])
		}()
	}
	for range names {
		fmt.Println(<-lengths)
	}
}
