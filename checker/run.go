package checker

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/limit"
	"github.com/empire-go/empire-go/scenarios"
)

// Check decides which of the scenarios the program allows. It lowers the program,
// asks the engine about each guess of two units of work and their locations, and
// reports for each scenario the violation with the shortest word; among equals, of
// the first guess. Units are told apart only where that makes a difference: see
// labels.go. It requires that the engine may be used concurrently. The result
// depends on the program and the options only, as far as the engine's answers do.
//
// When the context is done, what is not decided by then is Unknown. The error is
// about the request: no engine, or a program that is not valid or too large.
func Check(ctx context.Context, p *esl.Program, o Options) (*Result, error) {
	if o.Engine == nil {
		return nil, errors.New("checker: no engine; set Options.Engine to one of checker/refine or checker/prefix")
	}
	if err := esl.Validate(p); err != nil {
		return nil, fmt.Errorf("checker: %w", err)
	}
	ctx, paid := limit.WithLedger(ctx)
	defer paid.Settle()
	s, err := newSurvey(ctx, p, o)
	switch c := (&check{ctx: ctx, options: o}); {
	case err != nil:
		c.skipAll()
		return c.result(nil, make([]raceOutcome, 1)), nil
	case s.isEmpty():
		return c.result(nil, nil), nil
	}
	if merged, ok := mergeLabels(p); ok && o.LeftOut == nil {
		return checkMerged(ctx, p, merged, s, o)
	}
	return checkLabels(ctx, p, s, o)
}

// checkLabels is Check that guesses the labels of the units.
func checkLabels(ctx context.Context, p *esl.Program, s *survey, o Options) (*Result, error) {
	c, err := newCheck(ctx, p, o)
	if err != nil {
		return nil, err
	}
	if c.model == nil {
		return c.result(nil, make([]raceOutcome, 1)), nil
	}
	return c.result(c.search(s)), nil
}

// newCheck lowers the program. If the context is done there is no model, and nothing
// is known to be complete.
func newCheck(ctx context.Context, p *esl.Program, o Options) (*check, error) {
	c := &check{ctx: ctx, options: o}
	m, err := cpds.LowerContext(ctx, p)
	if err == nil && !o.AskAll {
		m, err = m.ByLocks(ctx)
	}
	if m != nil {
		m.Overlooked = o.Overlooked
	}
	switch {
	case err != nil && ctx.Err() != nil:
		c.skipAll()
		return c, nil
	case err != nil:
		return nil, fmt.Errorf("checker: %w", err)
	}
	c.model = m
	return c, nil
}

// check is one call of Check.
type check struct {
	ctx     context.Context
	model   *cpds.Model
	options Options
	skipped map[int]bool // scenarios for which a guess was not asked about, for want of time

	proved []int // the numbers of scenarios that are safe: see Options.Prove

	onlyShortest bool        // of each scenario only a shortest violation matters, whatever its units
	isShortening bool        // one is known: the lean scope, which need not have a shortest one, is left out
	shortest     map[int]int // by scenario: the length of the shortest word so far; see noteShortest
}

// search asks about all guesses that are left. The outcomes are in the order of the guesses.
func (c *check) search(s *survey) ([]outcome, []raceOutcome) {
	isAsked := func(g cpds.Guess) bool { return s.leaves(g) && c.options.asks(g) }
	return c.searchFor(c.options.searched(c.options.Scenarios), isAsked, s.raceGuesses(c.model.RaceGuesses()))
}

// searchFor asks about the guesses of the scenarios that are to be asked about, and
// those of races.
func (c *check) searchFor(wanted []scenarios.Scenario, ask func(cpds.Guess) bool, raceGuesses []cpds.RaceGuess) (
	[]outcome, []raceOutcome) {
	races := c.decideRaces(raceGuesses)
	guesses, err := c.model.GuessesContext(c.ctx, wanted)
	if err != nil {
		c.skipAll()
		return nil, races
	}
	guesses = slices.DeleteFunc(guesses, func(g cpds.Guess) bool { return !ask(g) })
	c.shortest = map[int]int{}
	direct := c.direct(guesses, wanted)
	wanted = c.withoutProved(wanted, direct)
	outcomes := c.askAll(guesses, func(c *check, g cpds.Guess) []outcome {
		return c.guess(g, slices.DeleteFunc(c.without(wanted), func(s scenarios.Scenario) bool {
			return hasFound(direct[g], s.Number)
		}))
	})
	c.skip(guesses, outcomes, wanted)
	for i, g := range guesses {
		outcomes[i] = withBefore(direct[g], outcomes[i])
	}
	isFound := func(g cpds.Guess, number int) bool {
		_, ok := c.shortest[number]
		return ok || hasFound(direct[g], number)
	}
	if len(c.shortest)+len(direct) > 0 && !c.options.AnyRun {
		outcomes = append(c.shorten(guesses, wanted, isFound), outcomes...) // where they are as short, these count
	}
	return slices.Concat(outcomes...), c.decideOpen(races)
}

