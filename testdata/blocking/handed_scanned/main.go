// Command handed_scanned waits for as many results as it has read a number for.
//
// confirm: reading "1"
package main

import "fmt"

func main() {
	var n int
	fmt.Scan(&n)
	results := make(chan int, 1)
	if n == 0 {
		results <- 1
	}
	<-results // want blocked
}
