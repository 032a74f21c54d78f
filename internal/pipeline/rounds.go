package pipeline

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/limit"
)

// schedule is the queries of a request, in the order in which they are asked.
type schedule struct {
	request  Request
	plan     *plan
	stages   *runner
	programs []*asked // in the order of the programs
	missing  error    // what the user names is not in a program

	provisional bool // the answers are not told before it is known that they are wanted
}

// asked is what is asked about one program.
type asked struct {
	entry harness.Entry
	first int // the place of its likeliest set in the plan
	sets  []*askedSet

	late      *limitError // that has ended its points-to solution the last time; nil: none has
	tooLittle limit.Work  // that this was tried with
}

// askedSet is what is asked about one set in a program.
type askedSet struct {
	analysis *analysis
	begun    bool      // it is known what its queries are
	missing  bool      // the program has not what the user names
	replaced bool      // others answer instead
	waits    bool      // until the last round: others may answer instead
	queries  []*asking // by site
}

// newSchedule finds out which sets each program is asked about: none that it cannot have, as their package is only in
// others.
func newSchedule(r Request, p *plan, all []harness.Entry, stages *runner) (*schedule, error) {
	s := &schedule{request: r, plan: p, stages: stages}
	within, anywhere := make([]map[string]*types.Package, len(all)), map[string]*types.Package{}
	for i, e := range all {
		within[i] = e.InReach()
		maps.Copy(anywhere, within[i])
	}
	for i, e := range all {
		subjects, err := p.subjects(e)
		if err != nil {
			if !s.isMissing(err) {
				return nil, err
			}
			continue
		}
		program := &asked{entry: e, first: len(p.sets)}
		for _, subject := range subjects {
			if !hasAny(within[i], subject) && hasAny(anywhere, subject) {
				continue
			}
			program.first = min(program.first, p.ranks[rankKey(subject.Name(), subject.Fields)])
			program.sets = append(program.sets, &askedSet{analysis: newAnalysis(r, e, subject, stages)})
		}
		s.programs = append(s.programs, program)
	}
	return s, nil
}

// hasAny tells whether a package of the subject is among some.
func hasAny(some map[string]*types.Package, s *query.Subject) bool {
	return slices.ContainsFunc(s.Packages(), func(pkg *types.Package) bool { return some[pkg.Path()] != nil })
}

// within returns the programs that have no more than clients of the package that declares what they are asked about.
func (s *schedule) within() []*asked {
	return slices.DeleteFunc(slices.Clone(s.programs), func(p *asked) bool {
		return p.entry.Type == nil || !p.entry.IsWithin(p.entry.Type.Obj().Pkg())
	})
}

// isMissing notes an error about something that the user names and that one of the programs does not
// have.
func (s *schedule) isMissing(err error) bool {
	var named *InputError
	if !errors.As(err, &named) {
		return false
	}
	if s.missing == nil {
		s.missing = err
	}
	return true
}

// round asks about everything that has no answer yet, each query with a share of the work.
func (s *schedule) round(ctx context.Context, isLast bool, share limit.Work) error {
	return s.roundOf(ctx, s.programs, isLast, share)
}

// roundOf is a round of some programs.
func (s *schedule) roundOf(ctx context.Context, programs []*asked, isLast bool, share limit.Work) error {
	likeliest := slices.Clone(programs)
	slices.SortStableFunc(likeliest, func(a, b *asked) int { return a.first - b.first })
	for i, p := range likeliest {
		if err := s.visit(ctx, p, i, isLast, share); err != nil && !s.isMissing(err) {
			return err
		}
	}
	return nil
}

// settleAll settles what is still open.
func (s *schedule) settleAll(why func(*asking)) {
	for _, p := range s.programs {
		for _, set := range p.sets {
			if set.replaced {
				continue
			}
			if !set.begun && len(set.queries) == 0 {
				set.queries = []*asking{s.unasked(set.analysis, noTurn)}
			}
			for _, q := range set.queries {
				q.done = q.done || q.isResting
				if !q.done && !q.isSettled {
					why(q)
				}
				s.settle(q)
			}
		}
	}
}

