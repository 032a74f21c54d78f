package pipeline

import (
	"slices"
	"strings"

	stuck "github.com/empire-go/empire-go/checker/blocking"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/blocking"
	"github.com/empire-go/empire-go/frontend/local"
	"github.com/empire-go/empire-go/scenarios"
)

// blockingWords says in the words of the program what was found in a model.
type blockingWords struct {
	m    *blocking.Model
	call *local.Call
}

func (d *blockingWords) finding(f stuck.Finding) BlockingFinding {
	b := BlockingFinding{Interleaving: d.steps(f), Harm: harmOf(d.m, d.call, f),
		EitherFirst: f.Class == stuck.OrderViolation && len(f.Waits) == 2}
	for _, w := range f.Waits {
		told := d.waiting(w)
		if what, ok := d.used(f, w); ok {
			told.What = what
		}
		if f.Class == stuck.Livelock { // it is told where it is hindered, not where its loop ends
			told.Pos, told.Function = w.At[0].Pos.String(), d.m.FunctionAt(w.At[0].Pos)
		}
		b.Waits = append(b.Waits, told)
	}
	for _, w := range f.Also {
		b.Also = append(b.Also, d.waiting(w))
	}
	b.name(f.Class)
	return b
}

// used says what an instance has looked at last, or found closed, before it ends the program by using what is nil.
func (d *blockingWords) used(f stuck.Finding, w stuck.Wait) (what string, ok bool) {
	if len(w.At) == 0 || w.At[0].Op != esl.Exit {
		return "", false
	}
	if d.m.LateReports[w.At[0].Pos] {
		return "reports to a test that has ended", true
	}
	for _, step := range f.Steps {
		body := d.m.Program.Functions[step.Function].Body
		if step.Instance != w.Instance || step.Index == len(body) {
			continue
		}
		switch stmt := body[step.Index]; {
		case stmt.Op == esl.Test:
			what, ok = "uses "+d.m.Program.Variables[stmt.Arg].Name+", which is nil", true
		case stmt.Op == esl.ReceiveClosed && d.m.ClosedUses[w.At[0].Pos]:
			what, ok = "uses what comes from "+d.m.Program.Channels[stmt.Arg].Name+", which is closed: nil", true
		}
	}
	return what, ok
}

// name says of which class a finding is, and makes its id of that and of who waits.
func (f *BlockingFinding) name(c stuck.Class) {
	class, _ := scenarios.ClassByName(c.String())
	f.Class, f.Definition = class.Name, class.Definition
	var key []string
	for _, w := range f.Waits {
		key = append(key, w.Function+" "+w.What)
	}
	f.ID = class.ID(key...)
}

