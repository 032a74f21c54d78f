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
	"github.com/empire-go/empire-go/limit"
	"github.com/empire-go/empire-go/scenarios"
)

// BlockingResult tells whether goroutines of a program can be blocked for ever, and whether an operation can end it.
type BlockingResult struct {
	Entry    string            `json:"entry"` // the program
	Verdict  string            `json:"verdict"`
	Reason   string            `json:"reason,omitempty"` // of an unknown verdict
	States   int               `json:"states"`           // of the model, that were looked at
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
	Waits        []Waiting     `json:"waits"`
	Also         []Waiting     `json:"also,omitempty"`
	Interleaving []Step        `json:"interleaving"`
	Harm         *Harm         `json:"harm"` // status and reason
	Confirmation *Confirmation `json:"confirmation,omitempty"`
	Accepted     *Acceptance   `json:"accepted,omitempty"`
}

// Waiting is a goroutine that waits.
type Waiting struct {
	Goroutine string     `json:"goroutine"`
	Instance  int        `json:"instance"`
	Function  string     `json:"function"`
	Pos       string     `json:"pos"`
	What      string     `json:"what"` // in words: "takes lock a.mu"
	For       []WaitsFor `json:"for,omitempty"`
}

// WaitsFor says whom a goroutine waits for.
type WaitsFor struct {
	Goroutine string `json:"goroutine"`
	Instance  int    `json:"instance"`
	Holds     string `json:"holds,omitempty"` // the lock that it holds
	Ended     bool   `json:"ended,omitempty"` // it has ended with that
	Could     string `json:"could,omitempty"` // what it would do, if it came there: "receive from jobs"
}

// asksAboutBlocking tells whether the request names classes.
func (r *Request) asksAboutBlocking() bool { return len(r.Classes) > 0 }

// checkClasses checks the classes.
func (r *Request) checkClasses() error {
	for _, name := range r.Classes {
		if !slices.Contains(scenarios.ClassNames(), name) {
			return inputErrorf("--class", "no class %q is looked for by itself; write one or more of %s", name,
				strings.Join(scenarios.ClassNames(), ", "))
		}
	}
	return nil
}

// runBlocking adds what is asked about blocking to the result: for calls of a program's functions, which are small and
// come first, and for each of the programs that the request is about. These decide also about calls that are part of
// them.
func runBlocking(ctx context.Context, r Request, program *load.Program, result *Result, stages *runner,
	programs func() ([]harness.Entry, error)) error {
	calls := localCalls(r, program)
	found, err := searchCalls(ctx, r, calls, stages)
	if err != nil {
		return err
	}
	all, err := programs()
	isAll := isNothing(err) && len(calls) > 0
	isCut := ctx.Err() != nil && len(found) > 0 // what is known is told
	if err != nil && !isAll && !isCut {
		return err
	}
	if err := runPrograms(ctx, r, all, result, stages); err != nil {
		return err
	}
	result.addCalls(undecided(found, all, result.Blocking), len(calls))
	return nil
}

