// Command linked_list hands tasks from one goroutine to another over a linked
// list.
package main

import (
	"fmt"
	"sync"
)

func main() {
	tasks := &List{}

	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		for _, task := range []string{"wash", "rinse", "dry"} {
			tasks.Push(task)
		}
	}()
	go func() {
		defer wg.Done()
		if task, ok := tasks.Pop(); ok {
			fmt.Println("do:", task)
		}
	}()
	wg.Wait()

	fmt.Println(tasks.Len(), "tasks left")
}
