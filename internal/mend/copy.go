package mend

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/empire-go/empire-go/internal/rewrite"
)

// difference returns the lines of a text, from 1, that the other one has changed, and what is there instead. The
// last line is less than the first one if lines are only put before it.
func difference(before, after string) (first, last int, text string) {
	a, b := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b, first = a[1:], b[1:], first+1
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return first + 1, first + len(a), strings.Join(b, "")
}

// onlyParts returns the old text of a file with only some of its functions as they are in the new one: a fix
// without the others in the same file. What other fixes have changed in the same functions is part of it.
func onlyParts(f rewrite.File, parts []part) (string, error) {
	var edits []rewrite.Edit
	for _, p := range parts {
		begin, end, err := spanOf(f.Old, p)
		if err != nil {
			return "", err
		}
		from, to, err := spanOf(f.New, p)
		if err != nil {
			return "", err
		}
		edits = append(edits, rewrite.Edit{Begin: begin, End: end, Text: string(f.New[from:to])})
	}
	text, err := rewrite.Apply(f.Old, edits)
	return string(text), err
}

// spanOf finds a function in a text.
func spanOf(text []byte, p part) (begin, end int, err error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	if err != nil {
		return 0, 0, err
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		switch {
		case !ok || receiverType(f) != p.typeName:
		case f.Name.Name == p.name:
			begin, end = set.Position(f.Pos()).Offset, set.Position(f.End()).Offset
		case f.Name.Name == p.inner && begin > 0:
			end = set.Position(f.End()).Offset
		}
	}
	if end == 0 {
		return 0, 0, fmt.Errorf("%s is gone", p.name)
	}
	return begin, end, nil
}

// The most that is copied of a module.
const (
	maxFiles = 20_000
	maxBytes = 256 << 20
)

// copyModule copies a module, without what begins with a dot.
func copyModule(to, from string) error {
	files, bytes := 0, int64(0)
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && rel != ".":
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if files, bytes = files+1, bytes+int64(len(text)); files > maxFiles || bytes > maxBytes {
			return fmt.Errorf("the module has too many files to be copied")
		}
		return os.WriteFile(filepath.Join(to, rel), text, 0o644)
	})
}
