package pipeline

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/lower"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/frontend/reduce"
)

// Where much code of libraries touches the set, the first model does not follow it (see
// reduce.Reduction.Coarse): that adds runs, and takes none, so that what is safe there is safe. A
// violation counts if no such code has a part in the run. Else the functions that have one are
// followed in the next model, and so on. What is left then is not known.

// manyCoarse is from how many instructions on code of libraries is not followed.
const manyCoarse = 4000

// maxFollowings bounds the models of a query in which more and more functions are followed.
const maxFollowings = 0

// coarseOf returns the functions that the first model does not follow.
func coarseOf(kept *reduce.Reduction) map[*pointsto.Node]bool {
	if kept.CoarseInstructions <= manyCoarse {
		return nil
	}
	return kept.Coarse
}

// follow looks for violations, and makes the model follow the functions of libraries that have a part in
// one, until there are none.
func (a *analysis) follow(ctx context.Context, m *model, site query.Site, options checker.Options) (
	*checker.Result, error) {
	for round := 0; ; round++ {
		found, err := checker.Check(ctx, lenient(m.lowered), options)
		if err != nil {
			return nil, err
		}
		loose := map[string]bool{}
		for _, steps := range runsOf(found) {
			for _, name := range looseIn(m.lowered.Program, m.lowered, steps) {
				loose[name] = true
			}
		}
		if len(loose) == 0 || round == maxFollowings {
			return found, nil
		}
		next := *m
		next.coarse = maps.Clone(m.coarse)
		maps.DeleteFunc(next.coarse, func(n *pointsto.Node, _ bool) bool { return loose[n.Func.String()] })
		if len(next.coarse) == len(m.coarse) {
			return found, nil
		}
		a.turns.Lock()
		if next, err = a.renewed(ctx, next, site); err == nil {
			next.lowered, err = a.lower(ctx, next)
		}
		a.turns.Unlock()
		late := new(limitError)
		if errors.Is(err, lower.ErrTooLarge) || errors.As(err, &late) {
			return found, nil
		}
		if err != nil {
			return nil, err
		}
		next.lowered.Program.Name = m.lowered.Program.Name
		*m = next
	}
}

// checked looks for violations in a variant of a model. What hangs on code that is not followed is not
// known.
func checked(ctx context.Context, p *esl.Program, m *lower.Result, options checker.Options) (*checker.Result, error) {
	found, err := checker.Check(ctx, p, options)
	if err != nil {
		return nil, err
	}
	return trusted(p, m, found), nil
}

// trusted returns what was found without what hangs on code that is not followed.
func trusted(p *esl.Program, m *lower.Result, found *checker.Result) *checker.Result {
	if len(m.Coarse) == 0 {
		return found
	}
	sure := *found
	sure.Findings = slices.Clone(found.Findings)
	for i, f := range sure.Findings {
		if v, ok := f.Verdict.(checker.Violation); ok {
			if loose := looseIn(p, m, v.Steps); len(loose) > 0 {
				sure.Findings[i].Verdict = checker.Unknown{Reason: fmt.Sprintf("code of libraries was too large to follow, "+
					"and may do this: %s", strings.Join(loose, ", "))}
			}
		}
	}
	sure.Races = slices.DeleteFunc(slices.Clone(found.Races), func(r *checker.Race) bool {
		return len(looseIn(p, m, r.Steps)) > 0
	})
	if r := found.DataRace; r != nil && len(looseIn(p, m, r.Steps)) > 0 {
		if sure.DataRace = nil; len(sure.Races) > 0 {
			sure.DataRace = sure.Races[0]
		}
		sure.RaceKnown = sure.DataRace != nil
	}
	return &sure
}

// runsOf returns the runs of what was found.
func runsOf(found *checker.Result) (all [][]esl.Step) {
	for _, f := range found.Findings {
		if v, ok := f.Verdict.(checker.Violation); ok {
			all = append(all, v.Steps)
		}
	}
	if found.DataRace != nil {
		all = append(all, found.DataRace.Steps)
	}
	return all
}

// looseIn returns the functions that are not followed and have a part in a run.
func looseIn(p *esl.Program, m *lower.Result, steps []esl.Step) (names []string) {
	if len(m.Coarse) == 0 {
		return nil
	}
	for _, step := range steps {
		at := p.Functions[step.Function].Body[step.Index].Pos
		for _, name := range []string{m.GoFunctions[step.Function], m.Inlined[at]} {
			if m.Coarse[name] && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}
