package checker

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/interp"
	"github.com/empire-go/empire-go/limit"
)

// Deadlocks says which instances wait for each other's locks and ends for ever.
type Deadlocks struct {
	Chains []Chain
	// Complete tells that there are no others, and that nothing but locks and ends is waited for in the program. Nothing
	// is said of who holds a lock for ever because of a loop that it need not leave.
	Complete bool
	Reason   string // if not
	Systems  int    // that an engine was asked about
}

// Chain is instances each of which waits for the next one, and the last for one of them, unless it has ended.
type Chain struct {
	Links []Link
	Back  int // the link that the last one waits for; -1: it has ended, and waits for nobody
	Steps []esl.Step
}

// Link is an instance that waits for the next one.
type Link struct {
	esl.Instance
	Ended           bool
	Function, Index int
	Stmt            esl.Stmt
	Holds           []cpds.Hold // because of which others of the chain wait
	Running         bool        // others wait for its end
}

// DeadlockOptions say what FindDeadlocks is to look for.
type DeadlockOptions struct {
	Engine Engine // required
	Limits Limits
	// Everybody asks about all that wait in vain, not only about those that wait for each other, or for one that has
	// ended.
	Everybody bool
	Systems   int // at most so many are asked about; 0: DefaultSystems
}

// DefaultSystems is how many systems FindDeadlocks asks about.
const DefaultSystems = 2_000

// FindDeadlocks decides by pushdown systems which instances can come to wait for locks and ends in vain: a chain of
// them in which each waits for what the next one holds, or for its end, and that leads back into itself, or to one that
// has ended with the lock. Nobody can break it, as only who holds a lock releases it. Conversely, if all loops and
// recursions can be left, an instance that waits for ever is the head of a chain: let all others go on to their ends
// until nobody moves any more. Stacks are of any depth: where locks are nested the engine refine decides such a chain
// exactly, by lock histories (Kidd, Lammich, Touili and Reps, 2009, as package histories says).
//
// The work is one system for each chain that lock counts do not rule out: their number is exponential in the length of
// the chain at worst, and bounded by the options. The error is that of the context, that the program is not valid or
// too large, or that it has what the pushdown model does not have.
func FindDeadlocks(ctx context.Context, p *esl.Program, o DeadlockOptions) (*Deadlocks, error) {
	if o.Engine == nil {
		return nil, errors.New("checker: no engine; set DeadlockOptions.Engine")
	}
	if err := esl.Validate(p); err != nil {
		return nil, fmt.Errorf("checker: %w", err)
	}
	m, err := cpds.LowerContext(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("checker: %w", err)
	}
	if o.Systems == 0 {
		o.Systems = DefaultSystems
	}
	f := &chainFinder{ctx: ctx, model: m, options: o, found: &Deadlocks{}, seen: map[string]bool{}}
	if !m.OwnsLocks() {
		f.found.Reason = "a lock is released by others than those who hold it"
		return f.found, nil
	}
	for i := range p.Processes {
		f.stops = append(f.stops, m.Stops(i))
	}
	for _, in := range p.Instances() {
		for _, stop := range f.stops[in.Process] {
			if !stop.Ended {
				f.extend([]Link{link(in, stop)})
			}
		}
	}
	if f.found.Reason == "" {
		f.found.Reason = onlyLocks(p)
	}
	f.found.Complete = f.found.Reason == ""
	return f.found, ctx.Err()
}

// onlyLocks says what else is waited for in a program than locks and ends; "" if nothing.
func onlyLocks(p *esl.Program) string {
	for _, f := range p.Functions {
		for _, s := range f.Body {
			switch s.Op {
			case esl.Await, esl.AwaitUnset, esl.Set, esl.Send, esl.Receive, esl.ReceiveClosed, esl.CloseChannel:
				return fmt.Sprintf("%v is not looked at", s.Op)
			case esl.Choice:
				if len(s.Targets) == 0 {
					return "a choice without targets is not looked at"
				}
			}
		}
	}
	return ""
}

// chainFinder looks for chains.
type chainFinder struct {
	ctx     context.Context
	model   *cpds.Model
	options DeadlockOptions
	stops   [][]cpds.Stop // by process
	found   *Deadlocks
	seen    map[string]bool // the places of what has been found
}

func link(in esl.Instance, s cpds.Stop) Link {
	return Link{Instance: in, Ended: s.Ended, Function: s.Function, Index: s.Index, Stmt: s.Stmt}
}

// cause is one because of which a link waits for another one.
type cause struct {
	hold cpds.Hold
	end  bool
}

// causes returns what the statement of a link can wait for.
func (f *chainFinder) causes(l Link) []cause {
	switch l.Stmt.Op {
	case esl.LockOp:
		all := []cause{{hold: cpds.Hold{Lock: l.Stmt.Arg}}}
		if f.model.Program.Locks[l.Stmt.Arg].Kind == esl.RW {
			all = append(all, cause{hold: cpds.Hold{Lock: l.Stmt.Arg, Shared: true}})
		}
		return all
	case esl.RLock:
		return []cause{{hold: cpds.Hold{Lock: l.Stmt.Arg}}}
	}
	return []cause{{end: true}}
}

