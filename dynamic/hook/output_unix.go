//go:build unix

package hook

import "syscall"

// moveDescriptor gives a file a number that the program does not expect, which programs
// that it starts do not inherit.
func moveDescriptor(d int) int {
	const high = 200
	if n, _, err := syscall.Syscall(syscall.SYS_FCNTL, uintptr(d), syscall.F_DUPFD_CLOEXEC, high); err == 0 {
		syscall.Close(d)
		return int(n)
	}
	syscall.CloseOnExec(d)
	return d
}
