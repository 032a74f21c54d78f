// Package checker decides questions about communicating pushdown systems: is
// there a common word (Decide, on a cpds.System), and which scenarios does an ESL
// program allow (Check, on an esl.Program).
//
// The problem is undecidable (Ramalingam, TOPLAS 2000), so an engine is a
// semi-decision procedure: it finds every violation that exists, in fair order,
// and proves safety often. Every verdict of Check is one of the three of Verdict;
// a violation is shown only after the ESL interpreter has replayed it.
//
// The package does not know Go, positions or output formats.
package checker

import (
	"context"

	"github.com/empire-go/empire-go/cpds"
)

// Engine answers, for each label of a system's final configurations, whether one
// with that label is reachable. Implementations are in the sub-packages prefix
// and refine.
type Engine interface {
	// Name is the name of the engine on the command line, as "refine".
	Name() string
	// Decide returns one answer for each label of s, in the order in which the
	// labels first occur in the components' Final ("" where there is none). A
	// word that it returns is a shortest one if the engine says so in its
	// documentation. It ends early, with Undecided answers, when the context is
	// done or a limit is passed.
	Decide(ctx context.Context, s *cpds.System, limits Limits) []Answer
}

// Limits bound one call of Decide. Zero means no limit. Time is bounded by the
// context.
type Limits struct {
	States int // configurations, product states and automaton states held at one time
	Rounds int // refinements of refine, lengths of prefix

	// Words says for a label, by its place among the answers, of how many actions a word
	// may be to be of interest; -1 or nothing: of any number. An engine may leave a label
	// undecided that has no such word.
	Words []int
}

// Longest returns how many actions a word with a label may have to be of interest, and
// whether there is a limit on that.
func (l Limits) Longest(label int) (actions int, limited bool) {
	if label >= len(l.Words) || l.Words[label] < 0 {
		return 0, false
	}
	return l.Words[label], true
}

// Answer is what an engine found out about one label.
type Answer struct {
	Label  string
	Status Status
	Word   []int // Common: the actions in order, none of them silent
	// Common: for each component the rules it takes (indices into its Rules), silent ones included,
	// whose actions are the word's projection
	Runs   [][]int
	By     string // which part of the engine decided, as "exact", "regular", "prefix 7"
	Reason string // Undecided: which limit was hit
	Work   Work
}

// Status is the kind of an answer.
type Status uint8

const (
	Undecided Status = iota
	Empty            // no common word: proved
	Common           // a common word, checked against every component
)

// String returns "undecided", "empty" or "common word".
func (s Status) String() string { return [...]string{"undecided", "empty", "common word"}[s] }

// Work counts what an engine did; unlike seconds, it is the same in every run.
type Work struct {
	States      int // states of the product explored
	Transitions int // transitions of the product explored
	Rounds      int // refinements, or the prefix length reached
}
