package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
)

// Examples are the strings that the tests of a package hand to functions, as constants: by the name of the function,
// and the number of the argument, in the order of the tests.
type Examples map[string]map[int][]string

// maxExampleLength bounds the strings that are of interest, maxExamples how many there are of an argument.
const (
	maxExampleLength = 200
	maxExamples      = 4
)

// Examples returns those of a package: of all functions that its tests call by such a name, whatever they are. It
// parses the tests, once; what cannot be parsed has none.
func (p *Program) Examples(pkg *types.Package) Examples {
	if known, ok := p.examples.Load(pkg); ok {
		return known.(Examples)
	}
	all := Examples{}
	if sources := p.sources[pkg]; len(sources) > 0 && p.InModule(pkg.Path()) {
		tests, _ := filepath.Glob(filepath.Join(filepath.Dir(sources[0]), "*_test.go")) // the pattern is good
		slices.Sort(tests)
		for _, name := range tests {
			if file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution); err == nil {
				all.add(file)
			}
		}
	}
	p.examples.Store(pkg, all)
	return all
}

// add adds those of a file.
func (e Examples) add(file *ast.File) {
	constants := map[string]string{}
	for _, d := range file.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.CONST {
			for _, s := range d.Specs {
				s := s.(*ast.ValueSpec)
				for i := range min(len(s.Names), len(s.Values)) {
					if text, ok := textIn(s.Values[i], nil); ok {
						constants[s.Names[i].Name] = text
					}
				}
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		name := ""
		switch fun := call.Fun.(type) {
		case *ast.Ident:
			name = fun.Name
		case *ast.SelectorExpr:
			name = fun.Sel.Name
		}
		for i, arg := range call.Args {
			if text, ok := textIn(arg, constants); ok && name != "" {
				e.note(name, i, text)
			}
		}
		return true
	})
}

// note adds one.
func (e Examples) note(function string, argument int, text string) {
	if e[function] == nil {
		e[function] = map[int][]string{}
	}
	known := e[function][argument]
	if text != "" && len(text) <= maxExampleLength && len(known) < maxExamples && !slices.Contains(known, text) {
		e[function][argument] = append(known, text)
	}
}

// textIn returns the string that an expression is, by itself or as a constant.
func textIn(e ast.Expr, constants map[string]string) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, err := strconv.Unquote(e.Value)
			return text, err == nil
		}
	case *ast.Ident:
		text, ok := constants[e.Name]
		return text, ok
	}
	return "", false
}
