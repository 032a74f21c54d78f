package harm

import (
	"go/types"
	"slices"

	"github.com/empire-go/empire-go/frontend/execute"
)

// A call that tells which of a few declared states there is, and nothing else, is asked for the state of that moment:
// while another call is at work it is told so, as "in progress", which no order of the two shows. That is meant. A
// number tells an amount, which is to be right at any moment.

// isOneOfButStatus is isOneOf where what such a call returns does not count.
func (e *encounter) isOneOfButStatus(shown *execute.Shown) bool {
	is := e.withoutStatus(shown.Lines)
	return len(is) < len(shown.Lines) && slices.ContainsFunc(e.orders, func(o *execute.Shown) bool {
		return slices.Equal(e.withoutStatus(o.Lines), is)
	})
}

// withoutStatus returns the lines without what calls return that only tell a status.
func (e *encounter) withoutStatus(lines []execute.Line) (all []execute.Line) {
	for _, line := range lines {
		if call, _, rest, ok := execute.SplitResult(line.Path); !ok || rest != "" || !e.tellsStatus(call) {
			all = append(all, line)
		}
	}
	return all
}

// tellsStatus tells whether one of the two calls takes nothing and returns a status alone.
func (e *encounter) tellsStatus(call int) bool {
	step := e.steps[call]
	if step == timePasses || e.library.trial.Steps[step].Callee == nil {
		return false
	}
	s := e.library.trial.Steps[step].Callee.Signature()
	return s.Params().Len() == 0 && s.Results().Len() == 1 && isEnumerated(s.Results().At(0).Type())
}

// isEnumerated tells whether a type is a number or a string of which its package declares at least two values.
func isEnumerated(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	if basic, ok := named.Underlying().(*types.Basic); !ok || basic.Info()&(types.IsInteger|types.IsString) == 0 {
		return false
	}
	declared := 0
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && types.Identical(c.Type(), t) {
			declared++
		}
	}
	return declared > 1
}
