//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// execute runs a command and measures it. What this command itself runs in a child says of itself what it needs.
func execute(args []string) (cost, error) {
	cmd := exec.Command(args[0], args[1:]...)
	if args[0] == os.Args[0] { // what the race detector says of a program does not matter here
		cmd.Stderr = os.Stderr
	}
	out, err := cmd.Output()
	if cmd.ProcessState == nil {
		return cost{}, err
	}
	if args[0] == os.Args[0] {
		var c cost
		if err == nil && len(out) > 0 {
			err = json.Unmarshal(out, &c)
		}
		return c, err
	}
	// The status of a program with an error does not matter: -race has one of its own.
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return usageOf(usage), nil
}

// usageOf is seconds and MiB.
func usageOf(u *syscall.Rusage) cost {
	return cost{float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9, float64(u.Maxrss) / 1024}
}

// printUsage prints what this process has needed, with the recorded program if it has run one.
func printUsage() error {
	var self, children syscall.Rusage
	for who, u := range map[int]*syscall.Rusage{syscall.RUSAGE_SELF: &self, syscall.RUSAGE_CHILDREN: &children} {
		if err := syscall.Getrusage(who, u); err != nil {
			return fmt.Errorf("what was used cannot be found out: %w", err)
		}
	}
	return json.NewEncoder(os.Stdout).Encode(plus(usageOf(&self), usageOf(&children)))
}
