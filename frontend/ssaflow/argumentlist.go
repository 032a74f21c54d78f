package ssaflow

import "golang.org/x/tools/go/ssa"

// ArgumentsIn returns the arguments in a list that is made for one call; ok is false if it is
// not evident which they are.
func ArgumentsIn(list ssa.Value) (arguments []ssa.Value, ok bool) {
	if !IsArgumentList(list) || len(*list.Referrers()) != 1 {
		return nil, false
	}
	for _, r := range *list.(*ssa.Slice).X.Referrers() {
		element, isElement := r.(*ssa.IndexAddr)
		switch {
		case r == list.(ssa.Instruction):
			continue
		case !isElement || len(*element.Referrers()) != 1:
			return nil, false
		}
		store, isStore := (*element.Referrers())[0].(*ssa.Store)
		if !isStore || store.Addr != ssa.Value(element) {
			return nil, false
		}
		arguments = append(arguments, store.Val)
	}
	return arguments, true
}
