// Package library_second_failure_fixed: a ping that fails tells it only if there is room.
package library_second_failure_fixed

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
					select {
					case failed <- err:
					default: // one is enough
					}
				}
			}()
		case err := <-failed:
			return err
		}
	}
}
