package corpus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/modfile"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/sweep/child"
)

// place is where one module at a time is unpacked and checked.
type place struct {
	Options
	dir  string
	disk int64 // bytes that it may take
}

// newPlace makes a place; what a sweep that was killed has left there is removed.
func newPlace(o Options, n int) (*place, error) {
	p := &place{o, filepath.Join(o.Dir, strconv.Itoa(n)), o.Disk / int64(max(o.Workers, 1))}
	if err := os.RemoveAll(p.dir); err != nil {
		return nil, err
	}
	return p, os.MkdirAll(p.dir, 0o700)
}

func (p *place) remove() { os.RemoveAll(p.dir) }

// env is the environment of the go command: what it downloads goes to the place, writable, and stays there for the next
// modules as long as there is room.
func (p *place) env() []string {
	env := append(child.Env(filepath.Join(p.dir, "home")),
		"GOMODCACHE="+filepath.Join(p.dir, "pkg", "mod"), "GOPATH="+p.dir, "GOCACHE="+filepath.Join(p.dir, "cache"),
		"GOFLAGS=-buildvcs=false -modcacherw -mod=mod")
	for _, name := range []string{"GOPROXY", "GOSUMDB"} {
		// The user's settings are not read; where they come from there, they are handed on.
		if os.Getenv(name) == "" {
			if value, err := exec.Command("go", "env", name).Output(); err == nil {
				env = append(env, name+"="+strings.TrimSpace(string(value)))
			}
		}
	}
	return env
}

// check fills in a row.
func (p *place) check(ctx context.Context, row *Row) {
	limited, cancel := context.WithTimeout(ctx, p.Time)
	defer cancel()
	end := time.Now().Add(p.Time)
	if size := p.size(); size > p.disk/2 {
		os.RemoveAll(p.dir) // what is missing is downloaded again
	}
	watching, stop := context.WithCancelCause(limited)
	defer stop(nil)
	go p.watch(watching, stop)
	work := filepath.Join(p.dir, "work")
	defer os.RemoveAll(work)
	fail := func(err error) {
		row.Result, row.Reason = Failed, oneLine(err.Error())
		switch cause := context.Cause(watching); {
		case errors.Is(cause, errDisk):
			row.Result, row.Reason = Limit, cause.Error()
		case limited.Err() != nil:
			row.Result, row.Reason = Limit, fmt.Sprintf("it took more than %s", p.Time)
		}
	}
	env := p.env()
	if err := p.unpack(watching, env, work, row); err != nil {
		fail(err)
		row.mayPass = row.Result == Failed
		return
	}
	r := p.Request
	r.Packages, r.Timings, r.Harm = []string{"./..."}, true, true
	result, err := child.Check(watching, p.Command, env, work, r, time.Until(end))
	var crash *child.CrashError
	switch {
	case errors.As(err, &crash) && watching.Err() == nil:
		row.Result, row.Reason = Crashed, crash.Error()
		if crash.IsLimit() {
			row.Result = Limit
		}
	case err != nil:
		fail(err)
		if _, why, ok := strings.Cut(row.Reason, ": nothing to check: "); ok && row.Result == Failed {
			row.Result, row.Reason = Nothing, why
		}
	default:
		row.count(result)
	}
}

// count adds up the answers of a module.
func (row *Row) count(result *empire.Result) {
	row.Result, row.PeakMiB = Checked, max(result.PeakMiB, result.LoadPeak)
	for _, q := range result.Queries {
		row.Queries++
		switch q.Verdict {
		case empire.VerdictSafe:
			row.Safe++
		case empire.VerdictViolation:
			row.Violations++
		default:
			row.Unknown++
		}
		isInternal, isHarmful := strings.Contains(q.Reason, "internal error"), false
		for _, s := range q.Scenarios {
			isInternal = isInternal || strings.Contains(s.Reason, "internal error")
			isHarmful = isHarmful || s.Verdict == empire.VerdictViolation && s.Harm != nil &&
				(s.Harm.Status == empire.HarmSeen || s.Harm.Status == empire.HarmPossible)
		}
		if isInternal {
			row.Internal++
			row.Reason = oneLine(q.Reason)
		}
		if isHarmful {
			row.Harmful++
		}
	}
	if row.Queries == 0 {
		row.Result, row.Reason = Nothing, "no query is asked"
		if len(result.Errors) > 0 {
			row.Reason = oneLine(result.Errors[0])
		}
	}
}

// unpack downloads a module, and copies it to where it can be loaded as the main one.
func (p *place) unpack(ctx context.Context, env []string, work string, row *Row) error {
	if err := os.MkdirAll(filepath.Join(p.dir, "home"), 0o700); err != nil {
		return err
	}
	if err := os.RemoveAll(work); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", row.Module+"@"+row.Version)
	var problems bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stderr = p.dir, env, &problems
	text, err := cmd.Output()
	var module struct{ Dir, GoMod, Error string }
	if json.Unmarshal(text, &module); module.Error != "" {
		return errors.New(module.Error)
	}
	if err != nil || module.Dir == "" {
		return errors.New(strings.TrimPrefix(oneLine(problems.String()), "go: "))
	}
	if err := os.CopyFS(work, os.DirFS(module.Dir)); err != nil {
		return err
	}
	own, err := os.ReadFile(module.GoMod)
	if err != nil {
		return err
	}
	if own, err = alone(own); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(work, "go.mod"), own, 0o600)
}

// alone leaves out what go.mod says of directories beside the module, which are not there: as for who imports it.
func alone(gomod []byte) ([]byte, error) {
	file, err := modfile.Parse("go.mod", gomod, nil)
	if err != nil {
		return nil, err
	}
	for _, r := range file.Replace {
		if r.New.Version != "" && !modfile.IsDirectoryPath(r.New.Path) {
			continue
		}
		if err := file.DropReplace(r.Old.Path, r.Old.Version); err != nil {
			return nil, err
		}
	}
	return file.Format()
}

var errDisk = errors.New("it took more disk than it may")

// watch ends a check that takes too much disk.
func (p *place) watch(ctx context.Context, end context.CancelCauseFunc) {
	tick := time.NewTicker(2 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if size := p.size(); size > p.disk {
				end(fmt.Errorf("%w: %d MiB of %d", errDisk, size>>20, p.disk>>20))
				return
			}
		}
	}
}

// size returns how many bytes the place takes.
func (p *place) size() (size int64) {
	filepath.WalkDir(p.dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil // what has gone meanwhile takes nothing
	})
	return size
}

// oneLine is the first line that says something.
func oneLine(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "go: downloading ") || strings.HasPrefix(line, "# ") {
			continue
		}
		const most = 200
		if r := []rune(line); len(r) > most {
			return string(r[:most]) + "..."
		}
		return line
	}
	return text
}
