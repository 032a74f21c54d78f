// Command transfer transfers money between two accounts, in both directions at
// the same time.
package main

import (
	"fmt"
	"sync"
)

func main() {
	savings := NewAccount(1, 100)
	checking := NewAccount(2, 100)

	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		savings.Transfer(checking, 30)
	}()
	go func() {
		defer wg.Done()
		checking.Transfer(savings, 50)
	}()
	wg.Wait()

	fmt.Println(savings.Balance(), checking.Balance())
}
