package mend

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	empire "github.com/empire-go/empire-go"
)

// locksOf returns the names of the fields, or variables, that are the locks of a counterexample: those of the
// checked object, which are called vector2.mu, say.
func locksOf(s *empire.ScenarioResult) (names []string) {
	for _, step := range s.Counterexample {
		if step.Action != "lock" && step.Action != "rlock" {
			continue
		}
		name := step.Lock[strings.LastIndex(step.Lock, ".")+1:]
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// locksOfType returns the fields of a type that are locks.
func (m *mender) locksOfType(name string) (names []string, err error) {
	dot := strings.LastIndex(name, ".")
	if dot < 0 {
		return nil, fmt.Errorf("%s is no type", name)
	}
	s, err := m.load(name[:dot])
	if err != nil {
		return nil, err
	}
	object := s.pkg.Types.Scope().Lookup(strings.SplitN(name[dot+1:], "[", 2)[0])
	if object == nil {
		return nil, fmt.Errorf("%s is no type", name)
	}
	if t, ok := object.Type().Underlying().(*types.Struct); ok {
		for f := range t.Fields() {
			if isLock(f.Type()) {
				names = append(names, f.Name())
			}
		}
	}
	return names, nil
}

// isLock tells whether a type is that of a lock of package sync.
func isLock(t types.Type) bool {
	if t == nil {
		return false
	}
	name := strings.TrimPrefix(t.String(), "*")
	return name == "sync.Mutex" || name == "sync.RWMutex"
}

// reference is a lock as a function writes it.
type reference struct {
	on        string       // "s.mu", or "s.Mutex" where that is embedded
	written   string       // "s.mu", or "s"
	root      types.Object // the variable s; nil if there is none
	field     *types.Var   // mu
	readWrite bool         // it has readers
}

// operation is a statement that takes or releases the lock.
type operation struct {
	reference
	stmt   ast.Stmt
	method *ast.Ident
	top    bool // it is a statement of the body itself
}

func (o operation) isDeferred() bool {
	_, ok := o.stmt.(*ast.DeferStmt)
	return ok
}

// isDeferredIn tells whether the operation is deferred in a function literal, too.
func (o operation) isDeferredIn(lit *ast.FuncLit) bool {
	_, ok := lit.Body.List[0].(*ast.DeferStmt)
	return ok
}

func (o operation) isRelease() bool { return strings.HasSuffix(o.method.Name, "Unlock") }

func (o operation) isShared() bool { return strings.HasPrefix(o.method.Name, "R") }

func unlocking(verb string) string { return strings.Replace(verb, "Lock", "Unlock", 1) }

// operations lists what the function does to the lock, in the order of the source. A function literal that does
// something to it is an error, unless it runs on a goroutine of its own.
func (h *holder) operations() (all []operation, err error) {
	top := map[ast.Stmt]bool{}
	for _, stmt := range h.body.List {
		top[stmt] = true
	}
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			if h.releasesElsewhere(n.Call) {
				err = fmt.Errorf("a goroutine that %s starts releases %s", h.name(), h.lock)
			}
			for _, arg := range n.Call.Args {
				ast.Inspect(arg, visit)
			}
			return false
		case *ast.FuncLit:
			if h.operatesIn(n) {
				err = fmt.Errorf("a function in %s takes or releases %s", h.name(), h.lock)
			}
			return false
		case ast.Stmt:
			if o, ok := h.operation(n); ok {
				o.top = top[n]
				all = append(all, o)
				return false
			}
		}
		return true
	}
	ast.Inspect(h.body, visit)
	for _, o := range all {
		switch {
		case o.on != all[0].on || o.root != all[0].root:
			return nil, fmt.Errorf("%s takes %s and %s", h.name(), all[0].on, o.on)
		case o.root == nil:
			return nil, fmt.Errorf("which lock %s is in %s is not clear", o.on, h.name())
		}
	}
	if len(all) > 0 && err == nil {
		err = h.isUnclear(all[0].reference, len(all))
	}
	return all, err
}

// releasesElsewhere tells whether what runs on another goroutine may release a lock that it has not taken.
func (h *holder) releasesElsewhere(call *ast.CallExpr) bool {
	lit, isLit := call.Fun.(*ast.FuncLit)
	if !isLit {
		_, ok := h.operation(&ast.ExprStmt{X: call})
		return ok
	}
	taken := 0
	for _, stmt := range lit.Body.List {
		if o, ok := h.operation(stmt); ok && o.isRelease() && !o.isDeferred() {
			taken--
		} else if ok && !o.isRelease() {
			taken++
		}
		if taken < 0 {
			return true
		}
	}
	return taken == 0 && h.operatesIn(lit) && !h.takesIn(lit)
}

