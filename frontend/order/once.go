package order

import (
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
)

// EveryDoIsKept tells whether the model has all calls of Do that may be on the
// cell.
func (l *Order) EveryDoIsKept(cell pointsto.Cell) bool {
	kept, known := l.doIsKept[cell]
	if !known {
		kept = l.findDoIsKept(cell)
		l.doIsKept[cell] = kept
	}
	return kept
}

// findDoIsKept is everyDoIsKept at the first time.
func (l *Order) findDoIsKept(cell pointsto.Cell) bool {
	for _, e := range l.OnceCalls() {
		if !l.Kept.Kept[e.Callee] && l.Graph.PointsTo(e.Caller, reduce.Receiver(e.Site.Common())).Has(cell) {
			return false
		}
	}
	return true
}
