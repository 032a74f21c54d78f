package judge

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
)

// Irrelevant claims that a value which was read no longer matters when the same activation comes to
// another instruction, without having read it again: had it been another value, the goroutine would
// do the same from there on to the end of the unit of work, with the same values; provided that it
// came there at all. It is checked by two runs, of which one has another value (see CheckRelevance).
type Irrelevant struct {
	Read ssa.Value // an instruction
	From ssa.Instruction
	In   Scope
	Unit Scope // the outermost activation of the stack for which it is true is the unit; nil: that of the read
}

func (f Irrelevant) String() string {
	return fmt.Sprintf("at %s it does not matter what %s was", where(f.From), where(f.Read.(ssa.Instruction)))
}

// watch does nothing: one run does not tell.
func (f Irrelevant) watch(*run, *claim) {}

// Attempts bounds how hard claims of irrelevance are tried.
type Attempts struct {
	Schedules int // the one without preemption, and those with one
	Reads     int // of one fact in a run
	Values    int // of one read
}

// CheckRelevance is Check for claims of irrelevance.
func CheckRelevance(p *execute.Program, facts []Irrelevant, n Attempts) (*Verdict, error) {
	v := &Verdict{Checks: make([]int, len(facts))}
	for i, f := range facts {
		for k := range n.Schedules {
			s := execute.Schedule{}
			if k > 0 {
				s.Choices = map[int]int{2*k - 1: 1}
			}
			if why, err := f.differs(p, s, n, v, i); err != nil {
				return v, err
			} else if why != "" {
				v.Refuted = append(v.Refuted, Refutation{f, i, s, why})
				break
			}
		}
	}
	return v, nil
}

// differs says how runs differ that should not, "" if they do not.
func (f Irrelevant) differs(p *execute.Program, s execute.Schedule, n Attempts, v *Verdict, i int) (string, error) {
	for read := range n.Reads {
		before := &trace{fact: f, wanted: read}
		if err := execute.ObserveOnce(p, s, before); err != nil {
			return "", err
		}
		v.Runs++
		switch {
		case before.reads <= read:
			return "", nil
		case !before.begun || before.choices < last(s):
			continue // or the schedule would mean something else in the other run
		}
		for k := range n.Values {
			after := &trace{fact: f, wanted: read, other: k + 1}
			if err := execute.ObserveOnce(p, s, after); err != nil {
				return "", err
			}
			v.Runs++
			if !after.begun || !after.changed {
				continue
			}
			v.Checks[i]++
			if why := before.compare(after); why != "" {
				return fmt.Sprintf("with %v in place of %v, %s", after.value, before.value, why), nil
			}
		}
	}
	return "", nil
}

func last(s execute.Schedule) int {
	n := 0
	for k := range s.Choices {
		n = max(n, k+1)
	}
	return n
}

// trace is what a goroutine does in a unit of work after a read has ceased to matter.
type trace struct {
	execute.Nothing
	fact   Irrelevant
	wanted int // number of the read, in the order in which they happen
	other  int // which other value the read has; 0: as it is

	reads   int
	value   execute.Value
	changed bool
	choices int // before the read
	reader  execute.Activation
	unit    execute.Activation
	waiting bool // for the instruction from which on it does not matter
	begun   bool
	ended   bool
	steps   []step
}

type step struct {
	at   ssa.Instruction
	text string
}

func (t *trace) After(a execute.Activation, i ssa.Instruction) {
	if i != t.fact.Read.(ssa.Instruction) || !t.fact.In.has(a) {
		return
	}
	if t.waiting && a == t.reader {
		t.waiting = false // it is read again
	}
	t.reads++
	if t.reads-1 != t.wanted {
		return
	}
	t.reader, t.unit, t.waiting, t.choices = a, a, true, a.Choices()
	for caller, ok := a, true; ok && t.fact.Unit != nil; caller, ok = caller.Caller() {
		if t.fact.Unit(caller) {
			t.unit = caller
		}
	}
	t.value, _ = a.Value(t.fact.Read)
	if t.other == 0 {
		return
	}
	if x, ok := t.value.Other(t.other - 1); ok {
		a.Set(t.fact.Read, x)
		t.value, t.changed = x, true
	}
}

func (t *trace) Before(a execute.Activation, i ssa.Instruction) {
	if t.waiting && a == t.reader && i == t.fact.From {
		t.waiting, t.begun = false, true
	}
	if !t.begun || t.ended || a.Goroutine() != t.reader.Goroutine() {
		return
	}
	t.steps = append(t.steps, step{i, effect(a, i)})
}

func (t *trace) Leave(a execute.Activation) {
	if a == t.unit {
		t.ended, t.waiting = true, false
		a.Stop()
	}
}

// effect is what can be seen of an instruction: the values that it stores, hands over, branches on.
func effect(a execute.Activation, i ssa.Instruction) string {
	var text strings.Builder
	show := func(values ...ssa.Value) {
		for _, v := range values {
			if v == nil {
				continue
			}
			if _, ok := v.(*ssa.Builtin); ok {
				continue
			}
			if x, ok := a.Value(v); ok {
				fmt.Fprintf(&text, " %v", x)
			}
		}
	}
	switch v := i.(type) {
	case *ssa.Store:
		show(v.Addr, v.Val)
	case *ssa.MapUpdate:
		show(v.Map, v.Key, v.Value)
	case *ssa.Send:
		show(v.Chan, v.X)
	case *ssa.If:
		show(v.Cond)
	case *ssa.Return:
		show(v.Results...)
	case ssa.CallInstruction:
		show(v.Common().Value)
		show(v.Common().Args...)
	}
	return text.String()
}

// compare says how another trace differs, as far as both go.
func (t *trace) compare(u *trace) string {
	mine, others := newNames(t.reader.Number()), newNames(u.reader.Number())
	for k := range min(len(t.steps), len(u.steps)) {
		x, y := t.steps[k], u.steps[k]
		x.text, y.text = mine.replace(x.text), others.replace(y.text)
		if x.at != y.at {
			return fmt.Sprintf("it executes %s in place of %s", where(y.at), where(x.at))
		}
		if x.text != y.text {
			return fmt.Sprintf("%s has%s in place of%s", where(x.at), y.text, x.text)
		}
	}
	return ""
}

// names gives objects that were made during the unit names in the order in which the trace has them:
// in another run they have other numbers.
type names struct {
	known int // the numbers up to this one are the same in both
	of    map[string]string
}

func newNames(known int) *names { return &names{known, map[string]string{}} }

var numbered = regexp.MustCompile(`object \d+`)

func (n *names) replace(text string) string {
	return numbered.ReplaceAllStringFunc(text, func(name string) string {
		if number, err := strconv.Atoi(name[len("object "):]); err != nil || number <= n.known {
			return name
		}
		if n.of[name] == "" {
			n.of[name] = fmt.Sprintf("new object %d", len(n.of)+1)
		}
		return n.of[name]
	})
}
