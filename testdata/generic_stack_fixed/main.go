// Command generic_stack_fixed pushes numbers on a stack while another goroutine
// clears it.
package main

import (
	"fmt"
	"sync"
)

func main() {
	stack := NewStack[int]()

	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		for i := range 3 {
			stack.Push(i)
		}
	}()
	go func() {
		defer wg.Done()
		stack.Clear()
	}()
	wg.Wait()

	fmt.Println(stack.Len(), "numbers left")
}
