package load

import (
	"go/token"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
)

// Generated is the name of files that are made beside the program. Nothing in them
// has a position.
const Generated = "generated"

// IsGenerated tells whether the position is in code that is made beside the program.
func (p *Program) IsGenerated(pos token.Pos) bool {
	file := p.SSA.Fset.File(pos)
	return file != nil && file.Name() == Generated
}

// Position converts a position to a path relative to the module root. Other files
// are named so that no path of the module looks like theirs, and that the name is
// the same on every machine: $GOROOT/src/sync/once.go,
// $GOMODCACHE/golang.org/x/sync@v0.10.0/errgroup/errgroup.go.
func (p *Program) Position(pos token.Pos) esl.Pos {
	if !pos.IsValid() {
		return esl.Pos{}
	}
	at := p.SSA.Fset.Position(pos)
	if at.Filename == Generated {
		return esl.Pos{}
	}
	return esl.Pos{File: p.shorten(at.Filename), Line: at.Line, Col: at.Column}
}

// shorten names a file.
func (p *Program) shorten(path string) string {
	if short, ok := p.names.Load(path); ok {
		return short.(string)
	}
	short := p.nameOf(path)
	p.names.Store(path, short)
	return short
}

func (p *Program) nameOf(path string) string {
	for _, m := range p.modules {
		if _, ok := within(m.Dir, path); ok {
			if rel, ok := within(p.ModuleDir, path); ok {
				return rel
			}
		}
	}
	if rel, ok := within(p.LibraryDir, path); ok {
		return "$GOROOT/src/" + rel
	}
	slashed := filepath.ToSlash(path)
	if _, rel, ok := strings.Cut(slashed, "/pkg/mod/"); ok {
		return "$GOMODCACHE/" + rel
	}
	return slashed
}

// within returns the path relative to the directory if it lies inside.
func within(dir, path string) (string, bool) {
	rel, err := filepath.Rel(dir, path)
	if dir == "" || err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// libraryDir returns the directory of the standard library's sources, as package
// runtime has been loaded from there.
func libraryDir(program *ssa.Program) string {
	runtime := program.ImportedPackage("runtime")
	if runtime == nil || runtime.Func("GC") == nil {
		return ""
	}
	file := program.Fset.Position(runtime.Func("GC").Pos()).Filename
	return filepath.Dir(filepath.Dir(file))
}
