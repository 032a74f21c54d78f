package lower

import (
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// laterFacts is what is found out once for all rounds of the lowering.
type laterFacts struct {
	carriers      map[int]*carriers               // by star, as far as asked for: see carriersOf
	reachingStars map[int]map[*pointsto.Node]bool // by star: see opensUnit
	knownUsage    *usage                          // nil until it is asked for: see isUsedInSteps
}

func newLaterFacts() *laterFacts {
	return &laterFacts{carriers: map[int]*carriers{}, reachingStars: map[int]map[*pointsto.Node]bool{}}
}
