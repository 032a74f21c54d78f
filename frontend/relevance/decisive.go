package relevance

import (
	"go/constant"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Decisive is a result that callers decide by: a boolean that is true or not, or an error that
// is nil or not.
type Decisive struct{ IsBool, Is bool }

// DecisiveResults returns what result i of fn can be that is told apart because it
// is a boolean or an error that some return knows; nil if it is none.
func DecisiveResults(fn *ssa.Function, i int) []Decisive {
	t := fn.Signature.Results().At(i).Type()
	if !ssaflow.IsBool(t) && !ssaflow.IsError(t) {
		return nil
	}
	if value, ok := ConstantResult(fn); ok {
		return []Decisive{{IsBool: true, Is: value}}
	}
	returns := 0
	for _, b := range fn.Blocks {
		if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && b != fn.Recover {
			returns++
		}
	}
	switch {
	case returns < 2 && len(fn.Blocks) < 3:
		return nil // the same on all ways
	case ssaflow.IsBool(t):
		return []Decisive{{IsBool: true, Is: true}, {IsBool: true, Is: false}}
	}
	return []Decisive{{Is: true}, {Is: false}}
}

// NeverReturns tells whether the function evidently panics or runs for ever.
func NeverReturns(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			return false
		}
	}
	return len(fn.Blocks) > 0
}

// ConstantResult returns what the function returns if it is one boolean constant.
func ConstantResult(fn *ssa.Function) (value, ok bool) {
	for _, b := range fn.Blocks {
		ret, isReturn := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !isReturn {
			continue
		}
		if len(ret.Results) != 1 {
			return false, false
		}
		k, isConst := ret.Results[0].(*ssa.Const)
		if !isConst || k.Value == nil || k.Value.Kind() != constant.Bool || ok && value != constant.BoolVal(k.Value) {
			return false, false
		}
		value, ok = constant.BoolVal(k.Value), true
	}
	return value, ok
}
