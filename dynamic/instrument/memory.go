package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// In a program that is recorded in full, what goroutines share need not be a field of a named type or a variable of a
// package: local variables that function literals capture or whose address is taken, elements of slices and arrays,
// what other pointers lead to, fields of structs that have no name here. Each is a location of its own, at its address;
// the entries of a map are one. Where such a location is on a stack nobody shares it, and nothing is recorded.
//
// A location has one name only: an array that is a field or a variable of a package and is accessed as a whole is one
// location, elements included, and its elements are not recorded by their addresses (arrays.go). Where the program
// takes the address of such a thing, or of a field, what it does there has another name; that is told (see aliased).

// memoryClass is the class of such locations, see package hook.
const memoryClass = reachedClass - 1

var memory = &class{number: memoryClass, typeName: "memory"}

// memoryHit is an access to memory at an offset from the address that the hook is given.
func (f *file) memoryHit(e ast.Expr, offset string) []hit {
	return []hit{{class: memory, field: field{set: -1, name: f.describe(e)}, offset: offset}}
}

// findLocals finds the local variables that goroutines may share: they are captured and change, or their address is
// taken.
func (f *file) findLocals() {
	f.locals = map[*types.Var]bool{}
	captured, changed := map[*types.Var]bool{}, map[*types.Var]bool{}
	shared := func(e ast.Expr) {
		if v := f.localOf(e); v != nil {
			f.locals[v] = true
		}
	}
	change := func(e ast.Expr) {
		if v := f.localOf(e); v != nil {
			changed[v] = true
		}
	}
	var literals []ast.Node // around what is visited: function literals, and loops whose bodies an iterator calls
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			literals = append(literals, n)
			ast.Inspect(n.Type, visit)
			ast.Inspect(n.Body, visit)
			literals = literals[:len(literals)-1]
			return false
		case *ast.Ident:
			if v := f.localOf(n); v != nil && len(literals) > 0 {
				if in := literals[len(literals)-1]; v.Pos() < in.Pos() || v.Pos() >= in.End() {
					captured[v] = true
				}
			}
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				change(e)
			}
		case *ast.IncDecStmt:
			change(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				change(n.Key)
				if n.Value != nil {
					change(n.Value)
				}
			}
			if _, isIterator := f.info.TypeOf(n.X).Underlying().(*types.Signature); isIterator {
				ast.Inspect(n.X, visit)
				literals = append(literals, n)
				for _, e := range []ast.Expr{n.Key, n.Value} {
					if e != nil {
						ast.Inspect(e, visit)
					}
				}
				ast.Inspect(n.Body, visit)
				literals = literals[:len(literals)-1]
				return false
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				shared(n.X)
			}
		case *ast.SliceExpr:
			if isArray(f.info.TypeOf(n.X)) {
				shared(n.X)
			}
		case *ast.SelectorExpr:
			if s := f.info.Selections[n]; s != nil && s.Kind() == types.MethodVal && !isPointer(f.info.TypeOf(n.X)) &&
				isPointer(s.Obj().(*types.Func).Signature().Recv().Type()) {
				shared(n.X) // its address is taken
			}
		}
		return true
	}
	ast.Inspect(f.syntax, visit)
	for v := range captured {
		if changed[v] {
			f.locals[v] = true
		}
	}
}

