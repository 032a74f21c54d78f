// Package library_second_failure: there is room for the failure of one ping, and who would take it has left; the next
// ping that fails waits for ever.
package library_second_failure

import (
	"context"
	"io"
	"time"
)

// Run writes a ping each second, until one fails or the context ends.
func Run(ctx context.Context, to io.Writer) error {
	if to == nil {
		return nil
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	failed := make(chan error, 1)
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			go func() {
				if _, err := to.Write([]byte("ping")); err != nil {
					failed <- err // want blocked
				}
			}()
		case err := <-failed:
			return err
		}
	}
}