// withoutProved returns the scenarios without those that are known to be safe in another way.
func (c *check) withoutProved(wanted []scenarios.Scenario, direct map[cpds.Guess][]outcome) []scenarios.Scenario {
	if c.options.Prove == nil {
		return wanted
	}
	found := slices.Concat(slices.Collect(maps.Values(direct))...)
	open := slices.DeleteFunc(slices.Clone(wanted), func(s scenarios.Scenario) bool {
		return s.Number == onlyExplains || s.Number == scenarios.DataRaces.Number || hasFound(found, s.Number)
	})
	if len(open) > 0 {
		c.proved = c.options.Prove(c.ctx, open)
	}
	return slices.DeleteFunc(slices.Clone(wanted), func(s scenarios.Scenario) bool {
		return slices.Contains(c.proved, s.Number)
	})
}

// askAll asks about all guesses. Those of whom nothing is known have no outcomes.
func (c *check) askAll(guesses []cpds.Guess, ask func(*check, cpds.Guess) []outcome) [][]outcome {
	outcomes := make([][]outcome, len(guesses))
	inWaves(c, len(guesses), func(c *check, i int) []outcome { return ask(c, guesses[i]) },
		func(wave []int, found [][]outcome) {
			for k, i := range wave {
				outcomes[i] = withBefore(outcomes[i], found[k])
			}
			c.noteShortest(slices.Concat(found...))
		})
	return outcomes
}

// withBefore returns what is known of a guess that was asked about again. It was not about scenarios of which a
// violation was found before, so that this one stays.
func withBefore(before, now []outcome) []outcome {
	all := append([]outcome{}, now...)
	for _, o := range before {
		if o.violation != nil && !slices.ContainsFunc(now, func(n outcome) bool { return n.scenario == o.scenario }) {
			all = append(all, o)
		}
	}
	return all
}

// without returns the scenarios without those of which a violation has been found, where one is enough.
func (c *check) without(wanted []scenarios.Scenario) []scenarios.Scenario {
	return slices.DeleteFunc(slices.Clone(wanted), func(s scenarios.Scenario) bool { return c.isFound(s) })
}

func (c *check) isFound(s scenarios.Scenario) bool {
	_, ok := c.shortest[s.Number]
	return ok
}

// shortening is the part of the work that is left which may go into shorter violations, when all have been found
// that are.
const shortening = 16

// shorten looks for violations that are shorter than those found, of each scenario of which one is found under a guess.
// The systems are those of all scenarios: which of several shortest words is found hangs on that.
func (c *check) shorten(guesses []cpds.Guess, wanted []scenarios.Scenario,
	isFound func(cpds.Guess, int) bool) [][]outcome {
	bounded := *c
	bounded.isShortening = true
	var stop func()
	bounded.ctx, stop = limit.Part(c.ctx, shortening)
	defer stop()
	return bounded.askAll(guesses, func(c *check, g cpds.Guess) []outcome {
		if !slices.ContainsFunc(c.model.Concerned(g, wanted), func(number int) bool { return isFound(g, number) }) {
			return []outcome{}
		}
		return slices.DeleteFunc(c.guess(g, wanted), func(o outcome) bool { return o.violation == nil })
	})
}

// noteShortest notes the lengths of the words found.
func (c *check) noteShortest(outcomes []outcome) {
	for _, o := range outcomes {
		if known, ok := c.shortest[o.scenario]; c.onlyShortest && o.violation != nil && (!ok || o.length < known) {
			c.shortest[o.scenario] = o.length
		}
	}
}

// words returns the limits on words for labels of scenarios; see Limits.Words.
func (c *check) words(labels []string) []int {
	longest := make([]int, len(labels))
	for i, label := range labels {
		number, _ := strconv.Atoi(label)
		longest[i] = -1
		if n, ok := c.shortest[number]; ok {
			longest[i] = n
		}
	}
	return longest
}

// maxSkipped is how many guesses skip looks at.
const maxSkipped = 10_000

// skip notes the scenarios of the guesses that have no outcomes; of all, if there
// are very many.
func (c *check) skip(guesses []cpds.Guess, outcomes [][]outcome, wanted []scenarios.Scenario) {
	looked := 0
	for i, g := range guesses {
		if outcomes[i] != nil {
			continue
		}
		if looked++; looked > maxSkipped {
			c.skipAll()
			return
		}
		for _, number := range c.model.Concerned(g, wanted) {
			c.skipScenario(number)
		}
	}
}

// skipAll notes that nothing is known to be complete.
func (c *check) skipAll() {
	for _, s := range c.options.Scenarios {
		c.skipScenario(s.Number)
	}
}

func (c *check) skipScenario(number int) {
	if c.skipped == nil {
		c.skipped = map[int]bool{}
	}
	c.skipped[number] = true
}

// onlyExplains is the number given to the patterns that were not asked for and are
// searched all the same, because conflict cycles are reported only where scenarios
// 1 to 11 do not explain the same units.
const onlyExplains = 0