// could tells whether instances of a process that have stopped somewhere may be waited for.
func could(waits Link, process int, s cpds.Stop, r cause) bool {
	if r.end {
		return waits.Stmt.Arg == process
	}
	return slices.Contains(s.Holds, r.hold)
}

func (l *Link) owes(r cause) {
	switch {
	case r.end:
		l.Running = true
	case !slices.Contains(l.Holds, r.hold):
		l.Holds = append(slices.Clip(l.Holds), r.hold)
	}
}

// extend asks about all chains that begin so.
func (f *chainFinder) extend(links []Link) {
	if f.found.Reason != "" || f.ctx.Err() != nil {
		return
	}
	head, last := links[0], links[len(links)-1]
	if f.options.Everybody && f.seen[place(head)] {
		return
	}
	for _, r := range f.causes(last) {
		for back, l := range links {
			if stop := f.stopOf(l); could(last, l.Process, stop, r) && (f.options.Everybody || back == 0) {
				f.ask(links, back, r)
			}
		}
		for _, in := range f.model.Program.Instances() {
			if slices.ContainsFunc(links, func(l Link) bool { return l.Instance == in }) {
				continue
			}
			for _, stop := range f.stops[in.Process] {
				if !could(last, in.Process, stop, r) {
					continue
				}
				next := link(in, stop)
				next.owes(r)
				switch longer := append(slices.Clone(links), next); {
				case !stop.Ended:
					f.extend(longer)
				case f.options.Everybody || len(links) == 1:
					f.ask(longer, -1, cause{})
				}
			}
		}
	}
}

func (f *chainFinder) stopOf(l Link) cpds.Stop {
	i := slices.IndexFunc(f.stops[l.Process], func(s cpds.Stop) bool {
		return s.Function == l.Function && s.Index == l.Index && s.Ended == l.Ended
	})
	return f.stops[l.Process][i]
}

func place(l Link) string { return fmt.Sprint(l.Process, l.Function, l.Index, l.Ended) }

// key is the same for circles that are the same but for where they begin and for the copies.
func (f *chainFinder) key(c Chain) string {
	if f.options.Everybody {
		return place(c.Links[0])
	}
	var all []string
	for _, l := range c.Links {
		all = append(all, place(l))
	}
	if c.Back >= 0 {
		slices.Sort(all)
	}
	return fmt.Sprint(all)
}

// ask asks about a chain whose last link waits for another one because of a reason.
func (f *chainFinder) ask(links []Link, back int, r cause) {
	c := Chain{Links: slices.Clone(links), Back: back}
	if back >= 0 {
		c.Links[back].owes(r)
	}
	key := f.key(c)
	if f.seen[key] {
		return
	}
	if f.found.Systems++; f.found.Systems > f.options.Systems {
		f.found.Reason = fmt.Sprintf("there are more than %d ways to wait for each other", f.options.Systems)
		return
	}
	var stands []cpds.Stand
	for _, l := range c.Links {
		stands = append(stands, cpds.Stand{Instance: l.Instance, Ended: l.Ended, Function: l.Function, Index: l.Index,
			Holds: l.Holds, Running: l.Running})
	}
	s := f.model.StandSystem(stands)
	for _, component := range s.Components {
		limit.Pay(f.ctx, limit.Rule*limit.Work(len(component.Rules)))
	}
	answers := f.options.Engine.Decide(f.ctx, s, f.options.Limits)
	switch {
	case len(answers) != 1:
		f.found.Reason = "the engine did not answer"
	case answers[0].Status == Undecided:
		f.found.Reason = answers[0].Reason
	case answers[0].Status == Common:
		var err error
		if c.Steps, err = f.replay(c, s, answers[0]); err != nil {
			f.found.Reason = fmt.Sprintf("%s: %v", notReplayed, err)
			return
		}
		f.seen[key] = true
		f.found.Chains = append(f.found.Chains, c)
	}
}

// replay makes a run of a word, after which the interpreter finds the chain as it was said.
func (f *chainFinder) replay(c Chain, s *cpds.System, a Answer) ([]esl.Step, error) {
	steps, _, err := scheduleTo(f.model, s, a.Word, a.Runs, true)
	if err != nil {
		return nil, err
	}
	state, err := interp.Replay(f.ctx, f.model.Program, steps)
	if err != nil {
		return nil, err
	}
	for _, l := range c.Links {
		at := state.At(l.Instance)
		if at.Ended != l.Ended || !l.Ended && (at.Function != l.Function || at.Index != l.Index) {
			return nil, fmt.Errorf("%v is elsewhere", l.Instance)
		}
		if slices.ContainsFunc(interp.Enabled(state), func(step esl.Step) bool { return step.Instance == l.Instance }) {
			return nil, fmt.Errorf("%v can go on", l.Instance)
		}
	}
	return steps, nil
}
