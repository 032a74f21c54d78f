package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// target is an operand that is assigned to.
type target struct {
	e      ast.Expr
	hits   []hit
	inside bool     // it is in what the field leads to, not the field itself
	owner  ast.Expr // the field: e, or what e indexes
	at     token.Pos
	whole  *class // all fields of an object

	reached []hit    // what it does not name
	on      ast.Expr // what is, or is in, the memory that they are in
}

// target finds out what an operand writes.
func (f *file) target(e ast.Expr) target {
	t := f.named(e)
	if f.scope == nil {
		return t
	}
	if t.reached, t.on = f.reachedHits(e, "write"), ast.Unparen(e); len(t.reached) == 0 && !t.isWatched() {
		t.reached, t.on = f.alias(e)
	}
	return t
}

// alias returns the element of what a variable holds that e is, or is in.
func (f *file) alias(e ast.Expr) ([]hit, ast.Expr) {
	for {
		switch n := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			if hits := f.aliasHits(f.info, n.X, n.Lbrack); len(hits) > 0 {
				return hits, n
			}
			e = n.X
		case *ast.SelectorExpr:
			if isPointer(f.info.TypeOf(n.X)) {
				return nil, nil
			}
			e = n.X
		default:
			return nil, nil
		}
	}
}

// named is target for the fields that the operand names.
func (f *file) named(e ast.Expr) target {
	t := target{e: e, owner: e}
	if f.scope == nil {
		return t
	}
	inner := ast.Unparen(e)
	if t.hits = f.hits(inner); len(t.hits) > 0 {
		t.owner = inner
		t.at = positionOf(inner)
		return t
	}
	if star, ok := inner.(*ast.StarExpr); ok {
		t.whole = f.classOf(f.info.TypeOf(star))
		t.at = star.Star
		if t.whole != nil && !isPointer(f.info.TypeOf(star)) {
			return t
		}
		t.whole = nil
	} else if ty := f.info.TypeOf(inner); ty != nil && !isPointer(ty) && !types.IsInterface(ty) && f.canAddress(inner) &&
		!f.isOwn(inner) {
		if t.whole = f.classOf(ty); t.whole != nil {
			t.at = positionOf(inner)
			return t
		}
	}
	if owner, at := f.container(inner); owner != nil {
		if t.hits = f.watchedHits(owner); len(t.hits) > 0 {
			t.owner, t.inside, t.at = owner, true, at
		}
	}
	return t
}

func (t *target) isWatched() bool { return len(t.hits) > 0 || t.whole != nil || len(t.reached) > 0 }

// container returns the field whose contents e is in: x.f of x.f[i], x.f[i].g, *x.f.
func (f *file) container(e ast.Expr) (ast.Expr, token.Pos) {
	at := positionOf(e)
	for {
		switch n := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			if f.full && !f.isOne(n.X) {
				return nil, at // it has a location of its own
			}
			e, at = n.X, n.Lbrack
		case *ast.StarExpr:
			if f.full {
				return nil, at
			}
			e, at = n.X, n.Star
		case *ast.SelectorExpr:
			if s := f.info.Selections[n]; s == nil || s.Kind() != types.FieldVal || f.full && isPointer(f.info.TypeOf(n.X)) {
				return nil, at
			}
			e = n.X
		default:
			return nil, at
		}
		if len(f.watchedHits(e)) > 0 {
			return ast.Unparen(e), at
		}
	}
}

func positionOf(e ast.Expr) token.Pos {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		return e.Sel.Pos()
	case *ast.IndexExpr:
		return e.Lbrack
	case *ast.StarExpr:
		return e.Star
	}
	return e.Pos()
}

// operand is the text of the target as the operand of an assignment, without a hook for the
// write itself.
func (f *file) operand(t target) string { return f.address(t.e) }

// rawAddress is the text of the address of the field, without hooks; only for what may be
// evaluated twice.
func (f *file) rawAddress(t target) string {
	if t.whole != nil {
		if star, ok := ast.Unparen(t.e).(*ast.StarExpr); ok {
			return f.raw(star.X)
		}
		return "&" + f.raw(t.e)
	}
	return "&" + f.raw(t.owner)
}

