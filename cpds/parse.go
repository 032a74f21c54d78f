package cpds

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Parse reads the text form of a system that Print describes; name is the file
// name for errors. An error is file:line:col, what is wrong and what to write
// instead. The system is valid.
func Parse(name string, src []byte) (*System, error) {
	p := &parser{system: &System{}, actions: map[string]int{}}
	for i, text := range strings.Split(string(src), "\n") {
		tokens, err := tokenize(strings.TrimSuffix(text, "\r"))
		if err == nil && len(tokens) > 0 {
			err = p.line(&line{tokens: tokens, end: len(text) + 1})
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d:%d: %s", name, i+1, err.col, err.what)
		}
	}
	if err := p.finish(); err != nil {
		return nil, fmt.Errorf("%s:%d:1: %w", name, 1+strings.Count(string(src), "\n"), err)
	}
	return p.system, nil
}

// syntaxError is an error in a column of a line.
type syntaxError struct {
	col  int
	what string
}

// parser holds what has been read so far.
type parser struct {
	system            *System
	actions           map[string]int
	component         *Component // the last one
	controls, symbols map[string]int
	alphabet          map[int]bool
	initial, anywhere bool // whether the line has been seen
}

func (p *parser) line(l *line) *syntaxError {
	keyword := l.peek()
	if p.component == nil && !keyword.is("system") && !keyword.is("actions") && !keyword.is("component") {
		return l.failAt(keyword, "%s stands before the first component; write component NAME kind thread", keyword)
	}
	if keyword.quoted || !keywords[keyword.text] {
		return p.rule(l)
	}
	l.next++
	switch keyword.text {
	case "system":
		return l.finish(l.name(&p.system.Name, "the system's name"))
	case "actions":
		return p.list(l, p.action)
	case "component":
		return p.header(l)
	case "controls":
		return p.list(l, p.control)
	case "symbols":
		return p.list(l, p.symbol)
	case "alphabet":
		return p.list(l, func(name string) int {
			a := p.action(name)
			p.alphabet[a] = true
			return a
		})
	case "initial":
		return p.readInitial(l)
	case "final":
		return p.final(l)
	}
	return l.failAt(keyword, "%s begins no line; write initial, final, alphabet, a rule, or the name in quotes", keyword)
}

func number(ids map[string]int, names *[]string, name string) int {
	id, ok := ids[name]
	if !ok {
		id = len(*names)
		ids[name] = id
		*names = append(*names, name)
	}
	return id
}

func (p *parser) action(name string) int  { return number(p.actions, &p.system.Actions, name) }
func (p *parser) control(name string) int { return number(p.controls, &p.component.Controls, name) }
func (p *parser) symbol(name string) int  { return number(p.symbols, &p.component.Symbols, name) }

// list reads names to the end of the line.
func (p *parser) list(l *line, enter func(string) int) *syntaxError {
	for l.next < len(l.tokens) {
		var name string
		if err := l.name(&name, "a name"); err != nil {
			return err
		}
		enter(name)
	}
	return nil
}

// header reads "component NAME kind thread".
func (p *parser) header(l *line) *syntaxError {
	if err := p.finishComponent(); err != nil {
		return l.failAt(l.tokens[0], "%s", err)
	}
	p.component = &Component{}
	p.system.Components = append(p.system.Components, p.component)
	p.controls, p.symbols, p.alphabet = map[string]int{}, map[string]int{}, map[int]bool{}
	p.initial, p.anywhere = false, false
	if err := l.name(&p.component.Name, "the component's name"); err != nil {
		return err
	}
	if !l.peek().is("kind") {
		return l.finish(nil)
	}
	l.next++
	at := l.take()
	for k := Other; k <= Monitor; k++ {
		if at.is(k.String()) {
			p.component.Kind = k
			return l.finish(nil)
		}
	}
	return l.failAt(at, "%s is no kind; write thread, lock, unit, monitor or other", at)
}

