package record

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"github.com/empire-go/empire-go/dynamic/hook"
	"github.com/empire-go/empire-go/dynamic/racing"
	"github.com/empire-go/empire-go/dynamic/trace"
)

// Run says how a program is run.
type Run struct {
	File           string // that Program has built
	Args           []string
	Dir            string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Noise          uint64    // seed; 0: no noise
	Waits          bool      // record that goroutines are about to block
	Leaks          string    // file for the stacks at the end, if the program has the leak profile; see also CrashOf
	Races          string    // file that data races are written to, if the program finds them
	Trace          io.Writer // where the trace is kept, if anywhere
	// Reduction is the table by which the program leaves out what matches no pattern (see dynamic.Reduction);
	// nil, and where the trace is kept: all is recorded.
	Reduction []byte

	lookEvery int // see newFollower
}

// CrashOf is the file for what the runtime says when it ends the program, beside that for the stacks at the end.
func CrashOf(leaks string) string { return leaks + hook.CrashSuffix }

// Outcome is how a run ended.
type Outcome struct {
	Status   int    // that the program exited with, -1 if it was killed
	Text     string // the same in words: "exit status 2", "signal: killed"; "" for status 0
	TraceErr error  // why the trace was not kept whole
}

// Record runs a program. check reads the trace, which ends when the program has ended and all
// that it has recorded was read. The error says that the program could not be started, or is
// that of check.
func (p *Program) Record(ctx context.Context, r Run, check func(io.Reader) error) (Outcome, error) {
	h := p.Header
	h.Reduced = r.Trace == nil && r.Reduction != nil
	header, err := h.Encode()
	if err != nil {
		return Outcome{}, err
	}
	blocks, write, err := os.Pipe()
	if err != nil {
		return Outcome{}, err
	}
	defer blocks.Close()
	widen(write)
	slots, err := NewSlots()
	if err != nil {
		write.Close()
		return Outcome{}, err
	}
	defer slots.Close()
	cmd := r.command()
	cmd.ExtraFiles = []*os.File{write, slots}
	cmd.Env = append(cmd.Environ(), hook.EnvTrace+"=3,4")
	if h.Reduced {
		table, err := tableFile(r.Reduction)
		if err != nil {
			write.Close()
			return Outcome{}, err
		}
		defer table.Close()
		cmd.ExtraFiles = append(cmd.ExtraFiles, table)
		cmd.Env[len(cmd.Env)-1] += ",5"
	}
	if r.Noise != 0 {
		cmd.Env = append(cmd.Env, fmt.Sprintf("%s=%d", hook.EnvNoise, r.Noise))
	}
	if r.Waits {
		cmd.Env = append(cmd.Env, hook.EnvWaits+"=1")
	}
	if r.Leaks != "" && p.leaks {
		cmd.Env = append(cmd.Env, hook.EnvLeaks+"="+r.Leaks)
	}
	stop := passSignals(cmd)
	defer stop()
	if err := cmd.Start(); err != nil {
		write.Close()
		return Outcome{}, fmt.Errorf("the program cannot be started: %w", err)
	}
	write.Close()
	defer endWith(ctx, cmd)()
	kept := &keeper{w: r.Trace}
	live := newFollower(blocks, slots, r.lookEvery)
	in := io.TeeReader(&stream{
		parts: []io.Reader{bytes.NewReader(header), live},
		last:  func() io.Reader { return leftIn(slots, &live.written) },
	}, kept)
	checkErr := check(in)
	if _, err := io.Copy(io.Discard, in); err == nil {
		kept.Write(trace.AppendEnd(nil))
	}
	outcome := ended(cmd.Wait())
	outcome.TraceErr = kept.err
	return outcome, checkErr
}

// Plain runs a program that is not instrumented. The error says that it could not be started.
func (r Run) Plain(ctx context.Context) (Outcome, error) {
	cmd := r.command()
	defer passSignals(cmd)()
	if err := cmd.Start(); err != nil {
		return Outcome{}, fmt.Errorf("the program cannot be started: %w", err)
	}
	defer endWith(ctx, cmd)()
	return ended(cmd.Wait()), nil
}

// command returns the command that runs the program.
func (r Run) command() *exec.Cmd {
	cmd := exec.Command(r.File, r.Args...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = r.Dir, r.Stdin, r.Stdout, r.Stderr
	if r.Races != "" {
		cmd.Env = append(os.Environ(), racing.EnvOutput+"="+r.Races)
	}
	return cmd
}

// endWith ends a program that was started when the context ends, until finished is called.
func endWith(ctx context.Context, cmd *exec.Cmd) (finished func()) {
	done := make(chan struct{})
	go func() {
		select {
		case <-ctx.Done():
			cmd.Process.Signal(syscall.SIGTERM)
			select {
			case <-time.After(patience):
				cmd.Process.Kill()
			case <-done:
			}
		case <-done:
		}
	}()
	return func() { close(done) }
}

// patience is how long a program may take to end when it is told to.
const patience = 5 * time.Second

// passSignals lets the program decide what an interrupt means: it gets it from the terminal, as
// this process does.
func passSignals(cmd *exec.Cmd) (stop func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	return func() { signal.Stop(c) }
}

// ended says how a program has ended.
func ended(err error) Outcome {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return Outcome{}
	case errors.As(err, &exit):
		return Outcome{Status: exit.ExitCode(), Text: exit.Error()}
	}
	return Outcome{Status: -1, Text: err.Error()}
}

// keeper keeps a trace, as long as there is room for it.
type keeper struct {
	w   io.Writer
	err error
}

func (k *keeper) Write(p []byte) (int, error) {
	if k.w != nil && k.err == nil {
		_, k.err = k.w.Write(p)
	}
	return len(p), nil
}

// tableFile returns a file to read a table from.
func tableFile(table []byte) (*os.File, error) {
	f, err := NewSlots()
	if err != nil {
		return nil, err
	}
	if _, err := f.Write(table); err != nil {
		f.Close()
		return nil, err
	}
	_, err = f.Seek(0, io.SeekStart)
	return f, err
}
