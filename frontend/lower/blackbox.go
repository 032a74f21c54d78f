package lower

import (
	"go/types"
	"slices"
	"strings"
)

// assumeBlackBoxes lists the types of the standard library's objects that fields lead to
// and that guard themselves.
func (l *lowerer) assumeBlackBoxes() {
	if l.Stars.Subject.Type == nil {
		return
	}
	var names []string
	for _, o := range l.Stars.BlackBoxes() {
		named := types.Unalias(o.Type).(*types.Named)
		if name := named.Obj().Pkg().Name() + "." + named.Obj().Name(); named.Obj().Exported() && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		slices.Sort(names)
		l.assume("library", l.Stars.Subject.Type.Obj().Pos(), "objects of the type %s guard themselves: to call their methods is no access to what leads to them", strings.Join(names, ", "))
	}
}
