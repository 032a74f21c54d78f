package pipeline

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/dynamic/facts"
	"github.com/empire-go/empire-go/dynamic/watch"
	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/lower"
	"github.com/empire-go/empire-go/frontend/notes"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/limit"
)

// addFacts adds to the plan what the models of all queries say about positions of the
// source. Of a set of which some model cannot be made it says nothing: the reads of that
// set then count by the letter.
func (w *watcher) addFacts(ctx context.Context, r Request, entries []harness.Entry, chosen *plan,
	stages *runner) error {
	inTime, stop := limit.ForQuery(ctx, r.Timeout, r.Memory)
	defer stop()
	limited, meter := limit.WithWork(inTime, factsWork, limit.ErrWork)
	defer meter.Stop()
	all, missing := facts.NewCollector(), map[int]string{}
	for _, e := range entries {
		subjects, err := chosen.subjects(e)
		var elsewhere *InputError // the sets are in other programs
		if errors.As(err, &elsewhere) {
			continue
		}
		if err != nil {
			return err
		}
		for _, s := range subjects {
			set := w.setOf(s)
			if set < 0 || missing[set] != "" {
				continue
			}
			a := newAnalysis(r, e, s, stages)
			err := a.analyse(limited)
			if err == nil {
				err = w.addFactsOf(limited, all, a, set)
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				missing[set] = whyNoFacts(limited, r, err)
				w.isRushed = w.isRushed || isRushed(limited, err)
			}
		}
	}
	all.Write(w.plan)
	w.plan.NoFacts = w.withoutFacts(missing)
	for set := range missing {
		w.plan.Accesses = slices.DeleteFunc(w.plan.Accesses, func(a watch.Access) bool { return a.Set == set })
		w.plan.Apart = slices.DeleteFunc(w.plan.Apart, func(a watch.Apart) bool { return a.Set == set })
	}
	return nil
}

// factsWork is what is done for what the models say before a program is run, at most: what they do not say are false
// alarms. It is work and not time, so that a report does not depend on what else the machine does.
const factsWork = 20 * limit.Second

// isRushed tells whether a model says nothing for want of time or memory: another time it may.
func isRushed(limited context.Context, err error) bool {
	passed := limit.Passed(limited)
	return passed == limit.ErrTime || passed == limit.ErrMemory ||
		errors.Is(err, limit.ErrTime) || errors.Is(err, limit.ErrMemory)
}

// whyNoFacts says why a model says nothing.
func whyNoFacts(limited context.Context, r Request, err error) string {
	var text string
	switch limit.Passed(limited) {
	case limit.ErrTime:
		text = fmt.Sprintf("there was no time for it in %v", r.Timeout)
	case limit.ErrWork:
		text = fmt.Sprintf("it takes more than %d s of work", factsWork/limit.Second)
	default:
		return err.Error()
	}
	if len(r.Fields) > 0 || len(r.Vars) > 0 {
		return text
	}
	return text + "; name one with --type T --fields a,b"
}

// withoutFacts names all sets of which nothing is known, by the reason, in one line; "" if there
// are none.
func (w *watcher) withoutFacts(missing map[int]string) string {
	var reasons []string
	sets := map[string][]string{}
	for _, set := range slices.Sorted(maps.Keys(missing)) {
		why := missing[set]
		if sets[why] == nil {
			reasons = append(reasons, why)
		}
		sets[why] = append(sets[why], w.plan.Sets[set].Name())
	}
	for i, why := range reasons {
		reasons[i] = strings.Join(sets[why], ", ") + ": " + why
	}
	return strings.Join(reasons, "; ")
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
	names := facts.Naming{Set: set, Field: map[string]string{}, Output: notes.OutputMark}
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
		if l := (watch.Loop{Pos: as.Pos.String(), Set: set}); as.Kind == lower.ServiceLoop &&
			!slices.Contains(w.plan.Loops, l) {
			w.plan.Loops = append(w.plan.Loops, l)
		}
	}
}
