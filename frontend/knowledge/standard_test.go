package knowledge

import (
	"go/build"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// standard is the standard library of the tool chain, in SSA form: all its functions, in
// order of their names.
var standard = sync.OnceValues(func() ([]*ssa.Function, error) {
	roots, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax}, "std")
	if err != nil {
		return nil, err
	}
	program, _ := ssautil.AllPackages(roots, ssa.InstantiateGenerics)
	program.Build()
	var all []*ssa.Function
	for fn := range ssautil.AllFunctions(program) {
		if home(fn) != "" {
			all = append(all, fn)
		}
	}
	slices.SortFunc(all, func(a, b *ssa.Function) int { return strings.Compare(a.String(), b.String()) })
	return all, nil
})

// functionsOfStandard returns the functions of the standard library.
func functionsOfStandard(t *testing.T) []*ssa.Function {
	t.Helper()
	all, err := standard()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// home returns the package of a function, or of the one that it is a literal in.
func home(fn *ssa.Function) string {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return PackagePath(fn)
}

// TestOpaqueFunctionsWrite requires of each function of the standard library that is not
// understood and handed memory that it counts as a reader and writer of all of that, unless
// there is a row for it.
func TestOpaqueFunctionsWrite(t *testing.T) {
	functions, byRow := 0, 0
	for _, fn := range functionsOfStandard(t) {
		path := PackagePath(fn)
		if path == "" || !IsOpaque(fn) || !handsMemory(fn) || synchronising[path] || isCheckOfCgo(fn) || fn.Parent() != nil {
			continue
		}
		functions++
		if _, ok := rowOf(path, fn); ok {
			byRow++
			continue
		}
		if _, ok := tabled[Name(fn)]; ok {
			continue
		}
		if effect, ok := Accesses(fn); !ok || effect != byDefault {
			t.Errorf("%s: %+v, %v without a row", fn, effect, ok)
		}
	}
	if functions < 1000 || byRow < 100 {
		t.Errorf("%d functions, %d with a row: the library was not loaded", functions, byRow)
	}
	t.Logf("%d functions are not understood, %d have a row", functions, byRow)
}

// tabled is the opaque functions that other tables than the rows know.
var tabled = map[string]bool{"reflect.DeepEqual": true, "reflect.Swapper": true, "internal/reflectlite.Swapper": true}

// TestRowsNameFunctions requires that each row is of a function of the standard library that
// is there, if it is of one, and that its evidence names a file that is there.
func TestRowsNameFunctions(t *testing.T) {
	known, bodiless := map[string]*ssa.Function{}, map[string]bool{}
	for _, fn := range functionsOfStandard(t) {
		known[Name(fn)] = fn
		bodiless[PackagePath(fn)] = bodiless[PackagePath(fn)] || len(fn.Blocks) == 0
	}
	for name, r := range rows {
		if strings.Contains(name, "golang.org/x/") {
			continue
		}
		if fn := known[name]; fn == nil {
			t.Errorf("%s is no function", name)
		} else {
			checkEvidence(t, name, PackagePath(fn), r.evidence)
		}
	}
	for path, r := range packageRows {
		if runtime.GOARCH != "amd64" {
			break // others have other functions in assembly
		}
		if strings.HasPrefix(path, "golang.org/x/") {
			continue
		}
		if !bodiless[path] {
			t.Errorf("%s has no function without body", path)
		}
		checkEvidence(t, path, path, r.evidence)
	}
}

// checkEvidence requires that evidence begins with a file, of the package or below src.
func checkEvidence(t *testing.T, name, path, evidence string) {
	t.Helper()
	file, _, _ := strings.Cut(evidence, ".go")
	src := filepath.Join(build.Default.GOROOT, "src")
	for _, at := range []string{filepath.Join(src, file+".go"), filepath.Join(src, path, file+".go")} {
		if _, err := os.Stat(at); err == nil {
			return
		}
	}
	t.Errorf("%s: its evidence names no file: %q", name, evidence)
}

// ownOnly is the exported functions of packages that are not entered which write, by what is
// not understood, only memory that nobody else has.
var ownOnly = map[string]string{
	"(*encoding/json.Decoder).Token":       "encoding/json/stream.go: decodes into a variable of its own",
	"(*net/http/httptest.Server).Start":    "net/http/httptest/server.go: starts a server, which writes what it has made",
	"(*net/http/httptest.Server).StartTLS": "net/http/httptest/server.go: starts a server, which writes what it has made",
}

// TestWritersAreTold requires, in the packages of whose functions only the tables are used
// and no body is entered, that each exported function from which one can get to a setter of
// package reflect, to a decoder, or to another function that writes what it is handed, and
// which is itself handed memory, is in a table. (Of all other packages the analysis enters the
// bodies, and sees the write where it is done.)
func TestWritersAreTold(t *testing.T) {
	notEntered := func(fn *ssa.Function) bool {
		for fn.Parent() != nil {
			fn = fn.Parent()
		}
		return CallsBackOnly(fn) || IsToldAtEntry(fn)
	}
	callers := map[*ssa.Function][]*ssa.Function{}
	var work []*ssa.Function
	seen := map[*ssa.Function]bool{}
	for _, fn := range functionsOfStandard(t) {
		if !notEntered(fn) {
			continue
		}
		for callee := range called(fn) {
			callers[callee] = append(callers[callee], fn)
			if effect, ok := Accesses(callee); ok && effect.Writes && !effect.Atomic && !seen[fn] {
				seen[fn] = true
				work = append(work, fn)
			}
		}
	}
	writers := len(work)
	for ; len(work) > 0; work = work[1:] {
		fn := work[0]
		if _, told := Accesses(fn); told {
			continue
		}
		if isForAll(fn) && isHanded(fn) && ownOnly[Name(fn)] == "" {
			t.Errorf("%s leads to a write, and is in no table", fn)
		}
		for _, caller := range callers[fn] {
			if !seen[caller] {
				seen[caller] = true
				work = append(work, caller)
			}
		}
	}
	if writers < 50 {
		t.Errorf("%d writers: the library was not loaded", writers)
	}
	t.Logf("%d functions in packages that are not entered lead to a write", len(seen))
}

// called yields what a function calls, or makes a closure of.
func called(fn *ssa.Function) map[*ssa.Function]bool {
	all := map[*ssa.Function]bool{}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case ssa.CallInstruction:
				if callee := instr.Common().StaticCallee(); callee != nil {
					all[callee] = true
				}
			case *ssa.MakeClosure:
				all[instr.Fn.(*ssa.Function)] = true
			}
		}
	}
	return all
}

