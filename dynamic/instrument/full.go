package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"sort"
	"strconv"
	"strings"

	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
	"github.com/empire-go/empire-go/dynamic/yields"
	"golang.org/x/tools/go/packages"
)

// A program is recorded in full for those who look at all that goroutines share: the fields of all types of the
// user's packages, their variables, other memory (see memoryClass), and the functions that are entered. Operations on
// channels are recorded in the order in which they take effect (see hook.Meet).

// everything is a plan to record all that can be shared.
func (r *rewriter) everything(all []*packages.Package) *watch.Plan {
	p := &watch.Plan{Schema: watch.Schema, NoFacts: "everything is recorded",
		Policy: watch.Policy{Units: "annotated", UnitFor: "none"}}
	seen := map[string]bool{}
	for _, pkg := range all {
		if !isOwn(pkg, r.module) {
			continue
		}
		if pkg.Module != nil {
			p.Module = pkg.Module.Path
		}
		path := packagePath(pkg.Types)
		for _, name := range pkg.Types.Scope().Names() {
			if seen[path+"."+name] || name == "_" {
				continue
			}
			seen[path+"."+name] = true
			switch o := pkg.Types.Scope().Lookup(name).(type) {
			case *types.TypeName:
				s, ok := o.Type().Underlying().(*types.Struct)
				if fields := sharedFields(s); ok && !o.IsAlias() && len(fields) > 0 {
					p.Sets = append(p.Sets, watch.Set{Type: path + "." + name, Fields: fields, Shared: true})
				}
			case *types.Var:
				if !synchronises(o.Type()) {
					p.Sets = append(p.Sets, watch.Set{Fields: []string{path + "." + name},
						Vars: []string{r.position(o.Pos())}, Shared: true})
				}
			}
		}
	}
	if len(p.Sets) == 0 { // functions belong to one
		p.Sets = []watch.Set{{Fields: []string{p.Module + ".nothing"}, Vars: []string{""}}}
	}
	for _, pkg := range all {
		if isOwn(pkg, r.module) {
			r.functions(pkg, p, seen)
		}
	}
	sort.SliceStable(p.Functions, func(i, j int) bool { return p.Functions[i].Pos < p.Functions[j].Pos })
	return p
}

// functions lists the functions of a package, so that it is recorded when they are entered and left.
func (r *rewriter) functions(pkg *packages.Package, p *watch.Plan, seen map[string]bool) {
	for _, file := range pkg.Syntax {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			at := r.position(watch.Position(f))
			if fn, ok := pkg.TypesInfo.Defs[f.Name].(*types.Func); ok && !seen[at] {
				seen[at] = true
				p.Functions = append(p.Functions, watch.Function{Name: fn.FullName(), Pos: at, Kind: watch.Named})
			}
		}
	}
}

// sharedFields are the fields of a struct whose accesses are recorded: what is for synchronisation has events of
// its own.
func sharedFields(s *types.Struct) (names []string) {
	if s == nil {
		return nil
	}
	for v := range s.Fields() {
		if v.Name() != "_" && !synchronises(v.Type()) {
			names = append(names, v.Name())
		}
	}
	sort.Strings(names)
	return names
}

// synchronises tells whether a type is one whose operations have events of their own.
func synchronises(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "sync" {
		return false
	}
	switch named.Obj().Name() {
	case "Mutex", "RWMutex", "WaitGroup", "Once", "Cond", "Locker":
		return true
	}
	return false
}

// fullHooks are the hooks that take the place of others where a program is recorded in full, or exactly: they record
// messages and waits when they take effect, and tell a channel without room.
var fullHooks = map[string]string{"From": "Take", "From2": "Take2", "Send": "Meet", "CondWait": "CondWaitInFull",
	"Offer": "OfferInFull", "Offering": "OfferingInFull"}

// chosen is the hook that stands for one.
func (r *rewriter) chosen(hook string) string {
	if other := fullHooks[hook]; other != "" && (r.full || r.exact) {
		return other
	}
	return hook
}

// looks are the calls that record, at the beginning of a default, that no case of its select was ready.
func (f *file) looks(n *ast.SelectStmt) string {
	var b strings.Builder
	for _, s := range n.Body.List {
		comm := s.(*ast.CommClause).Comm
		if !f.full || comm == nil {
			continue
		}
		var on ast.Expr
		hook, kind := "Looked", "look"
		ast.Inspect(comm, func(c ast.Node) bool {
			switch c := c.(type) {
			case *ast.SendStmt:
				on, hook, kind = c.Chan, "LookedToSend", trace.LookToSend
			case *ast.UnaryExpr:
				if c.Op == token.ARROW {
					on = c.X
				}
			}
			return on == nil
		})
		if on != nil && f.isOwnTimer(on) {
			continue
		}
		if on == nil || !f.isRepeatable(on) {
			f.leave(comm, "a select with a default has a channel that is no variable; make it one")
			continue
		}
		b.WriteString(" " + f.hook(hook, f.syncSite(on, kind, n.Select), f.raw(on)) + ";")
	}
	return b.String()
}

// findYields reads the yields of the file.
func (f *file) findYields() error {
	if !f.full {
		return nil
	}
	found, err := yields.Find(f.fset, f.syntax, f.src)
	if err != nil {
		return err
	}
	f.yields, f.blocks = found.Before, found.Blocks
	for _, p := range found.At {
		line := f.position(p.Pos)
		switch {
		case p.Write:
			line += " write"
		case !p.Call:
			line += " read"
		}
		f.yieldLines = append(f.yieldLines, line)
	}
	return nil
}

// yielding puts the record of a yield before a statement.
func (f *file) yielding(n ast.Node, text string) string {
	s, ok := n.(ast.Stmt)
	if !ok || f.scope == nil {
		return text
	}
	if at, ok := f.blocks[s]; ok {
		site := f.markSite(at, trace.BlockKind)
		text = f.method("BlockBegin", site) + "; " + text + "; " + f.method("BlockEnd", site)
	}
	if at, ok := f.yields[s]; ok {
		text = f.method("Yielded", f.markSite(at, "yield")) + "; " + text
	}
	return text
}

// markSite is the text of the number of the site of a directive.
func (f *file) markSite(at token.Pos, kind string) string {
	return strconv.Itoa(int(f.site(trace.Site{Pos: f.position(at), Function: f.scope.name, Kind: kind, Set: -1})))
}
