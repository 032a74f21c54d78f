// Package library_never_begun: a helper waits for a beginning that an early return does not give.
package library_never_begun

import "io"

// Copy copies what a source has to a sink, on a goroutine of its own.
func Copy(to io.Writer, from io.Reader) error {
	begin, done := make(chan []byte), make(chan error, 1)
	go func() {
		text := <-begin // want blocked
		_, err := to.Write(text)
		done <- err
	}()
	text, err := io.ReadAll(from)
	if err != nil {
		return err
	}
	begin <- text
	return <-done
}
