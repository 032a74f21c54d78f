// Package instrument rewrites the source of a program so that it calls package hook at
// each access to a watched field, at each operation on a synchronisation object, and where
// units of work begin and end. The user's module is not changed: Rewrite returns the files
// of an overlay for the go command.
//
// The rewriting is by text: what is not rewritten stays as it is, in its line, and //line
// directives name the user's file. What cannot be rewritten is left alone and counted: its
// accesses are not seen.
//
// # How an access is rewritten
//
// Evaluation stays Go's. A hook stands directly before its access, so the right-hand side
// of an assignment has been evaluated when the write is recorded:
//
//	y = x.f          y = Load(g, &x.f, ref)
//	x.f = y          *Write(g, &x.f, ref) = y             where y calls nothing
//	x.f = h()        x.f, _ = h(), Wrote(g, &x.f, ref)    the operands of an assignment come in order
//	x().f = h()      At(g, &x().f, ref).Set(h())          where x must not be evaluated twice
//	x.f += y         x.f, _ = Load(g, &x.f, ref) + (y), Wrote(g, &x.f, ref)
//	y = x.f + x.f    y = *Of(&x.f, Same(g, &x.f, s) || Sees(g, op, &x.f, ref, s)) + ...: see settle
//	for range x.f    if !Same(g, &x.f, s) { g.Split(site); Sees(g, op, &x.f, ref, s) }    at each round: see round
//	y = d[i]         y = Load(g, &d[i], ref)              where the static half knows that d may be what a field leads to
//	y = f(d)         y = f(Through(g, op, d, ref))        likewise, where f is no code of the user's
//	ch <- v          To(g, site, ch).Send(v)
//	go f(a)          { c := g.Fork(site); go Bind1(c, f)(a) }
//
// The helpers are generic in ways that Go always infers from an address or a channel, so
// that types that cannot be named here, and constants without a type, need no names.
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
	"golang.org/x/tools/go/packages"
)

// Result is an instrumented program.
type Result struct {
	Files  map[string]string // the rewritten files, by the name of the original
	Header trace.Header
	Left   []Left // what was left alone, by position
}

// Left is code that is not instrumented.
type Left struct{ Pos, Why string }

// rewriter rewrites the packages of a program.
type rewriter struct {
	plan         *watch.Plan
	steered      bool
	observed     bool
	full         bool
	exact        bool
	arrays       arrays // in full
	yieldLines   []string
	module       string // that is rewritten besides the user's
	root         string // directory that positions are relative to
	fset         *token.FileSet
	classes      []*class
	byType       map[string]*class // by the type's name with its package
	byVar        map[string][]variable
	sites        []trace.Site
	siteOf       map[trace.Site]uint32
	funcs        map[string][]watch.Function      // by position
	own          map[string]bool                  // the packages that are rewritten
	owned        map[string][]owned               // by the type's name: the fields that may lead to it
	contents     map[string][]owned               // by the type: the fields that are slices or maps of it
	known        map[int]bool                     // sets of which the static half knows the accesses
	leads        map[uint16]bool                  // the numbers of the fields whose memory is accessed by other names
	leading      map[uint16]bool                  // the numbers of the fields that are pointers, slices or maps
	unseen       map[string]map[lineColumn][]fact // by file: the accesses that do not name their field
	left         []Left
	filled, bare map[string]bool // see findMade
}

// class is a type of objects that own atomic sets, or one set of variables.
type class struct {
	number   uint16
	typeName string
	fields   []field
}

// declared puts the fields in the order of their declaration, in which those who look at all of them do.
func (c *class) declared(t types.Type) {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	order := map[string]int{}
	for i := range s.NumFields() {
		order[s.Field(i).Name()] = i
	}
	index := func(f field) int {
		first, _, _ := strings.Cut(f.name, ".")
		return order[first]
	}
	slices.SortStableFunc(c.fields, func(a, b field) int { return index(a) - index(b) })
}

// field is a member of an atomic set.
type field struct {
	set    int
	name   string // dotted
	number uint16 // among all fields
}

// variable is a package variable of a set.
type variable struct {
	class *class
	field field
}

// maxClasses is how many types can be told apart, maxOffset how large an object can be;
// reachedClass marks what fields lead to, see package hook.
const (
	reachedClass = 1 << 15
	maxClasses   = memoryClass - 1
	maxOffset    = 1<<24 - 1
)

