package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// hit is an access to a field of a set, at the end of a chain of selectors through struct
// values.
type hit struct {
	class   *class
	field   field
	offset  string // of the chain in the object: a constant expression, "" for package variables
	isVar   bool
	reached bool // it is to what the field leads to
	flags   int  // of what is reached
	entry   bool // it is to the entries of a map, which has no address
}

// isField tells whether an identifier names a field, as in a composite literal.
func (f *file) isField(id *ast.Ident) bool {
	v, ok := f.info.Uses[id].(*types.Var)
	return ok && v.IsField()
}

// step is one selection of a field, explicit or promoted.
type step struct {
	owner types.Type // struct, or pointer to it
	name  string
	index int
}

// chain returns the selections that lead from the innermost operand to e through values.
func (f *file) chain(e ast.Expr) (root ast.Expr, steps []step) {
	e = ast.Unparen(e)
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return e, nil
	}
	selection := f.info.Selections[s]
	if selection == nil || selection.Kind() != types.FieldVal {
		return e, nil
	}
	root, steps = f.chain(s.X)
	t := f.info.TypeOf(s.X)
	for _, i := range selection.Index() {
		structure := structOf(t)
		if structure == nil {
			return root, nil
		}
		v := structure.Field(i)
		steps = append(steps, step{owner: t, name: v.Name(), index: i})
		t = v.Type()
	}
	return root, steps
}

func structOf(t types.Type) *types.Struct {
	t = types.Unalias(t)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if _, ok := t.(*types.TypeParam); ok {
		return nil
	}
	s, _ := t.Underlying().(*types.Struct)
	return s
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).Underlying().(*types.Pointer)
	return ok
}

// hits returns what an expression accesses, if it denotes a field or a package variable.
func (f *file) hits(e ast.Expr) []hit {
	if f.scope == nil {
		return nil // the initialisation of a package is nobody's unit
	}
	if v := f.packageVar(e); v != nil {
		var all []hit
		for _, w := range f.byVar[packagePath(v.Pkg())+"."+v.Name()] {
			all = append(all, hit{class: w.class, field: w.field, isVar: true})
		}
		return all
	}
	if all := f.localHits(e); len(all) > 0 {
		return all
	}
	root, steps := f.chain(e)
	var all []hit
	for i := len(steps) - 1; i >= 0; i-- {
		if c := f.classOf(steps[i].owner); c != nil && f.isAddressable(root, steps[:i+1]) {
			all = append(all, f.matches(c, root, steps, i, e)...)
		}
		if isPointer(steps[i].owner) {
			break // what comes before is another object
		}
	}
	if len(all) > 0 && f.isOwn(e) {
		return nil
	}
	if len(all) == 0 {
		all = f.ownedHits(steps)
	}
	if v := f.packageVar(root); v != nil && len(steps) > 0 && !throughPointer(steps) {
		for _, w := range f.byVar[packagePath(v.Pkg())+"."+v.Name()] {
			all = append(all, hit{class: w.class, field: w.field, isVar: true})
		}
	} else if len(all) == 0 {
		all = f.fieldHits(e, root, steps)
	}
	return all
}

func throughPointer(steps []step) bool {
	for _, s := range steps {
		if isPointer(s.owner) {
			return true
		}
	}
	return false
}

// isAddressable tells whether the operand of the last of the steps is in memory that others
// can have: not the copy that a call or a map returns.
func (f *file) isAddressable(root ast.Expr, steps []step) bool {
	for _, s := range steps {
		if isPointer(s.owner) {
			return true
		}
	}
	return f.canAddress(root)
}

// canAddress tells whether Go lets us take the address of e.
func (f *file) canAddress(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := f.info.Uses[e].(*types.Var)
		return ok && !v.IsField()
	case *ast.StarExpr:
		return true
	case *ast.SelectorExpr:
		if s := f.info.Selections[e]; s != nil {
			return s.Kind() == types.FieldVal && (s.Indirect() || f.canAddress(e.X))
		}
		_, ok := f.info.Uses[e.Sel].(*types.Var)
		return ok
	case *ast.IndexExpr:
		switch types.Unalias(f.info.TypeOf(e.X)).Underlying().(type) {
		case *types.Slice, *types.Pointer:
			return true
		case *types.Array:
			return f.canAddress(e.X)
		}
	}
	return false
}

