// Package scenarios holds the data-access scenarios as data: the one table from
// which the static monitors, the runtime automata, the help texts and the tests
// are derived.
//
// Scenarios 1 to 11 are those of Vaziri, Tip and Dolby (POPL 2006) in the
// numbering of the Empire report (section 3); their fourteen patterns are those
// of Hammer, Dolby, Vaziri and Tip (ICSE 2008, figure 2). Scenario 12 is this
// project's own: the two-unit conflict cycles over two locations that match none
// of the fourteen.
//
// The package imports nothing of the project but a help for errors: it does not know how a pattern is
// matched, on a model or on a run.
package scenarios

import "fmt"

// Unit names the two units of work of a pattern. They run in different
// goroutines.
type Unit uint8

const (
	U Unit = iota // u: the unit that is disturbed
	V             // u': the unit that disturbs it
)

// String returns "u" or "u'".
func (u Unit) String() string { return [...]string{"u", "u'"}[u] }

// Kind is the kind of an access. An indivisible read-modify-write matches both.
type Kind uint8

const (
	Read Kind = iota
	Write
)

// String returns "R" or "W".
func (k Kind) String() string { return [...]string{"R", "W"}[k] }

// Event is one access of a pattern: Kind by Unit to location Loc, where Loc is
// 1 or 2 and stands for two different locations of one atomic set.
type Event struct {
	Unit Unit
	Kind Kind
	Loc  int
}

// String returns the event in the notation of the papers, as "W_u'(l1)".
func (e Event) String() string { return fmt.Sprintf("%s_%s(l%d)", e.Kind, e.Unit, e.Loc) }

// Pattern is an order of accesses that no serial execution of the two units
// explains. Other events may stand between its events. All events of one unit
// come from one and the same activation of it.
type Pattern struct {
	Number int // 1 to 14; 0 for the patterns of scenario 12
	Events []Event
}

// Locations returns 1 or 2: how many different locations the pattern names.
func (p Pattern) Locations() int {
	n := 1
	for _, e := range p.Events {
		n = max(n, e.Loc)
	}
	return n
}

// String returns the events in order.
func (p Pattern) String() string {
	s := ""
	for i, e := range p.Events {
		if i > 0 {
			s += " "
		}
		s += e.String()
	}
	return s
}

// Scenario is one way in which two units of work can break an atomic set. It is
// violated when any of its patterns occurs.
type Scenario struct {
	Number   int
	Name     string    // short name used in output, as "stale-update"
	Harm     string    // what goes wrong, in one sentence
	Example  []string  // a tiny Go example, one interleaving: lines marked "1:" and "2:" for the two goroutines
	Patterns []Pattern // in the order of their numbers
}

// Class returns the class of the scenario in the uniform taxonomy of concurrency
// errors of Fiedor, Křena, Letko and Vojnar (2010, section 2.2): atomicity
// violations over one variable and over several.
func (s Scenario) Class() string {
	if s.Number == DataRaces.Number {
		return "data race"
	}
	if s.Patterns[0].Locations() == 1 {
		return "atomicity violation (one variable)"
	}
	return "atomicity violation (several variables)"
}

// DataRaces stands for the question whether there is a data race, where that is asked in the place of scenarios. It has
// no pattern, and is none of the Table.
var DataRaces = Scenario{Number: -1, Name: "data-race"}

// ConflictCycle is the number of the scenario that is reported only where
// scenarios 1 to 11 do not already explain the same pair of units.
const ConflictCycle = 12
