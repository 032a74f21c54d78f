// Package waited has tests whose goroutines report while they run: one is waited for by a wait group, one by a channel,
// one by a cleanup, which runs before a test has ended, and one by what is done when its context is.
package waited

import (
	"context"
	"sync"
	"testing"
)

func TestGroup(t *testing.T) {
	var all sync.WaitGroup
	all.Add(1)
	go func() {
		defer all.Done()
		t.Error("in a group")
	}()
	all.Wait()
}

func TestChannel(t *testing.T) {
	done := make(chan bool)
	go func() {
		t.Log("before it is told")
		done <- true
	}()
	<-done
}

func TestCleanup(t *testing.T) {
	stop, stopped := make(chan bool), make(chan bool)
	t.Cleanup(func() {
		close(stop)
		<-stopped
	})
	go func() {
		<-stop
		t.Error("while it is cleaned up")
		close(stopped)
	}()
}

func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer cancel()
		t.Error("before the context is over")
	}()
	<-ctx.Done()
}

func TestSubtests(t *testing.T) {
	for _, name := range []string{"one", "two"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			t.Error("by the test itself")
		})
	}
}
