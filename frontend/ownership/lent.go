package ownership

import (
	"slices"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// LeadsOn tells whether an object may be a star, or hold the address of one, of contents
// of one, or of a companion.
func (l *Owners) LeadsOn(o *pointsto.Object) bool {
	isWatched := func(to *pointsto.Object) bool {
		return len(l.Stars.StarsAt(pointsto.Cell{Object: to})) > 0 || l.Stars.IsCompanion(to)
	}
	return isWatched(o) || slices.ContainsFunc(l.Graph.Cells(o), func(cell pointsto.Cell) bool {
		return slices.ContainsFunc(l.Graph.Contents(cell).Objects(), func(to *pointsto.Object) bool {
			return isWatched(to) || len(l.Stars.Regions(to)) > 0
		})
	})
}
