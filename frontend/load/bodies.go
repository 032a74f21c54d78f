package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
)

// Of most small programs, the runtime system and package reflect are the greater part, and no
// analysis looks into them. Their functions are left without bodies, which halves the time
// that loading takes. What a package declares stays, and so does how it is initialised, and what the interpreter
// runs all the same.

type parseFile = func(fset *token.FileSet, filename string, src []byte) (*ast.File, error)

// parseWithComments parses a file as it is.
func parseWithComments(fset *token.FileSet, filename string, src []byte) (*ast.File, error) {
	return parser.ParseFile(fset, filename, src, parser.AllErrors|parser.ParseComments|parser.SkipObjectResolution)
}

// withoutBodies parses files of the standard library in the packages in question without the
// bodies of functions, but for those that are kept, and others as parse does.
func withoutBodies(parse parseFile, opaque func(path string) bool, kept map[string]bool) parseFile {
	libraries := &sync.Map{} // by directory: whether it is that of the standard library
	return func(fset *token.FileSet, filename string, src []byte) (*ast.File, error) {
		pkg := libraryPackage(libraries, filename)
		if !opaque(pkg) {
			return parse(fset, filename, src)
		}
		if !keepsSome(kept, pkg) {
			src = emptyBodies(src)
		}
		file, err := parser.ParseFile(fset, filename, src, parser.AllErrors|parser.SkipObjectResolution)
		if err == nil {
			dropBodies(file, func(fn *ast.FuncDecl) bool { return kept[fullName(pkg, fn)] })
		}
		return file, err
	}
}

// keepsSome tells whether functions of the package are kept.
func keepsSome(kept map[string]bool, pkg string) bool {
	for name := range kept {
		if strings.HasPrefix(strings.TrimLeft(name, "(*"), pkg+".") {
			return true
		}
	}
	return false
}

// fullName returns the name of a function as SSA has it: "(*path.Type).Method".
func fullName(pkg string, fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return pkg + "." + fn.Name.Name
	}
	recv, star := fn.Recv.List[0].Type, ""
	if p, ok := recv.(*ast.StarExpr); ok {
		recv, star = p.X, "*"
	}
	name, ok := recv.(*ast.Ident)
	if !ok {
		return ""
	}
	return "(" + star + pkg + "." + name.Name + ")." + fn.Name.Name
}

// libraryPackage returns the path of the package of the standard library that the file is in,
// "" if it is in none.
func libraryPackage(libraries *sync.Map, filename string) string {
	const src = "/src/"
	dir := filepath.ToSlash(filepath.Dir(filename))
	at := strings.LastIndex(dir, src)
	if at < 0 {
		return ""
	}
	root := dir[:at+len(src)]
	is, known := libraries.Load(root)
	if !known {
		_, err := os.Stat(filepath.FromSlash(root + "builtin/builtin.go"))
		is = err == nil
		libraries.Store(root, is)
	}
	if !is.(bool) {
		return ""
	}
	return dir[at+len(src):]
}

// emptyBodies returns the source with empty lines in the bodies of most functions that dropBodies
// removes, so that they are not parsed; what is left is in its line and column. It goes by the lines
// that gofmt makes: a declaration begins with "func" at the left, and its body ends with a brace
// at the left. Where that is not so, there is an error, and the package is loaded as it is.
func emptyBodies(src []byte) []byte {
	left := make([]byte, 0, len(src))
	inSignature, inBody := false, false
	for line := range bytes.Lines(src) {
		text := bytes.TrimSuffix(line, []byte("\n"))
		switch {
		case inBody && bytes.HasPrefix(text, []byte("}")):
			inBody = false
		case inBody:
			text = nil
		default:
			inSignature = inSignature || plain.Match(text) && !bytes.HasPrefix(text, []byte("func init("))
			inBody = inSignature && bytes.HasSuffix(text, []byte("{"))
			inSignature = inSignature && (bytes.HasSuffix(text, []byte("(")) || bytes.HasSuffix(text, []byte(",")))
		}
		left = append(append(left, text...), '\n')
	}
	return left
}

// plain matches the beginning of a function without type parameters.
var plain = regexp.MustCompile(`^func (\([^)]+\) )?\w+\(`)

// dropBodies removes the bodies of functions that may be without one and are not kept, and leaves imports
// that nothing is used of any more for what they initialise.
func dropBodies(file *ast.File, keeps func(*ast.FuncDecl) bool) {
	for _, decl := range file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if ok && !keeps(fn) && fn.Type.TypeParams == nil && (fn.Recv != nil || fn.Name.Name != "init") {
			fn.Body = nil
		}
	}
	used := map[string]bool{}
	for _, decl := range file.Decls {
		ast.Inspect(decl, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if name, ok := s.X.(*ast.Ident); ok {
					used[name.Name] = true
				}
			}
			return true
		})
	}
	for _, spec := range file.Imports {
		if spec.Name == nil && !used[packageName(spec)] ||
			spec.Name != nil && spec.Name.Name != "." && !used[spec.Name.Name] {
			spec.Name = &ast.Ident{NamePos: spec.Path.Pos(), Name: "_"}
		}
	}
}

// forgetBodies empties the bodies of functions of a package, once its SSA is built. Its functions keep their syntax,
// which is a good part of the memory of a large program, and nobody looks at it. Those of generic functions stay:
// instances are built of them later.
func forgetBodies(pkg *packages.Package) {
	for _, file := range pkg.Syntax {
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil && !isGeneric(fn) {
				fn.Body = emptied(fn.Body)
			}
		}
	}
}

// isGeneric tells whether a function has type parameters, its own or those of its receiver.
func isGeneric(fn *ast.FuncDecl) bool { return fn.Type.TypeParams != nil || isOfGeneric(fn) }

// isOfGeneric tells whether a function is a method of a generic type.
func isOfGeneric(fn *ast.FuncDecl) bool {
	if fn.Recv == nil {
		return false
	}
	generic := false
	ast.Inspect(fn.Recv, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.IndexExpr, *ast.IndexListExpr:
			generic = true
		}
		return true
	})
	return generic
}

// emptied returns an empty block in the place of one. It empties those of functions in it, which have a syntax of their
// own.
func emptied(body *ast.BlockStmt) *ast.BlockStmt {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			n.Body = emptied(n.Body)
			return false
		case *ast.RangeStmt: // over a function
			n.Body = emptied(n.Body)
			return false
		}
		return true
	})
	return &ast.BlockStmt{Lbrace: body.Lbrace, Rbrace: body.Rbrace}
}

// packageName returns the name of a package of the standard library that is imported: the end
// of its path, but for a version.
func packageName(spec *ast.ImportSpec) string {
	full, _ := strconv.Unquote(spec.Path.Value)
	name := path.Base(full)
	if v, ok := strings.CutPrefix(name, "v"); ok && strings.Trim(v, "0123456789") == "" {
		return path.Base(path.Dir(full))
	}
	return name
}

// needsBodies tells whether a package that was loaded without bodies has errors: it uses a name
// that was not expected.
func needsBodies(initial []*packages.Package, opaque func(path string) bool) bool {
	needs := false
	packages.Visit(initial, nil, func(pkg *packages.Package) {
		needs = needs || len(pkg.Errors) > 0 && opaque(pkg.PkgPath)
	})
	return needs
}
