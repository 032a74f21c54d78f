// Command fork_join runs batches of jobs, each batch with a goroutine for each
// job.
package main

import "fmt"

func main() {
	batch := &Batch{}
	fmt.Println(batch.Run([]int{3, 4, 5}))
	fmt.Println(batch.Run([]int{10, 20}))
}
