package harm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
)

// Program is a program of which harm is looked for: units of work that are parts of its goroutines.
type Program struct {
	program *execute.Program
	budget  Budget
}

// NewProgram returns the program that begins with the main function of a package.
func NewProgram(main *ssa.Package, files execute.Files, b Budget) *Program {
	return &Program{execute.New(main, files), b}
}

// maxSkip bounds how many units of a name are left alone before two meet, maxStarts how many ways to
// let them meet are tried.
const (
	maxSkip   = 3
	maxStarts = 80
)

// Meet looks for harm that two units of work do when they are at work at the same time, on the
// objects of the subject, see Library.Pair.
func (p *Program) Meet(ctx context.Context, units [2]string, subject *execute.Subject, parts int, want Want) (
	tried string, err error) {
	m := &meeting{hunt: newHunt(p.program, p.budget.Pair/parts, want), seen: map[string]bool{}}
	for _, m.wide = range []bool{false, true} {
		for _, preemptions := range []int{1, 2} {
			clear(m.seen)
			m.all(ctx, &execute.Meeting{Units: units, Subject: subject}, preemptions)
		}
	}
	if m.starts == 0 {
		return "", cmp.Or(m.err, errors.New("no order of the two units came to an end"))
	}
	return fmt.Sprintf("in %d runs from %d starts", m.runs, m.starts), ctx.Err()
}

// Race looks for a data race on the fields that are watched.
func (p *Program) Race(ctx context.Context, subject *execute.Subject, parts int, want Want) (
	tried string, err error) {
	runs, err := p.program.Races(ctx, subject, p.budget.Pair/parts, func(r execute.Race) bool {
		return want(&Finding{Race: &r}) == Enough
	})
	return fmt.Sprintf("in %d runs", runs), cmp.Or(err, ctx.Err())
}

// meeting is the search for one pair of units.
type meeting struct {
	hunt
	wide         bool // see execute.Program.StopAt
	runs, starts int
	seen         map[string]bool // starts
	err          error
}

// ways are those to stop the goroutines on their way to the two units, see execute.Program.StopAt: where the
// units begin, if they can meet there, and both orders of them come to their ends.
var ways = [][2]execute.From{{}, {1, 1}, {2, 2}, {-1, 0}, {0, -1}, {-1, -1}, {3, 3}, {-2, 0}, {0, -2}}

// all lets the two units meet in all ways.
func (m *meeting) all(ctx context.Context, mt *execute.Meeting, preemptions int) {
	for n := 0; n < maxStarts && !m.isOver(ctx); n++ {
		// Two schedules with each number of units that are left alone, then others that are drawn.
		skip, seed := n/2%(maxSkip*maxSkip), int64(n%2)
		if n >= 2*maxSkip*maxSkip {
			seed = int64(n)
		}
		from := *mt
		from.Seed, from.Skip = seed, [2]int{skip / maxSkip, skip % maxSkip}
		m.meet(ctx, &from, preemptions)
	}
}

// meet lets the two units meet.
func (m *meeting) meet(ctx context.Context, mt *execute.Meeting, preemptions int) {
	for _, way := range ways {
		if m.isOver(ctx) {
			return
		}
		if m.wide && min(way[0], way[1]) < 0 {
			continue // only units that have begun are stopped later
		}
		from, err := mt, error(nil)
		if m.wide || way != ways[0] {
			from, err = m.program.StopAt(mt, isSameUnit, way, m.wide)
		}
		if err == nil && m.from(ctx, from, preemptions) {
			return
		}
		m.err = cmp.Or(m.err, err)
	}
}

// from tries the two units from one start. It tells whether both orders came to their ends.
func (m *meeting) from(ctx context.Context, mt *execute.Meeting, preemptions int) bool {
	var orders []*execute.Shown
	for _, order := range []execute.Order{execute.InOrder, execute.Reversed} {
		shown, err := m.program.Meet(mt, isSameUnit, order, execute.Schedule{})
		m.runs++
		if err != nil {
			m.err = cmp.Or(m.err, err)
			return false
		}
		if order == execute.InOrder && m.seen[shown.Start] {
			return true
		}
		m.seen[shown.Start] = true
		orders = append(orders, shown)
	}
	m.starts++
	names := namesOf([]string{shortName(mt.Units[0]), shortName(mt.Units[1])})
	m.err = cmp.Or(m.err, m.program.SearchMeeting(mt, isSameUnit, preemptions, maxRuns,
		func(_ execute.Schedule, shown *execute.Shown) bool {
			m.runs++
			i := slices.IndexFunc(shown.Races, func(r execute.Race) bool { return r.OfSet })
			isHarmful := !isOneOf(shown, orders)
			if i >= 0 || isHarmful {
				f := &Finding{Schedule: shown.Went, Scenarios: shown.Scenarios, Meets: shown.Meets, IsHarmful: isHarmful}
				if i >= 0 {
					f.Race = &shown.Races[i]
				}
				shownBy := [2][]string{make([]string, shown.Results[0]), make([]string, shown.Results[1])}
				f.describe(describer{m.program, names, shownBy}, shown, orders)
				m.found(f)
			}
			return m.isOver(ctx)
		}))
	return true
}

// isSameUnit compares the names of functions without type arguments.
func isSameUnit(name, wanted string) bool {
	return WithoutTypeArguments(name) == WithoutTypeArguments(wanted)
}

// WithoutTypeArguments returns a name without what is in brackets.
func WithoutTypeArguments(name string) string {
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

// shortName is a function without its package.
func shortName(name string) string {
	if i := strings.LastIndex(name, "/"); i >= 0 {
		name = name[i+1:]
	}
	return name[strings.LastIndex(name, ".")+1:]
}
