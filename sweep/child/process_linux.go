package child

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// separate makes the child the first of a group of processes.
func separate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// endGroup ends the child and what it has started.
func endGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// preferKilled lets the system end the child before the worker, where memory is short.
func preferKilled(pid int) {
	os.WriteFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid), []byte("1000"), 0)
}

// ResidentSize returns how much memory a process takes, in bytes; 0 where that is not known.
func ResidentSize(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	words := strings.Fields(string(text))
	if len(words) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(words[1], 10, 64) // 0 is: not known
	return pages * int64(os.Getpagesize())
}
