package steer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/empire-go/empire-go/dynamic/hook"
	"github.com/empire-go/empire-go/dynamic/record"
	"github.com/empire-go/empire-go/dynamic/trace"
)

// Binary is an instrumented program.
type Binary struct {
	Path    string
	Args    []string
	IsTest  bool   // it runs tests
	Dir     string // that it runs in
	Env     []string
	Header  trace.Header
	Work    string // directory for the files of a run; one run at a time
	Sources string // digest of the code

	header []byte
}

// Run is one run of a program under control.
type Run struct {
	Trace string // the file; the next run overwrites it
	Log   runLog
	Exit  string // how the program ended: "" for status 0, else as "exit status 2"
	Tail  string // the end of what it wrote to standard error
}

const (
	grace      = 2 * time.Second  // how much longer than its scheduler a program may run
	repeatTime = 60 * time.Second // how long one may that repeats a run: it ends by itself
)

// run runs the program once, along the script. The error says that it could not be started.
func (b *Binary) run(ctx context.Context, s *Script, a Attempt, l Limits) (*Run, error) {
	script, log := filepath.Join(b.Work, "script"), filepath.Join(b.Work, "log")
	if err := os.WriteFile(script, []byte(scriptFile(s, a, l, log)), 0o600); err != nil {
		return nil, err
	}
	os.Remove(log)
	most := l.Time + grace
	if a.Mode == Repeat {
		most = repeatTime
	}
	r, err := b.execute(ctx, a.Args, most, hook.SteerVariable+"="+script)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(log)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	r.Log = parseLog(string(text))
	return r, nil
}

// noisy runs the program once, as the runtime schedules it, with noise.
func (b *Binary) noisy(ctx context.Context, seed uint64, args []string, l Limits) (*Run, error) {
	return b.execute(ctx, args, l.Time, fmt.Sprintf("%s=%d", hook.EnvNoise, seed))
}

// execute runs the program for a time at most, in an environment, and keeps its trace.
func (b *Binary) execute(ctx context.Context, args []string, most time.Duration, env string) (*Run, error) {
	traced := filepath.Join(b.Work, "trace")
	file, err := b.traceFile(traced)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	slots, err := record.NewSlots()
	if err != nil {
		return nil, err
	}
	defer slots.Close()
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	cmd := exec.CommandContext(limited, b.Path, slices.Concat(b.Args, args)...)
	cmd.Dir = b.Dir
	cmd.Env = append(append(os.Environ(), b.Env...), env, hook.EnvTrace+"=3,4")
	cmd.ExtraFiles = []*os.File{file, slots}
	cmd.WaitDelay = grace
	stderr := &tail{}
	cmd.Stderr = stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) && limited.Err() == nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err := record.Complete(file, int64(len(b.header)), slots); err != nil {
		return nil, err
	}
	r := &Run{Trace: traced, Tail: stderr.String()}
	switch {
	case limited.Err() != nil:
		r.Exit = fmt.Sprintf("killed after %v", most)
	case exit != nil:
		r.Exit = exit.Error()
	}
	return r, nil
}

// traceFile begins the file of a trace.
func (b *Binary) traceFile(name string) (*os.File, error) {
	if b.header == nil {
		var err error
		if b.header, err = b.Header.Encode(); err != nil {
			return nil, err
		}
	}
	file, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	if _, err := file.Write(b.header); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// tail keeps the end of what is written to it.
type tail struct{ bytes.Buffer }

const maxTail = 4 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.Buffer.Write(p)
	if extra := t.Len() - maxTail; extra > 0 {
		t.Next(extra)
	}
	return len(p), nil
}

// firstLine returns the first line that says why a program failed.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}
