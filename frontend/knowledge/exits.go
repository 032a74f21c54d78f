package knowledge

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// EndsProgram tells whether a call of fn ends the program, with no deferred call run.
func EndsProgram(fn *ssa.Function) bool {
	switch packagePath(fn) {
	case "os", "syscall":
		return fn.Name() == "Exit" && fn.Signature.Recv() == nil
	case "log":
		return strings.HasPrefix(fn.Name(), "Fatal")
	}
	return false
}

// EndsGoroutine tells whether a call of fn ends the goroutine after its deferred calls:
// runtime.Goexit, and what a test calls to give up.
func EndsGoroutine(fn *ssa.Function) bool {
	path := packagePath(fn)
	if obj := fn.Object(); path == "" && obj != nil && obj.Pkg() != nil { // a promoted method
		path = obj.Pkg().Path()
	}
	switch path {
	case "runtime":
		return fn.Name() == "Goexit"
	case "testing":
		switch fn.Name() {
		case "FailNow", "Fatal", "Fatalf", "SkipNow", "Skip", "Skipf":
			return fn.Signature.Recv() != nil
		}
	}
	return false
}

// IsTesting tells whether fn is declared in package testing.
func IsTesting(fn *ssa.Function) bool { return packagePath(fn) == "testing" }
