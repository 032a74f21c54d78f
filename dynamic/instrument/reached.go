package instrument

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// The static half knows by position which field an expression accesses, itself or what it leads to.
// Most of these accesses name the field. For those that do not, the hooks are handed the
// memory that is accessed, or the operands through which it is: they find out whose it is.

// fact is an access to a field that the static half knows of at a position.
type fact struct {
	class                 *class
	field                 field
	reads, writes, atomic bool
}

// lineColumn is a position in a file.
type lineColumn struct{ line, column int }

// findUnseen finds the accesses of the plan of which the rewriting has made no site.
func (r *rewriter) findUnseen() {
	type seen struct {
		set              int
		field, pos, kind string
	}
	sites := map[seen]bool{}
	for _, s := range r.sites {
		for _, kind := range []string{"read", "write"} {
			if s.Kind == kind || s.Kind == "rmw" {
				sites[seen{s.Set, s.Field, s.Pos, kind}] = true
			}
		}
	}
	for _, a := range r.plan.Accesses {
		c, field := r.fieldOf(a.Set, a.Field)
		if c == nil {
			continue
		}
		reads := a.Reads && !sites[seen{a.Set, a.Field, a.Pos, "read"}]
		writes := a.Writes && !sites[seen{a.Set, a.Field, a.Pos, "write"}]
		name, line, column, ok := watch.ParsePosition(a.Pos)
		at := lineColumn{line, column}
		if !ok || !reads && !writes || !r.canLead(a.Set, field) {
			continue
		}
		if r.unseen[name] == nil {
			r.unseen[name] = map[lineColumn][]fact{}
		}
		r.unseen[name][at] = append(r.unseen[name][at], fact{c, field, reads, writes, a.Atomic})
		slices.SortStableFunc(r.unseen[name][at], func(a, b fact) int {
			return cmp.Or(int(a.class.number)-int(b.class.number),
				slices.Index(a.class.fields, a.field)-slices.Index(b.class.fields, b.field))
		})
		r.leads[field.number] = true
	}
}

// canLead tells whether a hook can find out that memory is what a field leads to. Where one goroutine runs at a time
// the fields are followed, whatever they are. Elsewhere the registry of package hook has what is read from pointers,
// slices and maps: for other fields hooks would look in vain, and their functions would open frames for nothing.
func (r *rewriter) canLead(set int, f field) bool {
	return r.steered || r.plan.Sets[set].Type == "" || r.leading[f.number]
}

// fieldOf finds a field of a set.
func (r *rewriter) fieldOf(set int, name string) (*class, field) {
	for _, c := range r.classes {
		for _, w := range c.fields {
			if w.set == set && w.name == name {
				return c, w
			}
		}
	}
	return nil, field{}
}

// unseenAt returns the accesses at a position that do not name their field.
func (f *file) unseenAt(p token.Pos) []fact {
	if len(f.facts) == 0 || f.scope == nil {
		return nil
	}
	at := f.fset.PositionFor(p, false)
	return f.facts[lineColumn{at.Line, at.Column}]
}

// unseenHits returns the reads, or writes, of memory at a position that do not name their field.
func (f *file) unseenHits(p token.Pos, kind string) []hit {
	var all []hit
	for _, k := range f.unseenAt(p) {
		if kind == "read" && k.reads || kind == "write" && k.writes {
			all = append(all, hit{class: k.class, field: k.field, reached: true})
		}
	}
	return all
}

// reachedHits returns what an expression accesses, by reading or writing what it denotes, that it
// does not name.
func (f *file) reachedHits(e ast.Expr, kind string) []hit {
	e = ast.Unparen(e)
	var all []hit
	switch n := e.(type) {
	case *ast.SelectorExpr:
		if s := f.info.Selections[n]; s == nil || s.Kind() != types.FieldVal || !f.canAddress(n) {
			return nil
		}
		all = f.unseenHits(n.Sel.Pos(), kind)
	case *ast.IndexExpr:
		if tv := f.info.Types[n.X]; !tv.IsValue() || isFunction(tv.Type) {
			return nil // it is an instance
		}
		all = f.unseenHits(n.Lbrack, kind)
		if f.scope != nil {
			all = append(all, f.aliasHits(f.info, n.X, n.Lbrack)...)
		}
		if f.isMemory(f.info.TypeOf(n)) {
			all = append(all, f.elementHits(n)...)
		}
	case *ast.StarExpr:
		if f.info.Types[n].IsValue() {
			all = f.unseenHits(n.Star, kind)
			if f.isMemory(f.info.TypeOf(n)) {
				all = append(all, f.elementHits(n)...)
			}
		}
	}
	if f.full {
		return all
	}
	for i := range all {
		if t := f.info.TypeOf(e); t != nil && isPointer(t) {
			all[i].flags |= leadsOn
		}
	}
	return all
}

