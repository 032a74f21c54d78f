package main

import (
	"cmp"
	"context"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/integrations/internal/finding"
	"github.com/empire-go/empire-go/internal/answers"
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
	Data     string    `json:"data,omitempty"` // the id that accepts all of its cause
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
	all, err := finding.Of(r)
	if err != nil {
		s.notify("window/logMessage", map[string]any{"type": 2, "message": "empire-go: " + err.Error()}, false)
	}
	found := map[string][]diagnostic{}
	for _, f := range all {
		if file, d := diagnosticOf(r.ModuleRootDir, f); file != "" {
			found[file] = append(found[file], d)
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
		s.notify("textDocument/publishDiagnostics", map[string]any{"uri": fileURI(file), "diagnostics": list}, false)
	}
}

// diagnosticOf is a finding at its first event, with the interleaving step by step.
func diagnosticOf(root string, f finding.Finding) (file string, d diagnostic) {
	d = diagnostic{Severity: int(f.Severity), Code: f.ID, Source: "empire-go", Message: f.Text, Data: f.AcceptID}
	for _, step := range f.Steps {
		at, line := place(root, step.Pos)
		if at == "" {
			continue
		}
		if step.Event == 1 {
			file, d.Range = at, line
		}
		d.Related = append(d.Related, related{location{fileURI(at), line}, step.Text})
	}
	return file, d
}

// place is a position of a result of a module: the file, and the line from the column on.
func place(root, pos string) (file string, at span) {
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
	return filepath.Join(root, filepath.FromSlash(words[0])), at
}

// fileURI names a file.
func fileURI(file string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()
}
