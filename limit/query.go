package limit

import (
	"context"
	"errors"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"time"
)

// Bound is a limit of a query, as an error: it was passed.
type Bound struct {
	What string // as the user knows it
	Flag string // the flag that allows more
}

// Error says which limit was passed, and how to allow more.
func (b *Bound) Error() string { return b.What + " was passed; allow more with " + b.Flag }

// The limits of a query, and of all queries of a request together.
var (
	ErrTime   = &Bound{"the time limit of the query", "--timeout"}
	ErrMemory = &Bound{"the memory limit", "--memory"}
	ErrWork   = &Bound{"the limit on the work of a query", "--timeout"}
	ErrBudget = &Bound{"the budget", "--budget"}
)

// IsMemoryReason tells whether it is for want of memory that a verdict is unknown.
func IsMemoryReason(reason string) bool { return strings.HasPrefix(reason, ErrMemory.What) }

// Passed returns the limit that has ended the context, nil if none has.
func Passed(ctx context.Context) *Bound {
	var b *Bound
	errors.As(context.Cause(ctx), &b)
	return b
}

// ForQuery returns a context that is done after the time, if there is a limit on it, or when the
// process uses more memory than allowed, in bytes; its cause is the Bound. The memory is looked at
// every few milliseconds.
func ForQuery(ctx context.Context, timeout time.Duration, memory int64) (context.Context, context.CancelFunc) {
	stopTimer := func() {}
	if timeout != 0 {
		ctx, stopTimer = context.WithTimeoutCause(ctx, timeout, ErrTime)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	if exceeds(memory) {
		cancel(ErrMemory)
	}
	ctx = WithMemory(ctx, func(bytes int64) bool {
		if exceeds(memory - bytes) {
			cancel(ErrMemory)
			return false
		}
		return true
	})
	go func() {
		ticker := time.NewTicker(20 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				if exceeds(memory) {
					cancel(ErrMemory)
					return
				}
			}
		}
	}()
	return ctx, func() {
		cancel(context.Canceled)
		stopTimer()
	}
}

// exceeds tells whether the process uses more memory, after what an earlier query has
// left was given back. If hardly anything was, the collector would soon have to do it again, and then all the time.
func exceeds(memory int64) bool {
	if InUse() <= memory {
		return false
	}
	debug.FreeOSMemory()
	return InUse() > memory-memory/16
}

// InUse returns the bytes that the process has from the operating system and
// has not given back.
func InUse() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}
