//go:build empire_runtime && linux && (amd64 || arm64)

package hook

import (
	"runtime"
	"syscall"
)

// What the system call membarrier can be asked for.
const (
	privateExpedited         = 1 << 3
	registerPrivateExpedited = 1 << 4
)

// membarrier is the number of the system call.
func membarrier() uintptr {
	if runtime.GOARCH == "amd64" {
		return 324
	}
	return 283
}

// registerBarrier tells whether barrier can be called.
func registerBarrier() bool {
	_, _, err := syscall.RawSyscall(membarrier(), registerPrivateExpedited, 0, 0)
	return err == 0
}

// barrier lets all threads that run the program carry out a memory barrier.
func barrier() {
	if _, _, err := syscall.RawSyscall(membarrier(), privateExpedited, 0, 0); err != 0 {
		panic("empire/hook: membarrier: " + err.Error())
	}
}
