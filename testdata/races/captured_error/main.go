// A variable that goroutines capture is set by several of them.
package main

import (
	"errors"
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	var err error
	for i := range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if e := load(i); e != nil {
				err = e // want data-race
			}
		}()
	}
	wg.Wait()
	fmt.Println(err)
}

func load(i int) error {
	if i > 0 {
		return errors.New("not found")
	}
	return nil
}
