// Package cpds is communicating pushdown systems (Empire report, section 4,
// definitions 1 and 2) and the translation from ESL to them (section 5.3): one
// pushdown system per goroutine, and finite ones for locks, units of work and the
// monitor of a guessed pair of units.
//
// Components rendezvous: an action happens when every component that has it in its
// alphabet takes a rule with it at once; components that do not have it ignore it.
// An action that belongs to one component only is silent to all others.
//
// The package does not know how emptiness is decided.
package cpds

// System is N communicating pushdown systems with initial and final
// configurations. The question about a system is whether there is a word of
// actions that drives every component from its initial configuration to a final
// one at once.
type System struct {
	Name       string
	Actions    []string // names; an action is an index into it
	Components []*Component
}

// Kind tells what a component stands for. It has no effect on the semantics.
type Kind uint8

const (
	Other   Kind = iota
	Thread       // a goroutine
	Lock         // a lock, a flag, or the bookkeeping of started and finished copies
	Unit         // a unit of work of a goroutine: out or in
	Monitor      // the finite automaton of a guess
)

// String returns the keyword of the kind.
func (k Kind) String() string { return [...]string{"other", "thread", "lock", "unit", "monitor"}[k] }

// Component is one pushdown system. Controls and symbols are dense integers;
// names are for people.
type Component struct {
	Name     string
	Kind     Kind
	Controls []string
	Symbols  []string
	// the actions it takes part in, ascending; those of its rules and possibly more (an action in the
	// alphabet without a rule is blocked)
	Alphabet []int
	Rules    []Rule
	Initial  Configuration
	Final    []Final // nil: every configuration is final
}

// Tau is the action of a silent rule.
const Tau = -1

// Rule is <From, Top> -> <To, Push> with action Action (or Tau). Push holds at
// most two symbols, the new top first; none pops.
type Rule struct {
	From, Top int
	Action    int
	To        int
	Push      []int
	Origin    int // what it came from: for a thread lowered from ESL see Model.Steps, else -1
}

// Configuration is a control with a stack, top first.
type Configuration struct {
	Control int
	Stack   []int
}

// Final is a set of final configurations: control Control, with the stack Stack at
// the top and anything below it if Open, exactly Stack otherwise.
type Final struct {
	Control int
	Stack   []int
	Open    bool
	Label   string // what has been reached; one search answers for every label at once
}

// Finite tells whether the component has no rule that pushes or pops, so that its
// configurations are the pairs of a control and the one symbol on its stack.
func (c *Component) Finite() bool {
	for _, r := range c.Rules {
		if len(r.Push) != 1 {
			return false
		}
	}
	return len(c.Initial.Stack) <= 1
}
