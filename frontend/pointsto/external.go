package pointsto

import (
	"fmt"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// HoleKind says why something is analysed coarsely or not at all.
type HoleKind int

const (
	Reflect HoleKind = iota // a call into reflection, which stores no pointers here
	Unsafe                  // memory used at a type it does not have, or a pointer from a number
	// a function without body, as of assembly or linkname, that takes or returns pointers or functions
	External
	Cgo // a function of C
)

// String returns the kind as a word.
func (k HoleKind) String() string { return [...]string{"reflect", "unsafe", "external", "cgo"}[k] }

// Hole is something reachable that the analysis does not handle soundly, or
// only coarsely: for each package one if it uses reflection, one for each function
// without body that it calls, and one for each type at which it uses other memory.
type Hole struct {
	Kind HoleKind
	Pos  token.Pos // the first
	Text string
	Func *ssa.Function // that it is in
}

type holeKey struct {
	kind HoleKind
	pkg  string
	what string
}

// hole records that something in f is not handled, once per kind, package and what.
func (s *solver) hole(kind HoleKind, f *ssa.Function, pos token.Pos, what, text string) {
	key := holeKey{kind, packagePath(f), what}
	if s.refinement != nil {
		return // the base has all
	}
	if !s.holesSeen[key] {
		s.holesSeen[key] = true
		s.holes = append(s.holes, Hole{kind, pos, text, f})
	}
}

// describe names a function for holes.
func describe(f *ssa.Function) string {
	if f.Origin() != nil {
		f = f.Origin()
	}
	return f.String()
}

// packagePath returns the path of the package that declares f, or of the method
// that the wrapper f is for.
func packagePath(f *ssa.Function) string {
	if o := f.Origin(); o != nil {
		f = o
	}
	switch {
	case f.Pkg != nil:
		return f.Pkg.Pkg.Path()
	case f.Object() != nil && f.Object().Pkg() != nil:
		return f.Object().Pkg().Path()
	}
	return ""
}

// reflection reports whether the package inspects types at run time.
func reflection(path string) bool { return path == "reflect" || path == "internal/reflectlite" }

// external handles a call of a function that has no constraints of its own. If
// nothing is known of it, it calls the functions passed to it, and returns new
// objects, where the types tell which.
func (s *solver) external(site *callSite, callee *Node, args []uint32, m model) {
	for len(args) < len(callee.Func.Params) { // called back, with what is not known
		args = append(args[:len(args):len(args)], 0)
	}
	if m != nil {
		m(s, site, callee, args)
		return
	}
	f := callee.Func
	if path := packagePath(f); reflection(path) {
		s.reflected(site, f, args)
		return
	}
	known := true
	for i, p := range f.Params {
		if t, ok := p.Type().Underlying().(*types.Signature); ok && i < len(args) {
			known = known && s.layouts.slots(t.Params()) == 0
			s.callBack(site, callee, args[i])
		}
	}
	known = s.returnNew(site, f) && known
	switch {
	case isCgo(f):
		text := fmt.Sprintf("C.%s is not analysed: C code can change memory, keep pointers and call exported functions",
			strings.TrimPrefix(f.Name(), cgoPrefix))
		s.hole(Cgo, site.caller.Func, site.instr.Pos(), f.Name(), text)
	case strings.HasPrefix(f.Name(), "_cgo") || knowledge.IsOpaquePackage(packagePath(f)): // of the runtime system
	case knowledge.IsAtomic(f): // known, even where the program is too small to have the runtime system
	case !known || !s.inLibrary(f) && s.passesPointers(f):
		s.hole(External, site.caller.Func, site.instr.Pos(), describe(f), fmt.Sprintf("%s is not analysed", describe(f)))
	}
}

// reflected handles a call of a function of package reflect.
func (s *solver) reflected(site *callSite, f *ssa.Function, args []uint32) {
	s.passReflected(site, f, args)
	if s.layouts.slots(f.Signature.Results()) > 0 || changesThroughReflection(f.Name()) {
		user := packagePath(site.caller.Func)
		s.hole(Reflect, site.caller.Func, site.instr.Pos(), "",
			fmt.Sprintf("package %s uses reflection, as %s", user, describe(f)))
	}
}

// cgoPrefix begins the names of the functions through which Go calls C.
const cgoPrefix = "_Cfunc_"

// isCgo reports whether f calls C.
func isCgo(f *ssa.Function) bool { return strings.HasPrefix(f.Name(), cgoPrefix) }

// passesPointers reports whether f takes or returns pointers.
func (s *solver) passesPointers(f *ssa.Function) bool {
	return s.layouts.slots(f.Signature.Results()) > 0 ||
		slices.ContainsFunc(f.Params, func(p *ssa.Parameter) bool { return s.layouts.slots(p.Type()) > 0 })
}

// inLibrary reports whether f is declared in the standard library, whose functions
// without body keep and change no pointers but as models.go says.
func (s *solver) inLibrary(f *ssa.Function) bool { return inLibrary(s.config.Program, f) }

func inLibrary(program *ssa.Program, f *ssa.Function) bool {
	runtime := program.ImportedPackage("runtime")
	if runtime == nil || runtime.Func("GC") == nil {
		return false
	}
	file := func(f *ssa.Function) string { return program.Fset.Position(f.Pos()).Filename }
	root := filepath.Dir(filepath.Dir(file(runtime.Func("GC"))))
	return strings.HasPrefix(file(f), root+string(filepath.Separator))
}

// changesThroughReflection reports whether a function of package reflect that
// returns no pointers has effects.
func changesThroughReflection(name string) bool {
	return strings.HasPrefix(name, "Set") || name == "Send" || name == "Copy"
}

// returnNew lets a call return new objects. It reports whether that is all that
// the results can be, as far as types tell.
func (s *solver) returnNew(site *callSite, f *ssa.Function) bool {
	known := true
	to := site.result
	v, _ := site.instr.(*ssa.Call)
	for r := range f.Signature.Results().Variables() {
		l := s.layouts.value(r.Type())
		if len(l.slots) == 0 {
			continue
		}
		single := f.Signature.Results().Len() == 1 && v != nil && to != 0
		switch t := r.Type().Underlying().(type) {
		case *types.Slice:
			if single {
				s.addLabel(to, s.arrayObject(site.caller, v, t).base)
			}
			known = known && s.layouts.slots(t.Elem()) == 0
		case *types.Pointer:
			if single {
				o := s.object(v, site.caller.Context, t.Elem(), memory, func() *layout { return s.layouts.value(t.Elem()) })
				s.addLabel(to, o.base)
			}
		default:
			known = false
		}
	}
	return known
}

// callBack makes callee call the functions in node, with the given arguments.
func (s *solver) callBack(site *callSite, callee *Node, function uint32, args ...uint32) {
	back := s.newSite(callee, site.instr)
	back.args, back.value = args, function
	s.constrain(function, constraint{kind: callFunction, site: back.index})
}

// callsBack reports whether f takes functions, as a reflect.Value too.
func callsBack(f *ssa.Function) bool {
	if name := f.Name(); (name == "Call" || name == "CallSlice") && packagePath(f) == "reflect" {
		return true
	}
	for p := range f.Signature.Params().Variables() {
		if _, ok := p.Type().Underlying().(*types.Signature); ok {
			return true
		}
	}
	return false
}
