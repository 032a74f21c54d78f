package mend

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/internal/rewrite"
)

// source is a package of the copy.
type source struct {
	path string
	pkg  *packages.Package
	text map[string][]byte // of its files
}

// load reads a package, once for each state of the copy.
func (m *mender) load(path string) (*source, error) {
	for _, s := range m.sources {
		if s.path == path {
			return s, nil
		}
	}
	if rest, ok := strings.CutPrefix(path, m.result.ModuleRoot); !ok || rest != "" && rest[0] != '/' {
		return nil, fmt.Errorf("package %s is not in this module", path)
	}
	found, err := packages.Load(&packages.Config{Context: m.ctx, Dir: m.work,
		BuildFlags: []string{"-tags=" + m.request.Tags},
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedSyntax |
			packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports}, path)
	if err != nil {
		return nil, err
	}
	if len(found) != 1 || len(found[0].Errors) > 0 {
		return nil, fmt.Errorf("package %s cannot be loaded", path)
	}
	s := &source{path, found[0], map[string][]byte{}}
	for _, file := range found[0].Syntax {
		name := found[0].Fset.Position(file.FileStart).Filename
		if s.text[name], err = os.ReadFile(name); err != nil {
			return nil, err
		}
	}
	m.sources = append(m.sources, s)
	return s, nil
}

// function is the code of a unit of work.
type function struct {
	*source
	part part          // the declaration that it is, or is in; with the name of the file in the module
	decl *ast.FuncDecl // likewise
	lit  *ast.FuncLit  // nil if it is the declaration
	body *ast.BlockStmt
	file string
}

// unitName matches "(*path.T[A]).F", "path.F" and "path.F$1$2".
var unitName = regexp.MustCompile(
	`^(?:\(\*?([^()\[\]]+)\.(\w+)(?:\[.*\])?\)|([^()\[\]]+))\.(\w+)(?:\[.*\])?((?:\$\d+)*)$`)

// function finds the code of a unit.
func (m *mender) function(unit string) (*function, error) {
	match := unitName.FindStringSubmatch(unit)
	if match == nil {
		return nil, fmt.Errorf("%s is no function with a name", unit)
	}
	s, err := m.load(match[1] + match[3])
	if err != nil {
		return nil, err
	}
	f := &function{source: s, decl: declaration(s.pkg, match[2], match[4])}
	if f.decl == nil || f.decl.Body == nil {
		return nil, fmt.Errorf("%s has no body in package %s", unit, s.path)
	}
	f.body, f.file = f.decl.Body, s.pkg.Fset.Position(f.decl.Pos()).Filename
	rel, err := filepath.Rel(m.work, f.file)
	if err != nil || !filepath.IsLocal(rel) || f.text[f.file] == nil {
		return nil, fmt.Errorf("%s is not in this module", unit)
	}
	f.part = part{file: filepath.ToSlash(rel), typeName: match[2], name: match[4]}
	for _, file := range s.pkg.Syntax {
		if file.FileStart <= f.decl.Pos() && f.decl.Pos() < file.FileEnd && ast.IsGenerated(file) {
			return nil, fmt.Errorf("%s is in a generated file", unit)
		}
	}
	if match[5] == "" {
		return f, nil
	}
	for _, number := range strings.Split(match[5][1:], "$") {
		n, err := strconv.Atoi(number)
		if err != nil || hasIterators(s.pkg, f.body) {
			return nil, fmt.Errorf("which function literal %s is, is not clear", unit)
		}
		literals := literalsIn(f.body)
		if n < 1 || n > len(literals) {
			return nil, fmt.Errorf("%s is no function literal", unit)
		}
		f.lit = literals[n-1]
		f.body = f.lit.Body
	}
	return f, nil
}

// name is that of the function for the reader.
func (f *function) name() string {
	if f.lit != nil {
		return "the function literal in " + f.decl.Name.Name
	}
	return f.decl.Name.Name
}

// offset is where a position is in the file.
func (f *function) offset(p token.Pos) int { return f.pkg.Fset.Position(p).Offset }

