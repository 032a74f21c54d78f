package pipeline

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	stuck "github.com/empire-go/empire-go/checker/blocking"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/blocking"
	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/local"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/waits"
	"github.com/empire-go/empire-go/limit"
	"github.com/empire-go/empire-go/scenarios"
)

// BlockingResult tells whether goroutines of a program can be blocked for ever, and whether an operation can end it.
type BlockingResult struct {
	Entry    string            `json:"entry"` // the program, or the call
	IsCall   bool              `json:"isCall,omitempty"`
	IsRun    bool              `json:"isRun,omitempty"` // it is a run, of which the data races were found
	Verdict  string            `json:"verdict"`
	Reason   string            `json:"reason,omitempty"` // of an unknown verdict
	States   int               `json:"states"`           // of the model, that were looked at
	Hinders  bool              `json:"-"`                // it is unknown as goroutines may hinder each other
	Model    ModelSize         `json:"model"`
	Guesses  []Assumption      `json:"guesses"` // what is not known: a run of the model may be none of the program
	Findings []BlockingFinding `json:"findings"`
	Locks    []SettledLock     `json:"locks,omitempty"` // of the program, by what is held when they are taken
}

// BlockingFinding is a run after which goroutines are blocked for ever, or that an operation ends.
type BlockingFinding struct {
	Class      string `json:"class"`      // its name in scenarios.Classes
	Definition int    `json:"definition"` // its number in the classification
	ID         string `json:"id"`         // stable under moved lines
	// the goroutines that wait for each other, or the one that waits, or that ends the program
	Waits []Waiting `json:"waits"`
	Also  []Waiting `json:"also,omitempty"`
	// of an order violation that does not end the program: either of the two that wait may come first
	EitherFirst  bool          `json:"eitherFirst,omitempty"`
	Interleaving []Step        `json:"interleaving"`
	Harm         *Harm         `json:"harm"` // status and reason
	Confirmation *Confirmation `json:"confirmation,omitempty"`
	Accepted     *Acceptance   `json:"accepted,omitempty"`
}

// Waiting is a goroutine that waits.
type Waiting struct {
	Goroutine string `json:"goroutine"`
	Instance  int    `json:"instance"`
	Function  string `json:"function"`
	Pos       string `json:"pos"`
	What      string `json:"what"` // in words: "takes lock a.mu"
	// the lines of a loop that looks again and again for what it waits for: "main.go:12-14"
	Loop string     `json:"loop,omitempty"`
	For  []WaitsFor `json:"for,omitempty"`
}

// WaitsFor says whom a goroutine waits for.
type WaitsFor struct {
	Goroutine string `json:"goroutine"`
	Instance  int    `json:"instance"`
	Holds     string `json:"holds,omitempty"` // the lock that it holds
	Ended     bool   `json:"ended,omitempty"` // it has ended with that
	Could     string `json:"could,omitempty"` // what it would do, if it came there: "receive from jobs"
}

// asksAboutClasses tells whether the request names classes.
func (r *Request) asksAboutClasses() bool { return len(r.Classes) > 0 }

// asksAboutBlocking tells whether it names classes that are about blocking.
func (r *Request) asksAboutBlocking() bool {
	return slices.ContainsFunc(r.Classes, func(name string) bool { return name != scenarios.DataRaceClass })
}

// checkClasses checks the classes.
func (r *Request) checkClasses() error {
	for _, name := range r.Classes {
		if all := scenarios.AskedClasses(); !slices.Contains(all, name) {
			return inputErrorf("--class", "no class %q is looked for by itself; write one or more of %s", name,
				strings.Join(all, ", "))
		}
	}
	return nil
}

// Extent is how many programs, or calls of functions, were asked about blocking.
type Extent struct {
	Asked int `json:"asked"`
	Open  int `json:"open"` // of those: what they can come to is not known, or was more than there was time for
}

