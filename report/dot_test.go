package report

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	empire "github.com/empire-go/empire-go"
)

// TestDOTIsRead: each graph has an id of its own that is a name of the DOT language, and Graphviz, where it is
// there, makes a picture of each.
func TestDOTIsRead(t *testing.T) {
	head := regexp.MustCompile(`(?m)^digraph (.*) \{$`)
	name := regexp.MustCompile(`^[A-Za-z_][A-Za-z_0-9]*$`)
	results := map[string]*empire.Result{"many": manyViolationsResult(t, 20)}
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range paths {
		results[filepath.Base(path)] = pageResult(t, filepath.Base(path))
	}
	for of, r := range results {
		var b bytes.Buffer
		if err := DOT(&b, r); err != nil {
			t.Fatal(err)
		}
		graphs := head.FindAllSubmatch(b.Bytes(), -1)
		seen := map[string]bool{}
		for _, m := range graphs {
			if id := string(m[1]); !name.MatchString(id) || seen[id] {
				t.Errorf("%s: the graph %q has no name of its own", of, id)
			} else {
				seen[id] = true
			}
		}
		tool, err := exec.LookPath("dot")
		if err != nil || testing.Short() {
			continue
		}
		cmd := exec.CommandContext(t.Context(), tool, "-Tsvg")
		cmd.Stdin = &b
		var problems bytes.Buffer
		cmd.Stderr = &problems
		out, err := cmd.Output()
		if made := bytes.Count(out, []byte("</svg>")); err != nil || made != len(graphs) || problems.Len() > 0 {
			t.Errorf("%s: %d pictures of %d graphs: %v: %s", of, made, len(graphs), err, &problems)
		}
	}
}