// localOf returns the local variable that an expression is a part of, nil if it is of none.
func (f *file) localOf(e ast.Expr) *types.Var {
	id, ok := f.partOf(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := f.info.Uses[id].(*types.Var)
	if !ok || v.IsField() || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() {
		return nil
	}
	return v
}

// isOwn tells whether an expression is a part of a local variable that no other goroutine can have: nobody takes its
// address, and if a literal captures it, it does not change. What is done to it is no access to an object.
func (f *file) isOwn(e ast.Expr) bool {
	v := f.localOf(e)
	return v != nil && !f.locals[v]
}

// partOf is what an expression is a part of: v of v.f[i], where neither is behind a pointer.
func (f *file) partOf(e ast.Expr) ast.Expr {
	for {
		e = ast.Unparen(e)
		switch n := e.(type) {
		case *ast.SelectorExpr:
			s := f.info.Selections[n]
			if s == nil || s.Kind() != types.FieldVal || s.Indirect() {
				return e
			}
			e = n.X
		case *ast.IndexExpr:
			if !isArray(f.info.TypeOf(n.X)) {
				return e
			}
			e = n.X
		default:
			return e
		}
	}
}

// localHits are the accesses to a local variable.
func (f *file) localHits(e ast.Expr) []hit {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok || !f.full {
		return nil
	}
	v, ok := f.info.Uses[id].(*types.Var)
	if !ok || !f.locals[v] || !f.isMemory(v.Type()) {
		return nil
	}
	return f.memoryHit(id, "0")
}

// isMemory tells whether values of a type are recorded as memory: those of watched types are by their fields, and
// operations on locks and the like have events of their own.
func (f *file) isMemory(t types.Type) bool {
	return isPointer(t) || f.classOf(t) == nil && !synchronises(t)
}

// fieldHits are the accesses to a field of a struct that is not watched: at its offset in the struct, which is behind
// the last pointer on the way.
func (f *file) fieldHits(e ast.Expr, root ast.Expr, steps []step) []hit {
	if !f.full || len(steps) == 0 || !f.isMemory(f.info.TypeOf(e)) {
		return nil
	}
	from := 0
	for i, s := range steps {
		if isPointer(s.owner) {
			from = i
		}
	}
	for _, s := range steps[from:] {
		if f.classOf(s.owner) != nil {
			return nil
		}
	}
	if !isPointer(steps[from].owner) && len(f.memoryAt(root)) == 0 {
		return nil
	}
	offset, ok := f.offset(root, steps, from)
	if !ok {
		f.leave(e, "its place in the object cannot be written here, or the object is too large")
		return nil
	}
	return f.memoryHit(e, offset)
}

// memoryAt are the accesses to memory that an expression names which is no field.
func (f *file) memoryAt(e ast.Expr) []hit {
	if _, isIdent := ast.Unparen(e).(*ast.Ident); isIdent {
		id := ast.Unparen(e).(*ast.Ident)
		if v, ok := f.info.Uses[id].(*types.Var); ok && f.full && f.locals[v] {
			return f.memoryHit(id, "0")
		}
		return nil
	}
	return f.elementHits(e)
}

// elementHits are the accesses to an element, an entry, or what a pointer leads to.
func (f *file) elementHits(e ast.Expr) []hit {
	if !f.full || f.scope == nil {
		return nil
	}
	switch n := ast.Unparen(e).(type) {
	case *ast.StarExpr:
		if f.info.Types[n].IsValue() {
			return f.memoryHit(n, "0")
		}
	case *ast.IndexExpr:
		tv := f.info.Types[n.X]
		if !tv.IsValue() || isFunction(tv.Type) {
			return nil
		}
		switch x := types.Unalias(tv.Type).Underlying().(type) {
		case *types.Slice:
			return f.memoryHit(n, "0")
		case *types.Pointer: // to an array
			return f.memoryHit(n, "0")
		case *types.Map:
			h := f.memoryHit(n.X, "0")
			h[0].entry = true
			return h
		case *types.Array:
			if f.canAddress(n) && !f.isOne(n.X) && f.sharesArray(n.X) {
				return f.memoryHit(n, "0")
			}
		case *types.Interface:
			if _, ok := types.Unalias(tv.Type).(*types.TypeParam); ok && x != nil {
				f.leave(n, "it is an element of a value whose type is a parameter")
			}
		}
	}
	return nil
}

// sharesArray tells whether others may have an array: it is not a part of a local variable of this function alone.
func (f *file) sharesArray(x ast.Expr) bool {
	id, ok := f.partOf(x).(*ast.Ident)
	if !ok {
		return true
	}
	v, ok := f.info.Uses[id].(*types.Var)
	return !ok || f.locals[v]
}

// aliased tells of an address that is taken of what has a name of its own: what is done there is recorded as memory.
func (f *file) aliased(e ast.Expr) {
	if !f.full || f.scope == nil || len(f.watchedHits(e)) == 0 {
		return
	}
	t := f.info.TypeOf(e)
	if isArray(t) && !f.isOne(e) {
		return
	}
	if !isPointer(t) && (f.classOf(t) != nil || synchronises(t) || isAtomicType(t)) {
		return
	}
	f.leave(e, "its address is taken; what is done there is not known to be done to it")
}

// isAtomicType tells whether a type is one of package sync/atomic.
func isAtomicType(t types.Type) bool {
	named := namedOf(t)
	return !isPointer(t) && named != nil && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync/atomic"
}

// watchedHits are the accesses to fields and package variables.
func (f *file) watchedHits(e ast.Expr) (all []hit) {
	for _, h := range f.hits(e) {
		if h.class != memory {
			all = append(all, h)
		}
	}
	return all
}

// entryOf wraps the text of a map in the hook of an access to its entries.
func (f *file) entryOf(text string, h hit, kind string, at token.Pos) string {
	return f.hook("Entry", fmt.Sprint(uint8(operations[kind])), text, f.ref(h, kind, at))
}

// rangedElements are the statements at the beginning of the body of a loop that record its reads of elements, with the
// text of the loop's key, and of what it goes through. The loop has read the element just before; what it goes through
// is evaluated again only where that calls nothing, and the hook looks whether there still is such an element.
func (f *file) rangedElements(n *ast.RangeStmt) (key, x, first string) {
	if !f.full || f.scope == nil {
		return "", "", ""
	}
	switch t := types.Unalias(f.info.TypeOf(n.X)).Underlying().(type) {
	case *types.Map:
		hits := f.memoryHit(n.X, "0")
		if f.isPure(n.X) {
			return "", "", f.entryOf(f.raw(n.X), hits[0], "read", f.elementsAt(n)) + "; "
		}
		return "", f.entryOf(f.render(n.X), hits[0], "read", f.elementsAt(n)), ""
	case *types.Slice:
		if value, ok := n.Value.(*ast.Ident); n.Value == nil || ok && value.Name == "_" {
			return "", "", ""
		}
		if _, fresh := ast.Unparen(n.X).(*ast.CompositeLit); fresh {
			return "", "", "" // nobody else has it
		}
		hits, mode := f.memoryHit(n.X, "0"), "R"
		c := f.classOf(t.Elem())
		if isPointer(t.Elem()) {
			c = nil
		}
		name, isIdent := n.Key.(*ast.Ident)
		switch {
		case !f.isPure(n.X), n.Tok == token.ASSIGN, !isIdent:
			if c == nil && !synchronises(t.Elem()) {
				ref := f.ref(hits[0], "read", f.elementsAt(n))
				return "", f.hook("Elements", fmt.Sprint(uint8(trace.Read)), f.render(n.X), ref), ""
			}
			f.leave(n, "a loop copies elements of what it evaluates once; make that a variable")
			return "", "", ""
		case name.Name == "_":
			key = fmt.Sprintf("empireI%d", f.fset.Position(n.Pos()).Offset)
		default:
			key = name.Name
		}
		element := hookName + ".Element(" + f.raw(n.X) + ", " + key + ")"
		if c != nil {
			return key, "", f.whole(mode, element, c, f.elementsAt(n)) + "; "
		}
		return key, "", f.hook("Read", element, f.ref(hits[0], "read", f.elementsAt(n))) + "; "
	}
	return "", "", ""
}

// contentsOf wraps the operands of copy, clear and delete in the hooks of the accesses to their elements.
func (f *file) contentsOf(n *ast.CallExpr, name string) (string, bool) {
	if !f.full {
		return "", false
	}
	text, at := f.text(n.Pos(), n.Args[0].Pos()), token.NoPos
	for i, e := range n.Args {
		if at.IsValid() {
			text += f.text(at, e.Pos())
		}
		at = e.End()
		kind := "write"
		if i > 0 {
			kind = "read"
		}
		t := f.info.TypeOf(e)
		op := fmt.Sprint(uint8(operations[kind]))
		switch u := types.Unalias(t).Underlying().(type) {
		case *types.Map:
			if i == 0 {
				text += f.entryOf(f.render(e), f.memoryHit(e, "0")[0], kind, n.Lparen)
				continue
			}
		case *types.Slice:
			if name != "delete" && f.isMemory(u.Elem()) {
				text += f.hook("Elements", op, f.render(e), f.ref(f.memoryHit(e, "0")[0], kind, n.Lparen))
				continue
			} else if name != "delete" {
				f.leave(n, "it copies whole objects; write a loop")
			}
		}
		text += f.render(e)
	}
	return text + f.text(at, n.End()), true
}

// reassigned are the statements that record what v, err := f() writes to variables that are there already.
func (f *file) reassigned(n *ast.AssignStmt) (text string) {
	if !f.full || f.scope == nil {
		return ""
	}
	for _, e := range n.Lhs {
		hits := f.localHits(e)
		if len(hits) == 0 {
			continue
		}
		if !f.inBlock(n) {
			f.leave(n, "a variable that goroutines share is assigned to in the head of a statement; do it before")
			continue
		}
		text += "; " + f.hook("Wrote", "&"+f.raw(e), f.ref(hits[0], "write", e.Pos()))
	}
	return text
}
