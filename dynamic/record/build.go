// Package record builds instrumented programs and runs them: what a run records is a
// stream in the format of package trace, to be read while the program runs.
package record

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/empire-go/empire-go/dynamic/instrument"
	"github.com/empire-go/empire-go/dynamic/racing"
	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// Build says what to build.
type Build struct {
	Dir      string
	Packages []string // the main package, its files, or packages with tests
	Tests    bool
	Tags     string
	Root     string // directory that positions are relative to
	Plan     *watch.Plan
	Full     bool // record all that can be shared; there is no Plan
	Exact    bool // record messages and waits as they take effect
	Races    bool // find the data races of runs, see Run.Races
	Leaks    bool // with the runtime's leak profile, where the tool chain has it
}

// Program is an instrumented program, or the tests of packages.
type Program struct {
	Header trace.Header
	Left   []instrument.Left
	build  Build
	work   string // temporary directory
	flags  []string
	leaks  bool // it is built with the runtime's leak profile
}

// Make instruments a program. Close removes its files.
func Make(ctx context.Context, b Build) (*Program, error) {
	r, err := instrument.Rewrite(ctx, instrument.Request{
		Dir: b.Dir, Packages: b.Packages, Tests: b.Tests, Tags: b.Tags, Plan: b.Plan, Root: b.Root,
		Full: b.Full, Exact: b.Exact})
	if err != nil {
		return nil, err
	}
	files, err := r.Overlay()
	if err != nil {
		return nil, err
	}
	p, err := build(b, files)
	if err != nil {
		return nil, err
	}
	p.Header, p.Left, p.leaks = r.Header, r.Left, b.Leaks && hasLeakProfile(ctx, b.Dir)
	return p, nil
}

// Plain returns a program that records nothing, to be run by Run.Plain. Close removes its files.
func Plain(b Build) (*Program, error) { return build(b, map[string]string{}) }

// build returns a program with files that stand for others.
func build(b Build, files map[string]string) (*Program, error) {
	work, err := os.MkdirTemp("", "empire-go")
	if err != nil {
		return nil, err
	}
	p := &Program{build: b, work: work}
	if b.Tags != "" {
		p.flags = []string{"-tags=" + b.Tags}
	}
	if err := p.overlay(files); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// overlay lets the go command use files in the place of others.
func (p *Program) overlay(files map[string]string) error {
	if p.build.Races {
		more, err := racing.Overlay(instrument.GoRoot())
		if err != nil {
			return err
		}
		apart, err := racing.Apart(filesBelow(files, instrument.AddedDir()))
		if err != nil {
			return err
		}
		maps.Copy(files, apart)
		maps.Copy(files, more)
		p.flags = append(p.flags, racing.Flags...)
	}
	if len(files) == 0 {
		return nil
	}
	file, err := instrument.WriteOverlay(files, p.work)
	p.flags = append(p.flags, "-overlay", file)
	return err
}

// Close removes what was built.
func (p *Program) Close() { os.RemoveAll(p.work) }

// filesBelow are those of the files that are below a directory.
func filesBelow(files map[string]string, dir string) map[string]string {
	below := maps.Clone(files)
	maps.DeleteFunc(below, func(name, _ string) bool { return !strings.HasPrefix(name, dir+string(filepath.Separator)) })
	return below
}

// Main builds the main package and returns the file.
func (p *Program) Main(ctx context.Context) (string, error) {
	file := filepath.Join(p.work, "program")
	return file, p.command(ctx, append(append([]string{"build", "-o", file}, p.flags...), p.build.Packages...)...)
}

// Test builds the tests of a package and returns the file, "" if the package has none.
func (p *Program) Test(ctx context.Context, path string) (string, error) {
	file := filepath.Join(p.work, strings.ReplaceAll(path, "/", "_")+".test")
	err := p.command(ctx, append(append([]string{"test", "-c", "-vet=off", "-o", file}, p.flags...), path)...)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(file); err != nil {
		return "", nil
	}
	return file, nil
}

// command runs the go command.
func (p *Program) command(ctx context.Context, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = p.build.Dir
	if p.leaks {
		cmd.Env = append(os.Environ(), withLeakProfile())
	}
	out, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		what := "program"
		if p.build.Plan != nil || p.build.Full {
			what = "instrumented program"
		}
		return fmt.Errorf("the %s does not build: %s", what, compilerLine(string(out), err))
	}
	return nil
}

// HasLeaks tells whether runs write which goroutines are leaked: see Run.Leaks.
func (p *Program) HasLeaks() bool { return p.leaks }

// withLeakProfile is the setting with which the go command builds programs that have the runtime's leak profile.
func withLeakProfile() string {
	const name = "goroutineleakprofile"
	if others := os.Getenv("GOEXPERIMENT"); others != "" {
		return "GOEXPERIMENT=" + others + "," + name
	}
	return "GOEXPERIMENT=" + name
}

// hasLeakProfile tells whether the tool chain has the runtime's leak profile: it refuses experiments that it does not
// know.
func hasLeakProfile(ctx context.Context, dir string) bool {
	cmd := exec.CommandContext(ctx, "go", "env", "GOEXPERIMENT")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), withLeakProfile())
	return cmd.Run() == nil
}

// compilerLine is the first line of the go command's output that is an error.
func compilerLine(out string, err error) string {
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return line
		}
	}
	return err.Error()
}
