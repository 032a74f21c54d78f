// Package over has a test that waits for its watcher when it has told it to stop.
package over

import (
	"context"
	"testing"
)

func TestWatch(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		<-ctx.Done()
		t.Log("stopped")
	}()
	cancel()
	<-stopped
}
