package modref

import "golang.org/x/tools/go/ssa"

// IsMisuseOfIterator tells whether the block panics because an iterator called the
// loop body again after it was to stop, or swallowed a panic of the body. What such a
// program does then is not modelled.
func IsMisuseOfIterator(b *ssa.BasicBlock) bool {
	return b.Comment == "rangefunc.resume.busy" || b.Comment == "yield-invalid"
}

// LoopOwner returns the function around the loops that fn is the body of.
func LoopOwner(fn *ssa.Function) *ssa.Function {
	for IsLoopBody(fn) {
		fn = fn.Parent()
	}
	return fn
}
