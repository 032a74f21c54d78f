package mend

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/empire-go/empire-go/internal/rewrite"
)

// unitName matches "(*path.T[A]).F" and "path.F".
var unitName = regexp.MustCompile(`^(?:\(\*?([^()\[\]]+)\.(\w+)(?:\[.*\])?\)|([^()\[\]]+))\.(\w+)(?:\[.*\])?$`)

// hold changes a unit so that it holds a lock, from where it takes it first, or from its beginning, to its end.
func (m *mender) hold(unit, lock string) (c change, err error) {
	match := unitName.FindStringSubmatch(unit)
	if match == nil {
		return c, fmt.Errorf("%s is no function with a name", unit)
	}
	path := match[1] + match[3]
	if rest, ok := strings.CutPrefix(path, m.result.ModuleRoot); !ok || rest != "" && rest[0] != '/' {
		return c, fmt.Errorf("%s is not in this module", unit)
	}
	found, err := packages.Load(&packages.Config{Context: m.ctx, Dir: m.work,
		BuildFlags: []string{"-tags=" + m.request.Tags},
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo |
			packages.NeedImports | packages.NeedDeps}, path)
	if err != nil {
		return c, err
	}
	if len(found) != 1 || len(found[0].Errors) > 0 {
		return c, fmt.Errorf("package %s cannot be loaded", path)
	}
	h := &holder{pkg: found[0], lock: lock, seen: map[*types.Func]bool{}}
	h.decl = declaration(found[0], match[2], match[4])
	if h.decl == nil || h.decl.Body == nil {
		return c, fmt.Errorf("%s has no body in package %s", unit, path)
	}
	edits, what, err := h.edits()
	if err != nil {
		return c, err
	}
	name := h.pkg.Fset.Position(h.decl.Pos()).Filename
	old, err := os.ReadFile(name)
	if err != nil {
		return c, err
	}
	text, err := rewrite.Apply(old, edits)
	if err != nil {
		return c, err
	}
	if string(text) == string(old) {
		return c, fmt.Errorf("%s holds %s to its end as it is", h.decl.Name.Name, lock)
	}
	rel, err := filepath.Rel(m.work, name)
	if err != nil || !filepath.IsLocal(rel) {
		return c, fmt.Errorf("%s is not in this module", unit)
	}
	return change{rewrite.File{Path: filepath.ToSlash(rel), Old: old, New: text}, what}, nil
}

// declaration finds a function, or a method of a type.
func declaration(pkg *packages.Package, typeName, name string) *ast.FuncDecl {
	for _, file := range pkg.Syntax {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == name && receiverType(f) == typeName {
				return f
			}
		}
	}
	return nil
}

// receiverType names the type of a receiver, "" if there is none.
func receiverType(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) != 1 {
		return ""
	}
	t := f.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// holder changes one function.
type holder struct {
	pkg  *packages.Package
	decl *ast.FuncDecl
	lock string
	seen map[*types.Func]bool
}

// operation is a statement that takes or releases the lock.
type operation struct {
	stmt ast.Stmt
	on   string // the lock as the function writes it
	name string // Lock, Unlock, RLock, RUnlock
	top  bool   // it is a statement of the body itself
}

// edits returns what makes the function hold the lock, and says it in words.
func (h *holder) edits() (edits []rewrite.Edit, what string, err error) {
	operations, err := h.operations()
	if err != nil {
		return nil, "", err
	}
	name := h.decl.Name.Name
	offset := func(p token.Pos) int { return h.pkg.Fset.Position(p).Offset }
	var from token.Pos // from where on the lock is held
	verb := "Lock"
	switch {
	case len(operations) == 0:
		on, readWrite := h.own()
		if on == "" {
			return nil, "", fmt.Errorf("%s has no %s at hand", name, h.lock)
		}
		if by := h.heldBy(); by != "" {
			return nil, "", fmt.Errorf("%s may be called by %s, which takes %s itself", name, by, h.lock)
		}
		if readWrite && !h.writes() {
			verb = "RLock"
		}
		from = h.decl.Body.Lbrace + 1
		edits = append(edits, rewrite.Edit{Begin: offset(from), End: offset(from),
			Text: fmt.Sprintf("\n\t%s.%s()\n\tdefer %s.%s()", on, verb, on, unlocking(verb))})
		what = fmt.Sprintf("%s holds %s", name, on)
	case !operations[0].top || !strings.HasSuffix(operations[0].name, "Lock") || operations[0].isRelease():
		return nil, "", fmt.Errorf("%s does not take %s on all ways", name, h.lock)
	default:
		first := operations[0]
		isOnlyRead := true
		for _, o := range operations {
			isOnlyRead = isOnlyRead && strings.HasPrefix(o.name, "R")
		}
		if isOnlyRead {
			verb = "RLock"
		}
		from = first.stmt.Pos()
		edits = append(edits, rewrite.Edit{Begin: offset(first.stmt.Pos()), End: offset(first.stmt.End()),
			Text: fmt.Sprintf("%s.%s()\n\tdefer %s.%s()", first.on, verb, first.on, unlocking(verb))})
		for _, o := range operations[1:] {
			if o.on != first.on {
				return nil, "", fmt.Errorf("%s takes %s and %s", name, first.on, o.on)
			}
			edits = append(edits, h.remove(o.stmt))
		}
		what = fmt.Sprintf("%s holds %s to its end", name, first.on)
	}
	for _, stmt := range h.decl.Body.List {
		if stmt.End() <= from {
			continue
		}
		if err := h.mayRun(stmt, operations); err != nil {
			return nil, "", fmt.Errorf("%s cannot hold %s to its end: %w", name, h.lock, err)
		}
	}
	return edits, what, nil
}

