// Command slice_copied_somewhere_fixed closes the channel where the slice has been copied to.
package main

import "os"

func main() {
	first, second := []int{0}, []int{0}
	copy([][]int{first, second}[len(os.Args)%2], []int{1})
	results := make(chan int, 1)
	if first[0] == 0 {
		results <- 1
	} else {
		close(results)
	}
	<-results
}