// searched returns the scenarios to search for when some are asked for.
func (o Options) searched(asked []scenarios.Scenario) []scenarios.Scenario {
	if o.AllCycles || !isAmong(asked, scenarios.ConflictCycle) {
		return asked
	}
	rest := o.explaining()
	rest.Patterns = slices.DeleteFunc(rest.Patterns, func(p scenarios.Pattern) bool { return asksFor(asked, p) })
	return append(slices.Clone(asked), rest)
}

// explaining returns all patterns that may explain a conflict cycle.
func (o Options) explaining() scenarios.Scenario {
	all := scenarios.Scenario{Number: onlyExplains}
	for _, s := range scenarios.Table {
		if s.Number != scenarios.ConflictCycle && !slices.Contains(o.Safe, s.Number) {
			all.Patterns = append(all.Patterns, s.Patterns...)
		}
	}
	return all
}

// isAmong tells whether the scenario with the number is one of them.
func isAmong(all []scenarios.Scenario, number int) bool {
	return slices.ContainsFunc(all, func(s scenarios.Scenario) bool { return s.Number == number })
}

func asksFor(asked []scenarios.Scenario, p scenarios.Pattern) bool {
	return slices.ContainsFunc(asked, func(s scenarios.Scenario) bool {
		return slices.ContainsFunc(s.Patterns, func(q scenarios.Pattern) bool { return q.Number == p.Number })
	})
}

// outcome is what came of one guess for one scenario.
type outcome struct {
	scenario  int
	guess     cpds.Guess
	status    Status
	by        string
	reason    string     // of Undecided
	length    int        // of the word
	violation *Violation // of Common; nil if it did not replay
	work      Work       // of the guess, in its first outcome
}

// guess asks the engine about one guess: first about local systems, and about the whole
// one only for what these leave open.
func (c *check) guess(g cpds.Guess, wanted []scenarios.Scenario) []outcome {
	var outcomes []outcome
	var work Work
	l := c.localize(g.U, g.V)
	for open := wanted; len(open) > 0; {
		decided, w := c.guessIn(l, g, open)
		work = work.plus(w)
		outcomes = append(outcomes, decided...)
		open = slices.DeleteFunc(slices.Clone(open), func(s scenarios.Scenario) bool {
			return slices.ContainsFunc(decided, func(o outcome) bool { return o.scenario == s.Number })
		})
		if !l.widen() {
			break
		}
	}
	if len(outcomes) > 0 {
		outcomes[0].work = work
	}
	return outcomes
}

// guessIn asks about a guess within a scope. It returns what is decided there, and what was
// done.
func (c *check) guessIn(l *localization, g cpds.Guess, wanted []scenarios.Scenario) (decided []outcome, work Work) {
	q := c.model.Query(g, wanted, l.scope)
	if q == nil {
		return nil, work
	}
	c.payFor(q.System)
	limits := c.options.Limits
	limits.Words = c.words(q.System.Labels())
	answers := c.decide(q.System, limits)
	for i, label := range q.System.Labels() {
		number, _ := strconv.Atoi(label)
		a := answers[i]
		out := outcome{scenario: number, guess: g, status: a.Status, by: a.By, reason: a.Reason, length: len(a.Word)}
		work = work.max(a.Work)
		if !l.counts(a.Status) {
			continue
		}
		switch a.Status {
		case Common:
			v, added, err := c.violation(q, a, l)
			if err != nil && l.leaveOpen(err) {
				continue
			}
			if err != nil {
				out.status, out.reason = Undecided, c.didNotReplay(q.System, a, err)
			}
			out.violation, out.length = v, out.length+added
		case Undecided:
			if _, limited := limits.Longest(i); (!limited || l.lean) && l.leaveOpen(nil) {
				continue
			}
		}
		decided = append(decided, out)
	}
	return decided, work
}

// payFor counts the work of making a system.
func (c *check) payFor(s *cpds.System) {
	for _, component := range s.Components {
		limit.Pay(c.ctx, limit.Rule*limit.Work(len(component.Rules)))
	}
}

// decide calls the engine, and answers in its place if that does not. There is one
// answer for each label.
func (c *check) decide(s *cpds.System, limits Limits) []Answer {
	labels := s.Labels()
	answers := c.options.Engine.Decide(c.ctx, s, limits)
	reason := "the engine did not answer"
	all := make([]Answer, len(labels))
	for i, label := range labels {
		all[i] = Answer{Label: label, Reason: reason}
		if j := slices.IndexFunc(answers, func(a Answer) bool { return a.Label == label }); j >= 0 {
			all[i] = answers[j]
		}
	}
	return all
}

// stopped says why a context is done.
func stopped(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "the time is up"
	}
	return "cancelled"
}

const notReplayed = "counterexample did not replay"

// didNotReplay says that there was no time to replay an answer, or describes a
// defect: an answer that is no run of the program.
func (c *check) didNotReplay(s *cpds.System, a Answer, err error) string {
	if done := c.ctx.Err(); done != nil && errors.Is(err, done) {
		return stopped(done)
	}
	var word []string
	for _, action := range a.Word {
		word = append(word, s.Actions[action])
	}
	return fmt.Sprintf(notReplayed+": %v; system: %s; label: %q; decided by: %s; word: %q", err, s.Name, a.Label, a.By,
		word)
}
