package ssaflow

import "golang.org/x/tools/go/ssa"

// ReturnsLoaded tells whether a result of fn may come from memory or a parameter.
func ReturnsLoaded(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		for _, v := range ret.Results {
			if boxed, ok := v.(*ssa.MakeInterface); ok {
				v = boxed.X
			}
			switch v.(type) {
			case *ssa.Alloc, *ssa.Const:
			default:
				if IsPointerLike(v.Type()) {
					return true
				}
			}
		}
	}
	return false
}
