package query

import (
	"go/token"
	"go/types"
	"slices"
	"sort"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
)

// Allocations are the instructions of functions that may make objects. They are found once for the questions about
// many subjects.
type Allocations struct {
	program   *load.Program
	functions []*ssa.Function
	own       *allocations // those in the main module
}

// allocations are such instructions in some packages, by what tells whether it is an object of a subject: the type of
// the memory, or the function called.
type allocations struct {
	all     []allocation
	types   []types.Type // in the order of all
	ofType  map[types.Type][]int
	callees []*ssa.Function
	ofCall  map[*ssa.Function][]int
	globals []*ssa.Global
}

type allocation struct {
	ssa.Instruction
	in *ssa.Function
}

// NewAllocations finds the instructions, in time linear in the functions.
func NewAllocations(p *load.Program, functions []*ssa.Function) *Allocations {
	return &Allocations{p, functions, newAllocations(p, functions, func(path string) bool { return isInModule(p, path) })}
}

// Sites is the function Sites for the functions.
func (a *Allocations) Sites(s *Subject, inConstructors bool, calledElsewhere func(*ssa.Function) bool) []Site {
	sites := a.own.sites(a.program, s, inConstructors, calledElsewhere)
	if len(sites) > 0 || s.Type == nil || s.Type.Obj().Pkg() == nil || isInModule(a.program, s.Type.Obj().Pkg().Path()) {
		return sites
	}
	know := importersOf(a.program, s.Type.Obj().Pkg())
	functions := slices.DeleteFunc(slices.Clone(a.functions), func(fn *ssa.Function) bool {
		return !isInstance(fn) && !know[packagePath(fn)]
	})
	everywhere := newAllocations(a.program, functions, func(string) bool { return true })
	return everywhere.sites(a.program, s, inConstructors, calledElsewhere)
}

// newAllocations finds the instructions in the packages that are meant.
func newAllocations(p *load.Program, functions []*ssa.Function, meant func(path string) bool) *allocations {
	a := &allocations{ofType: map[types.Type][]int{}, ofCall: map[*ssa.Function][]int{}}
	for _, fn := range functions {
		if fn.Syntax() == nil && fn.Synthetic != "package initializer" || !meant(packagePath(fn)) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				a.add(fn, instr)
			}
		}
	}
	for _, pkg := range p.Imported() {
		if !meant(pkg.Pkg.Path()) {
			continue
		}
		for _, member := range pkg.Members {
			if g, ok := member.(*ssa.Global); ok {
				a.globals = append(a.globals, g)
			}
		}
	}
	return a
}

func (a *allocations) add(fn *ssa.Function, instr ssa.Instruction) {
	switch v := instr.(type) {
	case *ssa.Alloc:
		// A composite literal that is only copied from, and the copy of a
		// parameter that nobody else can reach, are no objects of their own.
		if v.Comment == "complit" && !v.Heap || v.Pos() == token.NoPos || isParameterCopy(v) && !v.Heap {
			return
		}
		t := pointee(v)
		if len(a.ofType[t]) == 0 {
			a.types = append(a.types, t)
		}
		a.ofType[t] = append(a.ofType[t], len(a.all))
	case ssa.CallInstruction:
		callee := v.Common().StaticCallee()
		if callee == nil || callee.Signature.Results().Len() == 0 {
			return
		}
		if len(a.ofCall[callee]) == 0 {
			a.callees = append(a.callees, callee)
		}
		a.ofCall[callee] = append(a.ofCall[callee], len(a.all))
	default:
		return
	}
	a.all = append(a.all, allocation{instr, fn})
}

// pointee returns the type of the memory at the address that a value is.
func pointee(v ssa.Value) types.Type { return v.Type().Underlying().(*types.Pointer).Elem() }

// sites is Sites for the instructions.
func (a *allocations) sites(p *load.Program, s *Subject, inConstructors bool,
	calledElsewhere func(*ssa.Function) bool) []Site {
	var found []int
	paths := map[types.Type][]string{}
	for _, t := range a.types {
		if within := s.Within(t); len(within) > 0 {
			found, paths[t] = append(found, a.ofType[t]...), within
		}
	}
	for _, callee := range a.callees {
		if s.IsConstructor(callee) {
			found = append(found, a.ofCall[callee]...)
		}
	}
	slices.Sort(found)
	var sites []Site
	for _, i := range found {
		at := a.all[i]
		constructor := s.IsConstructor(at.in) && !calledElsewhere(at.in)
		for _, site := range sitesOf(at.Instruction, paths) {
			if constructor && !inConstructors && site.Path == "" && !isGo(site.Call) && s.isReturned(at.in, at.Instruction) {
				continue
			}
			site.operator = at.Pos()
			if site.Call != nil {
				site.operator = site.Call.Common().Pos()
			}
			site.Pos = p.Position(ExpressionStart(p.Syntax(site.operator), site.operator))
			sites = append(sites, site)
		}
	}
	for _, g := range a.globals {
		for _, path := range s.Within(pointee(g)) {
			sites = append(sites, Site{Pos: p.Position(g.Pos()), Memory: g, Path: path,
				Global: g.Pkg.Pkg.Name() + "." + g.Name(), operator: g.Pos()})
		}
	}
	sort.SliceStable(sites, func(i, j int) bool { return before(sites[i], sites[j]) })
	return mergeDuplicates(sites)
}

// sitesOf returns the subjects that the instruction allocates, by the paths to them in memory of its type, or the one
// that a constructor which it calls makes.
func sitesOf(instr ssa.Instruction, paths map[types.Type][]string) (sites []Site) {
	switch v := instr.(type) {
	case *ssa.Alloc:
		for _, path := range paths[pointee(v)] {
			sites = append(sites, Site{Memory: v, Path: path})
		}
	case ssa.CallInstruction:
		if !isOnlyCopied(v) {
			sites = append(sites, Site{Call: v})
		}
	}
	return sites
}

// importersOf returns the paths of the packages that import pkg, directly or not, and its own:
// no other code, but for instances of generic functions, makes objects of its types.
func importersOf(p *load.Program, pkg *types.Package) map[string]bool {
	imports := map[*types.Package]bool{pkg: true}
	var find func(*types.Package) bool
	find = func(at *types.Package) bool {
		known, ok := imports[at]
		if !ok {
			known = slices.ContainsFunc(at.Imports(), find)
			imports[at] = known
		}
		return known
	}
	paths := map[string]bool{}
	for _, other := range p.Imported() {
		if find(other.Pkg) {
			paths[other.Pkg.Path()] = true
		}
	}
	return paths
}

// isInstance tells whether fn is an instance of a generic function, or a literal in one.
func isInstance(fn *ssa.Function) bool {
	return len(knowledge.Outermost(fn).TypeArgs()) > 0
}
