package main

import (
	"fmt"
	"sync"

	"shop/ledger"
)

func main() {
	book := &ledger.Ledger{}
	var wg sync.WaitGroup
	wg.Go(func() { book.Add(1) })
	wg.Go(func() { fmt.Println(book.Mean()) })
	wg.Wait()
}
