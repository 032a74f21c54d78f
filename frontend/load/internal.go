package load

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// An internal package has no clients but the packages around it. What none of them calls, nobody calls at the
// same time as the rest: an exported method that only the package itself uses, with its lock held, is one of its
// helpers.

// UsedAround returns the functions and methods of an internal package that other packages of the program can call; ok
// is false if any package can import it, or none of the program that can does. It looks at each instruction of the
// packages around it, once for all packages.
func (p *Program) UsedAround(pkg *types.Package) (used map[*types.Func]bool, ok bool) {
	if known, isKnown := p.around.Load(pkg); isKnown {
		used = known.(map[*types.Func]bool)
	} else {
		used = p.usedAround(pkg)
		p.around.Store(pkg, used)
	}
	return used, used != nil
}

// usedAround is UsedAround without what is known; nil stands for no answer.
func (p *Program) usedAround(pkg *types.Package) map[*types.Func]bool {
	root, isInternal := InternalTo(pkg.Path())
	if !isInternal {
		return nil
	}
	used, isImported := map[*types.Func]bool{}, false
	for _, around := range p.SSA.AllPackages() {
		if around.Pkg == pkg || !isBelow(around.Pkg.Path(), root) {
			continue
		}
		isImported = isImported || slices.Contains(around.Pkg.Imports(), pkg)
		uses := p.usesOf(around)
		maps.Copy(used, uses.named[pkg])
		maps.Copy(used, uses.hidden[pkg])
	}
	if !isImported {
		return nil
	}
	maps.Copy(used, p.usesOf(p.SSA.Package(pkg)).hidden[pkg])
	return used
}

// uses is what the functions of a package do with functions and methods that internal packages declare: by the package.
type uses struct {
	named   functionsBy // they call them, or take their value; or the package hands out what has them
	hidden  functionsBy // they put what has them into an interface: who has that can call them
	entered map[types.Type]bool
}

type functionsBy map[*types.Package]map[*types.Func]bool

// add adds a function, if an internal package declares it.
func (f functionsBy) add(fn *types.Func) {
	pkg := fn.Pkg()
	if pkg == nil {
		return
	}
	all, isKnown := f[pkg]
	if !isKnown {
		if _, isInternal := InternalTo(pkg.Path()); isInternal {
			all = map[*types.Func]bool{}
		}
		f[pkg] = all
	}
	if all != nil {
		all[fn.Origin()] = true
	}
}

// addMethods adds the methods of a type, those of embedded fields among them.
func (f functionsBy) addMethods(t types.Type) {
	for method := range types.NewMethodSet(t).Methods() {
		f.add(method.Obj().(*types.Func))
	}
}

// usesOf finds out, once, what a package uses. It takes time linear in the package.
func (p *Program) usesOf(pkg *ssa.Package) *uses {
	type key struct{ *ssa.Package }
	if known, isKnown := p.around.Load(key{pkg}); isKnown {
		return known.(*uses)
	}
	u := &uses{named: functionsBy{}, hidden: functionsBy{}, entered: map[types.Type]bool{}}
	for _, fn := range DeclaredIn(pkg) {
		u.addUsed(fn)
	}
	u.addHandedOut(pkg.Pkg)
	u.entered = nil
	p.around.Store(key{pkg}, u)
	return u
}

// isBelow tells whether a path is that of a tree, or of something in it.
func isBelow(path, root string) bool { return path == root || strings.HasPrefix(path, root+"/") }

// IsUnused tells whether a package is internal, and no package of the program imports it, although those named are
// others around it, too: it is there for tests.
func (p *Program) IsUnused(pkg *types.Package) bool {
	root, isInternal := InternalTo(pkg.Path())
	if !isInternal {
		return false
	}
	isAround := func(other *ssa.Package) bool {
		_, isInternal := InternalTo(other.Pkg.Path())
		return !isInternal && isBelow(other.Pkg.Path(), root)
	}
	imports := func(other *ssa.Package) bool { return slices.Contains(other.Pkg.Imports(), pkg) }
	return slices.ContainsFunc(p.Packages, isAround) && !slices.ContainsFunc(p.SSA.AllPackages(), imports)
}

// addHandedOut adds the methods of what an importable package hands out: who has the object can call them.
func (u *uses) addHandedOut(from *types.Package) {
	if _, isInternal := InternalTo(from.Path()); isInternal || from.Name() == "main" {
		return
	}
	handed := func(t types.Type) {
		for _, named := range namedIn(t) {
			u.named.addMethods(types.NewPointer(named))
		}
	}
	results := func(fn *types.Func) {
		if fn.Exported() {
			handed(fn.Signature().Results())
		}
	}
	for _, name := range from.Scope().Names() {
		switch o := from.Scope().Lookup(name).(type) {
		case *types.Func:
			results(o)
		case *types.Var:
			if o.Exported() {
				handed(o.Type())
			}
		case *types.TypeName: // also of a type that is not exported: an exported one can have it in a field
			handed(o.Type().Underlying())
			if o.IsAlias() {
				handed(o.Type())
			} else if named, ok := o.Type().(*types.Named); ok {
				for method := range named.Methods() {
					results(method)
				}
			}
		}
	}
}

// namedIn returns the types that somebody gets with a value of a type: it, what it points to, its elements, what it
// returns, and its exported fields.
func namedIn(t types.Type) []types.Type {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return []types.Type{t}
	case *types.Pointer:
		return namedIn(t.Elem())
	case *types.Slice:
		return namedIn(t.Elem())
	case *types.Array:
		return namedIn(t.Elem())
	case *types.Chan:
		return namedIn(t.Elem())
	case *types.Map:
		return append(namedIn(t.Key()), namedIn(t.Elem())...)
	case *types.Signature: // called, or called back
		return append(namedIn(t.Params()), namedIn(t.Results())...)
	case *types.Tuple:
		var all []types.Type
		for v := range t.Variables() {
			all = append(all, namedIn(v.Type())...)
		}
		return all
	case *types.Struct:
		var all []types.Type
		for f := range t.Fields() {
			if f.Exported() || f.Embedded() {
				all = append(all, namedIn(f.Type())...)
			}
		}
		return all
	}
	return nil
}

// InternalTo returns the path that those of the packages begin with that can import an internal one; ok is false if
// all can.
func InternalTo(path string) (root string, ok bool) {
	elements := strings.Split(path, "/")
	for i, e := range slices.Backward(elements) {
		if e == "internal" {
			return strings.Join(elements[:i], "/"), true
		}
	}
	return "", false
}

// DeclaredIn returns the functions of a package: its initialisation, what it declares, and the literals in them.
func DeclaredIn(pkg *ssa.Package) []*ssa.Function {
	all := knowledge.Declared(pkg)
	for i := 0; i < len(all); i++ {
		if all[i] != nil {
			all = append(all, all[i].AnonFuncs...)
		}
	}
	return slices.DeleteFunc(all, func(fn *ssa.Function) bool { return fn == nil })
}

// addUsed adds what a function calls, takes the value of, or puts into an interface.
func (u *uses) addUsed(fn *ssa.Function) {
	var space [8]*ssa.Value
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			for _, operand := range instr.Operands(space[:0]) {
				if callee, ok := (*operand).(*ssa.Function); ok {
					if declared, ok := callee.Object().(*types.Func); ok {
						u.named.add(declared)
					}
				}
			}
			if made, ok := instr.(*ssa.MakeInterface); ok && !u.entered[made.X.Type()] {
				u.entered[made.X.Type()] = true
				u.hidden.addMethods(made.X.Type())
			}
		}
	}
}
