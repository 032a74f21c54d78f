package knowledge

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// implementations is the files outside of this package that name library functions, and why.
var implementations = map[string]string{
	"frontend/execute/library.go": "each function has code of its own in the interpreter, which is found by the name",
	"frontend/execute/timers.go":  "likewise, those that make a timer",

	"frontend/execute/reflect.go":       "likewise, package reflect",
	"frontend/execute/reflect_call.go":  "likewise, what it calls",
	"frontend/execute/reflect_value.go": "likewise, its values",
	"frontend/execute/runtime.go":       "likewise, the runtime system",
}

// TestNamesAreHere holds the other packages to asking questions: none of them names a function
// or method of the library of which there is a row.
func TestNamesAreHere(t *testing.T) {
	names := rowNames()
	root := filepath.Join("..", "..")
	for _, top := range []string{"frontend", "dynamic", "checker", "esl", "cpds", "."} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			rel, _ := filepath.Rel(root, path)
			rel = filepath.ToSlash(rel)
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "testdata" || top == "." && rel != "."),
				rel == "frontend/knowledge", rel == "frontend/execute/random":
				return filepath.SkipDir
			case d.IsDir() || !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") || implementations[rel] != "":
				return nil
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					if text, err := strconv.Unquote(lit.Value); err == nil && isRowName(names, plainName(text)) {
						t.Errorf("%s: %s names a library function: ask package knowledge for what it does",
							fset.Position(lit.Pos()), lit.Value)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// isRowName tells whether the text is one of the names, or begins with one that stands for
// several.
func isRowName(names map[string]bool, text string) bool {
	for i := len(text); i > 0 && token.IsIdentifier(text[strings.LastIndex(text, ".")+1:]); i-- {
		if i == len(text) && names[text] || names[text[:i]+"*"] && strings.Contains(text[:i], ".") {
			return true
		}
	}
	return false
}

// rowNames returns the functions that have rows, as ssa.Function.String has them but for the
// marks of receivers.
func rowNames() map[string]bool {
	all := map[string]bool{}
	for _, row := range Rows() {
		if !strings.HasPrefix(row.Name, "*") {
			all[row.Package+"."+row.Name] = true
		}
	}
	return all
}

// TestRows checks the form of the table: in the source each package and each function of a
// package is listed in the order of the names, but for groups that blank lines divide, and
// what a function does less than its body has its evidence.
func TestRows(t *testing.T) {
	for _, row := range Rows() {
		f := row.Function
		if (f.Audited || len(f.Starts) > 0) && f.Evidence == "" {
			t.Errorf("%s.%s: says less than its body does, and has no evidence", row.Package, row.Name)
		}
	}
	files, err := filepath.Glob("table_*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no tables", err)
	}
	for _, name := range files {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			var group []string
			last := 0
			for _, e := range lit.Elts {
				kv, ok := e.(*ast.KeyValueExpr)
				if !ok {
					return true
				}
				key, ok := kv.Key.(*ast.BasicLit)
				if !ok {
					return true
				}
				if line := fset.Position(kv.Pos()).Line; line > last+1 {
					group = nil
				}
				last = fset.Position(kv.End()).Line
				text, _ := strconv.Unquote(key.Value)
				if group = append(group, text); !slices.IsSorted(group) {
					t.Errorf("%s: %s is not in the order of the names", fset.Position(key.Pos()), key.Value)
				}
			}
			return true
		})
	}
}

// TestRowsExist checks that each row is of a function that the tool chain's library has, or
// the modules golang.org/x/sync.
func TestRowsExist(t *testing.T) {
	var paths []string
	for path := range index {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax}, paths...)
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range loaded {
		known := map[*Function]bool{}
		for _, fn := range functionsOf(pkg.Types) {
			known[OfObject(fn)] = true
		}
		for key, row := range index[pkg.PkgPath].exact {
			isModel := pkg.PkgPath == "testing" && (strings.HasPrefix(key.name, "Model") || strings.HasPrefix(key.name, "model"))
			if !known[row] && !isModel {
				t.Errorf("%s has no %v", pkg.PkgPath, key)
			}
		}
		for _, p := range index[pkg.PkgPath].prefixes {
			if !known[p.row] {
				t.Errorf("%s has no function %s*", pkg.PkgPath, p.prefix)
			}
		}
	}
}

// functionsOf returns the functions and methods that a package declares, those of interfaces
// included.
func functionsOf(pkg *types.Package) (all []*types.Func) {
	for _, name := range pkg.Scope().Names() {
		switch o := pkg.Scope().Lookup(name).(type) {
		case *types.Func:
			all = append(all, o)
		case *types.TypeName:
			named, ok := types.Unalias(o.Type()).(*types.Named)
			if !ok {
				continue
			}
			all = slices.AppendSeq(all, named.Methods())
			if i, ok := named.Underlying().(*types.Interface); ok {
				all = slices.AppendSeq(all, i.Methods())
			}
		}
	}
	return all
}
