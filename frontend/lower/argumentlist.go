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
		arguments, ok := ssaflow.ArgumentsIn(v)
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