// newRewriter prepares for a plan.
func newRewriter(plan *watch.Plan, root string, fset *token.FileSet) *rewriter {
	r := &rewriter{
		plan: plan, root: root, fset: fset,
		byType: map[string]*class{}, byVar: map[string][]variable{},
		sites: []trace.Site{{Kind: "none"}}, siteOf: map[trace.Site]uint32{}, funcs: map[string][]watch.Function{},
		own: map[string]bool{}, owned: map[string][]owned{}, leads: map[uint16]bool{},
		contents: map[string][]owned{}, known: map[int]bool{}, leading: map[uint16]bool{},
		unseen: map[string]map[lineColumn][]fact{},
	}
	numbers := map[string]uint16{} // of fields; two sets may share one
	for i, s := range plan.Sets {
		c := r.byType[s.Type]
		if c == nil || s.Type == "" {
			if len(r.classes) == maxClasses {
				r.left = append(r.left, Left{s.Type, "too many types"})
				continue
			}
			c = &class{number: uint16(len(r.classes) + 1), typeName: s.Type}
			r.classes = append(r.classes, c)
			name := s.Type
			if name == "" {
				name = s.Name()
			} else {
				r.byType[s.Type] = c
			}
			r.sites = append(r.sites, trace.Site{Kind: "type", Field: name, Set: i})
		}
		for _, name := range s.Fields {
			id := s.Type + "." + name
			if s.Type == "" {
				id = fmt.Sprint(i, ".", name)
			}
			if numbers[id] == 0 {
				numbers[id] = uint16(len(numbers) + 1)
			}
			f := field{i, name, numbers[id]}
			c.fields = append(c.fields, f)
			if s.Type == "" {
				r.byVar[name] = append(r.byVar[name], variable{c, f})
			}
		}
	}
	for _, a := range plan.Accesses {
		r.known[a.Set] = true
	}
	for _, f := range plan.Functions {
		r.funcs[f.Pos] = append(r.funcs[f.Pos], f)
	}
	return r
}

// site returns the number of a site.
func (r *rewriter) site(s trace.Site) uint32 {
	n, ok := r.siteOf[s]
	if !ok {
		n = uint32(len(r.sites))
		r.sites = append(r.sites, s)
		r.siteOf[s] = n
	}
	return n
}

// position names a position as the static half does.
func (r *rewriter) position(p token.Pos) string {
	at := r.fset.PositionFor(p, false)
	return relative(r.root, at.Filename) + ":" + itoa(at.Line) + ":" + itoa(at.Column)
}

func (r *rewriter) leave(n ast.Node, why string) {
	r.left = append(r.left, Left{r.position(n.Pos()), why})
}

// classOf returns the class of a type or what it points to, nil if it is not watched.
func (r *rewriter) classOf(t types.Type) *class {
	named := namedOf(t)
	if named == nil || named.Obj().Pkg() == nil {
		return nil
	}
	return r.byType[packagePath(named.Obj().Pkg())+"."+named.Obj().Name()]
}

// packagePath is the path of a package, also of the variant with its tests.
func packagePath(p *types.Package) string {
	path, _, _ := strings.Cut(p.Path(), " [")
	return path
}

func namedOf(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, _ := t.(*types.Named)
	return named
}

// file is a file that is being rewritten.
type file struct {
	*rewriter
	pkg         *packages.Package
	info        *types.Info
	syntax      *ast.File
	src         string
	base        token.Pos
	scope       *scope
	facts       map[lineColumn][]fact  // of its accesses that do not name their field
	behind      map[ast.Expr][]operand // through which such accesses are made
	needsUnsafe bool
	oneStep     bool // an access that is one step with its record is being written, see exactRef
	changed     bool
	yields      map[ast.Stmt]token.Pos // yields before statements
	blocks      map[ast.Stmt]token.Pos // statements that are to be atomic
	locals      map[*types.Var]bool    // that goroutines may share, see findLocals
	escapes     map[ast.Expr]bool      // values by which others may learn of what has just been made
	nils        nils
}

// text is the source between two positions.
func (f *file) text(from, to token.Pos) string { return f.src[from-f.base : to-f.base] }

// raw is the source of a node.
func (f *file) raw(n ast.Node) string { return f.text(n.Pos(), n.End()) }
