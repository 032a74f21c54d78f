package ownership

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/fresh"
)

// IsEvidentlyNew tells whether the stored value leads to nothing, or to memory
// made in this function and kept nowhere else.
func IsEvidentlyNew(store *ssa.Store) bool {
	switch v := store.Val.(type) {
	case *ssa.Const:
		return true
	case *ssa.MakeSlice, *ssa.MakeMap, *ssa.Alloc:
		return fresh.IsKeptOnlyBy(v, store)
	case *ssa.Slice:
		if a, ok := v.X.(*ssa.Alloc); ok {
			return fresh.IsKeptOnlyBy(a, store)
		}
	}
	return false
}
