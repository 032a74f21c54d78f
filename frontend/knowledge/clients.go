package knowledge

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// ClientPath is the path of the package that calls a library in place of a program, and
// StubPrefix begins the names of the types by which it implements interfaces.
const (
	ClientPath = "client"
	// MissingName is the variable of a trial that is set where a call is made on what was not handed out.
	MissingName = "isMissing"
	// ArgumentsMadeName is the function of a trial that is called when the arguments of a call have been made: both
	// of the calls that meet are handed what was made in one order, be the calls made in whichever.
	ArgumentsMadeName = "argumentsMade"
	StubPrefix        = "stub_"
)

// IsArgumentsMade tells whether the function is ArgumentsMadeName of a trial.
func IsArgumentsMade(fn *ssa.Function) bool {
	return fn.Name() == ArgumentsMadeName && PackagePath(fn) == ClientPath
}

// IsStub tells whether the function is a method of a type by which a client implements an
// interface: it stands for any type that keeps to what the interface promises.
func IsStub(fn *ssa.Function) bool {
	recv := fn.Signature.Recv()
	if recv == nil || PackagePath(fn) != ClientPath {
		return false
	}
	t := types.Unalias(recv.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, ok := t.(*types.Named)
	return ok && strings.HasPrefix(named.Obj().Name(), StubPrefix)
}