// runBlocking adds what is asked about blocking to the result: for calls of a program's functions, which are small and
// come first, and for each of the programs that the request is about. These decide also about calls that are part of
// them.
func runBlocking(ctx context.Context, r Request, program *load.Program, result *Result, stages *runner,
	programs func() ([]harness.Entry, error)) error {
	asked, err := searchCalls(ctx, r, program, stages)
	if err != nil {
		return err
	}
	all, err := programs()
	isAll := isNothing(err) && asked.counts.Asked > 0
	isCut := ctx.Err() != nil && len(asked.found) > 0 // what is known is told
	if err != nil && !isAll && !isCut {
		return err
	}
	work := func() limit.Work { return stages.stageWork(r) }
	answers, err := runPrograms(ctx, r, all, stages, work, func(b BlockingResult) { r.blocked(result, b) })
	if err != nil {
		return err
	}
	asked.found = undecided(asked.found, all, answers)
	r.addCalls(result, asked)
	r.addOnlyCalls(result)
	return nil
}

// runPrograms returns what is asked about programs, of which each may take so much work: first what the order of their
// locks decides, of all, and then what has to be searched for. Each answer is told when it is there.
func runPrograms(ctx context.Context, r Request, all []harness.Entry, stages *runner, work func() limit.Work,
	tell func(BlockingResult)) (answers []programAnswer, err error) {
	settled := make([]*settlement, len(all))
	if len(all) == 0 {
		return nil, nil
	}
	code := waits.NewCode(originIn(all[0].Program))
	for i, e := range all {
		r.begins("asking in which order "+e.Name+" takes locks", i, len(all))
		reason, err := isWithin(ctx, r, stages, work(), func(limited context.Context) (err error) {
			settled[i], err = settle(limited, r, e, code, stages)
			return err
		})
		if err != nil {
			return nil, err
		}
		if reason != "" {
			settled[i] = nil
		}
	}
	for i, e := range all {
		found := settledBy(settled[i], r, e)
		if found == nil || hasClass(r.Classes, stuck.OrderViolation) || hasClass(r.Classes, stuck.Livelock) {
			r.begins("asking whether "+e.Name+" blocks", i, len(all))
			most := work()
			if found != nil {
				most /= settledShare
			}
			searched, err := searchWithin(ctx, r, e, settled[i], stages, most)
			if err != nil {
				return nil, err
			}
			switch { // what is nil is not a matter of locks, nor who hinders whom
			case found == nil, searched.Verdict == VerdictViolation, searched.Hinders, len(r.Classes) == 1:
				found = searched
			case searched.Verdict == VerdictUnknown:
				found.Guesses = append(found.Guesses, Assumption{"unknown", "-", "whether something is used that another " +
					"goroutine has yet to set, or has set to nil, or goroutines hinder each other again and again, is not known: " +
					searched.Reason})
			}
		}
		limited, release := stages.within(ctx, r, work())
		tryStuck(limited, r, e, found)
		release()
		found.addPipe(settled[i])
		found.addLocks(settled[i], e)
		answers = append(answers, programAnswer{*found, settled[i]})
		tell(*found)
	}
	return answers, nil
}

// programAnswer is the answer about a program, and what the order of its locks decides; nil: that is not known.
type programAnswer struct {
	BlockingResult
	settled *settlement
}

// isPart tells whether a function is part of the program: what calls it is in its call graph, or, where that is not
// known, its package is one of the program's.
func (a programAnswer) isPart(e harness.Entry, fn *ssa.Function) bool {
	if a.settled != nil {
		return a.settled.reached[fn]
	}
	pkg := knowledge.Outermost(fn).Pkg
	if pkg == nil {
		return false
	}
	_, isPart := e.InReach()[pkg.Pkg.Path()]
	return isPart
}

// settledShare is which part of the work for a search is done where it is known that nobody waits for ever.
const settledShare = 16

// searchWithin looks for findings in the model of a program, with so much work.
func searchWithin(ctx context.Context, r Request, e harness.Entry, s *settlement, stages *runner, work limit.Work) (
	found *BlockingResult, err error) {
	reason, err := isWithin(ctx, r, stages, work, func(limited context.Context) (err error) {
		found, err = run(limited, stages, "blocking", func(ctx context.Context) (*BlockingResult, error) {
			return searchedFor(ctx, r, e, s)
		})
		return err
	})
	if reason != "" {
		found = unknownBlocking(e.Name, reason)
	}
	return found, err
}

