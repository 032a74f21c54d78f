// Package library_never_begun_fixed: the mended library_never_begun. An early return ends the wait, too.
package library_never_begun_fixed

import "io"

// Copy copies what a source has to a sink, on a goroutine of its own.
func Copy(to io.Writer, from io.Reader) error {
	begin, done := make(chan []byte), make(chan error, 1)
	defer close(begin)
	go func() {
		text, ok := <-begin
		if !ok {
			return
		}
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
