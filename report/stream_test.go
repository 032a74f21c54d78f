package report

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	empire "github.com/empire-go/empire-go"
)

// TestStream streams the results of the golden cases, and reads them again.
func TestStream(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		r, _ := readCase(t, archive)
		var stream, want bytes.Buffer
		s := NewStream(&stream)
		s.Observe(empire.Event{Begin: r})
		for i := range r.Queries {
			s.Observe(empire.Event{Phase: &empire.Phase{What: "checking", Done: i, Total: len(r.Queries)}})
			s.Observe(empire.Event{Answer: &r.Queries[i]})
			s.Observe(empire.Event{Answer: &r.Queries[i]}) // another client comes to it, too
		}
		if err := s.Summary(r); err != nil {
			t.Fatal(err)
		}
		if err := JSON(&want, r); err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(strings.TrimSuffix(stream.String(), "\n"), "\n")
		checkOrder(t, path, lines)
		lines = slices.DeleteFunc(lines, func(l string) bool { return strings.Contains(l, `"event":"progress"`) })
		again, err := Read(strings.NewReader(strings.Join(lines, "")))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		var got bytes.Buffer
		if err := JSON(&got, again); err != nil || got.String() != want.String() {
			t.Errorf("%s: another result is read than was written (%v)", path, err)
		}
		if _, err := Read(strings.NewReader(lines[0])); err == nil || !strings.Contains(err.Error(), "without a summary") {
			t.Errorf("%s: a stream that ends too early: %v", path, err)
		}
	}
}

// checkOrder: each line is an object with the version, the first is config, the last summary, and
// no finding is there twice.
func checkOrder(t *testing.T, path string, lines []string) {
	for i, l := range lines {
		var line streamed
		if err := json.Unmarshal([]byte(l), &line); err != nil || line.Schema != Schema {
			t.Errorf("%s: line %d: %v", path, i+1, err)
		}
		if (line.Event == "config") != (i == 0) || (line.Event == "summary") != (i == len(lines)-1) {
			t.Errorf("%s: line %d is %s", path, i+1, line.Event)
		}
		if line.Event == "finding" && (line.Violation == nil) == (line.Race == nil) {
			t.Errorf("%s: line %d is no finding", path, i+1)
		}
		if slices.Contains(lines[:i], l) {
			t.Errorf("%s: line %d is there before", path, i+1)
		}
	}
}