// isWithin does something about one program. The reason says why it came to no end, if it did not for lack of time.
func isWithin(ctx context.Context, r Request, stages *runner, work limit.Work,
	do func(context.Context) error) (reason string, err error) {
	limited, release := stages.within(ctx, r, work)
	defer release()
	err = do(limited)
	late := new(limitError)
	switch {
	case err == nil:
		return "", nil
	case ctx.Err() != nil:
		return interrupted, nil
	case errors.As(err, &late):
		return late.Error(), nil
	}
	return "", err
}

// runClasses carries out a request about classes.
func (s *Session) runClasses(ctx context.Context, r Request) (*Result, error) {
	r, err := s.meant(r)
	if err != nil {
		return nil, err
	}
	result := newResult(r, s.program)
	all := func(r Request) ([]harness.Entry, error) { return s.entriesOf(ctx, r) }
	if err := runClasses(ctx, r, s.program, result, &runner{}, all); err != nil {
		return nil, asInputError(err)
	}
	result.conclude()
	return result, nil
}

func unknownBlocking(name, reason string) *BlockingResult {
	return &BlockingResult{Entry: name, Verdict: VerdictUnknown, Reason: reason, Guesses: []Assumption{},
		Findings: []BlockingFinding{}}
}

// blockingConfig is what models of a program, or of a part of it, have in common.
func blockingConfig(program *load.Program, roots ...*ssa.Function) blocking.Config {
	return blocking.Config{
		Roots:      roots,
		Position:   func(at ssa.Instruction) esl.Pos { return program.Position(ssaflow.TokenPos(at)) },
		PositionOf: func(pos token.Pos) esl.Pos { return program.Position(pos) },
		IsFollowed: isFollowed(program),
	}
}

// blockingModel makes the model of one program. Of its locks that is known which is settled; nil: nothing is.
func blockingModel(ctx context.Context, r Request, e harness.Entry, s *settlement) (*blocking.Model, error) {
	c := blockingConfig(e.Program, e.Roots()...)
	c.IsUnknown = func(g *ssa.Global) bool { return e.IsLibrary() && e.Program.IsGenerated(g.Pos()) }
	c.IsClient = func(fn *ssa.Function) bool { return e.IsLibrary() && e.Program.IsGenerated(fn.Pos()) }
	c.IsRepeated, c.IsCoarse = e.Repeats, r.coarseWaits
	if s != nil {
		c.Settled = s
	}
	return blocking.Lower(ctx, c)
}

// BlockingModels returns the models of the programs of a request in which it is looked for what blocks. Its errors
// are those of Run.
func BlockingModels(ctx context.Context, r Request) (models []*esl.Program, err error) {
	_, all, err := programsOf(ctx, r, &runner{})
	if err != nil {
		return nil, err
	}
	for _, e := range all {
		s, err := settle(ctx, r, e, waits.NewCode(originIn(e.Program)), &runner{})
		if err != nil {
			return nil, err
		}
		m, err := blockingModel(ctx, r, e, s)
		if err != nil {
			return nil, inputErrorf(e.Name, "%s", err)
		}
		m.Program.Name = e.Name
		models = append(models, m.Program)
	}
	return models, nil
}

// searchedFor looks for findings in the model of a program.
func searchedFor(ctx context.Context, r Request, e harness.Entry, s *settlement) (*BlockingResult, error) {
	m, err := blockingModel(ctx, r, e, s)
	return searchLowered(ctx, blockingQuestion{name: e.Name, classes: r.Classes, limits: e.Limits}, m, err)
}

// searchLowered looks for what is asked in a model, unless that was too large to be made.
func searchLowered(ctx context.Context, asked blockingQuestion, m *blocking.Model, err error) (*BlockingResult, error) {
	if errors.Is(err, blocking.ErrTooLarge) {
		return unknownBlocking(asked.name, err.Error()), nil
	}
	if err != nil {
		return nil, err
	}
	return searchBlocking(ctx, asked, m)
}

// SearchBlocking looks for what blocks in a model that was written by hand.
func SearchBlocking(ctx context.Context, p *esl.Program, name string) (*BlockingResult, error) {
	return searchBlocking(ctx, blockingQuestion{name: name, classes: scenarios.ClassNames()}, &blocking.Model{Program: p})
}