// matches returns the fields of a class that the steps of e from its type on lead to.
func (f *file) matches(c *class, root ast.Expr, all []step, from int, e ast.Expr) []hit {
	steps := all[from:]
	for _, s := range steps[1:] {
		if isPointer(s.owner) {
			return nil
		}
	}
	names := make([]string, len(steps))
	for i, s := range steps {
		names[i] = s.name
	}
	path := strings.Join(names, ".")
	var hits []hit
	for _, w := range c.fields {
		if w.name == path || strings.HasPrefix(w.name, path+".") || strings.HasPrefix(path, w.name+".") {
			offset, ok := f.offset(root, all, from)
			if !ok {
				f.leave(e, "its place in the object cannot be written here, or the object is too large")
				return nil
			}
			hits = append(hits, hit{class: c, field: w, offset: offset})
		}
	}
	return hits
}

// offset returns where a chain ends in the object from which its steps lead, as an expression.
func (f *file) offset(root ast.Expr, steps []step, from int) (string, bool) {
	total := int64(0)
	for _, s := range steps[from:] {
		structure := structOf(s.owner)
		if hasTypeParam(structure, map[types.Type]bool{}) {
			return f.dynamicOffset(root, steps, from)
		}
		fields := make([]*types.Var, s.index+1)
		for i := range fields {
			fields[i] = structure.Field(i)
		}
		total += f.pkg.TypesSizes.Offsetsof(fields)[s.index]
	}
	return fmt.Sprint(total), total <= maxOffset
}

// dynamicOffset is offset for a type that depends on type parameters: Go computes it. The operands
// are not evaluated.
func (f *file) dynamicOffset(root ast.Expr, steps []step, from int) (string, bool) {
	path, parts := "("+f.raw(root)+")", []string{}
	for i, s := range steps {
		field := structOf(s.owner).Field(s.index)
		if !field.Exported() && field.Pkg() != f.pkg.Types {
			return "", false
		}
		if path += "." + s.name; i >= from {
			parts = append(parts, fmt.Sprintf("%s.Offsetof(%s)", unsafeName, path))
		}
	}
	f.needsUnsafe = true
	return strings.Join(parts, "+"), !strings.Contains(path, "\n")
}

// hasTypeParam tells whether the layout of a type depends on type parameters.
func hasTypeParam(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		return hasTypeParam(t.Underlying(), seen)
	case *types.Struct:
		for i := range t.NumFields() {
			if hasTypeParam(t.Field(i).Type(), seen) {
				return true
			}
		}
	case *types.Array:
		return hasTypeParam(t.Elem(), seen)
	}
	return false
}

// packageVar returns the package variable that an expression names, nil if none.
func (f *file) packageVar(e ast.Expr) *types.Var {
	var id *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		if f.info.Selections[e] != nil {
			return nil
		}
		id = e.Sel
	default:
		return nil
	}
	v, ok := f.info.Uses[id].(*types.Var)
	if !ok || v.IsField() || v.Pkg() == nil || v.Parent() != v.Pkg().Scope() {
		return nil
	}
	return v
}

// number is the Ref of a hit, accessed at a position, without its offset.
func (f *file) number(h hit, kind string, at token.Pos) uint64 {
	s := trace.Site{Pos: f.position(at), Function: f.scope.name, Kind: kind, Set: h.field.set, Field: h.field.name}
	site := f.site(f.markStep(f.markNil(s, at)))
	if h.reached {
		return uint64(site) | uint64(reachedClass|h.field.number)<<24
	}
	return uint64(site) | uint64(h.class.number)<<24
}

// ref is the text of the Ref of a hit, accessed at a position.
func (f *file) ref(h hit, kind string, at token.Pos) string {
	base := f.number(h, kind, at)
	if h.reached {
		return fmt.Sprint(base | uint64(h.flags)<<40)
	}
	if h.isVar || h.offset == "0" {
		return fmt.Sprint(base)
	}
	if n, err := parse(h.offset); err == nil {
		return fmt.Sprint(base | n<<40)
	}
	f.needsUnsafe = true
	return fmt.Sprintf("%d|%s.Ref(%s)<<40", base, hookName, h.offset)
}

// wrap puts hooks around the address of what is accessed, the last one being name. All others
// are of the kind that returns the address.
func (f *file) wrap(address, first, last string, hits []hit, kind string, at token.Pos) string {
	for i, h := range hits {
		name := first
		if i == len(hits)-1 {
			name = last
		}
		ref := f.ref(h, kind, at)
		if name == "LoadExactly" {
			ref = f.exactRef(h, kind, at)
		}
		if h.isVar {
			name += "Variable"
		}
		switch {
		case !f.isLeading(h, kind):
			address = f.repeated(name, address, h, kind, at, ref)
		case name == "Load" || name == "Read":
			address = f.repeated(name+"Leading", address, h, kind, at, ref, fmt.Sprint(h.field.number))
		default:
			address = f.hook(name, f.hook("Leading", address, ref, fmt.Sprint(h.field.number)), ref)
		}
	}
	return address
}

