package pipeline

import (
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"github.com/empire-go/empire-go/limit"
)

// limitError means that a limit was passed in a stage.
type limitError struct {
	bound *limit.Bound
	stage string
}

func (e *limitError) Error() string {
	return fmt.Sprintf("%s was passed in stage %s; %s%s", e.bound.What, e.stage, allowMore, e.bound.Flag)
}

// allowMore begins what a reason says to do about a limit.
const allowMore = "allow more with "

// forLoading returns the time that loading may take: it is no part of a query, and
// more may have to be done before, as downloads of modules.
func forLoading(timeout time.Duration) time.Duration {
	if timeout == 0 {
		timeout = DefaultTimeout
	}
	return max(10*timeout, time.Minute)
}

// collectSeldom lets the heap grow to four times the program, in place of
// twice, until what it returns is called: the program stays, and to mark it takes as
// long as some queries. A GOGC of the user's holds.
func collectSeldom() (restore func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(300)
	return func() { debug.SetGCPercent(before) }
}