// blockingQuestion is what is asked of a model.
type blockingQuestion struct {
	name    string
	classes []string
	limits  []string    // what an answer about clients, or a call, holds for
	call    *local.Call // that the model is of; nil: it is of a program
}

// searchBlocking looks for what is asked in a model. What is in doubt is no finding: the answer is unknown.
func searchBlocking(ctx context.Context, asked blockingQuestion, m *blocking.Model) (*BlockingResult, error) {
	found, err := stuck.Search(ctx, m.Program, stuck.Options{Clients: m.Clients, Looks: m.IsLoop, Loop: m.LoopAt,
		IsUse:       func(at esl.Pos) bool { return m.NilUses[at] || m.LateReports[at] },
		IsClosedUse: func(at esl.Pos) bool { return m.ClosedUses[at] }})
	if err != nil {
		return nil, err
	}
	more, err := searchDeeper(ctx, m, found)
	if err != nil {
		return nil, err
	}
	d, classes := &blockingWords{m, asked.call}, asked.classes
	q := &BlockingResult{Entry: asked.name, IsCall: asked.call != nil, States: found.States, Guesses: []Assumption{},
		Findings: []BlockingFinding{},
		Model: ModelSize{Goroutines: len(m.Program.Processes), Locks: len(m.Program.Locks),
			Channels: len(m.Program.Channels), Locations: len(m.Program.Variables)}}
	for _, g := range m.Guesses {
		kind := "unknown"
		if g.IsBranch {
			kind = "branch"
		}
		q.Guesses = append(q.Guesses, Assumption{kind, g.Pos.String(), g.What + " is not known"})
	}
	q.Guesses = append(q.Guesses, assumed(asked.limits)...)
	doubt, others := "", []string{}
	for _, f := range slices.Concat(found.Findings, more) {
		if at := inDoubt(m, asked.call, f); at != "" {
			doubt = at
			continue
		}
		told := d.finding(f)
		if !slices.Contains(classes, told.Class) && !slices.Contains(others, told.Class) {
			others = append(others, told.Class)
		}
		if !slices.Contains(classes, told.Class) {
			continue
		}
		same := slices.IndexFunc(q.Findings, told.isLike)
		switch {
		case same < 0:
			q.Findings = append(q.Findings, told)
		case byHarm(told, q.Findings[same]) < 0: // of another client or goroutine, which does the same
			q.Findings[same] = told
		}
	}
	slices.SortStableFunc(q.Findings, byHarm)
	switch {
	case len(q.Findings) > 0:
		q.Verdict = VerdictViolation
	case doubt != "":
		q.Verdict, q.Reason = VerdictUnknown, "whether a goroutine waits for ever at "+doubt+
			" depends on what is not known: "+guessed(q.Guesses)
	case !found.Complete:
		q.Verdict, q.Reason = VerdictUnknown, found.Reason
	case slices.ContainsFunc(m.Guesses, func(g blocking.Guess) bool { return !g.IsBranch }):
		q.Verdict, q.Reason = VerdictUnknown, guessed(q.Guesses)
	case found.Hinders && hasClass(classes, stuck.Livelock):
		q.Verdict, q.Hinders = VerdictUnknown, true
		q.Reason = "goroutines may hinder each other again and again: each of them tries what another one undoes"
	case found.Open && asksWhoWaits(classes):
		q.Verdict, q.Reason = VerdictUnknown, openReason(q.Guesses, others)
	default:
		q.Verdict = VerdictSafe
	}
	return q, nil
}

// assumed puts what an answer about clients is limited to into its guesses.
func assumed(limits []string) []Assumption {
	all := []Assumption{}
	for _, limit := range limits {
		all = append(all, Assumption{"clients", "", limit})
	}
	return all
}

// isLike tells whether another finding is the same: by its id, or at the same places, with other objects that were made
// at one place.
func (f BlockingFinding) isLike(other BlockingFinding) bool {
	return f.ID == other.ID || f.Class == other.Class && slices.EqualFunc(f.Waits, other.Waits, func(a, b Waiting) bool {
		return a.Pos != "" && a.Pos == b.Pos && a.Function == b.Function
	})
}

