package load

import (
	"go/ast"
	"go/token"
)

// Comment returns the comment on what is declared at a position of the main module: a function, a type, or a method of
// an interface. It is "" if there is none. The comments of a file are looked for once.
func (p *Program) Comment(pos token.Pos) string {
	file := p.files[p.SSA.Fset.File(pos)]
	if file == nil {
		return ""
	}
	return Keep(p, commentsIn{file}, func() map[token.Pos]string { return commentsOn(file) })[pos]
}

// commentsIn is what the comments of a file are kept by.
type commentsIn struct{ file *ast.File }

// commentsOn returns the comments in a file by what they are on.
func commentsOn(file *ast.File) map[token.Pos]string {
	all := map[token.Pos]string{}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			all[d.Name.Pos()] = d.Doc.Text()
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				t, ok := spec.(*ast.TypeSpec)
				if !ok {
					continue
				}
				all[t.Name.Pos()] = d.Doc.Text() + t.Doc.Text()
				if of, ok := t.Type.(*ast.InterfaceType); ok {
					for _, method := range of.Methods.List {
						for _, name := range method.Names {
							all[name.Pos()] = method.Doc.Text() + method.Comment.Text()
						}
					}
				}
			}
		}
	}
	return all
}