// takesIn tells whether a function literal takes the lock.
func (h *holder) takesIn(lit *ast.FuncLit) (found bool) {
	ast.Inspect(lit, func(n ast.Node) bool {
		if s, ok := n.(ast.Stmt); ok {
			o, is := h.operation(s)
			found = found || is && !o.isRelease()
		}
		return !found
	})
	return found
}

// operatesIn tells whether a function literal, or a block, operates on the lock.
func (h *holder) operatesIn(part ast.Node) (found bool) {
	ast.Inspect(part, func(n ast.Node) bool {
		if s, ok := n.(ast.Stmt); ok {
			_, is := h.operation(s)
			found = found || is
		}
		return !found
	})
	return found
}

// operation tells whether a statement is x.mu.Lock(), or the like, or defers it, or a function literal that does
// nothing else.
func (h *holder) operation(stmt ast.Stmt) (o operation, ok bool) {
	var call *ast.CallExpr
	switch s := stmt.(type) {
	case *ast.ExprStmt:
		call, _ = s.X.(*ast.CallExpr)
	case *ast.DeferStmt:
		call = s.Call
		if lit, isLit := call.Fun.(*ast.FuncLit); isLit && len(call.Args) == 0 && len(lit.Body.List) == 1 {
			if o, ok = h.operation(lit.Body.List[0]); ok {
				o.stmt = stmt
			}
			return o, ok && !o.isDeferredIn(lit)
		}
	}
	if call == nil {
		return o, false
	}
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return o, false
	}
	switch method.Sel.Name {
	case "Lock", "Unlock", "RLock", "RUnlock":
	default:
		return o, false
	}
	ref, ok := h.referenceOf(method)
	if !ok || ref.on[strings.LastIndex(ref.on, ".")+1:] != h.lock {
		return o, false
	}
	return operation{reference: ref, stmt: stmt, method: method.Sel}, true
}

// referenceOf returns the lock of which a method is selected.
func (h *holder) referenceOf(method *ast.SelectorExpr) (r reference, ok bool) {
	info := h.pkg.TypesInfo
	selection := info.Selections[method]
	if selection == nil || selection.Kind() != types.MethodVal {
		return r, false
	}
	called, ok := selection.Obj().(*types.Func)
	if !ok || called.Signature().Recv() == nil || !isLock(called.Signature().Recv().Type()) {
		return r, false
	}
	r.written = types.ExprString(method.X)
	r.on = r.written
	r.readWrite = strings.HasSuffix(called.Signature().Recv().Type().String(), "RWMutex")
	switch x := ast.Unparen(method.X).(type) {
	case *ast.SelectorExpr:
		r.field, _ = info.Uses[x.Sel].(*types.Var)
	case *ast.Ident:
		r.field, _ = info.Uses[x].(*types.Var)
	}
	t := info.TypeOf(method.X)
	for _, i := range selection.Index()[:len(selection.Index())-1] { // fields that are embedded
		s, ok := under(t).(*types.Struct)
		if !ok {
			return r, false
		}
		r.field = s.Field(i)
		r.on += "." + r.field.Name()
		t = r.field.Type()
	}
	r.root = rootOf(info, method.X)
	return r, true
}

// under returns the type that a type, or a pointer to it, is made of.
func under(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return t.Underlying()
}

// rootOf returns the variable that an expression of fields begins with; nil if it has something else.
func rootOf(info *types.Info, x ast.Expr) types.Object {
	for {
		switch e := x.(type) {
		case *ast.SelectorExpr:
			if info.Selections[e] == nil { // of a package
				return info.Uses[e.Sel]
			}
			x = e.X
		case *ast.ParenExpr:
			x = e.X
		case *ast.StarExpr:
			x = e.X
		case *ast.Ident:
			return info.Uses[e]
		default:
			return nil
		}
	}
}

