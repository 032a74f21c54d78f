package main

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/internal/answers"
	"github.com/empire-go/empire-go/report"
)

// checking is what is known of the module, and the check that goes on.
type checking struct {
	root string

	mu     sync.Mutex // protects what follows
	cancel context.CancelFunc
	done   chan bool // closed when the check has ended
	result *empire.Result
	shown  []string // the files that have diagnostics
}

// position, span, location and diagnostic have the names of the protocol.
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type related struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

type diagnostic struct {
	Range    span      `json:"range"`
	Severity int       `json:"severity"` // 1 error, 2 warning, 3 information
	Code     string    `json:"code"`
	Source   string    `json:"source"`
	Message  string    `json:"message"`
	Related  []related `json:"relatedInformation,omitempty"`
}

// stop ends the check that goes on, and waits for that.
func (c *checking) stop() {
	c.mu.Lock()
	cancel, done := c.cancel, c.done
	c.mu.Unlock()
	if cancel != nil {
		cancel()
		<-done
	}
}

// begin checks the module anew.
func (c *checking) begin(s *server) {
	c.stop()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan bool)
	c.mu.Lock()
	c.cancel, c.done = cancel, done
	c.mu.Unlock()
	go func() {
		defer close(done)
		defer cancel()
		budget, err := time.ParseDuration(cmp.Or(os.Getenv("EMPIRE_BUDGET"), "30s"))
		if err != nil {
			budget = 30 * time.Second
		}
		r, err := empire.Run(ctx, empire.Request{Dir: c.root, Packages: []string{"./..."}, Harm: true, Budget: budget,
			Answers: answers.OpenDefault()})
		switch {
		case ctx.Err() != nil:
			return
		case err != nil: // it does not compile, say: what was found stays
			s.notify("window/logMessage", map[string]any{"type": 3, "message": "empire-go: " + err.Error()}, false)
			return
		}
		c.publish(s, r)
	}()
}

// publish shows what was found, and takes away what is not there any more.
func (c *checking) publish(s *server, r *empire.Result) {
	report.SetCauses(r)
	found := map[string][]diagnostic{}
	for i := range r.Queries {
		for _, v := range r.Queries[i].Violations() {
			if file, d := c.diagnostic(&r.Queries[i], v); v.Accepted == nil && file != "" && isShown(r, v) {
				found[file] = append(found[file], d)
			}
		}
	}
	c.mu.Lock()
	files := c.shown
	c.result, c.shown = r, nil
	for file := range found {
		c.shown = append(c.shown, file)
		if !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	c.mu.Unlock()
	slices.Sort(files)
	for _, file := range files {
		list := found[file]
		if list == nil {
			list = []diagnostic{}
		}
		s.notify("textDocument/publishDiagnostics", map[string]any{"uri": c.uri(file), "diagnostics": list}, false)
	}
}

// isShown tells whether a violation stands for its cause.
func isShown(r *empire.Result, v *empire.ScenarioResult) bool {
	return slices.ContainsFunc(r.Causes, func(c empire.Cause) bool { return c.Shown == v.ID })
}

// diagnostic is a violation at its first event, with the interleaving step by step.
func (c *checking) diagnostic(q *empire.QueryResult, v *empire.ScenarioResult) (file string, d diagnostic) {
	d = diagnostic{Severity: 2, Code: v.ID, Source: "empire-go", Message: fmt.Sprintf("%s: %s, on %s of %s", v.Name,
		strings.Join(v.Units, " and "), strings.Join(v.Locations, " and "), cmp.Or(q.Type, "the package"))}
	switch {
	case v.Level == "note", v.Harm != nil && v.Harm.Status == empire.HarmNone:
		d.Severity = 3
	case v.Harm != nil && (v.Harm.Status == empire.HarmSeen || v.Harm.Status == empire.HarmPossible):
		d.Severity = 1
		d.Message += ": " + v.Harm.Actual
	}
	for _, step := range v.Counterexample {
		at, line := c.place(step.Pos)
		if at == "" {
			continue
		}
		if step.Event == 1 {
			file, d.Range = at, line
		}
		text := step.Goroutine + ": " + step.Action
		if what := cmp.Or(step.Location, step.Lock, step.Channel, step.Unit, step.Target); what != "" {
			text += " " + what
		}
		if step.Event > 0 {
			text = fmt.Sprintf("(%d) %s", step.Event, text)
		}
		d.Related = append(d.Related, related{location{c.uri(at), line}, text})
	}
	return file, d
}

// place is a position of a result: the file, and the line from the column on.
func (c *checking) place(pos string) (file string, at span) {
	words := strings.Split(pos, ":")
	if len(words) < 2 {
		return "", at
	}
	n := func(i int) int {
		if i >= len(words) {
			return 1
		}
		n, _ := strconv.Atoi(words[i])
		return max(n, 1)
	}
	at.Start = position{n(1) - 1, n(2) - 1}
	at.End = position{n(1) - 1, n(2)}
	return words[0], at
}

// uri names a file of the module.
func (c *checking) uri(file string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(c.root, filepath.FromSlash(file)))}).String()
}
