package knowledge

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Phase is what a method does in the life of an object: a server is started, used, and shut down. Its name tells, by
// convention. What decodes into its receiver begins the life of it, as package encoding has it, and so does what only
// returns its receiver, for the next call of a chain that sets an object up. Who uses an object before that, or
// meanwhile, makes a mistake that no lock of the object mends. It is otherwise with who ends it at that time, or starts
// it twice: clients do so, and libraries are made for it.
type Phase int

// The phases.
const (
	Use Phase = iota
	Begin
	End
)

var (
	begins = []string{"init", "initialize", "initialise", "start", "startup", "setup"}
	ends   = []string{"stop", "close", "shutdown", "fini", "finish", "finalize", "finalise", "end", "cancel", "kill",
		"exit", "quit", "abort", "destroy", "dispose", "release", "disconnect", "terminate", "halt", "reset", "restart"}
)

// last are the names of what ends the life of an object for good: nobody uses it afterwards.
var last = []string{"close", "shutdown", "destroy", "dispose", "terminate"}

// IsLast tells whether a method ends the life of an object for good, by its name.
func IsLast(method *types.Func) bool {
	name := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(method.Name()), "context"), "with")
	return method.Signature().Recv() != nil && slices.Contains(last, name)
}

var (
	// givesBack are the names of what ends the use of a value that was handed out, beside those of last.
	givesBack = []string{"release", "free", "rollback", "abort", "discard"}
	// commits are those of what does so for a value that can also be given up.
	commits = []string{"commit"}
	// opens are the names of what makes a value useful again, beside those of begins.
	opens = []string{"open", "reopen", "connect", "reconnect", "reset", "restart", "renew", "reuse", "rewind"}
)

// IsGivenBack tells whether who has called a method of a value that was handed out does not use that any more: it is
// closed, or given back, or a transaction that is over, by the names of the methods, and none makes it useful again. It
// may be ended a second time.
func IsGivenBack(method *types.Func, all *types.MethodSet) bool {
	has := func(names []string) bool {
		for m := range all.Methods() {
			if slices.Contains(names, strings.ToLower(m.Obj().Name())) {
				return true
			}
		}
		return false
	}
	if has(opens) || has(begins) {
		return false
	}
	for v := range method.Signature().Params().Variables() {
		if !IsContext(v.Type()) {
			return false // a part of it
		}
	}
	name := strings.ToLower(method.Name())
	return IsLast(method) || slices.Contains(givesBack, name) || slices.Contains(commits, name) && has(givesBack)
}

// PhaseOf returns what a method does; the body is nil where it is not known.
func PhaseOf(method *types.Func, body *ssa.Function) Phase {
	name := strings.ToLower(method.Name())
	switch {
	case slices.Contains(begins, strings.TrimSuffix(name, "context")) || decodes(method) || isChained(body):
		return Begin
	case slices.ContainsFunc(ends, func(end string) bool { return strings.HasPrefix(name, end) }):
		return End
	}
	return Use
}

// IsTooEarly tells whether of calls in two phases one begins the life of the object, and the other one uses it.
func (p Phase) IsTooEarly(other Phase) bool {
	return p == Begin && other == Use || p == Use && other == Begin
}

// decodes tells whether a method is one by which a decoder fills what it has made: it is handed all that is encoded.
func decodes(method *types.Func) bool {
	s := method.Signature()
	if s.Recv() == nil || s.Params().Len() != 1 || s.Results().Len() != 1 ||
		method.Name() != "GobDecode" && (method.Name() == "Unmarshal" || !strings.HasPrefix(method.Name(), "Unmarshal")) {
		return false
	}
	encoded, ok := s.Params().At(0).Type().Underlying().(*types.Slice)
	return ok && types.Identical(encoded.Elem(), types.Typ[types.Byte])
}

// isChained tells whether a method takes no lock and always returns its receiver.
func isChained(body *ssa.Function) bool {
	if body == nil || body.Signature.Recv() == nil || len(body.Blocks) == 0 || TakesLock(body) {
		return false
	}
	returns := false
	for _, b := range body.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			if len(ret.Results) != 1 || ret.Results[0] != body.Params[0] {
				return false
			}
			returns = true
		}
	}
	return returns
}
