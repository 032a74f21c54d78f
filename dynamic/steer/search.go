package steer

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	empire "github.com/empire-go/empire-go"
)

// Budget bounds the search for one violation.
type Budget struct {
	Time time.Duration // altogether
	Runs int
	Run  Limits
	Seed uint64
}

// DefaultBudget is generous for programs that run for milliseconds.
var DefaultBudget = Budget{Time: 10 * time.Second, Runs: 4000, Run: Limits{Time: 2 * time.Second, Points: 200_000}}

// Seen is a match of the automata on a run.
type Seen struct {
	Type      string
	Fields    []string
	Scenario  int
	Units     [2]string // u and u'
	Locations []string
}

// judge returns the matches on a trace, and notes the sites that were visited.
type judge func(r io.Reader, visited map[uint32]bool) ([]Seen, error)

// Outcome is what was found out about a violation.
type Outcome struct {
	Status  string // Confirmed, NotConfirmed or NotTried
	Reason  string // of the other two
	LeftAt  int    // the step of the counterexample that no run came to, of one that is not confirmed
	Runs    int
	Attempt Attempt
	Took    time.Duration
	Log     runLog
}

// searcher confirms the violations of one program.
type searcher struct {
	binary     *Binary
	judge      judge
	budget     Budget
	violations []Violation
	outcomes   []Outcome
	visited    map[uint32]bool // sites, in any run
	args       []string        // of the program
}

// confirm tries the violations one after the other. A run that shows another violation of the
// program than the one that it was made for confirms that too.
func (s *searcher) confirm(ctx context.Context) ([]Outcome, error) {
	s.outcomes, s.visited = make([]Outcome, len(s.violations)), map[uint32]bool{}
	for i := range s.violations {
		if s.outcomes[i].Status == "" {
			if err := s.search(ctx, i); err != nil {
				return s.outcomes, err
			}
		}
	}
	return s.outcomes, nil
}

// search looks for violation i.
func (s *searcher) search(ctx context.Context, i int) error {
	begin := time.Now()
	script, err := NewScript(s.violations[i], s.binary.Header.Sites)
	if err != nil {
		s.outcomes[i] = Outcome{Status: NotTried, Reason: err.Error()}
		return nil
	}
	out := Outcome{Status: NotConfirmed}
	arguments := argumentsOf(s.violations[i], s.binary)
	if !s.binary.IsTest {
		arguments = append(arguments, s.args...)
	}
	most, failures := 0, map[string]int{}
	for ways := newAttempts(s.budget.Seed); ; {
		a := ways.next()
		a.Args = arguments
		limits := s.budget.Run
		limits.Points *= ways.longer
		a.Points = limits.Points
		run, err := s.binary.run(ctx, script, a, limits)
		if err != nil {
			return err
		}
		out.Runs++
		if most = max(most, run.Log.Events); run.Exit != "" || run.Log.End != "exit" {
			failures[cmpOr(run.Log.End, run.Exit)]++
		}
		if err := s.look(run, a, out.Runs, begin); err != nil {
			return err
		}
		if s.outcomes[i].Status == Confirmed {
			return nil
		}
		ways.note(run.Log, s.unvisited(script) != "")
		if out.Took = time.Since(begin); out.Took > s.budget.Time || out.Runs >= s.budget.Runs {
			break
		}
	}
	if isShown, err := s.runNoisy(ctx, i, arguments, out.Runs); isShown || err != nil {
		return err
	}
	out.LeftAt = script.Events[min(most, len(script.Events)-1)].Step
	out.Reason = s.whyNot(script, most, out.Runs, failures)
	s.outcomes[i] = out
	return nil
}

// noisyRuns is how often a program is run that could not be led to a violation.
const noisyRuns = 6

// runNoisy runs the program with noise, and tells whether violation i was there. That is no less certain than in a run
// that was led; but the run cannot be repeated.
func (s *searcher) runNoisy(ctx context.Context, i int, args []string, runs int) (bool, error) {
	begin := time.Now()
	for n := range uint64(noisyRuns) {
		seed := s.budget.Seed*noisyRuns + n + 1
		run, err := s.binary.noisy(ctx, seed, args, s.budget.Run)
		if err != nil {
			return false, err
		}
		runs++
		if err := s.look(run, Attempt{Free: seed, Args: args}, runs, begin); err != nil {
			return false, err
		}
		if s.outcomes[i].Status == Confirmed {
			return true, nil
		}
		if time.Since(begin) > s.budget.Time {
			break
		}
	}
	return false, nil
}

// whyNot says how far the runs came.
func (s *searcher) whyNot(script *Script, most, runs int, failures map[string]int) string {
	why := fmt.Sprintf("in %d runs", runs)
	if len(script.Missing) > 0 {
		why += " with no record of the " + strings.Join(script.Missing, ", the ")
	} else if pos := s.unvisited(script); pos != "" {
		why += " the program never came to " + pos
	} else if most == len(script.Events) {
		why += " all events happened in order, but in no run in one unit each on the same object"
	} else {
		why += fmt.Sprintf(" at most %d of the %d events happened in order", most, len(script.Events))
	}
	for _, reason := range []string{"timeout", "deadlock", outOfPoints} {
		if n := failures[reason]; n > 0 {
			why += fmt.Sprintf("; %d ended by %s", n, reason)
		}
	}
	return why
}

// unvisited returns the position of the first event that no run has come to, in any order;
// "" if there is none.
func (s *searcher) unvisited(script *Script) string {
	for _, e := range script.Events {
		if !slices.ContainsFunc(e.Sites, func(n uint32) bool { return s.visited[n] }) {
			return s.binary.Header.Site(e.Sites[0]).Pos
		}
	}
	return ""
}

// look asks what a run has shown.
func (s *searcher) look(run *Run, a Attempt, runs int, begin time.Time) error {
	file, err := os.Open(run.Trace)
	if err != nil {
		return err
	}
	defer file.Close()
	seen, err := s.judge(file, s.visited)
	if err != nil {
		return err
	}
	for i, v := range s.violations {
		if s.outcomes[i].Status == Confirmed || !slices.ContainsFunc(seen, v.isShown) {
			continue
		}
		s.outcomes[i] = Outcome{Status: Confirmed, Runs: runs, Attempt: a, Took: time.Since(begin), Log: run.Log}
	}
	return nil
}

// isShown tells whether a match is the violation: the same scenario, units and locations.
func (v Violation) isShown(s Seen) bool {
	q, want := v.Query, v.Scenario
	if s.Scenario != want.Scenario || q.Type != "" && generic(s.Type) != generic(q.Type) || len(want.Units) != 2 {
		return false
	}
	if generic(s.Units[0]) != generic(want.Units[0]) || generic(s.Units[1]) != generic(want.Units[1]) {
		return false
	}
	return slices.Equal(sortedFields(s.Locations, q.Type == ""), sortedFields(want.Locations, q.Type == ""))
}

// generic returns a name without type arguments.
func generic(name string) string {
	var b strings.Builder
	depth := 0
	for _, r := range name {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// sortedFields returns fields in an order, what a field leads to as the field. Variables go by
// their names alone: their packages have a name in one half, a path in the other.
func sortedFields(names []string, areVars bool) []string {
	var all []string
	for _, n := range names {
		n = strings.TrimSuffix(n, empire.PartSuffix)
		if areVars {
			n = n[strings.LastIndex(n, ".")+1:]
		}
		all = append(all, n)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
