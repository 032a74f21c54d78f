// Command audit_fixed adds up two accounts while money is transferred from one
// to the other.
package main

import (
	"fmt"
	"sync"
)

func main() {
	savings := &Account{balance: 100}
	checking := &Account{balance: 100}

	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		savings.Pay(checking, 30)
	}()
	go func() {
		defer wg.Done()
		fmt.Println("total:", savings.Total(checking)) // 200 at any time
	}()
	wg.Wait()
}
