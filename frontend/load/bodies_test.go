package load

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBodies requires that only the functions of the packages in question are without bodies,
// and none of them that has to have one.
func TestBodies(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26\n",
		"main.go": "package main\n\nimport (\n\t\"sync\"\n\n\t\"example.com/m/src/runtime\"\n)\n\nfunc main() " +
			"{\n\tsync.OnceFunc(runtime.GC)()\n}\n",
		"src/runtime/own.go": "package runtime\n\nfunc GC() {}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Load(t.Context(), Config{Dir: dir, Patterns: []string{"."}, Opaque: func(path string) bool {
		return strings.HasSuffix(path, "runtime")
	}, Bodies: map[string]bool{"(runtime.errorString).Error": true, "runtime.CallersFrames": true}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []struct {
		path, name string
		want       bool
	}{
		{"runtime", "GC", false}, {"runtime", "init", true}, {"runtime", "CallersFrames", true}, {"sync", "OnceFunc", true},
		{"example.com/m/src/runtime", "GC", true},
	} {
		fn := p.SSA.ImportedPackage(f.path).Func(f.name)
		if has := len(fn.Blocks) > 0; has != f.want {
			t.Errorf("%s: has a body: %v, want %v", fn, has, f.want)
		}
	}
}

// TestDropBodies requires that what is left is still used, and that nothing else is imported
// by name.
func TestDropBodies(t *testing.T) {
	const text = `package p

import (
	"internal/abi"
	"math/rand/v2"
	alias "math"
	"strings"
	"unsafe"
)

var v = rand.Int()

func init() { _ = alias.Pi }

func generic[T any](t T) T { return t }

func dropped(t *abi.Type) unsafe.Pointer { return nil }

func (m method) dropped() { strings.ToLower("") }
`
	file, err := parseWithComments(token.NewFileSet(), "p.go", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	dropBodies(file, func(*ast.FuncDecl) bool { return false })
	var blank []string
	for _, spec := range file.Imports {
		if spec.Name != nil && spec.Name.Name == "_" {
			blank = append(blank, spec.Path.Value)
		}
	}
	if got := strings.Join(blank, " "); got != `"strings"` {
		t.Errorf("imported for nothing: %s", got)
	}
}