func (o operation) isRelease() bool { return strings.HasSuffix(o.name, "Unlock") }

func unlocking(verb string) string { return strings.Replace(verb, "Lock", "Unlock", 1) }

// remove takes out a statement with its line, if it has one of its own.
func (h *holder) remove(stmt ast.Stmt) rewrite.Edit {
	file := h.pkg.Fset.File(stmt.Pos())
	begin, end := file.Offset(stmt.Pos()), file.Offset(stmt.End())
	text, err := os.ReadFile(file.Name())
	if err != nil {
		return rewrite.Edit{Begin: begin, End: end}
	}
	lineBegin := strings.LastIndexByte(string(text[:begin]), '\n') + 1
	length := strings.IndexByte(string(text[end:]), '\n')
	if length < 0 || strings.TrimSpace(string(text[lineBegin:begin])) != "" {
		return rewrite.Edit{Begin: begin, End: end}
	}
	if rest := strings.TrimSpace(string(text[end : end+length])); rest != "" && !strings.HasPrefix(rest, "//") {
		return rewrite.Edit{Begin: begin, End: end}
	}
	return rewrite.Edit{Begin: lineBegin, End: end + length + 1}
}

// operations lists what the function does to the lock, in the order of the source.
func (h *holder) operations() (all []operation, err error) {
	astutil.Apply(h.decl.Body, func(c *astutil.Cursor) bool {
		switch n := c.Node().(type) {
		case *ast.FuncLit:
			if len(h.within(n)) > 0 {
				err = fmt.Errorf("a function in %s takes or releases %s", h.decl.Name.Name, h.lock)
			}
			return false
		case ast.Stmt:
			if o, ok := h.operation(n); ok {
				o.top = c.Parent() == h.decl.Body
				all = append(all, o)
			}
		}
		return true
	}, nil)
	return all, err
}

// within finds operations on the lock in a function literal.
func (h *holder) within(f *ast.FuncLit) (all []operation) {
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(ast.Stmt); ok {
			if o, ok := h.operation(s); ok {
				all = append(all, o)
			}
		}
		return true
	})
	return all
}

// operation tells whether a statement is x.mu.Lock(), or the like, or defers it.
func (h *holder) operation(stmt ast.Stmt) (o operation, ok bool) {
	var call *ast.CallExpr
	switch s := stmt.(type) {
	case *ast.ExprStmt:
		call, _ = s.X.(*ast.CallExpr)
	case *ast.DeferStmt:
		call = s.Call
	}
	if call == nil {
		return o, false
	}
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !isLock(h.pkg.TypesInfo.TypeOf(method.X)) {
		return o, false
	}
	switch method.Sel.Name {
	case "Lock", "Unlock", "RLock", "RUnlock":
	default:
		return o, false
	}
	on := types.ExprString(method.X)
	if on[strings.LastIndex(on, ".")+1:] != h.lock {
		return o, false
	}
	return operation{stmt: stmt, on: on, name: method.Sel.Name}, true
}

// isLock tells whether a type is that of a lock of package sync.
func isLock(t types.Type) bool {
	if t == nil {
		return false
	}
	name := strings.TrimPrefix(t.String(), "*")
	return name == "sync.Mutex" || name == "sync.RWMutex"
}

// own returns the lock as the function can write it where it does not yet, a field of its receiver, and whether
// readers can share it.
func (h *holder) own() (on string, readWrite bool) {
	if h.decl.Recv == nil || len(h.decl.Recv.List[0].Names) != 1 || h.decl.Recv.List[0].Names[0].Name == "_" {
		return "", false
	}
	receiver := h.decl.Recv.List[0].Names[0]
	t := h.pkg.TypesInfo.TypeOf(receiver)
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return "", false // the lock of a copy
	}
	s, ok := p.Elem().Underlying().(*types.Struct)
	if !ok {
		return "", false
	}
	for f := range s.Fields() {
		if f.Name() == h.lock && isLock(f.Type()) {
			return receiver.Name + "." + h.lock, strings.HasSuffix(f.Type().String(), "RWMutex")
		}
	}
	return "", false
}