// visit asks about a program what has no answer yet.
func (s *schedule) visit(ctx context.Context, p *asked, at int, isLast bool, share limit.Work) error {
	open := slices.DeleteFunc(slices.Clone(p.sets), (*askedSet).isDone)
	if len(open) == 0 || s.stages.budget.isSpent() {
		return nil
	}
	s.request.begins("analysing "+p.entry.Name, at, len(s.programs))
	for i, set := range open {
		if s.stages.budget.isSpent() {
			return nil
		}
		if !set.begun && !s.stages.turn.begins() || set.waits && !isLast {
			continue
		}
		if late, err := s.solve(ctx, p, set, share); err != nil {
			return err
		} else if late != nil {
			if !set.begun {
				set.queries = []*asking{s.unasked(set.analysis, late.Error())}
			}
			continue
		}
		if err := s.begin(ctx, set, share); err != nil {
			return err
		}
		for _, q := range set.queries {
			if !set.begun || !s.stages.turn.asks(q, share) {
				continue
			}
			s.request.begins(fmt.Sprintf("checking %s, fields %s", path.Base(set.analysis.subject.Name()),
				strings.Join(set.analysis.subject.Fields, ", ")), i, len(open))
			if err := s.try(ctx, q, share); err != nil {
				return err
			}
			if !s.provisional && !q.isResting && (isLast || q.done && q.undecided() == 0) {
				s.settle(q)
			}
		}
		s.makeRoom(set)
	}
	if !slices.ContainsFunc(p.sets, func(set *askedSet) bool { return !set.isDone() }) {
		s.stages.experiments.forget(p.entry)
	}
	return nil
}

// makeRoom forgets what is not needed any more, or has to be forgotten.
func (s *schedule) makeRoom(set *askedSet) {
	a := set.analysis
	if set.isDone() {
		a.forget()
	}
	if s.stages.makeRoom(a); a.graph != nil {
		return
	}
	for _, q := range set.queries {
		q.model, q.harm, q.of = nil, nil, nil
	}
}

// forSolving is the part of the budget that the points-to solution of a program may take, which is in no query's
// share: all that are asked about the program need it, and a share that it uses up is lost.
const forSolving = 8

// solve finds the points-to solution of a program for a set, where that needs it: it is found once for all of them,
// and again only where another program came between. If a limit ends that, it says which. No query of the program has
// an answer then; it is tried again where there is twice as much.
func (s *schedule) solve(ctx context.Context, p *asked, set *askedSet, share limit.Work) (
	*limitError, error) {
	b := s.stages.budget
	if b == nil || !s.needsSolution(set, share) {
		return nil, nil
	}
	work := min(max(b.whole/forSolving, share), b.left)
	if p.late != nil && work < 2*p.tooLittle {
		return p.late, nil
	}
	limited, release := s.stages.within(ctx, s.request, work)
	defer release()
	_, err := solve(limited, s.request, s.stages, p.entry)
	if p.late = nil; errors.As(err, &p.late) {
		p.tooLittle = work
		return p.late, nil
	}
	return nil, err
}

// needsSolution tells whether a query of a set is tried with a share for which there is no graph.
func (s *schedule) needsSolution(set *askedSet, share limit.Work) bool {
	a, turn := set.analysis, s.stages.turn
	switch {
	case a.graph != nil && a.generation == a.runner.generation():
		return false
	case !set.begun:
		return turn.begins()
	}
	return slices.ContainsFunc(set.queries, func(q *asking) bool { return turn.asks(q, share) })
}

