// Command handed_scanned_fixed closes the channel where nothing is sent.
package main

import "fmt"

func main() {
	var n int
	fmt.Scan(&n)
	results := make(chan int, 1)
	if n == 0 {
		results <- 1
	} else {
		close(results)
	}
	<-results
}
