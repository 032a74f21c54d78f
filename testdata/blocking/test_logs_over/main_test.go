// Package over has a test whose watcher logs that it is told to stop. Nobody waits for that, and there is nowhere to log
// to when all tests are over.
package over

import (
	"context"
	"testing"
)

func TestWatch(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		<-ctx.Done()
		t.Log("stopped") // want order
	}()
}
