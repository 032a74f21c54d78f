package load

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// callMethods turns calls of method values and method expressions into calls of the methods,
//
//	add := c.n.Add; add(1)    (*T).Add(c, 1)
//
// where the function shows which they are: then what the methods do is done where they are
// called, and not in wrappers that the compiler makes. It takes time linear in the size of
// the functions.
func callMethods(functions []*ssa.Function) {
	for _, fn := range functions {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if call, ok := instr.(ssa.CallInstruction); ok {
					callMethod(call)
				}
			}
		}
	}
	for _, fn := range functions {
		for _, b := range fn.Blocks {
			b.Instrs = slices.DeleteFunc(b.Instrs, func(instr ssa.Instruction) bool {
				made, ok := instr.(*ssa.MakeClosure)
				return ok && isBound(made.Fn.(*ssa.Function)) && drop(made)
			})
		}
	}
}

// callMethod has a call of a wrapper call what that calls.
func callMethod(call ssa.CallInstruction) {
	common := call.Common()
	var wrapper *ssa.Function
	var receivers []ssa.Value
	switch v := common.Value.(type) {
	case *ssa.MakeClosure:
		wrapper, receivers = v.Fn.(*ssa.Function), v.Bindings
		if !isBound(wrapper) {
			return
		}
	case *ssa.Function:
		wrapper = v
		if !strings.HasPrefix(wrapper.Synthetic, "thunk ") {
			return
		}
	default:
		return
	}
	inner := tailCall(wrapper)
	if inner == nil {
		return
	}
	arguments := append(slices.Clone(receivers), common.Args...)
	before := common.Value
	if inner.IsInvoke() {
		common.Value, common.Method, common.Args = arguments[0], inner.Method, arguments[1:]
	} else {
		common.Value, common.Args = inner.Value, arguments
	}
	if refer := before.Referrers(); refer != nil {
		i := slices.Index(*refer, ssa.Instruction(call))
		*refer = slices.Delete(*refer, i, i+1)
	}
	for _, receiver := range receivers {
		if refer := receiver.Referrers(); refer != nil {
			*refer = append(*refer, call)
		}
	}
}

// tailCall returns what a wrapper calls, nil if it does anything besides to hand on its
// free variables and parameters, in this order.
func tailCall(wrapper *ssa.Function) *ssa.CallCommon {
	if len(wrapper.Blocks) != 1 {
		return nil
	}
	var all []ssa.Value
	for _, v := range wrapper.FreeVars {
		all = append(all, v)
	}
	for _, v := range wrapper.Params {
		all = append(all, v)
	}
	var call *ssa.CallCommon
	for _, instr := range wrapper.Blocks[0].Instrs {
		switch instr := instr.(type) {
		case *ssa.Call:
			if call != nil {
				return nil
			}
			call = instr.Common()
		case *ssa.Extract, *ssa.Return, *ssa.DebugRef:
		default:
			return nil
		}
	}
	if call == nil {
		return nil
	}
	handed := call.Args
	if call.IsInvoke() {
		handed = append([]ssa.Value{call.Value}, handed...)
	} else if call.StaticCallee() == nil {
		return nil
	}
	if !slices.Equal(handed, all) {
		return nil
	}
	return call
}

// isBound tells whether the function is the wrapper of a method value.
func isBound(fn *ssa.Function) bool { return strings.HasPrefix(fn.Synthetic, "bound ") }

// drop takes a closure that nobody uses out of the lists of users of what it binds. It tells
// whether that is so.
func drop(made *ssa.MakeClosure) bool {
	if len(*made.Referrers()) > 0 {
		return false
	}
	for _, bound := range made.Bindings {
		if refer := bound.Referrers(); refer != nil {
			*refer = slices.DeleteFunc(*refer, func(user ssa.Instruction) bool { return user == ssa.Instruction(made) })
		}
	}
	return true
}
