package pipeline

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"slices"

	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/limit"
)

// inquiry is programs that are asked about together: those of a module, or clients of packages.
type inquiry struct {
	request Request
	entries []harness.Entry
	plan    *plan
	asked   *schedule
	beside  elsewhere              // of the programs, once clients are asked
	clients []*inquiry             // of packages whose sets are too large for the programs
	library *inquiry               // clients of the module whose programs these are; nil: nobody asks them
	shared  map[string][]*askedSet // of the library, once clients are asked: see findShared
}

// newInquiry finds out what there is to ask about the programs.
func newInquiry(ctx context.Context, r Request, all []harness.Entry, stages *runner) (*inquiry, error) {
	p, err := planFor(ctx, r, all, stages)
	if err != nil {
		return nil, err
	}
	return p.inquire(r, all, stages)
}

// inquire returns the questions that follow from a plan.
func (p *plan) inquire(r Request, all []harness.Entry, stages *runner) (*inquiry, error) {
	all = p.withOwners(r, all)
	p.graph = nil
	asked, err := newSchedule(r, p, all, stages)
	if err != nil {
		return nil, err
	}
	return &inquiry{request: r, entries: all, plan: p, asked: asked}, nil
}

// addTo adds the answers to the result, and what is not answered.
func (i *inquiry) addTo(result *Result) {
	own := &Result{}
	without := i.asked.addTo(own)
	for _, clients := range i.clients {
		known := &Result{}
		clients.asked.addTo(known)
		own.Queries, own.Errors = append(own.Queries, withoutRepeats(known.Queries)...), append(own.Errors, known.Errors...)
	}
	if i.plan.found != nil {
		i.plan.order(own.Queries)
	}
	if i.entries[0].Type != nil || i.request.asksAboutRaces() {
		own.Queries = withoutRepeats(own.Queries)
	}
	if !i.request.asksAboutRaces() { // that names no types
		own.Errors = append(own.Errors, notMade(i.request, without, own.Queries)...)
	}
	own.NotChecked = append(own.NotChecked, i.plan.leftOut(i.request, i.entries)...)
	if i.plan.found != nil {
		own.NotChecked = append(own.NotChecked, i.plan.unanswered(own)...)
	}
	result.Queries = append(result.Queries, own.Queries...)
	result.Errors = append(result.Errors, own.Errors...)
	result.NotChecked = append(result.NotChecked, own.NotChecked...)
}

// inquiries is all that a request asks.
type inquiries struct {
	request Request
	stages  *runner
	all     []*inquiry
	late    []lateError // what a limit has ended before it was known what to ask
	nothing error       // why one of the parts has nothing to ask
}

// lateError is why it is not known what to ask about a part.
type lateError struct {
	part []harness.Entry
	error
}

// about names the part, by the first of its programs.
func (e lateError) about() string {
	name := "clients"
	if !e.part[0].IsLibrary() {
		name = e.part[0].Name
	}
	if more := len(e.part) - 1; more > 0 {
		name += fmt.Sprintf(" and %d more", more)
	}
	return name
}

// inquire finds out what there is to ask about each part.
func inquire(ctx context.Context, r Request, parts [][]harness.Entry, stages *runner) (*inquiries, error) {
	r.begins("finding out what to check", 0, 0)
	found := &inquiries{request: r, stages: stages}
	for _, part := range slices.Backward(parts) { // the solution of a program alone is kept, and may not be in the way
		all, late := found.all, found.late
		found.all, found.late = nil, nil
		if err := found.begin(ctx, part, len(parts) > 1, maxSplits); err != nil {
			return nil, err
		}
		found.all, found.late = append(found.all, all...), append(found.late, late...)
	}
	if len(found.all)+len(found.late) == 0 {
		return nil, found.nothing
	}
	if k := len(found.all) - 1; k > 0 && found.all[k].entries[0].IsLibrary() {
		for _, i := range found.all[:k] {
			if !i.entries[0].IsLibrary() {
				i.library = found.all[k]
			}
		}
	}
	return found, nil
}

// maxSplits is how often the clients of a library are divided in two where they are too large to look at together.
const maxSplits = 3

// begin finds out what there is to ask about a part: about clients of which there are too many together, in two parts.
// What one part says of how another one uses its types is not seen then. If the part is one of several, another one may
// have something to ask where this one has not.
func (all *inquiries) begin(ctx context.Context, part []harness.Entry, isOneOf bool, splits int) error {
	var halves [][]harness.Entry
	if splits > 0 && part[0].IsLibrary() {
		halves = halvesOf(part)
	}
	if halves != nil { // else there is no other way to an answer
		all.stages.divided = maxSplits - splits
	}
	i, err := newInquiry(ctx, all.request, part, all.stages)
	all.stages.divided = 0
	late := new(limitError)
	isLate := errors.As(err, &late) && ctx.Err() == nil
	if isLate && halves != nil {
		for _, half := range halves {
			if err := all.begin(ctx, half, true, splits-1); err != nil {
				return err
			}
		}
		return nil
	}
	switch {
	case err == nil:
		all.all = append(all.all, i)
	case isOneOf && isNothing(err):
		all.nothing = err
	case isOneOf && isLate:
		all.late = append(all.late, lateError{part, err})
	default:
		return err
	}
	return nil
}

