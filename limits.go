package empire

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// withLimits returns a context that is done after the time, or when the process
// uses more memory than allowed; its cause says which. The memory is looked at
// every few milliseconds.
func withLimits(ctx context.Context, timeout time.Duration, memory int64) (context.Context, context.CancelFunc) {
	ctx, stopTimer := context.WithTimeoutCause(ctx, timeout, errTime)
	ctx, cancel := context.WithCancelCause(ctx)
	if exceeds(memory) {
		cancel(errMemory)
	}
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

// exceeds tells whether the process uses more memory, after what an earlier query has
// left was given back.
func exceeds(memory int64) bool {
	if memoryInUse() <= memory {
		return false
	}
	debug.FreeOSMemory()
	return memoryInUse() > memory
}

// within runs a stage within the limits of a query. It returns the limit that ended it,
// or the error of the stage.
func within(ctx context.Context, r Request, stage func(context.Context) error) (limit, err error) {
	limited, stop := withLimits(ctx, r.Timeout, r.Memory)
	defer stop()
	if err = stage(limited); err == nil || ctx.Err() != nil || limited.Err() == nil {
		return nil, err
	}
	return context.Cause(limited), nil
}

// memoryInUse returns the bytes that the process has from the operating system and
// has not given back.
func memoryInUse() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}
