// Package poststar computes the reachable configurations of a pushdown system by
// saturating a finite automaton (Schwoon, Model-Checking Pushdown Systems, 2002,
// section 3.1): plainly, restricted to the words of a finite automaton, with runs
// as witnesses, and with weights (Reps, Schwoon, Jha, Melski 2005).
//
// It is the back end's basic step (Empire report, section 4): everything the
// engines claim about one component alone is decided here, exactly.
package poststar

import (
	"slices"

	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/cpds"
)

// Pushdown is a component prepared for saturation: rules indexed by head, actions
// replaced by letters, and final configurations that depend on the control alone.
//
// For the last, a final whose stack is longer than nothing becomes silent rules
// that read it into controls of their own. They can only be the end of a run.
type Pushdown struct {
	Controls, Symbols int
	Letters           []int32 // the visible letters of the alphabet, ascending
	Rules             []Rule  // by head
	Initial           cpds.Configuration
	Anywhere          []automaton.Set // by control: labels accepted with any stack
	Emptied           []automaton.Set // by control: labels accepted with the empty stack, those of Anywhere included
	Mids              int             // number of pairs of a control and a symbol that a rule pushes on top

	component *cpds.Component
	labels    *automaton.Labels
	visible   []bool
	prepared  bool

	rules int     // of the component
	mids  []int64 // by number: control and symbol
	heads []int32 // by control*Symbols+symbol: the first of the head's rules; nil if too sparse
	tops  []int32 // by symbol: the first of its rules
}

// Rule is a rule of a component with its head indexed and its action replaced.
type Rule struct {
	Top, From    int32
	Letter       int32 // automaton.Epsilon if silent or private
	To           int32
	Push         int8 // number of symbols
	Upper, Lower int32
	Mid          int32 // of To and Upper, if two symbols are pushed
	Index        int32 // in the component; past its rules for those that read finals
}

// Compile takes over all components of a system, of which only the letters are laid out:
// the rest when it is first needed, see Prepare. An action that only one component
// has in its alphabet is silent, unless no action of the system is shared.
func Compile(s *cpds.System, labels *automaton.Labels) []*Pushdown {
	visible := Visible(s)
	out := make([]*Pushdown, len(s.Components))
	for i, c := range s.Components {
		p := &Pushdown{component: c, labels: labels, visible: visible}
		for _, a := range c.Alphabet {
			if visible[a] {
				p.Letters = append(p.Letters, int32(a))
			}
		}
		out[i] = p
	}
	return out
}

// Prepare lays out all but the letters, unless that has been done. Saturation calls it;
// who reads the fields without, has to.
func (p *Pushdown) Prepare() {
	if !p.prepared {
		p.prepared = true
		p.compile()
	}
}

// Visible tells for each action whether it appears in words: if it is in two
// alphabets at least, or if there is no such action.
func Visible(s *cpds.System) []bool {
	count := make([]int, len(s.Actions))
	shared := false
	for _, c := range s.Components {
		for _, a := range c.Alphabet {
			count[a]++
			shared = shared || count[a] > 1
		}
	}
	visible := make([]bool, len(count))
	for a, n := range count {
		visible[a] = n > 1 || n == 1 && !shared
	}
	return visible
}

func (p *Pushdown) compile() {
	c := p.component
	p.Controls, p.Symbols, p.Initial, p.rules = len(c.Controls), len(c.Symbols), c.Initial, len(c.Rules)
	p.Rules = make([]Rule, 0, len(c.Rules))
	for i, r := range c.Rules {
		rule := Rule{
			Top: int32(r.Top), From: int32(r.From), Letter: automaton.Epsilon,
			To: int32(r.To), Push: int8(len(r.Push)), Mid: -1, Index: int32(i),
		}
		if r.Action != cpds.Tau && p.visible[r.Action] {
			rule.Letter = int32(r.Action)
		}
		if len(r.Push) > 0 {
			rule.Upper = int32(r.Push[0])
		}
		if len(r.Push) > 1 {
			rule.Lower = int32(r.Push[1])
		}
		p.Rules = append(p.Rules, rule)
	}
	p.finals(c, p.labels)
	p.index()
}