// isLeading tells whether it is to be known what a watched field leads to where it is accessed: it is read.
func (f *file) isLeading(h hit, kind string) bool {
	number := h.field.number
	return !h.reached && !h.isVar && kind == "read" && f.leads[number] && f.rewriter.leading[number]
}

// load is the text of a read of what is at an address.
func (f *file) load(address string, hits []hit, at token.Pos) string {
	if f.isExact() {
		return f.wrap(address, "Read", "LoadExactly", hits, "read", at)
	}
	return f.wrap(address, "Read", "Load", hits, "read", at)
}

// address returns the text of an expression as an operand whose address is taken or which is
// assigned to: what leads there is read, it is not.
func (f *file) address(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return "(" + f.address(e.X) + ")"
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		if s := f.info.Selections[e]; s == nil {
			return f.raw(e)
		} else if isPointer(f.info.TypeOf(e.X)) {
			return f.render(e.X) + f.text(e.X.End(), e.End())
		}
		return f.address(e.X) + f.text(e.X.End(), e.End())
	case *ast.StarExpr:
		return f.text(e.Pos(), e.X.Pos()) + f.render(e.X)
	case *ast.IndexExpr:
		x := f.info.TypeOf(e.X)
		if _, ok := types.Unalias(x).Underlying().(*types.Array); ok {
			return f.address(e.X) + f.text(e.X.End(), e.Index.Pos()) + f.render(e.Index) + f.text(e.Index.End(), e.End())
		}
		return f.children(e)
	}
	return f.render(e)
}

// selector rewrites a read of a field.
func (f *file) selector(e *ast.SelectorExpr) (string, bool) {
	if hits := append(f.hits(e), f.reachedHits(e, "read")...); len(hits) > 0 && f.canAddress(e) {
		return f.load("&"+f.address(e), hits, e.Sel.Pos()), true
	}
	if s, ok := f.wholeValue(e); ok {
		return s, true
	}
	s := f.info.Selections[e]
	if s == nil {
		return f.raw(e), true
	}
	if s.Kind() == types.FieldVal && !isPointer(f.info.TypeOf(e.X)) && f.canAddress(e.X) {
		return f.address(e.X) + f.text(e.X.End(), e.End()), true
	}
	if s.Kind() == types.MethodVal {
		f.hand(e.Sel.Pos(), e.X)
		return f.receiver(e, s), true
	}
	return f.render(e.X) + f.text(e.X.End(), e.End()), true
}

// receiver rewrites the receiver of a method.
func (f *file) receiver(e *ast.SelectorExpr, s *types.Selection) string {
	name := f.text(e.X.End(), e.End())
	signature := s.Obj().Type().(*types.Signature)
	recv := signature.Recv().Type()
	operands := f.behind[e.X]
	switch {
	case len(operands) > 0 && !isPointer(f.info.TypeOf(e.X)) && !types.IsInterface(f.info.TypeOf(e.X)) &&
		f.canAddress(e.X):
		return "(" + f.handed("&"+f.address(e.X), types.NewPointer(f.info.TypeOf(e.X)), operands) + ")" + name
	case isPointer(recv) && !isPointer(f.info.TypeOf(e.X)) && f.canAddress(e.X):
		f.aliased(e.X)
		return f.address(e.X) + name // &x is taken
	case !isPointer(recv) && !types.IsInterface(recv) && len(s.Index()) == 1 && isPointer(f.info.TypeOf(e.X)):
		if c := f.classOf(recv); c != nil {
			return "(*" + f.whole("R", f.render(e.X), c, e.Sel.Pos()) + ")" + name
		}
	case !isPointer(f.info.TypeOf(e.X)) && f.canAddress(e.X) && len(s.Index()) > 1:
		return f.address(e.X) + name
	}
	return f.render(e.X) + name
}

// ident rewrites a read of a package variable.
func (f *file) ident(e *ast.Ident) (string, bool) {
	if hits := f.hits(e); len(hits) > 0 {
		return f.load("&"+e.Name, hits, e.Pos()), true
	}
	return f.wholeValue(e)
}

// star rewrites a read through a pointer.
func (f *file) star(e *ast.StarExpr) (string, bool) {
	if tv := f.info.Types[e]; !tv.IsValue() || f.scope == nil {
		return "", false
	}
	if c := f.classOf(f.info.TypeOf(e)); c != nil && !isPointer(f.info.TypeOf(e)) {
		return "*" + f.whole("R", f.render(e.X), c, e.Star), true
	}
	if hits := f.reachedHits(e, "read"); len(hits) > 0 {
		return f.load(f.render(e.X), hits, e.Star), true
	}
	return "", false
}

