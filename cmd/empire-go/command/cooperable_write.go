package command

import (
	"go/parser"
	"go/token"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/dynamic/cooperable"
	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
	"github.com/empire-go/empire-go/dynamic/yields"
)

// writeSource writes the yields that reports need into the source of a program. What has no form there is left, as
// lines of a file of yields.
func writeSource(h trace.Header, reports []*cooperable.Report) (left, written []string, err error) {
	wants, lines := map[string][]yields.Want{}, map[string]map[yields.Want]string{}
	for _, r := range reports {
		for _, m := range r.Places {
			if !m.Needed || m.Where.Pos == "" {
				continue
			}
			name, w, ok := wantOf(m)
			if !ok {
				left = append(left, m.Line())
				continue
			}
			if lines[name] == nil {
				lines[name] = map[yields.Want]string{}
			}
			if lines[name][w] == "" {
				wants[name] = append(wants[name], w)
			}
			lines[name][w] = m.Line()
		}
	}
	others, written, err := insertYields(h.Root, wants)
	for _, o := range others {
		left = append(left, lines[o.file][o.Want])
	}
	return left, written, err
}

// yieldLeft is a yield that has no form in a file.
type yieldLeft struct {
	file string
	yields.Want
}

// insertYields writes yields into the files of a module.
func insertYields(root string, wants map[string][]yields.Want) (left []yieldLeft, written []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(wants)) {
		file := absolute(trace.Header{Root: root}, name)
		src, err := os.ReadFile(file)
		if err != nil {
			return nil, nil, asInputError("--write", err)
		}
		fset := token.NewFileSet()
		syntax, err := parser.ParseFile(fset, file, src, parser.ParseComments)
		if err != nil {
			return nil, nil, asInputError("--write", err)
		}
		text, others := yields.Insert(fset, syntax, string(src), wants[name])
		for _, w := range others {
			left = append(left, yieldLeft{name, w})
		}
		if text == string(src) {
			continue
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return nil, nil, asInputError("--write", err)
		}
		written = append(written, name)
	}
	return left, written, nil
}

// wantOf is a place as file:line:column.
func wantOf(m *cooperable.Missing) (file string, w yields.Want, ok bool) {
	file, w.Line, w.Column, ok = watch.ParsePosition(m.Where.Pos)
	w.Write = strings.HasSuffix(m.Line(), " write")
	return file, w, ok
}