// try tries a query. What is wrong with it alone is its answer.
func (s *schedule) try(ctx context.Context, q *asking, share limit.Work) error {
	err := q.try(ctx, share)
	unreachable := new(InputError)
	switch {
	case err == nil:
		return ctx.Err()
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &unreachable) && s.request.Site == "": // of another program in the same module
		q.done, q.isUnmade = true, true
		return nil
	case errors.As(err, &unreachable):
		return err
	}
	reason := defect(err)
	q.defect = fmt.Sprintf("%s {%s} at %s: %s", q.analysis.subject.Name(), strings.Join(q.analysis.subject.Fields, ","),
		q.site, reason)
	q.answer, q.done = q.analysis.unknown(q.site, reason), true
	return nil
}

// manySites is the most sites of a set that are asked about one by one, unless the request names a type. Of parts of
// what clients make it is one: where a part was made is not what anybody asks.
const manySites = 3

// begin analyses the program for a set and finds out what its queries are. If a limit ends that, there
// is one query, to be tried again.
func (s *schedule) begin(ctx context.Context, set *askedSet, share limit.Work) error {
	if set.begun {
		return nil
	}
	a := set.analysis
	if err := a.begin(ctx, share); err != nil {
		return err
	}
	if a.limit != nil {
		set.queries = []*asking{s.unasked(a, a.limit.Error())}
		return nil
	}
	set.begun, set.queries = true, nil
	sites, err := a.sites()
	if err != nil {
		set.missing = true
		return err
	}
	switch {
	case !s.request.namesNothing():
	case a.request.asksAboutRaces(), a.entry.IsLibrary() && a.subject.Type != nil && !a.isTypeOfClients():
		sites = query.Together(sites, 1)
	default:
		sites = query.Together(sites, manySites)
	}
	for _, site := range sites {
		set.queries = append(set.queries, newAsking(a, site))
	}
	return nil
}

// unasked is the query that stands for all of a set while it is not known what they are.
func (s *schedule) unasked(a *analysis, reason string) *asking {
	q := &asking{analysis: a, answer: a.unknown(query.Site{}, reason)}
	q.answer.Site = s.request.Site
	return q
}

// isDone tells whether everything about a set has been answered.
func (set *askedSet) isDone() bool {
	return set.replaced || set.begun && !slices.ContainsFunc(set.queries, func(q *asking) bool { return !q.done })
}

// settle makes what is known of a query its answer.
func (s *schedule) settle(q *asking) {
	if q.isSettled || q.isUnmade {
		return
	}
	q.isSettled = true
	if !q.done {
		q.addCertainRaces()
	}
	if !q.isWhole() {
		s.stages.kept.leaveOut()
	}
	q.conclude()
	s.request.tell(q.answer)
}

// interrupt says that a query has no answer because the run was interrupted.
func (q *asking) interrupt() {
	q.answer.interrupted()
	q.done = true
}

// undecided returns the share of the scenarios that have no verdict.
func (q *asking) undecided() float64 {
	unknown := 0
	for _, s := range q.answer.Scenarios {
		if s.Verdict == VerdictUnknown {
			unknown++
		}
	}
	return float64(unknown) / float64(max(1, len(q.answer.Scenarios)))
}

// interrupted says so of what has no verdict.
func (q *QueryResult) interrupted() {
	q.Reason = ""
	if q.Verdict == VerdictUnknown {
		q.Reason = interrupted
	}
	q.notDecided(interrupted)
}

// addTo adds the answers to a result, and returns the analyses of types of which a program makes no
// object.
func (s *schedule) addTo(result *Result) (unmade []*analysis) {
	for _, p := range s.programs {
		for _, set := range p.sets {
			if set.replaced {
				continue
			}
			before := len(result.Queries)
			for _, q := range set.queries {
				if q.isUnmade {
					continue
				}
				result.Queries = append(result.Queries, q.answer)
				if q.defect != "" {
					result.Errors = append(result.Errors, q.defect)
				}
			}
			if set.begun && !set.missing && len(result.Queries) == before {
				unmade = append(unmade, set.analysis)
			}
		}
	}
	return unmade
}

// noTurn is why a query has no answer that had no turn.
const noTurn = "the budget was spent before it was its turn"
