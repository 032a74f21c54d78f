package empire

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/dynamic/facts"
	"github.com/empire-go/empire-go/dynamic/watch"
	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/lower"
	"github.com/empire-go/empire-go/frontend/query"
)

// addFacts adds to the plan what the models of all queries say about positions of the
// source. Of a set of which some model cannot be made it says nothing: the reads of that
// set then count by the letter.
func (w *watcher) addFacts(ctx context.Context, r Request, entries []harness.Entry, chosen *plan, stages *runner) error {
	limited, stop := withLimits(ctx, r.Timeout, r.Memory)
	defer stop()
	all, missing := facts.NewCollector(), map[int]string{}
	for _, e := range entries {
		analysed, err := analyses(limited, r, e, chosen, stages)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var elsewhere *InputError // the sets are in other programs
		if errors.As(err, &elsewhere) {
			continue
		}
		if err != nil {
			w.plan.NoFacts = err.Error()
			return nil
		}
		for _, a := range analysed {
			set := w.setOf(a.subject)
			if set < 0 || missing[set] != "" {
				continue
			}
			if err := w.addFactsOf(limited, all, a, set); err != nil {
				missing[set] = err.Error()
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	all.Write(w.plan)
	w.plan.NoFacts = ""
	for set, why := range missing {
		w.plan.NoFacts = max(w.plan.NoFacts, fmt.Sprintf("%s: %s", w.plan.Sets[set].Name(), why))
		w.plan.Accesses = slices.DeleteFunc(w.plan.Accesses, func(a watch.Access) bool { return a.Set == set })
		w.plan.Apart = slices.DeleteFunc(w.plan.Apart, func(a watch.Apart) bool { return a.Set == set })
	}
	return nil
}

// setOf returns the number of the set of a subject, -1 if it has none.
func (w *watcher) setOf(s *query.Subject) int {
	return slices.IndexFunc(w.plan.Sets, func(set watch.Set) bool {
		if s.Type == nil {
			return set.Type == "" && len(set.Fields) == len(s.Fields) && !slices.ContainsFunc(s.Fields, func(name string) bool {
				return !slices.Contains(set.Fields, variablePath(s, name))
			})
		}
		return set.Type == s.Name() && slices.Equal(set.Fields, s.Fields)
	})
}

func variablePath(s *query.Subject, name string) string {
	v := s.Vars[name]
	return v.Pkg.Pkg.Path() + "." + v.Name()
}

// addFactsOf adds the facts of the models of an analysis, one for each site.
func (w *watcher) addFactsOf(ctx context.Context, all *facts.Collector, a *analysis, set int) error {
	if a.limit != nil {
		return a.limit
	}
	sites, err := a.sites()
	if err != nil {
		return err
	}
	names := facts.Naming{Set: set, Field: map[string]string{}, Output: lower.OutputMark}
	for _, name := range a.subject.Fields {
		names.Field[name] = name
		if a.subject.Type == nil {
			names.Field[name] = variablePath(a.subject, name)
		}
	}
	for _, site := range sites {
		m, err := a.modelAsLowered(ctx, site)
		var unreachable *InputError
		if errors.As(err, &unreachable) {
			continue
		}
		if err != nil {
			return err
		}
		if err := all.Add(ctx, m.lowered.Program, names); err != nil {
			return err
		}
		w.addLoops(m.lowered, set)
	}
	return nil
}

// addLoops adds what only a model tells about units: service loops.
func (w *watcher) addLoops(m *lower.Result, set int) {
	for _, as := range m.Assumptions {
		if l := (watch.Loop{Pos: as.Pos.String(), Set: set}); as.Kind == lower.ServiceLoop && !slices.Contains(w.plan.Loops, l) {
			w.plan.Loops = append(w.plan.Loops, l)
		}
	}
}
