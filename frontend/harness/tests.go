package harness

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/empire-go/empire-go/frontend/load"
)

// Tests returns an entry for each package with tests: a program that runs its test
// functions one after the other, the parallel ones at the same time, then the fuzz
// targets, examples and benchmarks. The program must have been loaded with
// ParseWithModel; its calls of testing.T.Run are decided in place.
func Tests(p *load.Program) ([]Entry, error) {
	if len(p.Tests) == 0 {
		return nil, nil
	}
	// Functions that several tests use are decided for all of them.
	all := sortedFunctions(ssautil.AllFunctions(p.SSA))
	if testing := p.SSA.ImportedPackage("testing"); testing != nil {
		decideRuns(testing, all)
	}
	var entries []Entry
	for _, test := range p.Tests {
		narrow := p.With(test.Packages)
		t := &testProgram{program: narrow, path: test.Path, packages: test.Packages}
		main, err := t.build(functionsIn(all, narrow))
		if err != nil {
			return nil, err
		}
		if main != nil {
			entries = append(entries, Entry{Name: test.Path, Program: narrow, Main: main})
		}
	}
	return entries, nil
}

// functionsIn returns those functions that the packages named and what they import
// declare.
func functionsIn(all []*ssa.Function, p *load.Program) []*ssa.Function {
	in := map[*ssa.Package]bool{}
	for _, pkg := range p.Imported() {
		in[pkg] = true
	}
	var functions []*ssa.Function
	for _, fn := range all {
		declared := fn
		if o := fn.Origin(); o != nil {
			declared = o
		}
		if in[declared.Pkg] {
			functions = append(functions, fn)
		}
	}
	return functions
}

// sortedFunctions returns the functions in the order of the source.
func sortedFunctions(all map[*ssa.Function]bool) []*ssa.Function {
	sorted := slices.Collect(maps.Keys(all))
	slices.SortFunc(sorted, func(a, b *ssa.Function) int {
		if byPosition := cmp.Compare(a.Pos(), b.Pos()); byPosition != 0 {
			return byPosition
		}
		return strings.Compare(a.String(), b.String())
	})
	return sorted
}

// testProgram is what the source of a test program is made from.
type testProgram struct {
	program  *load.Program
	path     string
	packages []*ssa.Package
	source   strings.Builder
}

// build returns the main package; nil if the packages have nothing to run.
func (t *testProgram) build(functions []*ssa.Function) (*ssa.Package, error) {
	var roots []*types.Package
	for _, pkg := range t.packages {
		roots = append(roots, pkg.Pkg)
	}
	reach := importer(load.InReach(roots...))
	if reach["testing"] == nil {
		return nil, nil
	}
	testing := t.program.SSA.Package(reach["testing"])
	fuzzed := fuzzCalls(testing, functions)
	if !t.write(fuzzed) {
		return nil, nil
	}
	main, err := build(t.program, t.path, t.source.String(), reach)
	if err != nil {
		return nil, err
	}
	for _, call := range fuzzed {
		call.Common().Value = main.Func("fuzz")
	}
	return main, nil
}

// write writes the source; it returns false if there is nothing to run.
func (t *testProgram) write(fuzzed []ssa.CallInstruction) bool {
	var body, parallel strings.Builder
	custom := ""
	for i, pkg := range t.packages {
		for _, name := range declared(t.program, pkg) {
			fn := pkg.Func(name)
			call := fmt.Sprintf("p%d.%s", i, name)
			switch {
			case isTestName(name, "Test") && takes(fn, "T"):
				run := fmt.Sprintf("t := new(testing.T); %s(t); testing.ModelFinishT(t)", call)
				switch first, may := callsParallel(fn); {
				case first:
					fmt.Fprintf(&parallel, "\tgroup.Go(func() { %s })\n", run)
				case may:
					fmt.Fprintf(&body, "\tgroup.Go(func() { %s })\n", run)
				default:
					fmt.Fprintf(&body, "\t{ %s }\n", run)
				}
			case name == "TestMain" && takes(fn, "M"):
				custom = call
			}
		}
	}
	body.WriteString(parallel.String() + "\tgroup.Wait()\n\ttesting.ModelOver()\n")
	count := t.writeOthers(&body)
	if !strings.Contains(body.String(), "ModelFinish") && count == 0 && custom == "" {
		return false
	}
	fmt.Fprintf(&t.source, "package main\n\nimport (\n\t\"sync\"\n\t\"testing\"\n")
	for i, pkg := range t.packages {
		fmt.Fprintf(&t.source, "\tp%d %q\n", i, pkg.Pkg.Path())
	}
	fmt.Fprintf(&t.source, ")\n\nvar more bool\n\n")
	fmt.Fprintf(&t.source, "func tests() {\n\tvar group sync.WaitGroup\n%s}\n\n", body.String())
	if custom != "" {
		fmt.Fprintf(&t.source, "func main() {\n\ttesting.ModelTests = tests\n\t%s(new(testing.M))\n}\n\n", custom)
	} else {
		t.source.WriteString("func main() { tests() }\n\n")
	}
	writeFuzz(&t.source, fuzzed)
	return true
}

// writeOthers writes the calls of fuzz targets, examples and benchmarks, and
// returns their number. A benchmark is run several times.
func (t *testProgram) writeOthers(body *strings.Builder) int {
	count := 0
	for _, kind := range []struct{ prefix, parameter, format string }{
		{"Fuzz", "F", "\t{ f := new(testing.F); %s(f); testing.ModelFinishF(f) }\n"},
		{"Example", "", "\t%s()\n"},
		{"Benchmark", "B", "\tfor more { b := new(testing.B); %s(b); testing.ModelFinishB(b) }\n"},
	} {
		for i, pkg := range t.packages {
			for _, name := range declared(t.program, pkg) {
				if isTestName(name, kind.prefix) && takes(pkg.Func(name), kind.parameter) {
					fmt.Fprintf(body, kind.format, fmt.Sprintf("p%d.%s", i, name))
					count++
				}
			}
		}
	}
	return count
}

// declared returns the functions that test files of the package declare, in the
// order of the source.
func declared(p *load.Program, pkg *ssa.Package) []string {
	var names []string
	for _, name := range pkg.Pkg.Scope().Names() {
		if fn := pkg.Func(name); fn != nil && strings.HasSuffix(p.SSA.Fset.Position(fn.Pos()).Filename, "_test.go") {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return int(pkg.Func(a).Pos() - pkg.Func(b).Pos()) })
	return names
}

// isTestName tells whether the go command takes a function for one of a kind: the
// prefix, then nothing or no lower-case letter.
func isTestName(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	return ok && (rest == "" || strings.ToUpper(rest[:1]) == rest[:1])
}

// takes tells whether the one parameter of fn is a pointer to the type of package
// testing with that name; "" means that it has none.
func takes(fn *ssa.Function, name string) bool {
	params := fn.Signature.Params()
	if name == "" {
		return params.Len() == 0
	}
	return params.Len() == 1 && isTestingType(params.At(0).Type(), name)
}

// isTestingType tells whether t is a pointer to testing.name.
func isTestingType(t types.Type, name string) bool {
	pointer, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(pointer.Elem()).(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "testing"
}
