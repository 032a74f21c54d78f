// Command slots_of_errors runs checks side by side. Each has a slot of its own for its error, which it wraps; all but the
// first one say what that one has found, too.
package main

import (
	"errors"
	"fmt"
	"sync"
)

var errEmpty = errors.New("it is empty")

func check(name string) error {
	if name == "" {
		return errEmpty
	}
	return nil
}

func main() {
	names := []string{"", "b", ""}
	found := make([]error, len(names))
	var all sync.WaitGroup
	for i, name := range names {
		all.Add(1)
		go func() {
			defer all.Done()
			if err := check(name); err != nil {
				found[i] = fmt.Errorf("%d, first %v: %w", i, found[0], err) // want data-race
			}
		}()
	}
	all.Wait()
	fmt.Println(errors.Join(found...))
}