// wrote is the list of operands that record the writes of a target at the end of an assignment.
func (f *file) wrote(t target) []string {
	var all []string
	address := f.rawAddress(t)
	if t.whole != nil {
		for _, r := range f.refsOfAll(t.whole, "write", t.at) {
			all = append(all, f.hook("WroteWhole", address, fmt.Sprint(r.first), fmt.Sprint(r.n)))
		}
	}
	for _, h := range t.hits {
		name := "Wrote"
		if h.isVar {
			name = "WroteVariable"
		}
		all = append(all, f.repeated(name, address, h, "write", t.at, f.ref(h, "write", t.at)))
	}
	for _, h := range t.reached {
		if n, ok := t.on.(*ast.IndexExpr); ok && h.entry {
			all = append(all, f.hook("WroteEntry", f.raw(n.X), f.ref(h, "write", n.Lbrack)))
		} else if ok && !f.canAddress(n) {
			h.flags = operandFlags(f.info.TypeOf(n.X))
			all = append(all, f.hook("WroteThrough", f.raw(n.X), f.ref(h, "write", n.Lbrack)))
		} else {
			all = append(all, f.hook("Wrote", "&"+f.raw(t.on), f.ref(h, "write", watch.Position(t.on))))
		}
	}
	return all
}

// write is the text of the target as an operand that records the write when it is evaluated.
func (f *file) write(t target) string {
	if len(t.reached) == 0 {
		return f.writeNamed(t)
	}
	if n, ok := ast.Unparen(t.e).(*ast.IndexExpr); ok && !f.canAddress(n) {
		x := ""
		if t.inside {
			x = f.through(n.X, t, false)
		} else {
			x = f.render(n.X)
		}
		return f.entry(n, x, t.reached, "write")
	}
	text := f.address(t.e)
	if len(t.hits) > 0 || t.whole != nil {
		text = f.writeNamed(t)
	}
	return "*" + f.wrap("&"+text, "Write", "Write", t.reached, "write", watch.Position(t.on))
}

// writeNamed is write without what the target does not name.
func (f *file) writeNamed(t target) string {
	switch {
	case t.whole != nil:
		address := "&" + f.address(t.e)
		if star, ok := ast.Unparen(t.e).(*ast.StarExpr); ok {
			address = f.render(star.X)
		}
		return "*" + f.whole("W", address, t.whole, t.at)
	case t.inside:
		return f.through(t.e, t, true)
	}
	return "*" + f.wrap("&"+f.address(t.owner), "Write", "Write", t.hits, "write", t.at)
}

// through renders e with a read and a write of the field that it is in; isLast tells whether e is, or is
// a part of, what is written.
func (f *file) through(e ast.Expr, t target, isLast bool) string {
	if ast.Unparen(e) == t.owner {
		address := "&" + f.address(t.owner)
		if !isArray(f.info.TypeOf(t.owner)) {
			address = f.wrap(address, "Read", "Read", t.hits, "read", positionOf(t.owner))
		}
		return "(*" + f.wrap(address, "Write", "Write", t.hits, "write", t.at) + ")"
	}
	switch n := e.(type) {
	case *ast.ParenExpr:
		return "(" + f.through(n.X, t, isLast) + ")"
	case *ast.IndexExpr:
		return f.behindOf(n.X, t, isLast) + f.text(n.X.End(), n.Index.Pos()) + f.render(n.Index) +
			f.text(n.Index.End(), n.End())
	case *ast.StarExpr:
		return f.text(n.Pos(), n.X.Pos()) + f.behindOf(n.X, t, isLast)
	case *ast.SelectorExpr:
		return f.behindOf(n.X, t, isLast) + f.text(n.X.End(), n.End())
	}
	return f.address(e)
}

// behindOf is through for x of x[i], *x and x.f. If that is behind a pointer, and is what is written,
// the fields of other objects may lead there, too.
func (f *file) behindOf(x ast.Expr, t target, isLast bool) string {
	flags := operandFlags(f.info.TypeOf(x))
	if !isLast || flags == 0 {
		return f.through(x, t, isLast)
	}
	text := f.through(x, t, false)
	for _, h := range t.hits {
		if f.steered && !h.isVar && f.leads[h.field.number] {
			h.reached, h.flags = true, flags
			text = f.hook("Others", text, f.ref(h, "write", t.at))
		}
	}
	return text
}

func isArray(t types.Type) bool {
	_, ok := types.Unalias(t).Underlying().(*types.Array)
	return ok
}

// isPure tells whether an expression may be evaluated twice, or later: it calls nothing.
func (f *file) isPure(e ast.Expr) bool {
	pure := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if tv := f.info.Types[n.Fun]; !tv.IsType() && !f.isLength(n) {
				pure = false
			}
		case *ast.FuncLit:
			pure = false
		case *ast.UnaryExpr:
			pure = pure && n.Op != token.ARROW
		}
		return pure
	})
	return pure && !strings.Contains(f.raw(e), "\n")
}

