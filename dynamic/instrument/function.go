package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// scope is a function that is being rewritten.
type scope struct {
	outer    *scope
	name     string // as ssa.Function.String
	literals int    // seen so far
	used     bool   // it has hooks
	begin    string // how it gets its goroutine, if not with Here
	heads    map[ast.Stmt]bool
	loops    map[ast.Stmt]map[int]bool  // the sets that are accessed in each loop
	units    []unit                     // frames, outermost first
	last     map[*ast.CallExpr]ast.Expr // see lastCalls
	repeats  []repeat                   // what is accessed, see settle
}

// unit is a unit of work that the function opens.
type unit struct {
	set   int
	kind  watch.Kind
	begin string
	site  string

	number   uint32 // of the site
	isPlain  bool   // it is on the receiver, or on whatever object
	receiver string
	class    uint64 // of that
}

// decl rewrites the body of a declared function.
func (f *file) decl(d *ast.FuncDecl) string {
	receiver := ""
	if d.Recv != nil && len(d.Recv.List) == 1 && len(d.Recv.List[0].Names) == 1 {
		receiver = d.Recv.List[0].Names[0].Name
	}
	f.scope = nil
	return f.text(d.Pos(), d.Body.Pos()) + f.function(d, d.Type, d.Body, receiver)
}

// function rewrites a body.
func (f *file) function(n ast.Node, t *ast.FuncType, body *ast.BlockStmt, receiver string) string {
	return f.functionFrom(n, t, body, receiver, "")
}

// functionFrom is function for one that gets its goroutine in a way of its own.
func (f *file) functionFrom(n ast.Node, t *ast.FuncType, body *ast.BlockStmt, receiver, begin string) string {
	s := &scope{outer: f.scope, name: f.functionName(n), begin: begin, heads: map[ast.Stmt]bool{},
		loops: map[ast.Stmt]map[int]bool{}}
	f.scope = s
	defer func() { f.scope = s.outer }()
	if begin != "" {
		f.use()
	}
	accessed := f.survey(body)
	f.openUnits(n, t, receiver, accessed)
	if len(s.units) > 0 {
		s.last = f.lastCalls(t, body)
	}
	seen, text := f.settle(body, f.children(body))
	isMain := s.name == f.pkg.Types.Path()+".main" && f.pkg.Name == "main" && isDecl(n)
	if isMain {
		f.use() // its end is that of all goroutines
	}
	if !s.used {
		return text
	}
	if begin == "" {
		begin = gName + " := " + hookName + ".Here(); "
		if isMain {
			begin += "defer " + gName + ".End(); "
		}
	}
	begin += f.beginUnits(s)
	switch len(s.units) {
	case 0:
	case 1:
		begin += "defer " + gName + ".UnitEnd(); "
	default: // Go defers at most eight calls without a record for each
		begin += fmt.Sprintf("defer %s.UnitEnds(%d); ", gName, len(s.units))
	}
	return "{ " + begin + seen + text[1:]
}

func isDecl(n ast.Node) bool {
	_, ok := n.(*ast.FuncDecl)
	return ok
}

// functionName is the name that the static half has for a function.
func (f *file) functionName(n ast.Node) string {
	if d, ok := n.(*ast.FuncDecl); ok {
		if fn, ok := f.info.Defs[d.Name].(*types.Func); ok {
			return strings.Replace(fn.FullName(), f.pkg.Types.Path(), packagePath(f.pkg.Types), 1)
		}
		return d.Name.Name
	}
	if f.scope == nil {
		return packagePath(f.pkg.Types) + ".init$"
	}
	f.scope.literals++
	return fmt.Sprintf("%s$%d", f.scope.name, f.scope.literals)
}

