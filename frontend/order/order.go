package order

import (
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// Order is the order between goroutines that always holds: by start, join, channel, and
// by what is done once.
type Order struct {
	*modref.Facts
	values *mustalias.Values
	*joins

	doIsKept map[pointsto.Cell]bool    // see everyDoIsKept
	OneWays  map[isolate.Location]bool // fields: see onlyBecomesTrue
}

// New returns the facts about a program.
func New(values *mustalias.Values) *Order {
	return &Order{
		Facts: values.Facts, values: values, joins: findJoins(values.Graph, values.Multiplicity, values.Kept, values.Stars),
		doIsKept: map[pointsto.Cell]bool{}, OneWays: map[isolate.Location]bool{},
	}
}
