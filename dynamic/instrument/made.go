package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// placed is a class of objects at an offset in a value.
type placed struct {
	class  *class
	offset int64
}

// within returns the objects that are in a value of a type, with their offsets.
func (f *file) objectsIn(t types.Type) []placed {
	var all []placed
	var visit func(t types.Type, at int64)
	visit = func(t types.Type, at int64) {
		t = types.Unalias(t)
		if _, isPointer := t.(*types.Pointer); isPointer {
			return
		}
		if c := f.classOf(t); c != nil {
			all = append(all, placed{c, at})
		}
		s, ok := t.Underlying().(*types.Struct)
		if !ok || hasTypeParam(s, map[types.Type]bool{}) {
			return
		}
		var fields []*types.Var
		for i := range s.NumFields() {
			fields = append(fields, s.Field(i))
		}
		for i, offset := range f.pkg.TypesSizes.Offsetsof(fields) {
			if at+offset <= maxOffset {
				visit(fields[i].Type(), at+offset)
			}
		}
	}
	visit(t, 0)
	return all
}

// made wraps the text of a new value's address, or of a new slice, so that the objects in it are known
// to be new.
func (f *file) made(hook, text string, t types.Type) (string, bool) {
	if f.scope == nil {
		return "", false
	}
	all := f.objectsIn(t)
	for _, p := range all {
		if hook == "Made" && f.steered && slices.ContainsFunc(p.class.fields, func(w field) bool {
			return f.leads[w.number]
		}) {
			hook = "MadeApart"
		}
		text = f.hook(hook, text, refOf(uint32(p.class.number), p.class, uint64(p.offset)))
	}
	return text, len(all) > 0
}

// elements is the type of the elements of a slice, nil for other types.
func elements(t types.Type) types.Type {
	if s, ok := types.Unalias(t).Underlying().(*types.Slice); ok {
		return s.Elem()
	}
	return nil
}

// literal rewrites a literal of a slice of watched objects.
func (f *file) literal(n *ast.CompositeLit) (string, bool) {
	if t := elements(f.info.TypeOf(n)); t != nil && n.Type != nil {
		return f.made("MadeSlice", f.children(n), t)
	}
	return "", false
}

// madeVariables is what follows a statement that declares variables of watched types.
func (f *file) madeVariables(names []*ast.Ident) string {
	var b strings.Builder
	for _, id := range names {
		v, ok := f.info.Defs[id].(*types.Var)
		if !ok || id.Name == "_" || types.IsInterface(v.Type()) || !f.locals[v] {
			continue
		}
		if text, ok := f.made("Made", "&"+id.Name, v.Type()); ok {
			b.WriteString("; " + text)
		}
	}
	return b.String()
}

// declared rewrites var v T.
func (f *file) declared(n *ast.DeclStmt) (string, bool) {
	d, ok := n.Decl.(*ast.GenDecl)
	if !ok || d.Tok != token.VAR || f.scope == nil {
		return "", false
	}
	text := f.children(d)
	for _, s := range d.Specs {
		text += f.madeVariables(s.(*ast.ValueSpec).Names)
	}
	return text, true
}

// defined is what follows v := T{}.
func (f *file) defined(n *ast.AssignStmt) string {
	if n.Tok != token.DEFINE || f.scope == nil || !f.inBlock(n) {
		return ""
	}
	var names []*ast.Ident
	for _, e := range n.Lhs {
		if id, ok := e.(*ast.Ident); ok {
			names = append(names, id)
		}
	}
	return f.madeVariables(names)
}