// heldBy returns a function of the package that takes the lock and may call this one, directly or not; "" if there
// is none. Others have no such lock at hand.
func (h *holder) heldBy() string {
	name, callers := h.decl.Name.Name, map[string]bool{h.decl.Name.Name: true} // by their names: whoever else has them
	var all []*ast.FuncDecl
	for _, file := range h.pkg.Syntax {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				all = append(all, f)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, f := range all {
			if callers[f.Name.Name] && f.Name.Name != name {
				continue
			}
			calls, takes := false, false
			ast.Inspect(f.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Ident:
					_, isFunc := h.pkg.TypesInfo.Uses[n].(*types.Func)
					calls = calls || isFunc && callers[n.Name]
				case ast.Stmt:
					_, is := h.operation(n)
					takes = takes || is
				}
				return true
			})
			if calls && takes {
				return f.Name.Name
			}
			if calls && !callers[f.Name.Name] {
				callers[f.Name.Name], changed = true, true
			}
		}
	}
	return ""
}

// writes tells whether the function may write: whether it has more than reads of its own.
func (h *holder) writes() bool {
	found := false
	ast.Inspect(h.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			found = found || n.Tok != token.DEFINE
		case *ast.IncDecStmt, *ast.CallExpr:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND
		}
		return true
	})
	return found
}

// mayRun tells why code must not run while the lock is held: it may wait, or take a lock.
func (h *holder) mayRun(n ast.Node, except []operation) (err error) {
	ast.Inspect(n, func(n ast.Node) bool {
		if err != nil {
			return false
		}
		for _, o := range except {
			if n == ast.Node(o.stmt) {
				return false
			}
		}
		switch n := n.(type) {
		case *ast.SendStmt, *ast.SelectStmt, *ast.GoStmt, *ast.DeferStmt:
			err = fmt.Errorf("it has a statement at %s that may wait or run later", h.at(n))
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				err = fmt.Errorf("it receives at %s", h.at(n))
			}
		case *ast.RangeStmt:
			switch h.pkg.TypesInfo.TypeOf(n.X).Underlying().(type) {
			case *types.Chan, *types.Signature:
				err = fmt.Errorf("it ranges over a channel or a function at %s", h.at(n))
			}
		case *ast.CallExpr:
			err = h.mayCall(n)
		}
		return true
	})
	return err
}

func (h *holder) at(n ast.Node) string {
	p := h.pkg.Fset.Position(n.Pos())
	return fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)
}

// quiet are the packages of the standard library whose functions neither wait nor call what takes a lock, as long as
// they are handed no function, and nothing with methods.
var quiet = map[string]bool{"bytes": true, "cmp": true, "errors": true, "fmt": true, "maps": true, "math": true,
	"math/bits": true, "path": true, "slices": true, "sort": true, "strconv": true, "strings": true, "unicode": true,
	"unicode/utf8": true}

// mayCall tells why a function must not be called while the lock is held.
func (h *holder) mayCall(call *ast.CallExpr) error {
	if t, ok := h.pkg.TypesInfo.Types[call.Fun]; ok && (t.IsType() || t.IsBuiltin()) {
		return nil
	}
	callee := typeutil.StaticCallee(h.pkg.TypesInfo, call)
	if callee == nil || callee.Pkg() == nil {
		return fmt.Errorf("what is called at %s is not known", h.at(call))
	}
	callee = callee.Origin()
	switch {
	case h.seen[callee]:
		return nil
	case quiet[callee.Pkg().Path()] && !h.isHandedMethods(call), callee.FullName() == "time.Now",
		callee.FullName() == "time.Since":
		return nil
	case callee.Pkg() != h.pkg.Types:
		return fmt.Errorf("%s, called at %s, may wait or take a lock", callee.Name(), h.at(call))
	}
	h.seen[callee] = true
	for _, file := range h.pkg.Syntax {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && h.pkg.TypesInfo.Defs[f.Name] == types.Object(callee) && f.Body != nil {
				return h.mayRun(f.Body, nil)
			}
		}
	}
	return fmt.Errorf("%s, called at %s, has no body", callee.Name(), h.at(call))
}

// isHandedMethods tells whether an argument has methods, or is a function: what it does is not known.
func (h *holder) isHandedMethods(call *ast.CallExpr) bool {
	for _, arg := range call.Args {
		t := h.pkg.TypesInfo.TypeOf(arg)
		if t == nil {
			return true
		}
		if _, isFunc := t.Underlying().(*types.Signature); isFunc {
			return true
		}
		if types.NewMethodSet(t).Len() > 0 || types.IsInterface(t) {
			return true
		}
	}
	return false
}