// survey finds the accesses and loops of a body, without those of literals in it, and returns the sets
// that are accessed.
func (f *file) survey(body *ast.BlockStmt) map[int]bool {
	accessed := map[int]bool{}
	var loops []ast.Stmt
	note := func(set int) {
		accessed[set] = true
		for _, l := range loops {
			if f.scope.loops[l] == nil {
				f.scope.loops[l] = map[int]bool{}
			}
			f.scope.loops[l][set] = true
		}
	}
	noteClass := func(c *class) {
		for _, w := range c.fields {
			note(w.set)
		}
	}
	noteExpr := func(e ast.Expr) {
		f.unseenIn(e, note)
		for _, h := range f.hits(e) {
			note(h.field.set)
		}
		if tv, ok := f.info.Types[e]; ok && tv.IsValue() && !isPointer(tv.Type) {
			if c := f.classOf(tv.Type); c != nil && f.canAddress(e) && !f.isOwn(e) {
				noteClass(c)
			}
		}
	}
	var visit func(n ast.Node)
	walk := func(n ast.Node) {
		for _, c := range childrenOf(n) {
			visit(c)
		}
	}
	// operand visits what leads to a selected field, which is not itself accessed.
	var operand func(e ast.Expr)
	operand = func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.ParenExpr:
			operand(e.X)
		case *ast.SelectorExpr:
			if isPointer(f.info.TypeOf(e.X)) {
				visit(e.X)
			} else {
				operand(e.X)
			}
		case *ast.IndexExpr:
			visit(e.X)
			visit(e.Index)
		case *ast.StarExpr:
			visit(e.X)
		case *ast.Ident:
		default:
			visit(e)
		}
	}
	visit = func(n ast.Node) {
		switch n := n.(type) {
		case *ast.FuncLit:
			return
		case *ast.ForStmt:
			f.head(n.Init)
			f.head(n.Post)
			if n.Init != nil {
				visit(n.Init)
			}
			loops = append(loops, n)
			for _, c := range childrenOf(n) {
				if c != n.Init {
					visit(c)
				}
			}
			loops = loops[:len(loops)-1]
			return
		case *ast.RangeStmt:
			visit(n.X)
			loops = append(loops, n)
			f.unseenIn(n, note)
			if owner := f.elementOwner(n); owner != nil {
				noteExpr(owner)
			}
			for _, c := range childrenOf(n) {
				if c != ast.Node(n.X) {
					visit(c)
				}
			}
			loops = loops[:len(loops)-1]
			return
		case *ast.IfStmt:
			f.head(n.Init)
		case *ast.SwitchStmt:
			f.head(n.Init)
		case *ast.TypeSwitchStmt:
			f.head(n.Init)
			f.head(n.Assign)
		case *ast.CommClause:
			f.head(n.Comm)
		case *ast.CallExpr:
			f.unseenIn(n, note)
			if f.inspector(n) != nil {
				for _, a := range n.Args {
					if c := f.inspectedClass(a); c != nil {
						noteClass(c)
					}
				}
			}
		case *ast.SelectorExpr:
			noteExpr(n)
			operand(n)
			return
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				operand(n.X)
				return
			}
		case ast.Expr:
			noteExpr(n)
		}
		walk(n)
	}
	walk(body)
	return accessed
}

func (f *file) head(s ast.Stmt) {
	if s != nil {
		f.scope.heads[s] = true
	}
}

// openUnits finds out which units of work the function opens, and makes the hooks for them.
// There is a frame for each set.
func (f *file) openUnits(n ast.Node, t *ast.FuncType, receiver string, accessed map[int]bool) {
	listed := map[int]watch.Function{}
	for _, fn := range f.funcs[f.position(watch.Position(n))] {
		listed[fn.Set] = fn
	}
	direct := f.plan.Policy.Units == "auto" || f.plan.Policy.Units == ""
	for set := range f.plan.Sets {
		fn, ok := listed[set]
		if !ok {
			if f.plan.Policy.TestsLook && f.takesTesting(t) {
				continue
			}
			fn = watch.Function{Set: set, Kind: watch.Direct}
		}
		if fn.Kind == watch.Method && !f.pointerReceiver(n) {
			if receiver == "" || receiver == "_" {
				continue // it cannot reach the object
			}
			fn.Kind = watch.Direct // on a copy: what it accesses itself
		}
		if fn.Kind == watch.None || fn.Kind == watch.Direct && len(fn.UnitFor) == 0 && (!accessed[set] || !ok && !direct) {
			continue
		}
		f.openUnit(n, t, receiver, fn)
	}
}

// maxFrames is how many frames one hook begins.
const maxFrames = 16

// beginUnits returns the hooks that begin the frames of a function: one for all, if they are on nothing but the
// receiver.
func (f *file) beginUnits(s *scope) string {
	receiver, class, on := "", uint64(0), 0
	for i, u := range s.units {
		if !u.isPlain || u.number != s.units[0].number+uint32(i) {
			receiver = ""
			break
		}
		if u.receiver != "" {
			receiver, class, on = u.receiver, u.class, on|1<<i
		}
	}
	if n := len(s.units); receiver != "" && n > 1 && n <= maxFrames {
		ref := uint64(s.units[0].number) | class<<24
		return f.hook("Units", receiver, fmt.Sprint(ref), fmt.Sprint(on), fmt.Sprint(n)) + "; "
	}
	begin := ""
	for _, u := range s.units {
		begin += u.begin + "; "
	}
	return begin
}

// takesTesting tells whether a function of the type is a test, a subtest or a benchmark: it
// is handed a *testing.T or the like.
func (f *file) takesTesting(t *ast.FuncType) bool {
	return slices.ContainsFunc(t.Params.List, func(p *ast.Field) bool {
		pointer, ok := f.info.TypeOf(p.Type).(*types.Pointer)
		if !ok {
			return false
		}
		named, ok := types.Unalias(pointer.Elem()).(*types.Named)
		return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "testing"
	})
}