// at tells the reader where a node is.
func (f *function) at(n ast.Node) string {
	p := f.pkg.Fset.Position(n.Pos())
	return fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)
}

// source returns the text of nodes that follow one another.
func (f *function) sourceOf(from, to token.Pos) string {
	return string(f.text[f.file][f.offset(from):f.offset(to)])
}

// errAsItIs means that a shape changes nothing.
var errAsItIs = errors.New("it does that as it is")

// changed returns the function with edits as a change.
func (f *function) changed(edits []rewrite.Edit, parts []part, what string) (change, error) {
	old := f.text[f.file]
	text, err := rewrite.Apply(old, edits)
	if err != nil {
		return change{}, err
	}
	if string(text) == string(old) {
		return change{}, errAsItIs
	}
	return change{[]rewrite.File{{Path: f.part.file, Old: old, New: text}}, append([]part{f.part}, parts...), what}, nil
}

// literalsIn returns the function literals in a body, in the order of the source, without those in others.
func literalsIn(body *ast.BlockStmt) (all []*ast.FuncLit) {
	ast.Inspect(body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			all = append(all, lit)
			return false
		}
		return true
	})
	return all
}

// declaration finds a function, or a method of a type.
func declaration(pkg *packages.Package, typeName, name string) *ast.FuncDecl {
	for _, file := range pkg.Syntax {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == name && receiverType(f) == typeName {
				return f
			}
		}
	}
	return nil
}

// receiverType names the type of a receiver, "" if there is none.
func receiverType(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) != 1 {
		return ""
	}
	t := f.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// proposal is a change, or why there is none.
type proposal struct {
	change
	err  error
	main bool // its reason is told where there is no fix
}

// proposals returns the changes that could mend a cause, those first that change least.
func (m *mender) proposals(c empire.Cause, q *empire.QueryResult, s *empire.ScenarioResult) (all []proposal) {
	units := []string{c.Unit}
	for _, u := range s.Units {
		if !slices.Contains(units, u) {
			units = append(units, u)
		}
	}
	locks := locksOf(s)
	if own, err := m.locksOfType(q.Type); err == nil {
		for _, lock := range own {
			if !slices.Contains(locks, lock) {
				locks = append(locks, lock)
			}
		}
	}
	ofUnits := map[string][]proposal{}
	for _, lock := range locks {
		for _, unit := range units {
			f, err := m.function(unit)
			if err != nil {
				all = append(all, proposal{err: err, main: true})
				continue
			}
			of := (&holder{function: f, lock: lock}).proposals()
			ofUnits[unit+lock] = of
			all = append(all, of...)
		}
	}
	if len(units) < 2 {
		return all
	}
	for _, lock := range locks {
		for _, first := range ofUnits[units[0]+lock] {
			for _, second := range ofUnits[units[1]+lock] {
				if both, err := together(first, second); err == nil {
					all = append(all, proposal{change: both})
				}
			}
		}
	}
	return all
}

// together makes two changes of different functions one. What the second one takes apart, the first one does, too.
func together(a, b proposal) (change, error) {
	if a.err != nil || b.err != nil || a.parts[0] == b.parts[0] || !isSubset(b.parts[1:], a.parts[1:]) {
		return change{}, errors.New("there are no two changes that go together")
	}
	both := change{parts: append(slices.Clone(a.parts), b.parts[0]), what: a.what + ", " + b.what}
	if a.files[0].Path != b.files[0].Path {
		both.files = append(slices.Clone(a.files), b.files...)
		return both, nil
	}
	f := a.files[0]
	begin, end, err := spanOf(f.New, b.parts[0])
	if err != nil {
		return change{}, err
	}
	from, to, err := spanOf(b.files[0].New, b.parts[0])
	if err != nil {
		return change{}, err
	}
	f.New, err = rewrite.Apply(f.New, []rewrite.Edit{{Begin: begin, End: end, Text: string(b.files[0].New[from:to])}})
	both.files = []rewrite.File{f}
	return both, err
}

// isSubset tells whether all of some parts are among others.
func isSubset(some, others []part) bool {
	return !slices.ContainsFunc(some, func(p part) bool { return !slices.Contains(others, p) })
}