// The flags of package hook for operands.
const (
	leadsOn = 1 << iota
	throughPointerFlag
	throughInterfaceFlag
	isDeep
	isFirst
)

// operandFlags says what a value of a type is as an operand.
func operandFlags(t types.Type) int {
	switch types.Unalias(t).Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map:
		return throughPointerFlag
	case *types.Interface:
		if _, ok := types.Unalias(t).(*types.TypeParam); !ok {
			return throughInterfaceFlag
		}
	}
	return 0
}

// operand is an access through an operand.
type operand struct {
	hit
	kind string
	at   token.Pos
}

// handed wraps the text of an operand of a type in the hooks of accesses through it.
func (f *file) handed(text string, t types.Type, all []operand) string {
	for _, o := range all {
		o.flags |= operandFlags(t)
		text = f.hook("Through", fmt.Sprint(uint8(operations[o.kind])), text, f.ref(o.hit, o.kind, o.at))
	}
	return text
}

var operations = map[string]trace.Op{"read": trace.Read, "write": trace.Write, "rmw": trace.RMW}

// hand notes that operands are handed to what accesses the fields of the facts at a position.
func (f *file) hand(at token.Pos, operands ...ast.Expr) {
	if len(f.unseenAt(at)) == 0 {
		return
	}
	flags := isDeep | isFirst
	for _, e := range operands {
		if f.mayLead(e) {
			f.behind[e] = f.operandsAt(at, flags)
			flags &^= isFirst
		}
	}
}

// operandsAt returns the accesses at a position, through an operand.
func (f *file) operandsAt(at token.Pos, flags int) []operand {
	var all []operand
	for _, k := range f.unseenAt(at) {
		h := hit{class: k.class, field: k.field, reached: true, flags: flags}
		switch {
		case k.atomic:
			all = append(all, operand{h, "rmw", at})
			continue
		case k.reads:
			all = append(all, operand{h, "read", at})
		}
		if k.writes {
			all = append(all, operand{h, "write", at})
		}
	}
	return all
}

// mayLead tells whether the value of an expression may lead to memory.
func (f *file) mayLead(e ast.Expr) bool {
	tv, ok := f.info.Types[e]
	if !ok {
		if id, isIdent := e.(*ast.Ident); isIdent {
			if v, isVar := f.info.Uses[id].(*types.Var); isVar {
				return holdsPointers(v.Type())
			}
		}
		return false
	}
	return tv.IsValue() && tv.Value == nil && !tv.IsNil() && holdsPointers(tv.Type)
}

// holdsPointers tells whether values of a type lead to memory.
func holdsPointers(t types.Type) bool {
	switch t := types.Unalias(t).Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface:
		return true
	case *types.Array:
		return holdsPointers(t.Elem())
	case *types.Struct:
		for i := range t.NumFields() {
			if holdsPointers(t.Field(i).Type()) {
				return true
			}
		}
	}
	return false
}

// handCall notes what a call is handed.
func (f *file) handCall(n *ast.CallExpr) {
	var all []ast.Expr
	if s, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
		if selection := f.info.Selections[s]; selection != nil && selection.Kind() == types.MethodVal {
			all = append(all, s.X)
		}
	}
	f.hand(n.Lparen, append(all, n.Args...)...)
	if x, at := indexed(n); x != nil && f.behind[n.Args[0]] == nil {
		for _, h := range f.aliasHits(f.info, x, at) {
			f.behind[n.Args[0]] = append(f.behind[n.Args[0]], operand{h, "write", at})
		}
	}
}

