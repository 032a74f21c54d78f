// Package library_name_unsent: a copier waits for a name that a reader does not send if it fails, and who waits for both
// never gets to see the failure.
package library_name_unsent

import (
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
		to(<-names, all) // want blocked
		return nil
	})
	both.Wait()
	return failed
}
