// Command semaphore_error_path_fixed: each gives it back, whatever comes of it.
package main

import (
	"errors"
	"fmt"
	"sync"
)

func download(name string) error {
	if name == "" {
		return errors.New("no name")
	}
	return nil
}

func main() {
	places := make(chan struct{}, 1)
	var all sync.WaitGroup
	for _, name := range []string{"", "b", "c"} {
		places <- struct{}{}
		all.Add(1)
		go func() {
			defer all.Done()
			defer func() { <-places }()
			if err := download(name); err != nil {
				fmt.Println(err)
				return
			}
		}()
	}
	all.Wait()
}
