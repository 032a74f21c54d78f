// Package waited has tests that report nothing from goroutines.
package waited

import "testing"

func TestChannel(t *testing.T) {
	done := make(chan bool)
	go func() {
		done <- true
	}()
	<-done
	t.Log("told")
}
