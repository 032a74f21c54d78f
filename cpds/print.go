package cpds

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Print writes the text form of a valid system, which Parse reads back; only the
// origins of rules are lost. The error is that of Validate or of w.
//
// One fact stands on a line. Names are words, or Go strings where they have odd
// characters; comments go from // to the end of the line.
//
//	system two-threads
//	component main kind thread
//	  initial q [a end]            // a control and a stack, top first
//	  q a -main.lock(m)-> q [b]    // swap
//	  q b --> q [f c]              // silent, and a push
//	  q f --> q []                 // pop
//	  alphabet main.unlock(m)      // blocked: no rule has it
//	component monitor kind monitor
//	  initial q [start]
//	  final q [seen ...] "9"       // with anything below; the label is "9"
//	  q start -main.lock(m)-> q [seen]
//
// A component without a final line may stop anywhere; "final *" says so too. Lines
// "actions", "controls" and "symbols" fix the order of names where it is not that
// of their first use.
func Print(w io.Writer, s *System) error {
	if err := Validate(s); err != nil {
		return err
	}
	p := printer{bufio.NewWriter(w), s}
	if s.Name != "" {
		p.line("system", word(s.Name))
	}
	if !slices.Equal(s.Actions, usedActions(s)) {
		p.names("actions", s.Actions)
	}
	for _, c := range s.Components {
		p.component(c)
	}
	return p.out.Flush()
}

type printer struct {
	out    *bufio.Writer
	system *System
}

func (p printer) line(words ...string) {
	fmt.Fprintln(p.out, strings.Join(words, " "))
}

func (p printer) names(keyword string, names []string) {
	if len(names) > 0 {
		p.line(append([]string{keyword}, words(names)...)...)
	}
}

func (p printer) component(c *Component) {
	p.line("component", word(c.Name), "kind", c.Kind.String())
	controls, symbols := usedNames(c)
	if !slices.Equal(c.Controls, controls) {
		p.names("  controls", c.Controls)
	}
	if !slices.Equal(c.Symbols, symbols) {
		p.names("  symbols", c.Symbols)
	}
	p.line("  initial", word(c.Controls[c.Initial.Control]), c.stack(c.Initial.Stack, false))
	for _, f := range c.Final {
		label := ""
		if f.Label != "" {
			label = " " + strconv.Quote(f.Label)
		}
		p.line("  final", word(c.Controls[f.Control]), c.stack(f.Stack, f.Open)+label)
	}
	for _, r := range c.Rules {
		p.line(" ", word(c.Controls[r.From]), word(c.Symbols[r.Top]), p.arrow(r.Action), word(c.Controls[r.To]),
			c.stack(r.Push, false))
	}
	if blocked := blockedActions(p.system, c); len(blocked) > 0 {
		p.names("  alphabet", blocked)
	}
}

func (p printer) arrow(action int) string {
	if action == Tau {
		return "-->"
	}
	name := p.system.Actions[action]
	if !plain(name) || strings.Contains(name, "->") || strings.HasPrefix(name, "-") {
		name = strconv.Quote(name)
	}
	return "-" + name + "->"
}

// stack returns the text of a stack, as "[a b ...]".
func (c *Component) stack(stack []int, open bool) string {
	var names []string
	for _, s := range stack {
		names = append(names, word(c.Symbols[s]))
	}
	if open {
		names = append(names, "...")
	}
	return "[" + strings.Join(names, " ") + "]"
}

// word returns a name as it is written: in quotes if it would be misread.
func word(name string) string {
	if plain(name) && !strings.HasPrefix(name, "-") && name != "..." && name != "*" && !keywords[name] {
		return name
	}
	return strconv.Quote(name)
}

func words(names []string) []string {
	var all []string
	for _, n := range names {
		all = append(all, word(n))
	}
	return all
}

// keywords begin a line, so that controls of that name are quoted.
var keywords = map[string]bool{
	"system": true, "actions": true, "component": true, "kind": true, "controls": true, "symbols": true,
	"initial": true, "final": true, "alphabet": true,
}

// plain tells whether a name can be written without quotes.
func plain(name string) bool {
	return name != "" && !strings.Contains(name, "//") && !strings.ContainsFunc(name, func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == unicode.ReplacementChar || strings.ContainsRune("[]\"`", r)
	})
}

// first collects names in the order of their first use.
type first struct {
	names []string
	seen  map[string]bool
}

func (f *first) add(name string) {
	if !f.seen[name] {
		if f.seen == nil {
			f.seen = map[string]bool{}
		}
		f.seen[name] = true
		f.names = append(f.names, name)
	}
}

// usedNames returns the controls and symbols in the order in which the text form
// uses them.
func usedNames(c *Component) (controls, symbols []string) {
	var q, g first
	use := func(control int, stack ...int) {
		q.add(c.Controls[control])
		for _, s := range stack {
			g.add(c.Symbols[s])
		}
	}
	use(c.Initial.Control, c.Initial.Stack...)
	for _, f := range c.Final {
		use(f.Control, f.Stack...)
	}
	for _, r := range c.Rules {
		use(r.From, r.Top)
		use(r.To, r.Push...)
	}
	return q.names, g.names
}

// usedActions returns the actions in the order in which the text form uses them.
func usedActions(s *System) []string {
	var used first
	for _, c := range s.Components {
		for _, r := range c.Rules {
			if r.Action != Tau {
				used.add(s.Actions[r.Action])
			}
		}
		for _, a := range blockedActions(s, c) {
			used.add(a)
		}
	}
	return used.names
}

// blockedActions returns the actions of the alphabet that no rule has.
func blockedActions(s *System, c *Component) []string {
	inRule := map[int]bool{}
	for _, r := range c.Rules {
		inRule[r.Action] = true
	}
	var blocked []string
	for _, a := range c.Alphabet {
		if !inRule[a] {
			blocked = append(blocked, s.Actions[a])
		}
	}
	return blocked
}
