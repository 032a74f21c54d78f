// Command several_packages uses a type of another package, by an interface of a third.
package main

import (
	"sync"

	"github.com/empire-go/empire-go/testdata/several_packages/api"
	"github.com/empire-go/empire-go/testdata/several_packages/store"
)

func main() {
	clock := store.New(5)
	var wg sync.WaitGroup
	wg.Go(func() { api.Apply(clock, 3) })
	wg.Go(func() { println(clock.Get()) })
	wg.Wait()
}