// readInitial reads "initial q [a b]".
func (p *parser) readInitial(l *line) *syntaxError {
	if p.initial {
		return l.failAt(l.tokens[0], "the component has an initial configuration already; write one")
	}
	p.initial = true
	var control string
	if err := l.name(&control, "a control"); err != nil {
		return err
	}
	c := &p.component.Initial
	c.Control = p.control(control)
	stack, _, err := p.stack(l, false)
	c.Stack = stack
	return l.finish(err)
}

// final reads `final q [a ...] "label"` or "final *".
func (p *parser) final(l *line) *syntaxError {
	if l.peek().is("*") {
		p.anywhere = true
	}
	if p.anywhere {
		if len(p.component.Final) > 0 || !l.peek().is("*") {
			return l.failAt(l.peek(), "the component has final * and other final lines; write one or the other")
		}
		l.next++
		return l.finish(nil)
	}
	var control string
	if err := l.name(&control, "a control, or *"); err != nil {
		return err
	}
	f := Final{Control: p.control(control)}
	stack, open, err := p.stack(l, true)
	if err != nil {
		return err
	}
	f.Stack, f.Open = stack, open
	if l.next < len(l.tokens) {
		if err := l.name(&f.Label, "a label"); err != nil {
			return err
		}
	}
	p.component.Final = append(p.component.Final, f)
	return l.finish(nil)
}

// rule reads "q a -action-> r [b c]".
func (p *parser) rule(l *line) *syntaxError {
	var from, top, to string
	if err := l.name(&from, "a control"); err != nil {
		return err
	}
	if err := l.name(&top, "the symbol on top, as in q a --> q [b]"); err != nil {
		return err
	}
	r := Rule{From: p.control(from), Top: p.symbol(top), Action: Tau, Origin: -1}
	arrow := l.take()
	switch {
	case arrow.kind != arrowToken:
		return l.failAt(arrow, "%s is no arrow; write --> or -action->", arrow)
	case arrow.quoted || arrow.text != "":
		r.Action = p.action(arrow.text)
		p.alphabet[r.Action] = true
	}
	if err := l.name(&to, "the control after the arrow"); err != nil {
		return err
	}
	r.To = p.control(to)
	at := l.peek()
	push, _, err := p.stack(l, false)
	if err != nil {
		return err
	}
	if len(push) > 2 {
		return l.failAt(at, "the rule pushes %d symbols; write at most 2, and a rule more", len(push))
	}
	r.Push = push
	p.component.Rules = append(p.component.Rules, r)
	return l.finish(nil)
}

// stack reads "[a b]", and "[a ...]" where that is allowed.
func (p *parser) stack(l *line, mayBeOpen bool) (stack []int, open bool, err *syntaxError) {
	if at := l.take(); at.kind != punctuation || at.text != "[" {
		return nil, false, l.failAt(at, "%s is no stack; write [a b] with the top first", at)
	}
	for {
		at := l.peek()
		switch {
		case at.kind == punctuation && at.text == "]":
			l.next++
			return stack, open, nil
		case open:
			return nil, false, l.failAt(at, "%s stands below ...; write ... last", at)
		case at.is("...") && mayBeOpen:
			l.next++
			open = true
			continue
		case at.is("..."):
			return nil, false, l.failAt(at, "... is for final configurations only; write the symbols")
		}
		var name string
		if err := l.name(&name, "a symbol or ]"); err != nil {
			return nil, false, err
		}
		stack = append(stack, p.symbol(name))
	}
}

func (p *parser) finishComponent() error {
	if p.component == nil {
		return nil
	}
	if !p.initial {
		return fmt.Errorf("component %s has no initial configuration; write initial q [a]", strconv.Quote(p.component.Name))
	}
	for a := range p.alphabet {
		p.component.Alphabet = append(p.component.Alphabet, a)
	}
	slices.Sort(p.component.Alphabet)
	return nil
}

func (p *parser) finish() error {
	if err := p.finishComponent(); err != nil {
		return err
	}
	return Validate(p.system)
}
