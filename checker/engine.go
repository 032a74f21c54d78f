// Package checker decides questions about communicating pushdown systems: is
// there a common word (Decide, on a cpds.System), which scenarios does an ESL
// program allow (Check, on an esl.Program), and which of its instances can come to
// wait for each other's locks (FindDeadlocks).
//
// The problem is undecidable (Ramalingam, TOPLAS 2000), so an engine is a
// semi-decision procedure: it finds every violation that exists, in fair order,
// and proves safety often. Every verdict of Check is one of the three of Verdict;
// a violation is shown only after the ESL interpreter has replayed it.
//
// # What grows how
//
// Check asks about each two goroutines, and each two locations that both access, in turn: the
// number of questions is the square of each. Which methods the units are makes a
// difference to few of them (labels.go). What one question costs depends on these two
// goroutines and on whom they need; goroutines that are only waited for are not among those
// (localize.go), nor are all but two that one statement starts. So in theory, with n of
//
//   - goroutines, joined or not: n^2 questions, each as large as one about two.
//   - methods: n^2 pairs of conflict cycles to explain, and two automata n times as large.
//   - locks: the states of the locks follow from those of the goroutines. n only makes
//     systems larger, and with more locks fewer interleavings are excluded.
//   - fields: n^2 questions, and where other fields' critical sections lie between two
//     accesses, n^2 states of the two goroutines: n^4 in all.
//   - calls: automata are made in n steps or slightly more; their products stay the same, but
//     for what happens on the way down.
//   - all of these at once: their product, of which automata that are reduced leave less.
//
// Measured, in milliseconds of processor time on two cores that had other work (go test -run
// TestGrowth -v -growth ./checker prints it, with states, transitions and memory; the exponent is
// that of the power of n that fits the transitions best):
//
//	n of                 2     3     4     6     8    10    16   exponent
//	goroutines          25    45    56   125   225         1252   2.3
//	joined              21    46    71   208   351   474   1167   2.2
//	joined, safe        38    46    60   103   159   229    563   2.2
//	copies              22    25    33    29    34           45   0.0
//	methods             55    55    77   111   178          686   1.7
//	locks (16 fields) 2272  2372  2720  2595  2796         3283   0.1
//	fields              39    58    96   186   286         2098   3.2
//	all at once         59   310   877  4724 20329                5.7
//	all at once, safe   32    80   224  1511  5919                5.2
//
//	n of                12    25    50   100   200   exponent
//	calls               61    93   197   619  1370   0.7 (1.2 of time)
//
// All scenarios are decided in each, but for 32 fields, which need more than a minute.
// When every process that is joined had its place in each question, six that are joined took
// 25 s, and 3.6 s where safe, with exponents of 8.0 and 6.9.
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
