package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/empire-go/empire-go/integrations/internal/finding"
	"github.com/empire-go/empire-go/integrations/internal/store"
)

// module writes a module with a violation, and the mended source beside it.
func module(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/store\n\ngo 1.26\n", "store.go": store.Broken,
		"store.fixed": store.Mended} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("EMPIRE_CACHE", filepath.Join(t.TempDir(), "cache"))
	return dir
}

// TestServer is the beginning of a session: what the editor is told, message by message.
func TestServer(t *testing.T) {
	if testing.Short() {
		t.Skip("checks a program")
	}
	root := module(t)
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	go (&server{out: out}).serve(in)
	messages := bufio.NewReader(fromServer)
	editor := &server{out: toServer}
	next := func() message {
		t.Helper()
		m, err := read(messages)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	params := func(v any) json.RawMessage {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	editor.send(message{ID: json.RawMessage("1"), Method: "initialize",
		Params: params(map[string]string{"rootUri": "file://" + filepath.ToSlash(root)})})
	if m := next(); m.Error != nil || string(m.ID) != "1" {
		t.Fatalf("%+v", m)
	}
	editor.send(message{Method: "initialized", Params: params(struct{}{})})
	m := next()
	var shown struct {
		URI         string
		Diagnostics []diagnostic
	}
	if err := json.Unmarshal(m.Params, &shown); err != nil || len(shown.Diagnostics) != 1 {
		t.Fatalf("%s: %s", m.Method, m.Params)
	}
	d := shown.Diagnostics[0]
	if d.Severity != 1 || d.Range.Start.Line != 14 || len(d.Related) < 6 {
		t.Errorf("%+v", d)
	}
	editor.send(message{ID: json.RawMessage("2"), Method: "textDocument/codeAction", Params: params(map[string]any{
		"textDocument": map[string]string{"uri": shown.URI}, "context": map[string]any{"diagnostics": shown.Diagnostics}})})
	if text, _ := json.Marshal(next().Result); !bytes.Contains(text, []byte(`\t//empire:ignore `+d.Data)) {
		t.Errorf("%s", text)
	}
	// Accepted in the source and saved: what was shown is taken away.
	lines := strings.SplitAfter(store.Broken, "\n")
	lines[d.Range.Start.Line] = "\t//empire:ignore " + d.Data + " an overview\n" + lines[d.Range.Start.Line]
	if err := os.WriteFile(filepath.Join(root, "store.go"), []byte(strings.Join(lines, "")), 0o644); err != nil {
		t.Fatal(err)
	}
	editor.send(message{Method: "textDocument/didSave", Params: params(map[string]any{
		"textDocument": map[string]string{"uri": shown.URI}})})
	if m := next(); !bytes.Contains(m.Params, []byte(`"diagnostics":[]`)) {
		t.Errorf("accepted: %s: %s", m.Method, m.Params)
	}
	editor.send(message{ID: json.RawMessage("3"), Method: "nothing/known"})
	if m := next(); m.Error == nil {
		t.Errorf("%+v", m)
	}
	editor.send(message{Method: "exit"})
}

// TestBelowTheRoot: an editor that was begun below the root of a module is told of the files that there are.
func TestBelowTheRoot(t *testing.T) {
	step := finding.Step{Pos: "inner/store.go:3:2", Text: "(1) g1: read n", Event: 1}
	file, d := diagnosticOf("/module", finding.Finding{ID: "1", AcceptID: "2", Severity: finding.Harm,
		Steps: []finding.Step{step}})
	want := diagnostic{Range: span{position{2, 1}, position{2, 2}}, Severity: 1, Code: "1", Source: "empire-go", Data: "2",
		Related: []related{{location{"file:///module/inner/store.go", span{position{2, 1}, position{2, 2}}}, step.Text}}}
	if diff := cmp.Diff(want, d); filepath.ToSlash(file) != "/module/inner/store.go" || diff != "" {
		t.Errorf("%s: %s", file, diff)
	}
}

// TestClient has the library that editors use talk to the server. It is where its packages are:
// npm install --prefix DIR vscode-languageserver-protocol, and EMPIRE_LSP_CLIENT=DIR.
func TestClient(t *testing.T) {
	dir := os.Getenv("EMPIRE_LSP_CLIENT")
	if dir == "" {
		t.Skip("EMPIRE_LSP_CLIENT names no directory with the library")
	}
	script, err := filepath.Abs("testdata/client.mjs")
	if err != nil {
		t.Fatal(err)
	}
	tool := filepath.Join(t.TempDir(), "lsp")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", tool, ".").CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
	cmd := exec.CommandContext(t.Context(), "node", script, tool, module(t))
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("ok\n")) {
		t.Errorf("%v: %s", err, out)
	}
}
