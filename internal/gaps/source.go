package gaps

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"

	"github.com/empire-go/empire-go/dynamic/watch"
	"github.com/empire-go/empire-go/dynamic/yields"
)

// Source finds the yields that a program has, in the files of a directory.
type Source struct {
	root  string
	files map[string]*file
	err   error
}

// NewSource looks at files of a directory when it is asked for what is in them.
func NewSource(root string) *Source { return &Source{root: root, files: map[string]*file{}} }

// Err is what is wrong with the yields of a file that was looked at.
func (s *Source) Err() error { return s.err }

type file struct {
	fset   *token.FileSet
	syntax *ast.File
	found  *yields.Found
}

// open reads a file, nil if that is no source or has wrong yields.
func (s *Source) open(name string) *file {
	f, ok := s.files[name]
	if ok {
		return f
	}
	s.files[name] = nil
	path := filepath.FromSlash(name)
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.root, path)
	}
	src, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	f = &file{fset: token.NewFileSet()}
	if f.syntax, err = parser.ParseFile(f.fset, name, src, parser.ParseComments|parser.SkipObjectResolution); err != nil {
		return nil
	}
	if f.found, err = yields.Find(f.fset, f.syntax, string(src)); err != nil {
		s.err = err
		return nil
	}
	s.files[name] = f
	return f
}

// Has tells whether the source has a yield between the access before a gap and a place in it: at the place, or before
// a statement of the same function that the place is in and that access is not.
func (s *Source) Has(p Point) bool {
	name, line, column, ok := watch.ParsePosition(p.Pos)
	if !ok {
		return false
	}
	f := s.open(name)
	if f == nil {
		return false
	}
	at := f.pos(line, column)
	for _, y := range f.found.At {
		if y.Pos == at && (y.Call || y.Write == (p.Action == "write")) {
			return true
		}
	}
	before := token.NoPos
	if name2, line, column, ok := watch.ParsePosition(p.before); ok && name2 == name {
		before = f.pos(line, column)
	}
	for stmt := range f.found.Before {
		if in(stmt, at) && !in(stmt, before) && f.function(stmt.Pos()) == f.function(at) {
			return true
		}
	}
	return false
}

func in(n ast.Node, at token.Pos) bool { return n.Pos() <= at && at < n.End() }

// pos is the position at a line and a column.
func (f *file) pos(line, column int) token.Pos {
	of := f.fset.File(f.syntax.FileStart)
	if line < 1 || line > of.LineCount() {
		return token.NoPos
	}
	return of.LineStart(line) + token.Pos(column-1)
}

// function is the innermost function around a position.
func (f *file) function(at token.Pos) (inner ast.Node) {
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if n == nil || !in(n, at) {
			return false
		}
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			inner = n
		}
		return true
	})
	return inner
}
