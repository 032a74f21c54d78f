//go:build goexperiment.goroutineleakprofile

package hook

import (
	"os"
	"runtime/debug"
	"runtime/pprof"
	"syscall"
	"time"
)

// The runtime knows which goroutines are leaked: a cycle of its garbage collector finds out what the goroutines that
// run can reach, and one that waits for something else waits for ever (runtime/pprof, Go 1.26). When the program
// ends, the stacks of all goroutines are written, those of leaked ones marked so. Where the runtime ends it, what it
// says of that is written to another file, beside standard error.
func init() {
	name, ok := syscall.Getenv(EnvLeaks)
	if !ok {
		return
	}
	syscall.Unsetenv(EnvLeaks)
	if crash, err := os.Create(name + CrashSuffix); err == nil {
		debug.SetCrashOutput(crash, debug.CrashOptions{})
		crash.Close() // the runtime has a descriptor of its own
	}
	beforeClose = func() {
		isEnding.Store(true)
		for begin := time.Now(); tries.Load() > 0 && time.Since(begin) < trying; {
			time.Sleep(time.Millisecond) // on a busy machine who tries may not get to see it for long
		}
		time.Sleep(5 * time.Millisecond) // until they block
		file, err := os.Create(name)
		if err != nil {
			return
		}
		if p := pprof.Lookup("goroutineleak"); p != nil {
			p.WriteTo(file, 2)
		}
		file.Close()
	}
}
