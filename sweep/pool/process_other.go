//go:build !linux

package pool

import "os/exec"

// Elsewhere a child sees to its memory itself, and ends when its input does.

func separate(*exec.Cmd) {}

func endGroup(cmd *exec.Cmd) { cmd.Process.Kill() }

func preferKilled(int) {}

func residentSize(int) int64 { return 0 }
