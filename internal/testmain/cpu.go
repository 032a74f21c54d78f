package testmain

import (
	"context"
	"sync/atomic"
	"time"
)

// Overrun measures how much CPU time this process takes once a context is done, and not how long that lasts: on a busy
// machine it may be minutes for what takes milliseconds. The function returned tells how much it is so far.
func Overrun(ctx context.Context) (spent func() time.Duration) {
	var before atomic.Int64
	before.Store(-1)
	stop := context.AfterFunc(ctx, func() { before.Store(int64(CPU())) })
	return func() time.Duration {
		stop()
		if at := before.Load(); at >= 0 {
			return CPU() - time.Duration(at)
		}
		return 0
	}
}
