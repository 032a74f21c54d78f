package load

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// source is the files that are changed.
type source struct {
	text    map[string][]byte // all of them
	overlay map[string][]byte // those that the go command has to see, as they import more
}

// parseFunc is a packages.Config.ParseFile.
type parseFunc = func(*token.FileSet, string, []byte) (*ast.File, error)

// parse returns a function that parses files, those that are changed as they are now.
func (s *source) parse(as parseFunc) parseFunc {
	if as == nil {
		as = func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
			return parser.ParseFile(fset, name, src, parser.AllErrors|parser.ParseComments)
		}
	}
	return func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
		if changed, ok := s.text[name]; ok {
			src = changed
		}
		return as(fset, name, src)
	}
}

// restated returns the files of the packages in which there are stated types, with what is
// put into them.
func restated(ctx context.Context, c Config, all []stated) (*source, error) {
	var paths []string
	for _, s := range all {
		if !slices.Contains(paths, s.path) {
			paths = append(paths, s.path)
		}
	}
	config := &packages.Config{
		Mode:    packages.NeedName | packages.NeedFiles | packages.NeedImports,
		Context: ctx, Dir: c.Dir, Env: append(os.Environ(), "GO111MODULE=on"),
	}
	if c.Tags != "" {
		config.BuildFlags = []string{"-tags=" + c.Tags}
	}
	found, err := packages.Load(config, paths...)
	if err != nil {
		return nil, goError(err.Error())
	}
	out := &source{text: map[string][]byte{}, overlay: map[string][]byte{}}
	for _, path := range paths {
		i := slices.IndexFunc(found, func(pkg *packages.Package) bool { return pkg.PkgPath == path })
		of := slices.DeleteFunc(slices.Clone(all), func(s stated) bool { return s.path != path })
		if i < 0 || len(found[i].GoFiles) == 0 {
			return nil, of[0].errorf("no package %s; write its import path", path)
		}
		texts, err := restatePackage(found[i].GoFiles, of)
		if err != nil {
			return nil, err
		}
		maps.Copy(out.text, texts)
		if found[i].Imports["sync"] == nil {
			maps.Copy(out.overlay, texts)
		}
	}
	return out, nil
}

// editor puts text into the files of a package.
type editor struct {
	fset  *token.FileSet
	files map[string]*ast.File
	text  map[string][]byte
	edits map[string]map[int]string // what is put in, by file and offset
}

func restatePackage(names []string, all []stated) (map[string][]byte, error) {
	e := &editor{token.NewFileSet(), map[string]*ast.File{}, map[string][]byte{}, map[string]map[int]string{}}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(e.fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			continue // loading says what is wrong
		}
		e.files[name], e.text[name] = file, text
	}
	for i := range all {
		if err := e.restate(&all[i]); err != nil {
			return nil, err
		}
	}
	changed := map[string][]byte{}
	for name, edits := range e.edits {
		var b strings.Builder
		last := 0
		for _, at := range slices.Sorted(maps.Keys(edits)) {
			b.Write(e.text[name][last:at])
			b.WriteString(edits[at])
			last = at
		}
		b.Write(e.text[name][last:])
		changed[name] = []byte(b.String())
	}
	return changed, nil
}

// insert puts text in at the position, after what has been put in there.
func (e *editor) insert(pos token.Pos, text string) {
	at := e.fset.Position(pos)
	if e.edits[at.Filename] == nil {
		e.edits[at.Filename] = map[int]string{}
	}
	e.edits[at.Filename][at.Offset] += text
}

// restate puts what is stated of a type into its package.
func (e *editor) restate(s *stated) error {
	file, structure, err := e.structOf(s)
	if err != nil {
		return err
	}
	field := " " + statedField + " " + s.own("Type") + " "
	list, closing := structure.Fields.List, structure.Fields.Closing
	if n := len(list); n > 0 && e.line(list[n-1].End()) == e.line(closing) {
		field = ";" + field
	}
	e.insert(closing, field)
	imported := s.own("sync")
	e.insert(file.Name.End(), fmt.Sprintf("; import %s \"sync\"", imported))
	const further = "\ntype %s = %s.%s\nvar %s bool\ntype %s int\nfunc (%[5]s) Error() string { return \"\" }\n"
	e.insert(file.FileEnd, fmt.Sprintf(further, s.own("Type"), imported, s.state, s.own("Pick"), s.own("Failed")))
	for _, m := range s.methods {
		if err := e.replace(s, m); err != nil {
			return err
		}
	}
	e.complete(s)
	return nil
}