// index rewrites a read of an element.
func (f *file) index(n *ast.IndexExpr) (string, bool) {
	if s, ok := f.wholeValue(n); ok {
		return s, true
	}
	hits := f.reachedHits(n, "read")
	if len(hits) == 0 {
		return "", false
	}
	if f.canAddress(n) {
		return f.load("&"+f.address(n), hits, n.Lbrack), true
	}
	return f.entry(n, f.render(n.X), hits, "read"), true
}

// entry is the text of an element of a map, with an access through the map; x is the text of the map.
func (f *file) entry(n *ast.IndexExpr, x string, hits []hit, kind string) string {
	var all []operand
	for _, h := range hits {
		if h.entry {
			return f.entryOf(x, h, kind, n.Lbrack) + f.text(n.X.End(), n.Index.Pos()) + f.render(n.Index) +
				f.text(n.Index.End(), n.End())
		}
		all = append(all, operand{h, kind, n.Lbrack})
	}
	return f.handed(x, f.info.TypeOf(n.X), all) + f.text(n.X.End(), n.Index.Pos()) + f.render(n.Index) +
		f.text(n.Index.End(), n.End())
}

// wholeValue rewrites a copy of a variable, field or element of a watched type.
func (f *file) wholeValue(e ast.Expr) (string, bool) {
	if f.scope == nil {
		return "", false
	}
	tv, ok := f.info.Types[e]
	if id, isIdent := e.(*ast.Ident); isIdent {
		v, isVar := f.info.Uses[id].(*types.Var)
		if !isVar || v.IsField() {
			return "", false
		}
		tv.Type, ok = v.Type(), true
	} else if !ok || !tv.IsValue() {
		return "", false
	}
	if isPointer(tv.Type) || types.IsInterface(tv.Type) {
		return "", false
	}
	c := f.classOf(tv.Type)
	if c == nil || !f.canAddress(e) || f.isOwn(e) {
		return "", false
	}
	return "(*" + f.whole("R", "&"+f.address(e), c, e.Pos()) + ")", true
}

// whole is the text of an access to all watched fields of an object, which returns its address.
func (f *file) whole(mode, address string, c *class, at token.Pos) string {
	op, kind := trace.Read, "read"
	if mode == "W" {
		op, kind = trace.Write, "write"
	}
	for _, r := range f.refsOfAll(c, kind, at) {
		address = f.hook("Whole", fmt.Sprint(uint8(op)), address, fmt.Sprint(r.first), fmt.Sprint(r.n))
	}
	return address
}

// refs are the Refs of several fields of a set, whose sites have one number after the other.
type refs struct {
	first uint64
	set   int
	n     int
}

// refsOfAll are the Refs of an access to all watched fields of an object.
func (f *file) refsOfAll(c *class, kind string, at token.Pos) (all []refs) {
	for _, w := range c.fields {
		ref := f.number(hit{class: c, field: w, offset: "0"}, kind, at)
		if last := len(all) - 1; last >= 0 && all[last].set == w.set && all[last].first+uint64(all[last].n) == ref {
			all[last].n++
		} else {
			all = append(all, refs{ref, w.set, 1})
		}
	}
	return all
}

// sliced rewrites x.f[i:j] of an array, which takes its address: that is no access.
func (f *file) sliced(n *ast.SliceExpr) (string, bool) {
	if _, isArray := types.Unalias(f.info.TypeOf(n.X)).Underlying().(*types.Array); !isArray {
		return "", false
	}
	f.aliased(n.X)
	text, from := f.address(n.X), n.X.End()
	for _, index := range []ast.Expr{n.Low, n.High, n.Max} {
		if index != nil {
			text += f.text(from, index.Pos()) + f.render(index)
			from = index.End()
		}
	}
	return text + f.text(from, n.End()), true
}

// unary rewrites &x.f, which is no access, and <-ch.
func (f *file) unary(e *ast.UnaryExpr) (string, bool) {
	switch e.Op {
	case token.AND:
		if _, isLiteral := ast.Unparen(e.X).(*ast.CompositeLit); isLiteral {
			return f.made("Made", f.children(e), f.info.TypeOf(e.X))
		}
		f.aliased(e.X)
		if isAtomicType(f.info.TypeOf(e.X)) && f.full && f.scope != nil && len(f.watchedHits(e.X)) > 0 {
			f.leave(e.X, "its address is taken; what is done there is not known to be done to it")
		}
		return f.text(e.Pos(), e.X.Pos()) + f.address(e.X), true
	case token.ARROW:
		if f.scope == nil {
			return "", false
		}
		return f.hook(f.chosen("From"), f.syncSite(e, "recv", e.OpPos), f.render(e.X)), true
	}
	return "", false
}
