package checker

import (
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/interp"
)

// violation turns a common word into a violation that the interpreter has replayed
// and accepted; added is by how many actions it is longer than the word. The error says
// what it found wrong.
func (c *check) violation(q *cpds.Query, a Answer, l *localization) (v *Violation, added int, err error) {
	pattern, positions, err := q.Occurrence(a.Word, a.Runs)
	if err != nil {
		return nil, 0, err
	}
	word := a.Word[:positions[len(positions)-1]+1]
	steps, at, err := schedule(c.model, q.System, word, a.Runs)
	if err != nil {
		return nil, 0, err
	}
	run, err := l.complete(steps)
	if err != nil {
		return nil, 0, err
	}
	g := q.Guess
	v = &Violation{
		Pattern:   pattern,
		U:         UnitInstance{g.U, 0, g.LabelU},
		V:         UnitInstance{g.V, g.ObjectV, g.LabelV},
		Locations: []int{g.L1},
		Steps:     run.steps,
		By:        c.by(a.By),
	}
	if g.L2 >= 0 {
		v.Locations = append(v.Locations, g.L2)
	}
	for _, i := range positions {
		v.Matched = append(v.Matched, run.at[at[i]])
	}
	p := c.model.Program
	if _, err := interp.Replay(c.ctx, p, run.steps); err != nil {
		return nil, 0, fmt.Errorf("%w; steps: %v", err, run.steps)
	}
	if err := interp.Accepts(c.ctx, p, run.steps, pattern, g.U, g.V, g.ObjectV, v.Locations, v.Matched); err != nil {
		return nil, 0, fmt.Errorf("%w; steps: %v; matched: %v", err, run.steps, v.Matched)
	}
	return v, run.added, nil
}

// by names the engine and the part of it that decided.
func (c *check) by(part string) string {
	if part == "" {
		return c.options.Engine.Name()
	}
	return c.options.Engine.Name() + ": " + part
}

// raceOutcome is what came of one guess of a data race.
type raceOutcome struct {
	guess  cpds.RaceGuess
	status Status
	reason string // of Undecided
	length int
	race   *Race
	work   Work
}

// race asks the engine about one guess of a data race, as guess does.
func (c *check) race(g cpds.RaceGuess) raceOutcome {
	var work Work
	for l := c.localize(g.A, g.B); ; l.widen() {
		out, decided := c.raceIn(l, g)
		work = work.plus(out.work)
		if out.work = work; decided {
			return out
		}
	}
}

// raceIn asks about a guess within a scope.
func (c *check) raceIn(l *localization, g cpds.RaceGuess) (out raceOutcome, decided bool) {
	s := c.model.RaceSystem(g, l.scope)
	c.payFor(s)
	a := c.decide(s, c.options.Limits)[0]
	out = raceOutcome{guess: g, status: a.Status, reason: a.Reason, length: len(a.Word), work: a.Work}
	if !l.counts(a.Status) {
		return out, false
	}
	switch a.Status {
	case Common:
		race, added, err := c.replayRace(g, s, a, l)
		if err != nil && l.leaveOpen(err) {
			return out, false
		}
		if err != nil {
			out.status, out.reason = Undecided, c.didNotReplay(s, a, err)
		}
		out.race, out.length = race, out.length+added
	case Undecided:
		return out, !l.leaveOpen(nil)
	}
	return out, true
}

// replayRace turns a common word into a run after which both accesses are enabled:
// that of the word without them. See violation for added.
func (c *check) replayRace(g cpds.RaceGuess, s *cpds.System, a Answer, l *localization) (
	race *Race, added int, err error) {
	i, j, err := s.RaceAccesses(a.Word)
	if err != nil {
		return nil, 0, err
	}
	steps, at, err := schedule(c.model, s, a.Word[:j+1], a.Runs)
	if err != nil {
		return nil, 0, err
	}
	first, second := steps[at[i]], steps[at[j]]
	steps = slices.Delete(steps, at[j], at[j]+1)
	steps = slices.Delete(steps, at[i], at[i]+1)
	run, err := l.complete(steps)
	if err != nil {
		return nil, 0, err
	}
	state, err := interp.Replay(c.ctx, c.model.Program, run.steps)
	if err != nil {
		return nil, 0, err
	}
	enabled := interp.Enabled(state)
	if !slices.Contains(enabled, first) || !slices.Contains(enabled, second) || !c.races(g, first, second) {
		return nil, 0, fmt.Errorf("the accesses are not enabled at once after %v", run.steps)
	}
	return &Race{g.Location, g.A, g.B, run.steps, [2]esl.Step{first, second}}, run.added, nil
}

// races tells whether two steps, both enabled, are the data race that was guessed.
func (c *check) races(g cpds.RaceGuess, first, second esl.Step) bool {
	p := c.model.Program
	a, b := p.Functions[first.Function].Body[first.Index], p.Functions[second.Function].Body[second.Index]
	return first.Instance == g.A && second.Instance == g.B &&
		a.Op == esl.Access && b.Op == esl.Access && a.Arg == g.Location && b.Arg == g.Location &&
		(a.Access.Writes() || b.Access.Writes()) && !(a.Access.Atomic() && b.Access.Atomic())
}