// own returns a name for something that belongs to the stated type.
func (s *stated) own(what string) string { return statedPrefix + what + s.name }

func (e *editor) line(pos token.Pos) int { return e.fset.Position(pos).Line }

// structOf finds the declaration of the type.
func (e *editor) structOf(s *stated) (*ast.File, *ast.StructType, error) {
	for _, name := range slices.Sorted(maps.Keys(e.files)) {
		for _, decl := range e.files[name].Decls {
			group, ok := decl.(*ast.GenDecl)
			if !ok || group.Tok != token.TYPE {
				continue
			}
			for _, spec := range group.Specs {
				t := spec.(*ast.TypeSpec)
				if t.Name.Name != s.name {
					continue
				}
				if structure, ok := t.Type.(*ast.StructType); ok && !t.Assign.IsValid() {
					return e.files[name], structure, nil
				}
				if _, ok := t.Type.(*ast.InterfaceType); ok {
					return nil, nil, s.errorf("is an interface; name the struct types that implement it")
				}
				return nil, nil, s.errorf("is no struct type; name the struct type that has it as a field, and that type's methods")
			}
		}
	}
	return nil, nil, s.errorf("package %s has no type %s; write a struct type that it declares", s.path, s.name)
}

// complete adds a value for what has been put in to the literals of the type without keys.
func (e *editor) complete(s *stated) {
	for _, name := range slices.Sorted(maps.Keys(e.files)) {
		ast.Inspect(e.files[name], func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || lit.Type == nil || len(lit.Elts) == 0 || baseName(lit.Type) != s.name {
				return true
			}
			if _, keyed := lit.Elts[0].(*ast.KeyValueExpr); !keyed {
				e.insert(lit.Elts[len(lit.Elts)-1].End(), ", "+s.own("Type")+"{}")
			}
			return true
		})
	}
}

// baseName returns the name of the type that an expression names or points to, "" if it is
// none of the package.
func baseName(t ast.Expr) string {
	switch t := ast.Unparen(t).(type) {
	case *ast.Ident:
		return t.Name
	case *ast.StarExpr:
		return baseName(t.X)
	case *ast.IndexExpr:
		return baseName(t.X)
	case *ast.IndexListExpr:
		return baseName(t.X)
	}
	return ""
}

// statedDecl is the declaration of a method that is replaced.
type statedDecl struct {
	*stated
	method          statedMethod
	params, results []ast.Expr // their types
	state           string     // what is put into the receiver
}

// replace puts a method before the one that is there, which gets another name.
func (e *editor) replace(s *stated, m statedMethod) error {
	decl := e.methodOf(s, m.name)
	if decl == nil {
		return s.errorf("has no method %s; write the name of one that package %s declares for it", m.name, s.path)
	}
	receiver := decl.Recv.List[0].Type
	if _, ok := ast.Unparen(receiver).(*ast.StarExpr); !ok {
		return s.errorf("method %s works on a copy of the receiver; write one with the receiver *%s", m.name, s.name)
	}
	d := &statedDecl{
		stated: s, method: m, state: "m." + statedField,
		params: typesOf(decl.Type.Params), results: typesOf(decl.Type.Results),
	}
	body, err := m.body(d)
	if err != nil {
		return err
	}
	var params, results []string
	for i, t := range d.params {
		params = append(params, fmt.Sprintf("p%d %s", i, types.ExprString(t)))
	}
	for _, t := range d.results {
		results = append(results, types.ExprString(t))
	}
	e.insert(decl.Pos(), fmt.Sprintf("func (m %s) %s(%s) (%s) { %s }; ",
		types.ExprString(receiver), m.name, strings.Join(params, ", "), strings.Join(results, ", "), body))
	e.insert(decl.Name.Pos(), statedPrefix+"Instead")
	return nil
}

func (e *editor) methodOf(s *stated, name string) *ast.FuncDecl {
	for _, file := range e.files {
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if ok && fn.Recv != nil && fn.Name.Name == name && baseName(fn.Recv.List[0].Type) == s.name {
				return fn
			}
		}
	}
	return nil
}

// typesOf returns the type of each parameter or result.
func typesOf(list *ast.FieldList) (all []ast.Expr) {
	if list == nil {
		return nil
	}
	for _, f := range list.List {
		for range max(1, len(f.Names)) {
			all = append(all, f.Type)
		}
	}
	return all
}
