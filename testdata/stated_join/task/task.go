// Package task runs tasks and waits for them.
package task

import (
	"runtime"
	"sync/atomic"
)

// Group counts the tasks that have been started and those that have ended.
type Group struct{ started, ended atomic.Int64 }

// Go runs a task on a goroutine of its own.
func (g *Group) Go(task func()) {
	g.started.Add(1)
	go func() {
		defer g.ended.Add(1)
		task()
	}()
}

// Wait returns when all tasks have ended.
func (g *Group) Wait() {
	for g.ended.Load() != g.started.Load() {
		runtime.Gosched()
	}
}
