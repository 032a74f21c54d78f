package steer

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	empire "github.com/empire-go/empire-go"
)

// TestPlainTests writes tests for bugs of testdata. A test is kept only if it fails while the bug is there; here it
// has to pass, again and again, in the program in which the bug is mended. EMPIRE_LONG takes six bugs, not two.
func TestPlainTests(t *testing.T) {
	if testing.Short() {
		t.Skip("checks and tests programs")
	}
	for name, typeName := range map[string]string{
		"library_by_value": "Meter", "library_cache": "Cache", "library_callback": "Counter",
		"library_copied_sums": "Counter",
		"library_queue":       "", "library_words": "",
	} {
		if name != "library_cache" && name != "library_callback" && os.Getenv("EMPIRE_LONG") == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26\n")
			take(t, dir, name)
			r, err := empire.Run(t.Context(), empire.Request{Dir: dir, Type: typeName, Harm: true})
			if err != nil {
				t.Fatal(err)
			}
			files, _, err := EmitTests(t.Context(), r, Config{Dir: dir})
			if err != nil || len(files) < 2 {
				t.Fatalf("wrote %d files: %v", len(files), err)
			}
			take(t, dir, name+"_fixed")
			cmd := exec.CommandContext(t.Context(), "go", "test", "-count=3", ".")
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("the bug is mended, and the test fails: %s", out)
			}
		})
	}
}

// take copies the source of a case into a directory.
func take(t *testing.T, dir, name string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join("..", "..", "testdata", name, "*.go"))
	if err != nil || len(found) == 0 {
		t.Fatalf("no case %s", name)
	}
	for _, file := range found {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, filepath.Base(file)), string(text))
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
