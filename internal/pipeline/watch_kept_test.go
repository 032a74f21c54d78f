package pipeline_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/empire-go/empire-go/internal/answers"
	"github.com/empire-go/empire-go/internal/pipeline"
)

// TestKeptPlan finds a plan of what to watch again as it was, and another one after any change: also of a line, since
// the plan names positions.
func TestKeptPlan(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	source, err := os.ReadFile("testdata/vector/vector.go")
	if err != nil {
		t.Fatal(err)
	}
	main, err := os.ReadFile("testdata/vector/main.go")
	if err != nil {
		t.Fatal(err)
	}
	write("go.mod", "module example.com/vector\n\ngo 1.26\n")
	write("main.go", string(main))
	keptIn := t.TempDir()
	store, err := answers.Open(keptIn)
	if err != nil {
		t.Fatal(err)
	}
	plan := func(store *answers.Store, strict bool) []byte {
		t.Helper()
		p, root, err := pipeline.Watch(context.Background(), pipeline.Request{Dir: dir, Packages: []string{"."},
			Strict: strict, Answers: store})
		if err != nil {
			t.Fatal(err)
		}
		if root != dir {
			t.Errorf("the module is in %s, not %s", dir, root)
		}
		text, err := p.Encode()
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for _, text := range []string{string(source), string(source), "// A line more.\n" + string(source)} {
		write("vector.go", text)
		for _, strict := range []bool{false, true} {
			if got, want := plan(store, strict), plan(nil, strict); !bytes.Equal(got, want) {
				t.Errorf("kept, or as if it were:\n%s\nfound out:\n%s", got, want)
			}
		}
	}
	entries, _ := filepath.Glob(filepath.Join(keptIn, "*", "*.*"))
	if len(entries) != 4 {
		t.Errorf("%d plans were kept, not one for each text and policy: %v", len(entries), entries)
	}
}
