// Only the first of them sets it.
package main

import (
	"errors"
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	var once sync.Once
	var err error
	for i := range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if e := load(i); e != nil {
				once.Do(func() { err = e })
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
