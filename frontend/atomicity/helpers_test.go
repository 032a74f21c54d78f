package atomicity_test

import (
	"go/types"
	"iter"
	"maps"
)

func pointerTo(t types.Type) types.Type { return types.NewPointer(t) }

func keys(all map[string]bool) iter.Seq[string] { return maps.Keys(all) }
