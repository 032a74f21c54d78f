// Package library_name_unsent_fixed: the mended library_name_unsent. The copier also waits for the end of the reader.
package library_name_unsent_fixed

import (
	"errors"
	"io"
	"sync"
)

// Copy copies a text under its name, which is read at the same time.
func Copy(name, text io.Reader, to func(name string, text []byte)) (failed error) {
	names := make(chan string, 1)
	var once sync.Once
	var both sync.WaitGroup
	run := func(f func() error) {
		both.Add(1)
		go func() {
			defer both.Done()
			if err := f(); err != nil {
				once.Do(func() { failed = err })
			}
		}()
	}
	run(func() error {
		defer close(names)
		all, err := io.ReadAll(name)
		if err != nil {
			return err
		}
		names <- string(all)
		return nil
	})
	run(func() error {
		all, err := io.ReadAll(text)
		if err != nil {
			return err
		}
		name, ok := <-names
		if !ok {
			return errors.New("no name")
		}
		to(name, all)
		return nil
	})
	both.Wait()
	return failed
}
