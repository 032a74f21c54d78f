package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/report"
	"github.com/empire-go/empire-go/scenarios"
)

// The commands that code actions run.
const (
	explainCommand = "empire-go.explain"
	pageCommand    = "empire-go.page"
)

// initialize says what the server can do.
func (s *server) initialize(params json.RawMessage) (any, error) {
	var p struct {
		RootURI          string
		WorkspaceFolders []struct{ URI string }
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, err
	}
	root := p.RootURI
	if root == "" && len(p.WorkspaceFolders) > 0 {
		root = p.WorkspaceFolders[0].URI
	}
	if u, err := url.Parse(root); err == nil && u.Scheme == "file" {
		s.root = filepath.FromSlash(u.Path)
	} else if here, err := os.Getwd(); err == nil {
		s.root = here
	}
	return map[string]any{
		"serverInfo": map[string]string{"name": "empire-go", "version": empire.Version},
		"capabilities": map[string]any{
			"textDocumentSync":       map[string]any{"openClose": true, "change": 0, "save": true},
			"codeActionProvider":     map[string]any{"codeActionKinds": []string{"quickfix"}},
			"executeCommandProvider": map[string]any{"commands": []string{explainCommand, pageCommand}},
		},
	}, nil
}

// actions offers what can be done about violations.
func (s *server) actions(params json.RawMessage) (any, error) {
	var p struct {
		TextDocument struct{ URI string }
		Context      struct{ Diagnostics []diagnostic }
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, err
	}
	all := []map[string]any{}
	for _, d := range p.Context.Diagnostics {
		if d.Source != "empire-go" {
			continue
		}
		accepted := cmp.Or(d.Data, d.Code)
		begin := position{Line: d.Range.Start.Line}
		comment := s.indentation(p.TextDocument.URI, begin.Line) + "//empire:ignore " + accepted +
			" say why it does no harm\n"
		edit := map[string]any{"range": span{begin, begin}, "newText": comment}
		run := func(title, command string) map[string]any {
			return map[string]any{"title": title, "kind": "quickfix", "diagnostics": []diagnostic{d},
				"command": map[string]any{"title": title, "command": command, "arguments": []string{d.Code}}}
		}
		all = append(all,
			map[string]any{"title": "Accept it: //empire:ignore " + accepted, "kind": "quickfix", "diagnostics": []diagnostic{d},
				"edit": map[string]any{"changes": map[string]any{p.TextDocument.URI: []any{edit}}}},
			run("Explain the scenario", explainCommand), run("Open the page with the interleaving", pageCommand))
	}
	return all, nil
}

// indentation is what a line of a file begins with.
func (s *server) indentation(uri string, line int) string {
	u, err := url.Parse(uri)
	if err != nil {
		return ""
	}
	text, err := os.ReadFile(filepath.FromSlash(u.Path))
	if err != nil {
		return ""
	}
	lines := strings.Split(string(text), "\n")
	if line >= len(lines) {
		return ""
	}
	return lines[line][:len(lines[line])-len(strings.TrimLeft(lines[line], "\t "))]
}

// execute runs a command of an action.
func (s *server) execute(params json.RawMessage) error {
	var p struct {
		Command   string
		Arguments []string
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	s.mu.Lock()
	r := s.result
	s.mu.Unlock()
	if r == nil || len(p.Arguments) != 1 {
		return fmt.Errorf("nothing is known yet")
	}
	switch p.Command {
	case explainCommand:
		return s.explain(r, p.Arguments[0])
	case pageCommand:
		return s.page(r, p.Arguments[0])
	}
	return fmt.Errorf("%s is not known", p.Command)
}

// explain shows what there is to know of the scenario of a violation.
func (s *server) explain(r *empire.Result, id string) error {
	for i := range r.Queries {
		for _, v := range r.Queries[i].Violations() {
			known, ok := scenarios.ByNumber(v.Scenario)
			if v.ID != id || !ok {
				continue
			}
			var text bytes.Buffer
			if err := report.Explain(&text, known, 0, report.TextOptions{}); err != nil {
				return err
			}
			return s.say(text.String())
		}
		for _, race := range r.Queries[i].Races {
			if race.ID == id {
				return s.say("Data race: two goroutines can access a field at the same moment, one of them writes, and nothing " +
					"orders the two. Go's memory model then promises nothing of what is read. go test -race shows it, where a test " +
					"does it.")
			}
		}
	}
	return fmt.Errorf("no violation %s", id)
}

// say shows a text.
func (s *server) say(text string) error {
	return s.notify("window/showMessage", map[string]any{"type": 3, "message": text}, false)
}

// page writes the page and has the editor open it at the violation.
func (s *server) page(r *empire.Result, id string) error {
	file, err := os.CreateTemp("", "empire-go-*.html")
	if err != nil {
		return err
	}
	defer file.Close()
	if err := report.HTML(file, r); err != nil {
		return err
	}
	at := &url.URL{Scheme: "file", Path: filepath.ToSlash(file.Name()), Fragment: "v" + id}
	return s.notify("window/showDocument", map[string]any{"uri": at.String(), "external": true}, true)
}
