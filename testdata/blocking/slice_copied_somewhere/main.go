// Command slice_copied_somewhere copies into one of two slices, and it is not known into which one. The result of a
// worker is waited for, which does not come where its slice has been copied to.
//
// confirm: with "x"
package main

import "os"

func main() {
	first, second := []int{0}, []int{0}
	copy([][]int{first, second}[len(os.Args)%2], []int{1})
	results := make(chan int, 1)
	if first[0] == 0 {
		results <- 1
	}
	<-results // want blocked
}