// asksWhoWaits tells whether one of the classes is about goroutines that wait; the others are about what ends the
// program.
func asksWhoWaits(classes []string) bool {
	return slices.ContainsFunc(classes, func(c string) bool { return c != stuck.OrderViolation.String() })
}

func hasClass(classes []string, c stuck.Class) bool { return slices.Contains(classes, c.String()) }

// openReason says why goroutines may wait for ever though nothing was found that was asked for: they do in classes that
// were not asked for, or if somebody goes round a loop for ever.
func openReason(guesses []Assumption, others []string) string {
	switch {
	case slices.Contains(others, stuck.Deadlock.String()), slices.Contains(others, stuck.MissedSignal.String()),
		slices.Contains(others, stuck.Blocked.String()), slices.Contains(others, stuck.NoProgress.String()),
		slices.Contains(others, stuck.Livelock.String()):
		return "goroutines can wait for ever in a class that was not asked for: " + strings.Join(others, ", ")
	case len(guesses) > 0:
		return guessed(guesses)
	}
	return "a goroutine waits for ever if another one makes the same choice again and again"
}

// inDoubt returns where something may let a goroutine of a finding go on that the model does not have: where it waits
// itself, or where those do that it waits for. Or it is in doubt whether a goroutine comes there at all, or whether the
// call that the model is of has that run.
func inDoubt(m *blocking.Model, c *local.Call, f stuck.Finding) string {
	for _, w := range f.Waits {
		if body := m.Program.Functions[w.Function].Body; w.Index < len(body) && m.Assumed(w.Process, body[w.Index].Pos) {
			return body[w.Index].Pos.String()
		}
	}
	if c != nil {
		if at := inDoubtOfCall(m, c, f); at != "" {
			return at
		}
	}
	if f.Class == stuck.OrderViolation {
		for _, w := range f.Waits {
			for _, stmt := range w.At {
				if stmt.Op == esl.Add && m.Doubtful(stmt) { // it may have been counted up by more
					return stmt.Pos.String()
				}
			}
		}
		return ""
	}
	all, seen := slices.Concat(f.Waits, f.Also), map[esl.Instance]bool{}
	for queue := slices.Clone(f.Waits); len(queue) > 0; queue = queue[1:] {
		w := queue[0]
		if seen[w.Instance] {
			continue
		}
		seen[w.Instance] = true
		for _, stmt := range w.At {
			if m.Doubtful(stmt) {
				return stmt.Pos.String()
			}
		}
		for _, e := range w.For {
			for _, other := range all {
				if other.Instance == e.Instance {
					queue = append(queue, other)
				}
			}
		}
	}
	return ""
}

// isFollowed tells which functions the model of blocking follows: those of the program and of other modules, not those
// of the standard library.
func isFollowed(p *load.Program) func(*ssa.Function) bool {
	return func(fn *ssa.Function) bool {
		if fn == nil {
			return false
		}
		fn = knowledge.Outermost(fn)
		if origin := fn.Origin(); origin != nil {
			fn = origin
		}
		path := ""
		switch {
		case isTestModel(fn):
			return true
		case fn.Pkg != nil:
			path = fn.Pkg.Pkg.Path()
		case fn.Object() != nil && fn.Object().Pkg() != nil: // a wrapper
			path = fn.Object().Pkg().Path()
		default:
			return true
		}
		return p.InModule(path) || p.IsGenerated(fn.Pos()) || !knowledge.IsStandardPath(path)
	}
}

// isTestModel tells whether a function is of the model of package testing, and calls what it is handed once: see
// frontend/harness.
func isTestModel(fn *ssa.Function) bool {
	return knowledge.IsTesting(fn) && knowledge.IsWrapperOfCallback(fn) && !knowledge.Of(fn).Parallel
}

// guessed says why a model without findings is no proof: a branch that may go either way is in the model.
func guessed(all []Assumption) string {
	first, at := all[max(0, slices.IndexFunc(all, func(a Assumption) bool { return a.Kind == "unknown" }))], ""
	if first.Pos != "" {
		at = " (" + first.Pos + ")"
	}
	text := first.Text + at
	if len(all) > 1 {
		text += fmt.Sprintf(", nor %d other things", len(all)-1)
	}
	return text
}