// own returns the lock as the function can write it where it does not yet: a field of its receiver, or of a
// parameter, or of a variable around it, or a variable of the package.
func (h *holder) own() (found reference, err error) {
	if v, ok := h.pkg.Types.Scope().Lookup(h.lock).(*types.Var); ok && isLock(v.Type()) {
		return reference{h.lock, h.lock, v, v, isReadWrite(v.Type())}, nil
	}
	for _, name := range h.variables() {
		v, ok := h.pkg.TypesInfo.ObjectOf(name).(*types.Var)
		if !ok || name.Name == "_" {
			continue
		}
		if _, isPointer := v.Type().Underlying().(*types.Pointer); !isPointer && h.isOwn(name) {
			continue // the lock of a copy
		}
		s, ok := under(v.Type()).(*types.Struct)
		if !ok {
			continue
		}
		for f := range s.Fields() {
			if f.Name() != h.lock || !isLock(f.Type()) {
				continue
			}
			if found.root != nil && found.root != v {
				return reference{}, fmt.Errorf("%s has more than one %s at hand", h.name(), h.lock)
			}
			found = reference{v.Name() + "." + h.lock, v.Name() + "." + h.lock, v, f, isReadWrite(f.Type())}
			if f.Embedded() {
				found.written = v.Name()
			}
		}
	}
	if found.root == nil {
		return found, fmt.Errorf("%s has no %s at hand", h.name(), h.lock)
	}
	return found, h.isUnclear(found, 0)
}

func isReadWrite(t types.Type) bool { return strings.HasSuffix(t.String(), "RWMutex") }

// variables are the receiver and the parameters of the function, and the variables of functions around it that a
// function literal uses.
func (h *holder) variables() (all []*ast.Ident) {
	add := func(list *ast.FieldList) {
		if list == nil {
			return
		}
		for _, field := range list.List {
			all = append(all, field.Names...)
		}
	}
	if h.lit == nil {
		add(h.decl.Recv)
		add(h.decl.Type.Params)
		return all
	}
	add(h.lit.Type.Params)
	seen := map[types.Object]bool{}
	ast.Inspect(h.body, func(n ast.Node) bool {
		name, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := h.pkg.TypesInfo.Uses[name].(*types.Var)
		if ok && !v.IsField() && !seen[v] && v.Pos() >= h.decl.Pos() && v.Pos() < h.lit.Pos() {
			seen[v] = true
			all = append(all, name)
		}
		return true
	})
	return all
}

// isOwn tells whether a variable is a receiver or parameter.
func (h *holder) isOwn(name *ast.Ident) bool {
	_, defines := h.pkg.TypesInfo.Defs[name]
	return defines
}

// isUnclear says why one cannot tell which lock a reference is all through the function, which operates on it so
// many times: the variable, or a field on the way, is assigned or may be nil, or the lock is used in another way.
func (h *holder) isUnclear(r reference, operations int) (err error) {
	uses := 0
	info := h.pkg.TypesInfo
	isOnWay := func(x ast.Expr) bool {
		x = ast.Unparen(x)
		if name, ok := x.(*ast.Ident); ok {
			return info.ObjectOf(name) == r.root
		}
		return strings.HasPrefix(r.on+".", types.ExprString(x)+".")
	}
	ast.Inspect(h.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				name, isName := left.(*ast.Ident)
				if isOnWay(left) && !(isName && info.Defs[name] != nil) {
					err = fmt.Errorf("%s assigns %s at %s", h.name(), types.ExprString(left), h.at(n))
				}
			}
		case *ast.BinaryExpr:
			if (n.Op == token.EQL || n.Op == token.NEQ) &&
				(isNil(info, n.Y) && isOnWay(n.X) || isNil(info, n.X) && isOnWay(n.Y)) {
				err = fmt.Errorf("%s may be called with a nil pointer, see %s", h.name(), h.at(n))
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND && isOnWay(n.X) {
				err = fmt.Errorf("%s hands on %s at %s", h.name(), types.ExprString(n.X), h.at(n))
			}
		case *ast.Ident:
			if r.field != nil && info.Uses[n] == r.field {
				uses++
			}
		case *ast.GoStmt:
			return false
		}
		return err == nil
	})
	if err == nil && uses > operations {
		err = fmt.Errorf("%s uses %s in more ways than to take and release it", h.name(), r.on)
	}
	return err
}

func isNil(info *types.Info, x ast.Expr) bool { return info.Types[x].IsNil() }

// hasIterators tells whether a body has ranges over functions, whose bodies are functions.
func hasIterators(pkg *packages.Package, body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if r, ok := n.(*ast.RangeStmt); ok {
			_, isFunc := pkg.TypesInfo.TypeOf(r.X).Underlying().(*types.Signature)
			found = found || isFunc
		}
		return !found
	})
	return found
}