// isLength tells whether a call is of a function of the language that only looks.
func (f *file) isLength(n *ast.CallExpr) bool {
	id, ok := ast.Unparen(n.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	_, builtin := f.info.Uses[id].(*types.Builtin)
	return builtin && (id.Name == "len" || id.Name == "cap" || id.Name == "min" || id.Name == "max")
}

// isQuiet tells whether evaluating an expression calls nothing and has no hooks.
func (f *file) isQuiet(e ast.Expr) bool {
	return f.isPure(e) && !strings.Contains(f.render(e), hookName)
}

// assign rewrites an assignment to watched fields.
func (f *file) assign(n *ast.AssignStmt) (string, bool) {
	if n.Tok == token.DEFINE || f.scope == nil {
		return f.define(n)
	}
	targets := make([]target, len(n.Lhs))
	watched, pure := false, true
	for i, e := range n.Lhs {
		targets[i] = f.target(e)
		watched = watched || targets[i].isWatched()
		pure = pure && f.isPure(e)
	}
	if !watched {
		if s, ok := f.receiveOK(n.Lhs, n.Rhs); ok {
			return f.operands(targets) + f.text(n.Lhs[len(n.Lhs)-1].End(), n.Rhs[0].Pos()) + s, true
		}
		return f.operands(targets) + f.text(n.Lhs[len(n.Lhs)-1].End(), n.Rhs[0].Pos()) + f.list(n.Rhs), true
	}
	if n.Tok != token.ASSIGN {
		return f.operate(targets[0], strings.TrimSuffix(n.Tok.String(), "="), "("+f.render(n.Rhs[0])+")", f.isPure(n.Rhs[0])),
			true
	}
	if len(n.Lhs) != len(n.Rhs) {
		return f.assignTuple(n, targets), true
	}
	quiet := len(n.Lhs) == 1
	for _, e := range n.Rhs {
		quiet = quiet && f.isQuiet(e)
	}
	if len(n.Lhs) == 1 && f.isPure(n.Rhs[0]) {
		if s, ok := f.exactWrite(targets[0], f.render(n.Rhs[0])); ok {
			return s, true
		}
	}
	switch {
	case quiet:
		return f.write(targets[0]) + " = " + f.list(n.Rhs), true
	case pure:
		return f.assignPure(targets, f.list(n.Rhs)), true
	case len(n.Lhs) == 1 && !targets[0].inside && targets[0].whole == nil && len(targets[0].hits) == 1 &&
		len(targets[0].reached) == 0 && !targets[0].hits[0].isVar:
		t := targets[0]
		return f.hook("At", "&"+f.address(t.owner), f.ref(t.hits[0], "write", t.at)) + ".Set(" + f.render(n.Rhs[0]) + ")",
			true
	}
	var left []string
	for _, t := range targets {
		if t.isWatched() {
			left = append(left, f.write(t))
		} else {
			left = append(left, f.operand(t))
		}
	}
	return strings.Join(left, ", ") + " = " + f.list(n.Rhs), true
}

func (f *file) operands(targets []target) string {
	var left []string
	for _, t := range targets {
		left = append(left, f.operand(t))
	}
	return strings.Join(left, ", ")
}

func (f *file) list(all []ast.Expr) string {
	var b strings.Builder
	for i, e := range all {
		if i > 0 {
			b.WriteString(f.text(all[i-1].End(), e.Pos()))
		}
		b.WriteString(f.render(e))
	}
	return b.String()
}

// assignPure is an assignment whose writes are recorded after the right-hand sides.
func (f *file) assignPure(targets []target, right string) string {
	var left, marks, blanks []string
	for _, t := range targets {
		left = append(left, f.operand(t))
		if t.isWatched() {
			for _, m := range f.wrote(t) {
				marks, blanks = append(marks, m), append(blanks, "_")
			}
		}
	}
	return strings.Join(append(left, blanks...), ", ") + " = " + strings.Join(append([]string{right}, marks...), ", ")
}

// assignTuple is an assignment of the results of one call, index, assertion or receive.
func (f *file) assignTuple(n *ast.AssignStmt, targets []target) string {
	right, isReceive := f.receiveOK(n.Lhs, n.Rhs)
	if !isReceive {
		right = f.render(n.Rhs[0])
	}
	_, isCall := ast.Unparen(n.Rhs[0]).(*ast.CallExpr)
	pure := isCall && f.inBlock(n)
	for _, t := range targets {
		pure = pure && f.isPure(t.e)
	}
	if !pure {
		var left []string
		for _, t := range targets {
			if t.isWatched() {
				left = append(left, f.write(t))
			} else {
				left = append(left, f.operand(t))
			}
		}
		return strings.Join(left, ", ") + " = " + right
	}
	var names []string
	for i := range targets {
		names = append(names, fmt.Sprintf("empire%d", i))
	}
	for i, t := range targets {
		if id, ok := t.e.(*ast.Ident); ok && id.Name == "_" {
			names[i] = "_"
		}
	}
	kept := targets[:0:0]
	for i, t := range targets {
		if names[i] != "_" {
			kept = append(kept, t)
		}
	}
	return "{ " + strings.Join(names, ", ") + " := " + right + "; " +
		f.assignPure(kept, strings.Join(blankless(names), ", ")) + " }"
}

func blankless(names []string) []string {
	var all []string
	for _, n := range names {
		if n != "_" {
			all = append(all, n)
		}
	}
	return all
}

// operate is x op= y for a watched x: a read, and then a write.
func (f *file) operate(t target, operator, right string, isPure bool) string {
	if !f.isPure(t.e) || t.whole != nil {
		if t.inside || t.whole != nil || len(t.reached) > 0 {
			return f.write(t) + " " + operator + "= " + right
		}
		address := f.wrap("&"+f.address(t.owner), "Read", "Read", t.hits, "read", t.at)
		return "*" + f.wrap(address, "Write", "Write", t.hits, "write", t.at) + " " + operator + "= " + right
	}
	if isPure {
		if s, ok := f.exactWrite(t, f.render(t.e)+" "+operator+" "+right); ok {
			return s
		}
	}
	return f.assignPure([]target{t}, f.render(t.e)+" "+operator+" "+right)
}

// incDec rewrites x.f++.
func (f *file) incDec(n *ast.IncDecStmt) (string, bool) {
	t := f.target(n.X)
	if !t.isWatched() {
		return f.operand(t) + n.Tok.String(), true
	}
	return f.operate(t, n.Tok.String()[:1], "1", true), true
}

// define rewrites v, ok := <-ch; the new variables are no fields.
func (f *file) define(n *ast.AssignStmt) (string, bool) {
	if n.Tok != token.DEFINE {
		return "", false
	}
	left := f.text(n.Pos(), n.Rhs[0].Pos())
	if s, ok := f.receiveOK(n.Lhs, n.Rhs); ok {
		return left + s + f.defined(n) + f.reassigned(n), true
	}
	return left + f.list(n.Rhs) + f.defined(n) + f.reassigned(n), true
}

// valueSpec rewrites var v, ok = <-ch.
func (f *file) valueSpec(n *ast.ValueSpec) (string, bool) {
	if len(n.Names) != 2 || len(n.Values) != 1 || f.scope == nil {
		return "", false
	}
	if s, ok := f.receiveOK([]ast.Expr{n.Names[0], n.Names[1]}, n.Values); ok {
		return f.text(n.Pos(), n.Values[0].Pos()) + s, true
	}
	return "", false
}

// receiveOK rewrites the right-hand side of v, ok = <-ch.
func (f *file) receiveOK(left, right []ast.Expr) (string, bool) {
	if len(left) != 2 || len(right) != 1 || f.scope == nil {
		return "", false
	}
	u, ok := ast.Unparen(right[0]).(*ast.UnaryExpr)
	if !ok || u.Op != token.ARROW {
		return "", false
	}
	if t := f.info.TypeOf(left[1]); t != nil && types.Unalias(t) != types.Typ[types.Bool] {
		if _, isBlank := left[1].(*ast.Ident); !isBlank || t != types.Typ[types.UntypedBool] {
			if named, isNamed := types.Unalias(t).(*types.Named); isNamed {
				f.leave(u, "its second result is a "+named.Obj().Name())
				return "<-" + f.render(u.X), true
			}
		}
	}
	return f.hook(f.chosen("From2"), f.syncSite(u, "recv", u.OpPos), f.render(u.X)), true
}

// inBlock tells whether a statement may be replaced by a block: it is no part of the head of an
// if, for or switch.
func (f *file) inBlock(n ast.Stmt) bool { return !f.scope.heads[n] }

// syncSite is the text of the number of the site of a synchronisation operation.
func (f *file) syncSite(n ast.Node, kind string, at token.Pos) string {
	return fmt.Sprint(
		f.site(trace.Site{Pos: f.position(at), Function: f.scope.name, Kind: kind, Set: -1, Field: f.describe(n)}))
}

// describe names the object of an operation for a reader.
func (f *file) describe(n ast.Node) string {
	text := f.raw(n)
	if len(text) > 40 || strings.ContainsAny(text, "\n\"") {
		return ""
	}
	return text
}
