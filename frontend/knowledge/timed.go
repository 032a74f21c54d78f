package knowledge

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Timed says how something comes from a channel that a function makes, as time passes.
type Timed uint8

const (
	NotTimed      Timed = iota
	AfterTime           // once; the channel is the result
	OfTimer             // once, as long as the timer, which is the result, is not stopped
	OfTicker            // again and again, as long as the ticker, which is the result, is not stopped
	WithDeadline        // it is closed: that of the context that is made
	ParentContext       // it is closed if that of the context is which is the first argument
)

// TimedBy tells how something comes from a channel that fn makes, as time passes.
func TimedBy(fn *ssa.Function) Timed {
	switch Of(fn).Time {
	case After:
		return AfterTime
	case NewTimer:
		return OfTimer
	}
	switch Name(fn) {
	case "time.NewTicker":
		return OfTicker
	case "context.WithTimeout", "context.WithTimeoutCause", "context.WithDeadline", "context.WithDeadlineCause":
		return WithDeadline
	case "context.WithCancel", "context.WithCancelCause", "context.WithValue":
		return ParentContext
	}
	return NotTimed
}

// IsOfTimer tells whether a type is that of the channel of a timer or ticker.
func IsOfTimer(t types.Type) bool {
	c, ok := t.Underlying().(*types.Chan)
	return ok && isNamed(c.Elem(), "time", "Time")
}
