package lower

// laterFacts is what is found out once for all rounds of the lowering.
type laterFacts struct {
	carriers map[int]*carriers // by star, as far as asked for: see carriersOf
}

func newLaterFacts() *laterFacts { return &laterFacts{carriers: map[int]*carriers{}} }
