package units

import (
	"github.com/empire-go/empire-go/frontend/lockset"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// Units is which functions and loops are units of work, and on what.
type Units struct {
	*modref.Facts
	values   *mustalias.Values
	lockSets *lockset.Locks

	reachingStars map[int]map[*pointsto.Node]bool // by star: see opensUnit
	knownUsage    *usage                          // nil until it is asked for: see isUsedInSteps
	spans         map[spanKey]*span               // as far as asked for
	led           map[int]map[pointsto.SetID]bool // by star, as far as asked for: see leadsToStar
}

// New returns the facts about a program.
func New(values *mustalias.Values, locks *lockset.Locks) *Units {
	return &Units{
		Facts: values.Facts, values: values, lockSets: locks,
		reachingStars: map[int]map[*pointsto.Node]bool{}, spans: map[spanKey]*span{}, led: map[int]map[pointsto.SetID]bool{},
	}
}
