// Package corpus checks many modules that others have published, each as it is: downloaded from a Go proxy at its
// version, loaded and checked in a child process of its own, and removed again. What it finds is kept, so that a sweep
// that was killed goes on where it was; the disk that it takes meanwhile is bounded.
//
// The sources are anyone's. They are loaded and not run: see child.Env.
package corpus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/internal/answers"
	"github.com/empire-go/empire-go/sweep/queue"
)

// Parse reads a list of modules: a line for each, as golang.org/x/sync@v0.10.0; # begins a comment. Its errors name the
// line.
func Parse(text string) ([]module.Version, error) {
	var all []module.Version
	seen := map[module.Version]bool{}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		path, version, ok := strings.Cut(line, "@")
		if !ok || !semver.IsValid(version) || version != module.CanonicalVersion(version) {
			return nil, fmt.Errorf("line %d: %q is no module with its version; write one such as golang.org/x/sync@v0.10.0",
				number, line)
		}
		if err := module.Check(path, version); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		m := module.Version{Path: path, Version: version}
		if seen[m] {
			return nil, fmt.Errorf("line %d: %s is there twice", number, line)
		}
		seen[m] = true
		all = append(all, m)
	}
	if len(all) == 0 {
		return nil, errors.New("has no module; write a line such as golang.org/x/sync@v0.10.0")
	}
	return all, nil
}

// The results of a module.
const (
	Checked = "checked" // every query has an answer, or is unknown within its limits
	Nothing = "nothing" // nothing in it is meant to be shared
	Failed  = "failed"  // it cannot be downloaded or loaded
	Limit   = "limit"   // it took more memory or time than it may
	Crashed = "crashed" // the check has ended by itself: a defect
)

// Row is what was found out about a module.
type Row struct {
	Module     string  `json:"module"`
	Version    string  `json:"version"`
	Result     string  `json:"result"`
	Reason     string  `json:"reason,omitempty"` // unless it was checked
	Queries    int     `json:"queries"`
	Safe       int     `json:"safe"`
	Violations int     `json:"violations"`
	Harmful    int     `json:"harmful"` // of the violations, those that were seen to do harm or can
	Unknown    int     `json:"unknown"`
	Internal   int     `json:"internal"` // of the unknown ones, those that are for a defect of the check
	Seconds    float64 `json:"seconds"`
	PeakMiB    float64 `json:"peakMiB"`
	Stored     bool    `json:"stored"`

	mayPass bool // it may go better the next time: the network has failed, or there is no such module
}

// Options say how modules are checked.
type Options struct {
	Request  empire.Request // what is asked of each, with its budget and memory
	Time     time.Duration  // by the clock, for each module
	Workers  int            // modules at a time; 0: one
	Dir      string         // for what is thrown away
	Disk     int64          // bytes that Dir may take; 0: DefaultDisk
	Command  []string       // that starts a child
	Store    *answers.Store // of rows; nil keeps none
	Again    bool           // check what has been checked before as well
	Queue    queue.Queue    // nil: one in memory
	Log      *slog.Logger
	Progress func(done, total int)
}

// DefaultDisk is how much disk a sweep takes meanwhile, in bytes.
const DefaultDisk = 4 << 30

// maxDeaths is how often a sweep may have been killed in a module, before the next one leaves it out.
const maxDeaths = 3

// Run checks the modules. When the context is done it ends with what it has by then.
func Run(ctx context.Context, modules []module.Version, o Options) (*Table, error) {
	if o.Queue == nil {
		o.Queue = queue.NewMemory(time.Hour)
	}
	if o.Disk == 0 {
		o.Disk = DefaultDisk
	}
	c := &checker{Options: o, modules: modules, rows: make([]*Row, len(modules))}
	if err := c.publish(ctx); err != nil {
		return nil, err
	}
	working, end := context.WithCancel(ctx)
	defer end()
	var running sync.WaitGroup
	failures := make(chan error, max(o.Workers, 1))
	for n := range max(o.Workers, 1) {
		running.Go(func() {
			p, err := newPlace(o, n)
			if err != nil {
				failures <- err
				end()
				return
			}
			defer p.remove()
			for working.Err() == nil {
				if err := c.turn(working, p); err != nil {
					failures <- err
					end()
				}
				if c.isDone() {
					end()
				}
			}
		})
	}
	if c.isDone() {
		end()
	}
	running.Wait()
	select {
	case err := <-failures:
		if ctx.Err() == nil {
			return nil, err
		}
	default:
	}
	t := &Table{Interrupted: !c.isDone()}
	for _, r := range c.rows {
		if r != nil {
			t.Rows = append(t.Rows, *r)
		}
	}
	return t, nil
}

