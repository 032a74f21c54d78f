package steer

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	empire "github.com/empire-go/empire-go"
)

// Config says how the violations of a result are confirmed.
type Config struct {
	Dir       string // in the module
	Budget    Budget
	Schedules string   // directory for the schedules of what is confirmed; "" writes none
	Args      []string // of programs; tests and clients of libraries have their own
}

// Confirm tries each violation of a result, and puts the outcome into it. The programs are
// built once for all their violations. What cannot be built is not tried; the error is for
// what concerns all programs.
func Confirm(ctx context.Context, c Config, r *empire.Result) error {
	b, err := newBuilder(c.Dir)
	if err != nil {
		return err
	}
	defer b.close()
	for _, g := range b.groups(ctx, r) {
		program := built{err: g.err}
		if g.err == nil {
			// Each by itself: a schedule has the numbers of sites in it.
			program = b.build(ctx, []Target{g.target})[0]
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if program.err != nil {
			g.notTried(program.err)
			continue
		}
		if err := c.confirmGroup(ctx, program.binary, g); err != nil {
			return err
		}
	}
	return b.addHarm(ctx, r)
}

// notTried sets the outcome of violations of a program that cannot be run.
func (g *group) notTried(err error) {
	for _, v := range g.violations {
		v.set(Outcome{Status: NotTried, Reason: err.Error()})
	}
}

// confirmGroup tries the violations of one program.
func (c Config) confirmGroup(ctx context.Context, binary *Binary, g *group) error {
	s := &searcher{binary: binary, judge: seenIn, budget: c.Budget, violations: g.violations,
		args: c.Args}
	outcomes, err := s.confirm(ctx)
	if err != nil {
		return err
	}
	for i, v := range g.violations {
		v.set(outcomes[i])
		if outcomes[i].Status != Confirmed || outcomes[i].Attempt.Free != 0 || c.Schedules == "" {
			continue
		}
		if err := os.MkdirAll(c.Schedules, 0o755); err != nil {
			return err
		}
		name := filepath.Join(c.Schedules, v.Scenario.ID+".json")
		if err := WriteSchedule(name, newSchedule(v, g.target, binary, outcomes[i])); err != nil {
			return err
		}
		v.Scenario.Confirmation.Schedule = filepath.ToSlash(name)
	}
	return nil
}

// set puts an outcome into the result.
func (v Violation) set(o Outcome) {
	v.Scenario.Confirmation = &empire.Confirmation{Status: o.Status, Reason: o.Reason, DivergedAt: o.LeftAt}
	if o.Attempt.Free != 0 {
		v.Scenario.Confirmation.Reason = fmt.Sprintf("in a run with noise, seed %d, that has no schedule", o.Attempt.Free)
	}
}

// newSchedule returns what repeats the run of a confirmed violation.
func newSchedule(v Violation, t Target, b *Binary, o Outcome) *Schedule {
	s := &Schedule{
		Schema: scheduleSchema, Tool: empire.Tool{Name: empire.Name, Version: empire.Version}, Go: b.Header.GoVersion,
		Program: t,
		ID:      v.Scenario.ID, Type: v.Query.Type, Fields: v.Query.Fields, Scenario: v.Scenario.Scenario,
		Units:     v.Scenario.Units,
		Locations: v.Scenario.Locations,
		Args:      o.Attempt.Args, Seed: o.Attempt.Seed, Points: o.Attempt.Points, Sources: b.Sources, Choices: o.Log.Choices,
		Digest: o.Log.Digest,
	}
	if v.Scenario.Pattern != nil {
		s.Pattern = *v.Scenario.Pattern
	}
	return s
}

// Name says what the schedule shows.
func (s *Schedule) Name() string {
	name := ""
	for i, u := range s.Units {
		if i > 0 {
			name += " and "
		}
		name += filepath.Base(u)
	}
	return fmt.Sprintf("%s: %s", s.ID, name)
}

// Replayed counts the repetitions of a run.
type Replayed struct{ Runs, Shown, Identical int }

// Replay repeats the run of a schedule a number of times. The error says why it cannot be
// repeated.
func Replay(ctx context.Context, dir string, s *Schedule, times int) (Replayed, error) {
	var r Replayed
	b, err := newBuilder(dir)
	if err != nil {
		return r, err
	}
	defer b.close()
	program := b.build(ctx, []Target{s.Program})[0]
	if program.err != nil {
		return r, program.err
	}
	if program.binary.Sources != s.Sources {
		return r, fmt.Errorf("the code, or empire-go, has changed since the schedule was made; write empire-go check " +
			"--confirm to look for the violation again")
	}
	return replay(ctx, program.binary, s, times)
}

// replay repeats the run of a schedule.
func replay(ctx context.Context, binary *Binary, s *Schedule, times int) (r Replayed, err error) {
	v := s.violation()
	limits := DefaultBudget.Run
	limits.Points = cmp.Or(s.Points, limits.Points)
	for range times {
		run, err := binary.run(ctx, &Script{}, Attempt{Mode: Repeat, Choices: s.Choices, Args: s.Args, Seed: s.Seed}, limits)
		if err != nil {
			return r, err
		}
		r.Runs++
		if run.Log.Digest == s.Digest && run.Log.LeftAt < 0 {
			r.Identical++
		}
		one := &searcher{binary: binary, judge: seenIn, violations: []Violation{v}, outcomes: make([]Outcome, 1),
			visited: map[uint32]bool{}}
		if err := one.look(run, Attempt{}, 1, time.Now()); err != nil {
			return r, err
		}
		if one.outcomes[0].Status == Confirmed {
			r.Shown++
		}
	}
	return r, nil
}

// violation is what the schedule shows.
func (s *Schedule) violation() Violation {
	return Violation{&empire.QueryResult{Type: s.Type, Fields: s.Fields},
		&empire.ScenarioResult{Scenario: s.Scenario, Units: s.Units, Locations: s.Locations}}
}
