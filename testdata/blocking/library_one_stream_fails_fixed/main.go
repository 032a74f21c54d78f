// Package library_one_stream_fails_fixed: the goroutine that reads the names closes the channel in any case.
package library_one_stream_fails_fixed

import "io"

// Read reads a name, and what it is the name of; io.EOF is the end of a stream.
func Read(names, values io.Reader) error {
	name, done := make(chan int, 1), make(chan error, 2)
	go func() {
		defer close(name)
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
			<-name
		}
		done <- nil
	}()
	if err := <-done; err != nil {
		return err
	}
	return <-done
}