// runPrograms adds what is asked about programs: first what the order of their locks decides, of all, and then what has
// to be searched for.
func runPrograms(ctx context.Context, r Request, all []harness.Entry, result *Result, stages *runner) error {
	settled := make([]*settlement, len(all))
	for i, e := range all {
		r.begins("asking in which order "+e.Name+" takes locks", i, len(all))
		reason, err := isWithin(ctx, r, stages, stages.stageWork(r), func(limited context.Context) (err error) {
			settled[i], err = settle(limited, r, e, stages)
			return err
		})
		if err != nil {
			return err
		}
		if reason != "" {
			settled[i] = nil
		}
	}
	for i, e := range all {
		found := settledBy(settled[i], r, e)
		if found == nil {
			r.begins("asking whether "+e.Name+" blocks", i, len(all))
			reason, err := isWithin(ctx, r, stages, stages.stageWork(r), func(limited context.Context) (err error) {
				found, err = run(limited, stages, "blocking", func(ctx context.Context) (*BlockingResult, error) {
					return searchedFor(ctx, r, e, settled[i])
				})
				return err
			})
			if err != nil {
				return err
			}
			if reason != "" {
				found = unknownBlocking(e.Name, reason)
			}
		}
		limited, release := stages.within(ctx, r, stages.stageWork(r))
		tryStuck(limited, r, e, found)
		release()
		found.addPipe(settled[i])
		found.addLocks(settled[i], e)
		result.Blocking = append(result.Blocking, *found)
	}
	return nil
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

// runBlocking carries out a request about blocking.
func (s *Session) runBlocking(ctx context.Context, r Request) (*Result, error) {
	r, err := s.meant(r)
	if err != nil {
		return nil, err
	}
	result := newResult(r, s.program)
	all := func() ([]harness.Entry, error) { return s.entriesOf(ctx, r) }
	if err := runBlocking(ctx, r, s.program, result, &runner{}, all); err != nil {
		return nil, asInputError(err)
	}
	result.conclude()
	return result, nil
}

func unknownBlocking(name, reason string) *BlockingResult {
	return &BlockingResult{Entry: name, Verdict: VerdictUnknown, Reason: reason, Guesses: []Assumption{},
		Findings: []BlockingFinding{}}
}

// blockingModel makes the model of one program. Of its locks that is known which is settled; nil: nothing is.
func blockingModel(ctx context.Context, r Request, e harness.Entry, s *settlement) (*blocking.Model, error) {
	c := blocking.Config{
		Roots:      e.Roots(),
		Position:   func(at ssa.Instruction) esl.Pos { return e.Program.Position(ssaflow.TokenPos(at)) },
		PositionOf: func(pos token.Pos) esl.Pos { return e.Program.Position(pos) },
		IsFollowed: isFollowed(e.Program),
		IsUnknown:  func(g *ssa.Global) bool { return e.IsLibrary() && e.Program.IsGenerated(g.Pos()) },
		IsClient:   func(fn *ssa.Function) bool { return e.IsLibrary() && e.Program.IsGenerated(fn.Pos()) },
		IsRepeated: e.Repeats,
		IsCoarse:   r.coarseWaits,
	}
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
		s, err := settle(ctx, r, e, &runner{})
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
	if errors.Is(err, blocking.ErrTooLarge) {
		return unknownBlocking(e.Name, err.Error()), nil
	}
	if err != nil {
		return nil, err
	}
	return searchBlocking(ctx, blockingQuestion{name: e.Name, classes: r.Classes, limits: e.Limits}, m)
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
	found, err := stuck.Search(ctx, m.Program, stuck.Options{Clients: m.Clients})
	if err != nil {
		return nil, err
	}
	more, err := searchDeeper(ctx, m, found)
	if err != nil {
		return nil, err
	}
	d, classes := &blockingWords{m, asked.call}, asked.classes
	q := &BlockingResult{Entry: asked.name, States: found.States, Guesses: []Assumption{}, Findings: []BlockingFinding{},
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
		slices.Contains(others, stuck.Blocked.String()):
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
	if f.Class == stuck.OrderViolation {
		for _, w := range f.Waits {
			for _, stmt := range w.At {
				if stmt.Op == esl.Add && m.Doubtful(stmt) { // it may have been counted up by more
					return stmt.Pos.String()
				}
			}
		}
		if c != nil && m.Skips { // what orders the operations may be left out
			return firstWait(f)
		}
	}
	if c != nil && m.SkipsJoins { // who comes there may have waited for what lets him go on
		return firstWait(f)
	}
	if c != nil {
		if at := related(m, c, f); at != "" {
			return at
		}
	}
	if f.Class == stuck.OrderViolation {
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

// firstWait returns where the first goroutine of a finding waits.
func firstWait(f stuck.Finding) string {
	for _, w := range f.Waits {
		if len(w.At) > 0 {
			return w.At[0].Pos.String()
		}
	}
	return "the end"
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

// blockingWords says in the words of the program what was found in a model.
type blockingWords struct {
	m    *blocking.Model
	call *local.Call
}

func (d *blockingWords) finding(f stuck.Finding) BlockingFinding {
	b := BlockingFinding{Interleaving: d.steps(f.Steps), Harm: harmOf(d.m, d.call, f)}
	for _, w := range f.Waits {
		b.Waits = append(b.Waits, d.waiting(w))
	}
	for _, w := range f.Also {
		b.Also = append(b.Also, d.waiting(w))
	}
	b.name(f.Class)
	return b
}

// name says of which class a finding is, and makes its id of that and of who waits.
func (f *BlockingFinding) name(c stuck.Class) {
	class, _ := scenarios.ClassByName(c.String())
	f.Class, f.Definition = class.Name, class.Definition
	var key []string
	for _, w := range f.Waits {
		key = append(key, w.Function+" "+w.What)
	}
	slices.Sort(key)
	f.ID = shortID(class.Name + "\n" + strings.Join(key, "\n"))
}

func (d *blockingWords) waiting(w stuck.Wait) Waiting {
	p := d.m.Program
	out := Waiting{Goroutine: p.Processes[w.Process].Name, Instance: w.Copy}
	var what []string
	for _, stmt := range w.At {
		if out.Pos == "" {
			out.Pos, out.Function = stmt.Pos.String(), d.m.FunctionAt(stmt.Pos)
		}
		if text := d.doing(stmt, true); text != "" && !slices.Contains(what, text) {
			what = append(what, text)
		}
	}
	if out.What = strings.Join(what, " or "); len(w.At) == 0 {
		out.What = "waits for ever"
	}
	for _, e := range w.For {
		to := WaitsFor{Goroutine: p.Processes[e.Process].Name, Instance: e.Copy, Ended: e.Ended}
		if e.Holds {
			to.Holds = p.Locks[e.Arg].Name
		} else {
			to.Could = d.doing(esl.Stmt{Op: e.Op, Arg: e.Arg, Count: -1}, false)
		}
		if !slices.Contains(out.For, to) {
			out.For = append(out.For, to)
		}
	}
	return out
}

// blockingActions are what operations are called in steps.
var blockingActions = map[esl.Op]string{
	esl.LockOp: "lock", esl.Unlock: "unlock", esl.RLock: "rlock", esl.RUnlock: "runlock", esl.Start: "start",
	esl.Send: "send", esl.Receive: "recv", esl.ReceiveClosed: "recv", esl.CloseChannel: "close",
	esl.Enlist: "cond-wait", esl.Awake: "awake", esl.Signal: "signal", esl.Broadcast: "broadcast", esl.Add: "add",
	esl.WaitZero: "wait-group", esl.Assign: "assign", esl.Test: "test", esl.Swap: "swap", esl.Exit: "exit",
	esl.Intend: "announce", esl.Skip: "skip",
}

// doing says in words what a statement does, or would do.
func (d *blockingWords) doing(stmt esl.Stmt, third bool) string {
	p := d.m.Program
	verb := func(text string) string {
		if third {
			first, rest, _ := strings.Cut(text, " ")
			return strings.TrimSpace(first + "s " + rest)
		}
		return text
	}
	switch stmt.Op {
	case esl.LockOp, esl.Intend:
		return verb("take lock " + p.Locks[stmt.Arg].Name)
	case esl.RLock:
		return verb("take lock " + p.Locks[stmt.Arg].Name + " for reading")
	case esl.Unlock, esl.RUnlock:
		return verb("release lock " + p.Locks[stmt.Arg].Name)
	case esl.Send:
		return verb("send to " + p.Channels[stmt.Arg].Name)
	case esl.Receive, esl.ReceiveClosed:
		return verb("receive from " + p.Channels[stmt.Arg].Name)
	case esl.CloseChannel:
		return verb("close " + p.Channels[stmt.Arg].Name)
	case esl.Enlist, esl.Awake:
		return verb("wait for a signal of " + p.Conditions[stmt.Arg].Name)
	case esl.Signal:
		return verb("signal " + p.Conditions[stmt.Arg].Name)
	case esl.Broadcast:
		return verb("broadcast " + p.Conditions[stmt.Arg].Name)
	case esl.Add:
		if stmt.Count < 0 {
			return verb("count " + p.Groups[stmt.Arg].Name + " down")
		}
		return verb("count " + p.Groups[stmt.Arg].Name + " up")
	case esl.WaitZero:
		return verb("wait for " + p.Groups[stmt.Arg].Name)
	case esl.Test, esl.Swap:
		return verb("wait for " + p.Variables[stmt.Arg].Name)
	case esl.Assign:
		return verb("set " + p.Variables[stmt.Arg].Name)
	}
	if stmt.Op == esl.Choice {
		return verb("wait at a channel that is nil")
	}
	return ""
}

// steps describes a run: what others can notice.
func (d *blockingWords) steps(run []esl.Step) (all []Step) {
	p := d.m.Program
	for _, step := range run {
		body := p.Functions[step.Function].Body
		if step.Index == len(body) {
			continue
		}
		stmt := body[step.Index]
		action := blockingActions[stmt.Op]
		if action == "" || action == "skip" {
			continue
		}
		s := Step{Step: len(all) + 1, Goroutine: p.Processes[step.Process].Name, Instance: step.Copy,
			Function: d.m.FunctionAt(stmt.Pos), Action: action, Pos: stmt.Pos.String(), Stack: []string{}}
		switch stmt.Op {
		case esl.LockOp, esl.Unlock, esl.RLock, esl.RUnlock:
			s.Lock, s.Object = p.Locks[stmt.Arg].Name, p.Locks[stmt.Arg].Pos.String()
		case esl.Send, esl.Receive, esl.ReceiveClosed, esl.CloseChannel:
			s.Channel, s.Closed = p.Channels[stmt.Arg].Name, stmt.Op == esl.ReceiveClosed
			s.Object = p.Channels[stmt.Arg].Pos.String()
		case esl.Start:
			s.Target = p.Processes[stmt.Arg].Name
		case esl.Intend:
			s.Text = "want lock " + p.Locks[stmt.Arg].Name + ": no more readers get it"
		default:
			s.Text = d.doing(stmt, false)
		}
		all = append(all, s)
	}
	return all
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
