package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// spread returns the values with each list of arguments, as of fmt.Println, replaced by what
// is in it: of that it may be known what it is, while the list may hold anything that lists
// made there ever hold.
func (l *lowerer) spread(c *clone, s state, values []ssa.Value) (all []ssa.Value) {
	for _, v := range values {
		arguments, ok := argumentsIn(v)
		if !ok {
			all = append(all, v)
			continue
		}
		for _, argument := range arguments {
			if boxed, ok := argument.(*ssa.MakeInterface); ok && ssaflow.IsPointerLike(boxed.X.Type()) &&
				l.tagOf(c, s, boxed.X).IsDefinite() {
				argument = boxed.X
			}
			all = append(all, argument)
		}
	}
	return all
}

// argumentsIn returns the arguments in a list that is made for one call; ok is false if it is
// not evident which they are.
func argumentsIn(list ssa.Value) (arguments []ssa.Value, ok bool) {
	if !ssaflow.IsArgumentList(list) || len(*list.Referrers()) != 1 {
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