// isForAll tells whether a user's package can call the function.
func isForAll(fn *ssa.Function) bool {
	if obj := fn.Object(); obj == nil || !obj.Exported() || strings.Contains(home(fn), "internal") {
		return false
	}
	recv := fn.Signature.Recv()
	if recv == nil {
		return true
	}
	t := recv.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Exported()
}

// isHanded tells whether the function is handed memory of the user's: other than texts,
// functions, interfaces whose methods it calls, and objects that guard themselves.
func isHanded(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool {
		t := p.Type()
		if pointer, ok := t.Underlying().(*types.Pointer); ok {
			t = pointer.Elem()
		}
		if u, ok := t.Underlying().(*types.Interface); ok && u.NumMethods() > 0 {
			return false
		}
		return !IsBlackBox(t) && (leadsToMemory(p.Type()))
	})
}

// fromNumbers is the functions of the standard library that make a pointer of a number which
// was made of none in the same function, and store there, with the reason why nothing of
// anybody else's is there.
var fromNumbers = map[string]string{}

// TestStoresHaveOrigin requires of each store of the standard library through a pointer of
// package unsafe that it is known where the pointer came from: the points-to analysis follows
// it, and the store is a write like any other.
func TestStoresHaveOrigin(t *testing.T) {
	stores := 0
	for _, fn := range functionsOfStandard(t) {
		if IsOpaquePackage(home(fn)) || synchronising[home(fn)] {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				store, ok := instr.(*ssa.Store)
				if !ok || !isUnsafePlace(store.Addr) {
					continue
				}
				stores++
				if !hasOrigin(store.Addr) && fromNumbers[Name(fn)] == "" {
					t.Errorf("%s stores through a number, at %s", fn, fn.Prog.Fset.Position(store.Pos()))
				}
			}
		}
	}
	if stores < 20 {
		t.Errorf("%d stores: the library was not loaded", stores)
	}
	t.Logf("%d stores are through pointers of package unsafe", stores)
}

// place strips the fields and elements off an address.
func place(address ssa.Value) ssa.Value {
	for {
		switch v := address.(type) {
		case *ssa.FieldAddr:
			address = v.X
		case *ssa.IndexAddr:
			address = v.X
		case *ssa.Slice:
			address = v.X
		default:
			return address
		}
	}
}

func isUnsafePlace(address ssa.Value) bool {
	convert, ok := place(address).(*ssa.Convert)
	return ok && types.Identical(convert.X.Type().Underlying(), types.Typ[types.UnsafePointer])
}

// hasOrigin tells whether the unsafe pointer behind an address is a pointer, or was computed
// from one in the same function.
func hasOrigin(address ssa.Value) bool {
	v := place(address).(*ssa.Convert).X
	convert, ok := v.(*ssa.Convert)
	if !ok {
		return true // a value of type unsafe.Pointer
	}
	if !isAddress(convert.X.Type()) {
		return true
	}
	number := convert.X
	if sum, ok := number.(*ssa.BinOp); ok && sum.Op == token.ADD {
		number = sum.X
	}
	return len(addresses([]ssa.Value{number})) > 0
}
