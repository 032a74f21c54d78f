package execute

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
)

var update = flag.Bool("update", false, "write what the go command's programs print")

// TestPrograms runs the programs in testdata, and compares what they print with what they print when the go
// command runs them: output.txt.
func TestPrograms(t *testing.T) {
	loaded := loadPrograms(t, "testdata/*/main.go")
	for _, pkg := range loaded.Packages {
		dir := filepath.Join("testdata", filepath.Base(pkg.Pkg.Path()))
		t.Run(filepath.Base(dir), func(t *testing.T) {
			golden := filepath.Join(dir, "output.txt")
			if *update {
				printed, err := exec.Command("go", "run", "./"+dir).Output()
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(golden, printed, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			got, steps := printedBy(t, pkg, loaded.Embedded)
			t.Logf("%d instructions", steps)
			compareLines(t, got, string(want))
		})
	}
}

// loadPrograms loads the programs whose files a pattern names.
func loadPrograms(t *testing.T, pattern string) *load.Program {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var patterns []string
	for _, file := range files {
		patterns = append(patterns, "./"+filepath.Dir(file))
	}
	loaded, err := load.Load(context.Background(), load.Config{Dir: ".", Patterns: patterns,
		Opaque: knowledge.IsOpaquePackage, Bodies: Bodies()}) // as in a check
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// printedBy returns what the program's main function prints.
func printedBy(t *testing.T, pkg *ssa.Package, files Files) (text string, steps int) {
	t.Helper()
	p := New(pkg, files)
	p.steps = 5_000_000
	m := p.newMachine(newWatch(&Subject{Line: -1}))
	m.idle = true
	m.decide = func([]*goroutine, *goroutine) int { return 0 }
	m.among = func(int) int { return 0 }
	m.run()
	if m.err != nil || m.ended != "" {
		t.Errorf("the run ended: %v %s", m.err, m.ended)
	}
	return strings.Join(m.goroutines[0].printed, ""), p.steps - m.steps + m.initial
}

func compareLines(t *testing.T, got, want string) {
	t.Helper()
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(a), len(b)) {
		x, y := "", ""
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			t.Errorf("line %d: printed\n\t%q, want\n\t%q", i+1, x, y)
		}
	}
}
