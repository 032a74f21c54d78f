package pointsto

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const cgoProgram = `package main

// static void touch(void *p) {}
// static int *make(void) { return 0; }
import "C"
import "unsafe"

func main() {
	x := new(int)
	C.touch(unsafe.Pointer(x))
	println(C.make() == nil)
}
`

// TestCgo requires a hole for each function of C, where it is called.
func TestCgo(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no C compiler")
	}
	t.Setenv("CGO_ENABLED", "1")
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.go"), cgoProgram)
	write(t, filepath.Join(dir, "go.mod"), "module example.com/m\ngo 1.26\n")
	program, roots := load(t, dir)
	r, err := Analyze(context.Background(), Config{Program: program, Roots: roots})
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]int{"C.touch": 10, "C.make": 11}
	for name, line := range lines {
		if !slices.ContainsFunc(r.Holes(), func(h Hole) bool {
			at := program.Fset.Position(h.Pos)
			return h.Kind == Cgo && strings.HasPrefix(h.Text, name+" ") && filepath.Base(at.Filename) == "main.go" &&
				at.Line == line
		}) {
			t.Errorf("no hole for %s in line %d among %v", name, line, r.Holes())
		}
	}
}