// checker checks modules in this process, and children of it.
type checker struct {
	Options
	modules []module.Version

	mu   sync.Mutex
	rows []*Row // by module; nil: not yet
	done int
}

// publish hands out the modules that are not known. Those that a sweep has died of come last.
func (c *checker) publish(ctx context.Context) error {
	if err := c.Queue.Clear(ctx); err != nil {
		return err
	}
	run := time.Now().UnixNano()
	var late []int
	send := func(i int) error {
		task, err := json.Marshal(i)
		if err != nil {
			return err
		}
		return c.Queue.Publish(ctx, answers.Hash(run, i), task)
	}
	for i, m := range c.modules {
		row := &Row{}
		if !c.Again && c.Store.GetJSON(c.key("row", m), row) {
			row.Stored = true
			c.set(i, row)
			continue
		}
		deaths := 0
		if c.Store.GetJSON(c.key("begun", m), &deaths); deaths > 0 {
			late = append(late, i)
			continue
		}
		if err := send(i); err != nil {
			return err
		}
	}
	for _, i := range late {
		if err := send(i); err != nil {
			return err
		}
	}
	return nil
}

// key returns the key of what is kept about a module.
func (c *checker) key(what string, m module.Version) string {
	r := c.Request
	r.Dir = ""
	asked, err := answers.Marshal(r)
	if err != nil {
		panic(err) // a request has a form
	}
	return c.Store.Key("module", what, m.Path, m.Version, string(asked), c.Time)
}

func (c *checker) set(i int, row *Row) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rows[i] != nil {
		return
	}
	c.rows[i] = row
	c.done++
	if c.Progress != nil {
		c.Progress(c.done, len(c.rows))
	}
}

func (c *checker) isDone() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.done == len(c.rows)
}

// turn takes a module, and checks it.
func (c *checker) turn(ctx context.Context, p *place) error {
	got, err := c.Queue.Fetch(ctx, 1, time.Second)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	for _, l := range got {
		err := queue.Hold(ctx, c.Queue, l, func(ctx context.Context) error {
			i := -1
			if json.Unmarshal(l.Task(), &i) != nil || i < 0 || i >= len(c.modules) {
				return nil
			}
			return c.check(ctx, p, i)
		})
		if err != nil {
			l.Return(context.WithoutCancel(ctx), 0) // it comes back in any case
			continue
		}
		l.Done(ctx) // if that fails it is handed out again, and known
	}
	return nil
}

// check checks the module with the number.
func (c *checker) check(ctx context.Context, p *place, i int) error {
	m := c.modules[i]
	deaths := 0
	c.Store.GetJSON(c.key("begun", m), &deaths)
	row := &Row{Module: m.Path, Version: m.Version}
	if deaths >= maxDeaths && !c.Again {
		row.Result, row.Reason = Crashed, fmt.Sprintf("sweeps were killed here %d times", deaths)
		c.set(i, row)
		return nil
	}
	c.Store.PutJSON(c.key("begun", m), deaths+1)
	begin := time.Now()
	p.check(ctx, row)
	if ctx.Err() != nil {
		c.Store.PutJSON(c.key("begun", m), deaths) // it was not the module
		return ctx.Err()
	}
	row.Seconds = time.Since(begin).Seconds()
	if !row.mayPass {
		c.Store.PutJSON(c.key("row", m), row)
	}
	c.Store.Remove(c.key("begun", m))
	c.Log.Info("checked", "module", m.Path, "version", m.Version, "result", row.Result, "reason", row.Reason, "seconds",
		int(row.Seconds))
	c.set(i, row)
	return nil
}
