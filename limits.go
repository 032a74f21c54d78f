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
	go func() {
		ticker := time.NewTicker(20 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				if memoryInUse() > memory {
					// What an earlier query has left may be given back.
					debug.FreeOSMemory()
				}
				if memoryInUse() > memory {
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

// memoryInUse returns the bytes that the process has from the operating system and
// has not given back.
func memoryInUse() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}
