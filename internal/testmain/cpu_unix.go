//go:build unix

package testmain

import (
	"syscall"
	"time"
)

// CPU returns the CPU time that this process has taken.
func CPU() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
