package record

import (
	"os"
	"syscall"
)

const (
	setPipeSize = 1031 // F_SETPIPE_SZ, which package syscall does not have
	// pipeSize is how many bytes a program may be ahead of who reads its records: four times what Linux gives,
	// with which the two take turns at every few blocks. Much more would not stay in the processor's cache.
	pipeSize = 1 << 18
)

// widen makes room in a pipe. Where there may not be so much it stays as it is.
func widen(pipe *os.File) {
	if c, err := pipe.SyscallConn(); err == nil {
		c.Control(func(fd uintptr) { syscall.Syscall(syscall.SYS_FCNTL, fd, setPipeSize, pipeSize) })
	}
}