// callStmt rewrites a call that accesses memory after it has begun. A lock operation may stand for the
// accesses in its critical section: the static half takes those to a part with a lock of its own
// for one step. What calls back may have written before, and writes again.
func (f *file) callStmt(n *ast.ExprStmt) (string, bool) {
	call, ok := ast.Unparen(n.X).(*ast.CallExpr)
	if !ok || f.scope == nil || !f.inBlock(n) || len(f.unseenAt(call.Lparen)) == 0 {
		return "", false
	}
	if s, ok := call.Fun.(*ast.SelectorExpr); ok {
		if _, ok := hookOf(f.info.Uses[s.Sel]); ok {
			return f.render(n.X) + f.later(s.X, f.operandsAt(call.Lparen, 0)), true
		}
	}
	text := f.render(n.X)
	if slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return isFunction(f.info.TypeOf(e)) }) {
		for _, e := range call.Args {
			text += f.later(e, slices.DeleteFunc(slices.Clone(f.behind[e]), func(o operand) bool { return o.kind != "write" }))
		}
	}
	return text, true
}

// later is a statement that records accesses through an operand, which it evaluates again.
func (f *file) later(e ast.Expr, all []operand) string {
	text, t := f.raw(e), f.info.TypeOf(e)
	if len(all) == 0 || !f.isPure(e) {
		return ""
	}
	if operandFlags(t) == 0 {
		if !f.canAddress(e) {
			return ""
		}
		text, t = "&"+text, types.NewPointer(t)
	}
	return "; " + f.handed(text, t, all)
}

// rangedOver is the statements at the beginning of the body of a loop that record the reads of the
// elements, where what it goes through does not name a field.
func (f *file) rangedOver(n *ast.RangeStmt) string {
	hits := f.unseenHits(f.elementsAt(n), "read")
	if len(hits) == 0 {
		return ""
	}
	t := f.info.TypeOf(n.X)
	var all []operand
	for _, h := range hits {
		all = append(all, operand{h, "read", f.elementsAt(n)})
	}
	if operandFlags(t) != throughPointerFlag || !f.isPure(n.X) {
		f.behind[n.X] = all
		return ""
	}
	return f.handed(f.raw(n.X), t, all) + "; "
}

// elementsAt is where a loop reads the elements of what it goes through.
func (f *file) elementsAt(n *ast.RangeStmt) token.Pos {
	if _, isMap := types.Unalias(f.info.TypeOf(n.X)).Underlying().(*types.Map); isMap {
		return n.For
	}
	return n.X.Pos()
}

// unseenIn calls note for the set of each access that a node makes and does not name.
func (f *file) unseenIn(n ast.Node, note func(set int)) {
	at := watch.Position(n)
	if r, ok := n.(*ast.RangeStmt); ok {
		at = f.elementsAt(r)
	}
	for _, k := range f.unseenAt(at) {
		note(k.field.set)
	}
}

// registration is the declarations that let the hooks follow fields: those of the types and variables that
// the file declares. In a program for experiments they make all its variables known.
func (f *file) registration() string {
	var b strings.Builder
	add := func(text string, arguments ...any) {
		f.changed = true
		fmt.Fprintf(&b, "\nvar _ = "+hookName+"."+text, arguments...)
	}
	if !f.full && !f.steered && f.hidesLocks() {
		add("NoGuards()")
	}
	for _, d := range f.syntax.Decls {
		d, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				c := f.byType[packagePath(f.pkg.Types)+"."+s.Name.Name]
				if c == nil || s.Assign.IsValid() {
					continue
				}
				name := s.Name.Name
				if s.TypeParams != nil {
					name = hookName + ".None"
				}
				for _, w := range c.fields {
					if f.leads[w.number] {
						add("Field[%s](%d, %d, %q)", name, c.number, w.number, w.name)
					}
				}
			case *ast.ValueSpec:
				for _, id := range s.Names {
					if f.observed && d.Tok == token.VAR && id.Name != "_" {
						add("Root(%q, &%s)", f.pkg.Types.Name()+"."+id.Name, id.Name)
					}
					for _, v := range f.byVar[packagePath(f.pkg.Types)+"."+id.Name] {
						if d.Tok == token.VAR && f.leads[v.field.number] {
							add("VariableField(&%s, %d, %d)", id.Name, v.class.number, v.field.number)
						}
					}
				}
			}
		}
	}
	return b.String()
}

func isFunction(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := types.Unalias(t).Underlying().(*types.Signature)
	return ok
}
