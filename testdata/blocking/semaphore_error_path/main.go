// Command semaphore_error_path: a download that fails does not give its place back, and the next one waits for it.
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
		places <- struct{}{} // want blocked
		all.Add(1)
		go func() {
			defer all.Done()
			if err := download(name); err != nil {
				fmt.Println(err)
				return
			}
			<-places
		}()
	}
	all.Wait()
}
