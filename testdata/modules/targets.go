package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A scratch is a copy of a module, and the types to check in it.
type scratch struct {
	dir     string
	targets []target
}

// A target is a type and the folder of its package.
type target struct{ name, pkg string }

// env lets the go command complete go.mod.
func env() []string { return append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off") }

// command runs a command in a folder and returns what it prints.
func command(dir, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, env()
	text, err := cmd.Output()
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		err = fmt.Errorf("%s %s: %s", name, strings.Join(args, " "), firstLine(string(exit.Stderr)))
	}
	return text, err
}

// newScratch copies a module and finds its types.
func newScratch(dir, module string) (*scratch, error) {
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	text, err := command(os.TempDir(), "go", "mod", "download", "-json", module)
	if err != nil {
		return nil, err
	}
	var downloaded struct{ Path, Dir string }
	if err := json.Unmarshal(text, &downloaded); err != nil {
		return nil, err
	}
	if err := os.CopyFS(dir, os.DirFS(downloaded.Dir)); err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module "+downloaded.Path+"\n\ngo 1.26\n"), 0o666); err != nil {
			return nil, err
		}
		if _, err := command(dir, "go", "mod", "tidy"); err != nil {
			return nil, err
		}
	}
	s := &scratch{dir: dir}
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedTypes | packages.NeedSyntax | packages.NeedImports | packages.NeedDeps,
		Dir:  dir, Env: env(),
	}, "./...")
	if err != nil {
		return nil, err
	}
	for _, pkg := range loaded {
		if pkg.Name == "main" || len(pkg.GoFiles) == 0 || len(pkg.Errors) > 0 || strings.Contains("/"+pkg.PkgPath+"/", "/internal/") {
			continue
		}
		folder, err := filepath.Rel(dir, filepath.Dir(pkg.GoFiles[0]))
		if err != nil {
			return nil, err
		}
		s.targets = append(s.targets, targets(pkg.Types, "./"+filepath.ToSlash(folder))...)
	}
	return s, nil
}

// targets returns the exported types of a package that have a mutex.
func targets(pkg *types.Package, folder string) []target {
	var all []target
	for _, name := range pkg.Scope().Names() {
		object, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if ok && !object.IsAlias() && object.Exported() && guarded(object.Type(), 0) {
			all = append(all, target{pkg.Path() + "." + name, folder})
		}
	}
	return all
}

// guarded reports whether t is a struct with a mutex or a pointer to one, also in
// a struct inside it, or embedded by a pointer.
func guarded(t types.Type, depth int) bool {
	structure, ok := t.Underlying().(*types.Struct)
	if !ok || depth > 2 {
		return false
	}
	for f := range structure.Fields() {
		inner := f.Type()
		if p, ok := inner.Underlying().(*types.Pointer); ok {
			inner = p.Elem()
		}
		switch inner.String() {
		case "sync.Mutex", "sync.RWMutex":
			return true
		}
		if (inner == f.Type() || f.Embedded()) && guarded(inner, depth+1) {
			return true
		}
	}
	return false
}
