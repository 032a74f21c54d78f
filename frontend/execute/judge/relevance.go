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
// What is written through the value before that is no part of the claim, that is an access itself:
// it is written to the same memory in both runs.
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
	Schedules int // under which a read that they are about is looked for
	Reads     int // of one fact
	Values    int // of one read
}

// attempt is a read that a fact is about: which one, in the run under a schedule.
type attempt struct {
	schedule execute.Schedule
	read     int
}

// CheckRelevance is Check for claims of irrelevance.
func CheckRelevance(p *execute.Program, facts []Irrelevant, n Attempts) (*Verdict, error) {
	v := &Verdict{Checks: make([]int, len(facts))}
	if len(facts) == 0 {
		return v, nil
	}
	all, err := survey(p, facts, n, v)
	if err != nil {
		return v, err
	}
	for i, f := range facts {
		for _, at := range all[i] {
			if why, err := f.differs(p, at, n, v, i); err != nil {
				return v, err
			} else if why != "" {
				v.Refuted = append(v.Refuted, Refutation{f, i, at.schedule, why})
				break
			}
		}
	}
	return v, nil
}

// survey finds reads that the facts are about: those after which control comes to where they do
// not matter. The schedules are the one without preemption, and those with one: all choices are
// made before the read, or they would mean something else in the other run.
func survey(p *execute.Program, facts []Irrelevant, n Attempts, v *Verdict) ([][]attempt, error) {
	all, others := make([][]attempt, len(facts)), make([][]attempt, len(facts))
	choices := 0 // of the first run
	for k := range n.Schedules {
		var s execute.Schedule
		if k > 0 {
			at := (k - 1) * max(choices, n.Schedules) / n.Schedules
			s.Choices = map[int]int{at: 1}
		}
		o := newSurveyor(facts, last(s))
		if err := execute.ObserveOnce(p, s, o); err != nil {
			return nil, err
		}
		v.Runs++
		if k == 0 {
			choices = o.choices
		}
		missing := false
		for i := range facts {
			if len(o.found[i]) > 0 && len(all[i]) < n.Reads {
				all[i] = append(all[i], attempt{s, o.found[i][0]})
			}
			if o.reads[i] > o.before[i] && len(others[i]) < n.Reads {
				others[i] = append(others[i], attempt{s, o.before[i]})
			}
			missing = missing || len(all[i]) < n.Reads
		}
		if !missing {
			break
		}
	}
	for i := range all {
		if len(all[i]) == 0 {
			all[i] = others[i] // with another value it may come there
		}
	}
	return all, nil
}

// surveyor looks, in one run, for what all facts are about.
type surveyor struct {
	execute.Nothing
	facts   []Irrelevant
	by      map[ssa.Instruction][]int // facts by their reads
	from    map[ssa.Instruction][]int // facts by where they do not matter from
	after   int                       // reads count that come after so many choices
	reads   []int
	before  []int                        // of these, how many come before that many choices
	waiting []map[execute.Activation]int // by fact: the number of the latest read
	found   [][]int
	choices int
}

func newSurveyor(facts []Irrelevant, after int) *surveyor {
	s := &surveyor{facts: facts, after: after,
		by: map[ssa.Instruction][]int{}, from: map[ssa.Instruction][]int{},
		reads: make([]int, len(facts)), before: make([]int, len(facts)),
		waiting: make([]map[execute.Activation]int, len(facts)),
		found:   make([][]int, len(facts))}
	for i, f := range facts {
		at := f.Read.(ssa.Instruction)
		s.by[at] = append(s.by[at], i)
		s.from[f.From] = append(s.from[f.From], i)
		s.waiting[i] = map[execute.Activation]int{}
	}
	return s
}

func (s *surveyor) After(a execute.Activation, i ssa.Instruction) {
	s.choices = a.Choices()
	for _, k := range s.by[i] {
		if !s.facts[k].In.has(a) {
			continue
		}
		delete(s.waiting[k], a)
		if a.Choices() >= s.after {
			s.waiting[k][a] = s.reads[k]
		} else {
			s.before[k]++
		}
		s.reads[k]++
	}
}

func (s *surveyor) Before(a execute.Activation, i ssa.Instruction) {
	for _, k := range s.from[i] {
		if read, ok := s.waiting[k][a]; ok {
			s.found[k] = append(s.found[k], read)
			delete(s.waiting[k], a)
		}
	}
}

// differs says how runs differ that should not, "" if they do not.
func (f Irrelevant) differs(p *execute.Program, at attempt, n Attempts, v *Verdict, i int) (string, error) {
	var before *trace // the first run that comes there
	for k := range n.Values + 1 {
		after := &trace{fact: f, wanted: at.read, other: k}
		if err := execute.ObserveOnce(p, at.schedule, after); err != nil {
			return "", err
		}
		v.Runs++
		switch {
		case !after.begun || after.written:
		case before == nil:
			before = after
		default:
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
	copies  *execute.Copies
	written bool // something has been written to memory that only the other value leads to
	mixed   bool // another goroutine has run since it was read
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
	t.reader, t.unit, t.waiting = a, a, true
	for caller, ok := a, true; ok && t.fact.Unit != nil; caller, ok = caller.Caller() {
		if t.fact.Unit(caller) {
			t.unit = caller
		}
	}
	t.value, _ = a.Value(t.fact.Read)
	if t.other == 0 {
		return
	}
	x, copies, ok := a.Other(t.fact.Read, t.other-1)
	if !ok {
		t.waiting, t.ended = false, true
		a.Stop()
		return
	}
	a.Set(t.fact.Read, x)
	t.value, t.copies, t.changed = x, copies, true
}

func (t *trace) Before(a execute.Activation, i ssa.Instruction) {
	t.mixed = t.mixed || t.waiting && a.Goroutine() != t.reader.Goroutine()
	if t.written && !t.mixed && t.copies.WriteBack() {
		t.written = false
	}
	if t.waiting && a == t.reader && i == t.fact.From {
		t.waiting, t.begun = false, true
	}
	if !t.begun || t.ended || a.Goroutine() != t.reader.Goroutine() {
		return
	}
	t.steps = append(t.steps, step{i, effect(a, i)})
}

// Access notes writes to the copy that the other value leads to: the read is what has made it.
func (t *trace) Access(_ execute.Goroutine, p execute.Place, kind int) {
	if t.changed && !t.begun && kind != execute.Read && p.Object().Site() == t.fact.Read.(ssa.Instruction) {
		t.written = true
	}
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