func (d *blockingWords) waiting(w stuck.Wait) Waiting {
	p := d.m.Program
	out := Waiting{Goroutine: p.Processes[w.Process].Name, Instance: w.Copy}
	var what []string
	if w.Round {
		d.goingRound(w, &out)
	}
	for _, stmt := range w.At {
		if out.Pos == "" {
			out.Pos, out.Function = stmt.Pos.String(), d.m.FunctionAt(stmt.Pos)
		}
		text := d.doing(stmt, true)
		switch {
		case w.Round:
			text = d.looking(stmt)
		case d.m.IsLoop(stmt.Pos):
			text, out.Loop = d.looking(stmt), d.m.Looks[stmt.Pos].String()
		}
		if text != "" && !slices.Contains(what, text) {
			what = append(what, text)
		}
	}
	switch out.What = strings.Join(what, " or "); {
	case len(w.At) > 0:
	case w.Round:
		out.What = "goes round until something changes"
	default:
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

// goingRound says where a loop is that a goroutine never leaves, if that is known: where it would leave it.
func (d *blockingWords) goingRound(w stuck.Wait, out *Waiting) {
	body := d.m.Program.Functions[w.Function].Body
	stmt := body[w.Index]
	for len(stmt.Targets) > 0 {
		stmt = body[stmt.Targets[0]]
	}
	n := d.m.LoopAt(w.Process, stmt.Pos)
	if n == 0 {
		return
	}
	loop := d.m.Loops[n-1]
	out.Loop, out.Pos, out.Function = loop.String(), loop.Exit.String(), d.m.FunctionAt(loop.Exit)
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
	case esl.Test:
		return verb("wait for " + p.Variables[stmt.Arg].Name)
	case esl.Swap:
		return verb("change " + p.Variables[stmt.Arg].Name)
	case esl.Assign:
		return verb("set " + p.Variables[stmt.Arg].Name)
	}
	if stmt.Op == esl.Exit {
		return verb("use what is nil")
	}
	if stmt.Op == esl.Choice {
		return verb("wait at a channel that is nil")
	}
	return ""
}

// looking says in words what a statement does that stands for a loop which looks again and again.
func (d *blockingWords) looking(stmt esl.Stmt) string {
	if stmt.Op == esl.Test || stmt.Op == esl.Swap {
		return "goes round until " + d.m.Program.Variables[stmt.Arg].Name + " changes"
	}
	return "tries again and again to " + d.doing(stmt, false)
}

// steps describes the run of a finding: what others can notice, which branches it takes whose conditions are not known,
// and that the call of which it is has returned, which is where nobody else goes on.
func (d *blockingWords) steps(f stuck.Finding) (all []Step) {
	guessed := map[esl.Step]bool{}
	for step, pos := range choicesOn(d.m, f) {
		guessed[step] = d.m.IsGuessed(pos)
	}
	for _, step := range f.Steps {
		if s, ok := d.step(step, guessed[step]); ok {
			all = append(all, s)
		}
	}
	if s, ok := d.returned(f); ok {
		all = append(all, s)
	}
	for i := range all {
		all[i].Step = i + 1
	}
	return all
}

// step describes one step; false: nobody notices it.
func (d *blockingWords) step(step esl.Step, isGuessed bool) (Step, bool) {
	p := d.m.Program
	body := p.Functions[step.Function].Body
	if step.Index == len(body) {
		return Step{}, false
	}
	stmt := body[step.Index]
	action := blockingActions[stmt.Op]
	if isGuessed {
		action = "branch"
	}
	if action == "" || action == "skip" {
		return Step{}, false
	}
	s := d.at(step.Instance, stmt, action)
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
	case esl.Choice:
		s.Text = "take a branch"
	case esl.Test:
		s.Text = "read " + p.Variables[stmt.Arg].Name
	default:
		s.Text = d.doing(stmt, false)
	}
	return s, true
}

// at describes that an instance does something at a statement.
func (d *blockingWords) at(who esl.Instance, stmt esl.Stmt, action string) Step {
	return Step{Goroutine: d.m.Program.Processes[who.Process].Name, Instance: who.Copy,
		Function: d.m.FunctionAt(stmt.Pos), Action: action, Pos: stmt.Pos.String(), Stack: []string{}}
}

// returned describes that the call has returned at the end of a run; false: it has not, or the model is of no call.
func (d *blockingWords) returned(f stuck.Finding) (Step, bool) {
	caller := esl.Instance{Copy: 1}
	isCaller := func(w stuck.Wait) bool { return w.Instance == caller }
	if d.call == nil || slices.ContainsFunc(slices.Concat(f.Waits, f.Also), isCaller) {
		return Step{}, false
	}
	body, at := d.m.Program.Functions[d.m.Program.Processes[0].Entry].Body, 0
	for _, step := range f.Steps {
		if step.Instance != caller || step.Index == len(body) {
			continue
		}
		if at = step.Index + 1; body[step.Index].Op == esl.Goto || body[step.Index].Op == esl.Choice {
			at = step.Target
		}
	}
	for at < len(body) && body[at].Op == esl.Goto {
		at = body[at].Targets[0]
	}
	if at == len(body) || body[at].Op != esl.Select || len(body[at].Targets) > 0 {
		return Step{}, false
	}
	s := d.at(caller, body[at], "return")
	s.Text = "return"
	return s, true
}
