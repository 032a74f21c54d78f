package knowledge

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"strings"
	"testing"
)

// TestStandIns compiles what each row writes: its values are of its type.
func TestStandIns(t *testing.T) {
	files := token.NewFileSet()
	standard := importer.ForCompiler(files, "source", nil)
	for _, s := range standIns {
		var b strings.Builder
		b.WriteString("package p\n")
		names := map[string]string{}
		for _, pkg := range append(s.Packages(), typePackage(s.Type)...) {
			if names[pkg] == "" {
				names[pkg] = fmt.Sprintf("%s%d", path.Base(pkg), len(names))
				fmt.Fprintf(&b, "import %s %q\n", names[pkg], pkg)
			}
		}
		name := func(pkg string) string { return names[pkg] }
		for _, text := range s.Declarations() {
			b.WriteString(StandInText(text, name) + "\n")
		}
		of := s.Type
		for _, pkg := range typePackage(s.Type) {
			of = strings.Replace(of, pkg+".", names[pkg]+".", 1)
		}
		for _, v := range s.Values {
			fmt.Fprintf(&b, "var _ %s = %s\n", of, StandInText(v, name))
		}
		file, err := parser.ParseFile(files, s.Type, b.String(), 0)
		if err != nil {
			t.Errorf("%s: %v\n%s", s.Type, err, b.String())
			continue
		}
		config := types.Config{Importer: standard}
		if _, err := config.Check("p", files, []*ast.File{file}, nil); err != nil {
			t.Errorf("%s: %v\n%s", s.Type, err, b.String())
		}
	}
}

// typePackage returns the package of a type, if it has one.
func typePackage(name string) []string {
	name = strings.TrimPrefix(name, "*")
	if dot := strings.LastIndex(name, "."); dot >= 0 {
		return []string{name[:dot]}
	}
	return nil
}
