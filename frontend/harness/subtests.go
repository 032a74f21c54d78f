package harness

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// decideRuns makes the calls of testing.T.Run ones of a parallel subtest or of one
// that runs at once, where the function says which.
func decideRuns(testing *ssa.Package, functions []*ssa.Function) {
	t := types.NewPointer(testing.Type("T").Type())
	method := func(name string) *ssa.Function {
		return testing.Prog.LookupMethod(t, testing.Pkg, name)
	}
	run, sequential, parallel := method("Run"), method("modelRun"), method("modelRunParallel")
	anyParallel := false
	for _, fn := range functions {
		eachCall(fn, func(call ssa.CallInstruction) { anyParallel = anyParallel || isParallelCall(call) })
	}
	for _, fn := range functions {
		eachCall(fn, func(call ssa.CallInstruction) {
			if call.Common().StaticCallee() != run || len(call.Common().Args) != 3 {
				return
			}
			switch subtest := literal(call.Common().Args[2]); {
			case !anyParallel:
				call.Common().Value = sequential
			case subtest == nil: // either
			default:
				if _, may := callsParallel(subtest); may {
					call.Common().Value = parallel
				} else {
					call.Common().Value = sequential
				}
			}
		})
	}
}

// literal returns the function that a value evidently is.
func literal(v ssa.Value) *ssa.Function {
	switch v := v.(type) {
	case *ssa.Function:
		return v
	case *ssa.MakeClosure:
		return v.Fn.(*ssa.Function)
	case *ssa.ChangeType:
		return literal(v.X)
	}
	return nil
}

// eachCall visits the calls that fn makes.
func eachCall(fn *ssa.Function, visit func(ssa.CallInstruction)) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok {
				visit(call)
			}
		}
	}
}

// isParallelCall tells whether the call is one of testing.T.Parallel, or may be.
func isParallelCall(call ssa.CallInstruction) bool {
	common := call.Common()
	if common.IsInvoke() {
		return common.Method.Name() == "Parallel"
	}
	callee := common.StaticCallee()
	return callee != nil && callee.Name() == "Parallel" && callee.Signature.Recv() != nil &&
		isTestingType(callee.Signature.Recv().Type(), "T")
}

// callsParallel tells whether a test function may call Parallel, itself or through
// functions of packages that use package testing, and whether it does so first of
// all.
func callsParallel(fn *ssa.Function) (first, may bool) {
	if len(fn.Blocks) == 0 {
		return false, true
	}
	for _, instr := range fn.Blocks[0].Instrs {
		call, ok := instr.(*ssa.Call)
		if ok && isParallelCall(call) {
			return true, true
		}
		if ok && !isHelperCall(call) || storesOutside(instr) {
			break
		}
	}
	return false, mayCallParallel(fn, map[*ssa.Function]bool{})
}

// isHelperCall tells whether the call is one of testing's Helper.
func isHelperCall(call *ssa.Call) bool {
	callee := call.Call.StaticCallee()
	return callee != nil && callee.Name() == "Helper" && callee.Pkg != nil && callee.Pkg.Pkg.Path() == "testing"
}

// storesOutside tells whether the instruction does more than compute.
func storesOutside(instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.Store:
		_, local := v.Addr.(*ssa.Alloc)
		return !local
	case *ssa.MapUpdate, *ssa.Send, *ssa.Go, *ssa.Defer, *ssa.Select, *ssa.Panic:
		return true
	}
	return false
}

// mayCallParallel follows the functions that are called, and the literals in them,
// except those that are subtests of their own.
func mayCallParallel(fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	if seen[fn] {
		return false
	}
	seen[fn] = true
	subtests := map[*ssa.Function]bool{}
	found := false
	eachCall(fn, func(call ssa.CallInstruction) {
		found = found || isParallelCall(call)
		callee := call.Common().StaticCallee()
		if callee == nil {
			return
		}
		if isRun(callee) {
			subtests[literal(call.Common().Args[2])] = true
			return
		}
		if usesTesting(callee) {
			found = found || mayCallParallel(callee, seen)
		}
	})
	for _, inner := range fn.AnonFuncs {
		if !found && !subtests[inner] {
			found = mayCallParallel(inner, seen)
		}
	}
	return found
}

// usesTesting tells whether fn is declared in a package that imports package testing.
func usesTesting(fn *ssa.Function) bool {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	return fn.Pkg != nil && slices.ContainsFunc(fn.Pkg.Pkg.Imports(), func(pkg *types.Package) bool {
		return pkg.Path() == "testing"
	})
}

// isRun tells whether fn is testing.T.Run, or what stands for it.
func isRun(fn *ssa.Function) bool {
	switch fn.Name() {
	case "Run", "modelRun", "modelRunParallel":
		return fn.Signature.Recv() != nil && isTestingType(fn.Signature.Recv().Type(), "T") &&
			fn.Signature.Params().Len() == 2
	}
	return false
}

// fuzzCalls returns the calls of testing.F.Fuzz.
func fuzzCalls(testing *ssa.Package, functions []*ssa.Function) []ssa.CallInstruction {
	fuzz := testing.Prog.LookupMethod(types.NewPointer(testing.Type("F").Type()), testing.Pkg, "Fuzz")
	var calls []ssa.CallInstruction
	for _, fn := range functions {
		eachCall(fn, func(call ssa.CallInstruction) {
			if call.Common().StaticCallee() == fuzz && len(call.Common().Args) == 2 {
				calls = append(calls, call)
			}
		})
	}
	return calls
}

// writeFuzz writes a function that calls the functions handed to Fuzz with
// arguments, again and again. Their parameters are strings, numbers and bytes.
func writeFuzz(source *strings.Builder, calls []ssa.CallInstruction) {
	source.WriteString("func fuzz(f *testing.F, function any) {\n")
	written := map[string]bool{}
	for _, call := range calls {
		boxed, ok := call.Common().Args[1].(*ssa.MakeInterface)
		if !ok {
			continue
		}
		signature, ok := boxed.X.Type().Underlying().(*types.Signature)
		name := types.TypeString(signature, func(pkg *types.Package) string { return pkg.Name() })
		if !ok || written[name] || signature.Params().Len() < 1 {
			continue
		}
		written[name] = true
		var types, args []string
		for i := range signature.Params().Len() {
			types = append(types, typeString(signature.Params().At(i).Type()))
		}
		for _, t := range types[1:] {
			if t == "[]byte" || t == "[]uint8" {
				args = append(args, "make([]byte, 1)")
			} else {
				args = append(args, "*new("+t+")")
			}
		}
		fmt.Fprintf(source, "\tif function, ok := function.(func(%s)); ok {\n\t\tfor more {\n\t\t\tt := "+
			"new(testing.T)\n\t\t\tfunction(%s)\n\t\t\ttesting.ModelFinishT(t)\n\t\t}\n\t}\n",
			strings.Join(types, ", "), strings.Join(append([]string{"t"}, args...), ", "))
	}
	source.WriteString("}\n")
}

// typeString writes a type with the names of packages.
func typeString(t types.Type) string {
	return types.TypeString(t, func(pkg *types.Package) string { return pkg.Name() })
}
