// Package rewrite changes source files: it makes the new text of each, shows what is different, and writes
// it. What is formatted as gofmt does stays so; in other files only the lines that have to change do.
package rewrite

import (
	"bytes"
	"cmp"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/diff"
)

// File is a source file with a new text.
type File struct {
	Path     string // slash-separated and relative to the root of the module
	Old, New []byte
}

// Diff is what is different, as patch reads it.
func (f File) Diff() []byte { return diff.Diff("a/"+f.Path, f.Old, "b/"+f.Path, f.New) }

// Write writes the new texts of files below a directory, if they still have the old ones.
func Write(root string, files []File) error {
	for _, f := range files {
		path := filepath.Join(root, filepath.FromSlash(f.Path))
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		switch now, err := os.ReadFile(path); {
		case err != nil:
			return err
		case !bytes.Equal(now, f.Old):
			return fmt.Errorf("%s has changed meanwhile", f.Path)
		}
		if err := os.WriteFile(path, f.New, info.Mode()); err != nil {
			return err
		}
	}
	return nil
}

// Edit replaces a part of a file, by offsets.
type Edit struct {
	Begin, End int
	Text       string
}

// Apply makes the edits, which do not overlap, in any order; those at one place in the order given. The result is
// formatted if the text was. It is an error if the result is no Go source.
func Apply(text []byte, edits []Edit) ([]byte, error) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return cmp.Or(a.Begin-b.Begin, a.End-b.End) })
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		if e.Begin < at || e.End < e.Begin || e.End > len(text) {
			return nil, fmt.Errorf("edits overlap at offset %d", e.Begin)
		}
		out.Write(text[at:e.Begin])
		out.WriteString(e.Text)
		at = e.End
	}
	out.Write(text[at:])
	formatted, err := format.Source(out.Bytes())
	if err != nil {
		return nil, err
	}
	if was, err := format.Source(text); err == nil && bytes.Equal(was, text) {
		return formatted, nil
	}
	return out.Bytes(), nil
}
