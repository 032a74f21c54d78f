// Command sort_slice sorts numbers while another goroutine adds them up.
package main

import (
	"sort"
	"sync"
)

// Numbers is a list of numbers. It is not safe for concurrent use.
type Numbers struct {
	data []int
}

// Sort puts the numbers in order.
func (n *Numbers) Sort() {
	sort.Slice(n.data, func(i, j int) bool { return n.data[i] < n.data[j] })
}

// Sum adds the numbers up.
func (n *Numbers) Sum() int {
	sum := 0
	for _, number := range n.data {
		sum += number
	}
	return sum
}

func main() {
	n := &Numbers{data: []int{3, 1, 2}}
	var wg sync.WaitGroup
	wg.Go(n.Sort)
	println(n.Sum()) // may count one number twice
	wg.Wait()
}