// finals sets Anywhere and Emptied and adds the rules that read final stacks.
func (p *Pushdown) finals(c *cpds.Component, labels *automaton.Labels) {
	p.Anywhere = make([]automaton.Set, p.Controls)
	if len(c.Final) == 0 {
		for i := range p.Anywhere {
			p.Anywhere[i] = labels.All()
		}
	}
	p.Emptied = make([]automaton.Set, p.Controls)
	for _, f := range c.Final {
		control := f.Control
		for i, symbol := range f.Stack {
			last := f.Open && i == len(f.Stack)-1
			control = p.read(control, symbol, last)
		}
		set := &p.Emptied[control]
		if f.Open {
			set = &p.Anywhere[control]
		}
		*set = labels.Union(*set, labels.Accept(c, f))
	}
	for i := range p.Emptied {
		p.Emptied[i] = labels.Union(p.Emptied[i], p.Anywhere[i])
	}
}

// read adds a silent rule to a new control that pops a symbol, or leaves it.
func (p *Pushdown) read(control, symbol int, leave bool) int {
	to := p.Controls
	p.Controls++
	p.Anywhere = append(p.Anywhere, automaton.None)
	p.Emptied = append(p.Emptied, automaton.None)
	rule := Rule{
		Top: int32(symbol), From: int32(control), Letter: automaton.Epsilon,
		To: int32(to), Mid: -1, Index: int32(len(p.Rules)),
	}
	if leave {
		rule.Push, rule.Upper = 1, int32(symbol)
	}
	p.Rules = append(p.Rules, rule)
	return to
}

// index sorts the rules by head and numbers the heads that are pushed.
func (p *Pushdown) index() {
	slices.SortStableFunc(p.Rules, func(a, b Rule) int {
		if a.Top != b.Top {
			return int(a.Top - b.Top)
		}
		return int(a.From - b.From)
	})
	p.tops = make([]int32, p.Symbols+1)
	for _, r := range p.Rules {
		p.tops[r.Top+1]++
	}
	for g := range p.Symbols {
		p.tops[g+1] += p.tops[g]
	}
	if cells := p.Controls * p.Symbols; cells <= 1<<16 || cells <= 8*len(p.Rules) {
		p.heads = make([]int32, cells)
		for i := range p.heads {
			p.heads[i] = int32(len(p.Rules))
		}
		for i := len(p.Rules) - 1; i >= 0; i-- {
			r := &p.Rules[i]
			p.heads[int(r.From)*p.Symbols+int(r.Top)] = int32(i)
		}
	}
	p.numberMids()
}

func (p *Pushdown) numberMids() {
	var heads []int64
	for i := range p.Rules {
		if r := &p.Rules[i]; r.Push == 2 {
			heads = append(heads, int64(r.To)<<32|int64(r.Upper))
		}
	}
	slices.Sort(heads)
	heads = slices.Compact(heads)
	p.Mids, p.mids = len(heads), heads
	for i := range p.Rules {
		if r := &p.Rules[i]; r.Push == 2 {
			at, _ := slices.BinarySearch(heads, int64(r.To)<<32|int64(r.Upper))
			r.Mid = int32(at)
		}
	}
}

// Head returns the rules with a head: Rules[first:end].
func (p *Pushdown) Head(control, symbol int32) (first, end int32) {
	if p.heads != nil {
		first = p.heads[int(control)*p.Symbols+int(symbol)]
	} else {
		low, high := p.tops[symbol], p.tops[symbol+1]
		for low < high {
			if m := (low + high) / 2; p.Rules[m].From < control {
				low = m + 1
			} else {
				high = m
			}
		}
		first = low
	}
	end = first
	for end < p.tops[symbol+1] && p.Rules[end].From == control {
		end++
	}
	return first, end
}

// Project removes from a word the letters that are not in the component's alphabet.
func (p *Pushdown) Project(word []int32) []int32 {
	out := []int32{}
	for _, a := range word {
		if _, ok := slices.BinarySearch(p.Letters, a); ok {
			out = append(out, a)
		}
	}
	return out
}
