// Package module copies public modules and runs commands in them, for the commands that measure what that costs.
package module

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// patience is how long the go command may take to download a module.
const patience = 10 * time.Minute

var unsafeName = regexp.MustCompile(`[^a-zA-Z0-9.-]+`)

// Fetch copies a public module, PATH@VERSION, into a directory, so that it can be changed, and returns where it is. The
// go command downloads it.
func Fetch(work, module string) (string, error) {
	r := Run(".", patience, nil, nil, "go", "mod", "download", "-json", module)
	var found struct{ Dir, Path, Error string }
	if json.Unmarshal(r.Out, &found); found.Dir == "" {
		return "", fmt.Errorf("cannot be downloaded: %s%s", found.Error, r.Text)
	}
	dir := filepath.Join(work, unsafeName.ReplaceAllString(module, "_"))
	os.RemoveAll(dir)
	if err := os.CopyFS(dir, os.DirFS(found.Dir)); err != nil {
		return "", err
	}
	if err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return os.Chmod(path, 0o755)
	}); err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		if r := Run(dir, patience, nil, nil, "go", "mod", "init", found.Path); r.Status != 0 {
			return "", fmt.Errorf("cannot be made a module: %s", r.Text)
		}
	}
	Run(dir, patience, nil, nil, "go", "mod", "tidy")
	return dir, nil
}

// Result is how a command has ended.
type Result struct {
	Status int
	Late   bool    // it was killed because it took too long
	CPU    float64 // seconds, of it and of what it has started
	Out    []byte
	Text   string // the last line that it has written on standard error
}

// Ending is the status, or that it was late.
func (r Result) Ending() string {
	if r.Late {
		return "late"
	}
	return fmt.Sprintf("%4d", r.Status)
}

// Run runs a command in a directory, with more variables of the environment, and ends it with all that it has started
// when it takes too long. What it writes goes into log, too, if that is not nil.
func Run(dir string, timeout time.Duration, env []string, log io.Writer, args ...string) Result {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off"), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if log != nil {
		cmd.Stdout, cmd.Stderr = io.MultiWriter(log, &out), io.MultiWriter(log, &errs)
	}
	err := cmd.Run()
	if cmd.ProcessState == nil {
		return Result{Status: -1, Text: err.Error()}
	}
	lines := strings.Split(strings.TrimSpace(errs.String()), "\n")
	return Result{Status: cmd.ProcessState.ExitCode(), Late: ctx.Err() != nil, Out: out.Bytes(), Text: lines[len(lines)-1],
		CPU: (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()}
}
