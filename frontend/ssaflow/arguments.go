package ssaflow

import "golang.org/x/tools/go/ssa"

// Arguments returns the arguments of a call, the receiver of a method first.
func Arguments(c *ssa.CallCommon) []ssa.Value {
	if c.IsInvoke() {
		return append([]ssa.Value{c.Value}, c.Args...)
	}
	return c.Args
}