// packages returns those of which something is asked.
func (all *inquiries) packages() map[*types.Package]bool {
	found := map[*types.Package]bool{}
	for _, i := range all.all {
		for _, program := range i.asked.programs {
			for _, set := range program.sets {
				found[set.analysis.subject.Package()] = true
			}
		}
	}
	return found
}

// sets returns how many sets programs are asked about.
func (all *inquiries) sets() (n int) {
	for _, i := range all.all {
		for _, program := range i.asked.programs {
			n += len(program.sets)
		}
	}
	return n
}

// certaintyRound is the round, counted from the last one, whose share a query may take to do without an assumption: its
// answer waits for that.
const certaintyRound = 2

// run asks everything, in rounds: the share of each query grows from one to the next. What is too large
// for programs is asked of clients, as soon as that is known: at once, of programs that are.
func (all *inquiries) run(ctx context.Context) error {
	all.stages.budget.widen(len(all.packages()))
	rounds := all.stages.budget.rounds(all.request, all.sets())
	for n, share := range rounds {
		if n < roundsAhead && len(rounds) > roundsAhead {
			if err := all.ahead(ctx, n == 0, share); err != nil {
				return err
			}
		}
		turns := turnsOf(n, len(rounds))
		for k, turn := range turns {
			all.stages.turn = turn
			if err := all.round(ctx, n+k == 0, n == len(rounds)-1 && k == len(turns)-1, share); err != nil {
				return err
			}
		}
	}
	all.stages.turn = forCertainty
	return all.round(ctx, false, true, rounds[max(len(rounds)-1-certaintyRound, 0)])
}

// roundsAhead is in how many rounds clients come before programs that are large.
const roundsAhead = 2

// ahead asks clients who may answer for large programs for verdicts, before it is the turn of those.
func (all *inquiries) ahead(ctx context.Context, isFirst bool, share limit.Work) error {
	all.stages.turn = forVerdicts
	for _, i := range all.all {
		if !i.hasStandIns() || !i.isLarge() {
			continue
		}
		if isFirst {
			if err := i.askClients(ctx); err != nil {
				return err
			}
		}
		if i.library != nil {
			if err := i.library.asked.round(ctx, false, share); err != nil {
				return err
			}
		}
		if err := i.asked.roundOf(ctx, i.asked.within(), false, share); err != nil {
			return err
		}
		if err := i.roundOfClients(ctx, false, share); err != nil {
			return err
		}
	}
	return nil
}

// round asks everything once.
func (all *inquiries) round(ctx context.Context, isFirst, isLast bool, share limit.Work) error {
	for _, i := range all.all {
		if err := i.asked.round(ctx, isLast, share); err != nil {
			return err
		}
		if !isFirst || isLast || len(i.clients) > 0 {
			continue
		}
		if err := i.askClients(ctx); err != nil {
			return err
		}
	}
	for _, i := range all.all {
		if err := i.roundOfClients(ctx, isLast, share); err != nil {
			return err
		}
	}
	return nil
}

// settle settles what is still open.
func (all *inquiries) settle(why func(*asking)) {
	for _, i := range all.all {
		i.replace()
		i.asked.settleAll(why)
		for _, own := range i.clients {
			own.asked.settleAll(why)
		}
	}
}

// answer asks everything, and adds the answers to the result: those that there are, if it is interrupted.
func (all *inquiries) answer(ctx context.Context, result *Result) error {
	err := all.run(ctx)
	switch {
	case err == nil:
		all.settle(func(*asking) {})
	case ctx.Err() != nil:
		all.settle((*asking).interrupt)
	default:
		return err
	}
	all.addTo(result)
	return nil
}

// addTo adds the answers to the result.
func (all *inquiries) addTo(result *Result) {
	for _, i := range all.all {
		i.addTo(result)
	}
	for _, late := range all.late {
		all.stages.kept.leaveOut()
		answer := unknown(all.request, late.Error())
		answer.Entry = late.about()
		all.request.answered(result, answer)
	}
}

// missing returns an error about something that the user names and that no program has; nil if there
// is none.
func (all *inquiries) missing() error {
	for _, i := range all.all {
		if i.asked.missing != nil {
			return i.asked.missing
		}
	}
	return nil
}

// partsOf divides programs into those of the module and clients of a library.
func partsOf(all []harness.Entry) [][]harness.Entry {
	isLibrary := func(e harness.Entry) bool { return e.IsLibrary() }
	library := slices.DeleteFunc(slices.Clone(all), func(e harness.Entry) bool { return !isLibrary(e) })
	if len(library) == 0 || len(library) == len(all) {
		return [][]harness.Entry{all}
	}
	return [][]harness.Entry{slices.DeleteFunc(slices.Clone(all), isLibrary), library}
}