// openUnit opens a frame.
func (f *file) openUnit(n ast.Node, t *ast.FuncType, receiver string, fn watch.Function) {
	s := f.scope
	class := f.classOfSet(fn.Set)
	if class == nil {
		return
	}
	onReceiver := fn.Kind == watch.Method && receiver != "" && receiver != "_"
	if fn.Kind == watch.Method && !onReceiver {
		return // it cannot reach the object
	}
	site := f.site(trace.Site{Pos: f.position(watch.Position(n)), Function: s.name, Kind: string(fn.Kind), Set: fn.Set})
	u := unit{set: fn.Set, kind: fn.Kind, site: fmt.Sprint(site), number: site}
	switch {
	case onReceiver:
		offset, ok := f.within(class, fn.Within)
		behind := slices.IndexFunc(class.fields, func(w field) bool { return strings.HasPrefix(fn.Within+".", w.name+".") })
		switch {
		case ok && fn.Within == "":
			u.begin, u.isPlain = f.hook("UnitOn", receiver, refOf(site, class, offset)), true
			u.receiver, u.class = receiver, uint64(class.number)
		case ok:
			u.begin = f.hook("UnitIn", receiver, refOf(site, class, offset))
		case behind >= 0: // a pointer is embedded
			f.leads[class.fields[behind].number] = true
			u.begin = f.hook("UnitBehind", receiver, fmt.Sprint(
				uint64(site)|uint64(reachedClass|class.fields[behind].number)<<24))
		default:
			return
		}
	default:
		u.begin, u.isPlain = f.method("Unit", u.site), true
	}
	for _, join := range f.joins(t, fn, class) {
		u.begin, u.isPlain = u.begin+"; "+join, false
	}
	s.units = append(s.units, u)
}

func refOf(site uint32, c *class, offset uint64) string {
	return fmt.Sprint(uint64(site) | uint64(c.number)<<24 | offset<<40)
}

// joins returns the hooks that let the objects of parameters join the unit that is opened.
func (f *file) joins(t *ast.FuncType, fn watch.Function, class *class) []string {
	var all []string
	for _, name := range fn.UnitFor {
		v := f.parameter(t, name)
		if v == nil {
			continue
		}
		site := f.site(trace.Site{Pos: f.position(v.Pos()), Function: f.scope.name, Kind: "unitfor", Set: fn.Set})
		switch {
		case isPointer(v.Type()):
			all = append(all, f.hook("UnitWith", name, refOf(site, class, 0)))
		case types.IsInterface(v.Type()):
			all = append(all, f.method("UnitWithDynamic", name, refOf(site, class, 0)))
		}
	}
	return all
}

func (f *file) classOfSet(set int) *class {
	for _, c := range f.classes {
		for _, w := range c.fields {
			if w.set == set {
				return c
			}
		}
	}
	return nil
}

func (f *file) pointerReceiver(n ast.Node) bool {
	d, ok := n.(*ast.FuncDecl)
	if !ok {
		return false
	}
	fn, ok := f.info.Defs[d.Name].(*types.Func)
	return ok && isPointer(fn.Type().(*types.Signature).Recv().Type())
}

// parameter returns a parameter of a function by its name, nil for one that has none for the function to use it by.
func (f *file) parameter(t *ast.FuncType, name string) *types.Var {
	if name == "_" {
		return nil
	}
	for _, p := range t.Params.List {
		for _, id := range p.Names {
			if id.Name == name {
				v, _ := f.info.Defs[id].(*types.Var)
				return v
			}
		}
	}
	return nil
}

// within is the offset of a path of embedded fields in the objects of a class.
func (f *file) within(c *class, path string) (uint64, bool) {
	t := f.lookupType(c.typeName)
	total := int64(0)
	if path == "" {
		return 0, true
	}
	for _, name := range strings.Split(path, ".") {
		structure := structOf2(t)
		if structure == nil || hasTypeParam(structure, map[types.Type]bool{}) {
			return 0, false
		}
		found := false
		var fields []*types.Var
		for i := range structure.NumFields() {
			fields = append(fields, structure.Field(i))
			if structure.Field(i).Name() == name {
				total += f.pkg.TypesSizes.Offsetsof(fields)[i]
				t, found = structure.Field(i).Type(), true
				break
			}
		}
		if !found || isPointer(t) {
			return 0, false
		}
	}
	return uint64(total), true
}

func structOf2(t types.Type) *types.Struct {
	if t == nil {
		return nil
	}
	return structOf(t)
}

// lookupType finds a type by its name among this package and what it imports.
func (f *file) lookupType(name string) types.Type {
	i := strings.LastIndex(name, ".")
	if i < 0 {
		return nil
	}
	for _, p := range append([]*types.Package{f.pkg.Types}, f.pkg.Types.Imports()...) {
		if packagePath(p) == name[:i] {
			if o := p.Scope().Lookup(name[i+1:]); o != nil {
				return o.Type()
			}
		}
	}
	return nil
}
