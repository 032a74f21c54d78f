package empire

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"time"

	"github.com/empire-go/empire-go/limit"
)

// bound is a limit of a query, as an error: it was passed.
type bound struct{ what, flag string }

func (b *bound) Error() string { return b.what + " was passed; allow more with " + b.flag }

// errTime and errMemory are the limits of a query.
var (
	errTime   = &bound{"the time limit of the query", "--timeout"}
	errMemory = &bound{"the memory limit", "--memory"}
)

// limitError means that a limit was passed in a stage.
type limitError struct {
	bound *bound
	stage string
}

func (e *limitError) Error() string {
	return fmt.Sprintf("%s was passed in stage %s; allow more with %s", e.bound.what, e.stage, e.bound.flag)
}

// passed returns the limit that has ended the context, nil if none has.
func passed(ctx context.Context) *bound {
	var b *bound
	errors.As(context.Cause(ctx), &b)
	return b
}

// WithLimits returns a context that is done after the time, or when the process uses more
// memory than allowed; its cause says which, and which flag allows more.
func WithLimits(ctx context.Context, timeout time.Duration, memory int64) (context.Context, context.CancelFunc) {
	return withLimits(ctx, timeout, memory)
}

// withLimits returns a context that is done after the time, or when the process
// uses more memory than allowed; its cause says which. The memory is looked at
// every few milliseconds.
func withLimits(ctx context.Context, timeout time.Duration, memory int64) (context.Context, context.CancelFunc) {
	ctx, stopTimer := context.WithTimeoutCause(ctx, timeout, errTime)
	ctx, cancel := context.WithCancelCause(ctx)
	if exceeds(memory) {
		cancel(errMemory)
	}
	ctx = limit.WithMemory(ctx, func(bytes int64) bool {
		if exceeds(memory - bytes) {
			cancel(errMemory)
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
					cancel(errMemory)
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

// forLoading returns the time that loading may take: it is no part of a query, and
// more may have to be done before, as downloads of modules.
func forLoading(timeout time.Duration) time.Duration { return max(10*timeout, time.Minute) }

// exceeds tells whether the process uses more memory, after what an earlier query has
// left was given back.
func exceeds(memory int64) bool {
	if memoryInUse() <= memory {
		return false
	}
	debug.FreeOSMemory()
	return memoryInUse() > memory
}

// collectSeldom lets the heap grow to two and a half times the program, in place of
// twice, until what it returns is called: the program stays, and to mark it takes as
// long as some queries. A GOGC of the user's holds.
func collectSeldom() (restore func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(150)
	return func() { debug.SetGCPercent(before) }
}

// memoryInUse returns the bytes that the process has from the operating system and
// has not given back.
func memoryInUse() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}

// IsMemoryReason tells whether it is for want of memory that a verdict is unknown.
func IsMemoryReason(reason string) bool { return strings.HasPrefix(reason, errMemory.what) }
