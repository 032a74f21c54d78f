// Package library_one_stream_fails: the goroutine that reads the names fails before it hands one on, and the one that
// reads the values waits for it, for ever.
package library_one_stream_fails

import "io"

// Read reads a name, and what it is the name of; io.EOF is the end of a stream.
func Read(names, values io.Reader) error {
	name, done := make(chan int, 1), make(chan error, 2)
	go func() {
		n, err := names.Read(make([]byte, 8))
		if err != io.EOF {
			done <- err
			return
		}
		name <- n
		done <- nil
	}()
	go func() {
		if _, err := values.Read(make([]byte, 8)); err == io.EOF {
			<-name // want blocked
		}
		done <- nil
	}()
	if err := <-done; err != nil {
		return err
	}
	return <-done
}
