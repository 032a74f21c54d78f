package cpds

import (
	"fmt"
	"slices"
	"strings"
)

// ParseGrammars reads context-free grammars in the format of Covenant (Gange, Navas,
// Schachte, Søndergaard and Stuckey, A tool for intersecting context-free grammars and
// its applications, NFM 2015) and returns a system with a component for each: its words
// are those that all grammars derive.
//
// A file is a list of grammars in parentheses, over one alphabet. A rule is
//
//	A -> [ "a" B "c", "d" ]
//
// with terminals in quotes, nonterminals without, alternatives separated by commas, and
// [] for the empty word. Rules are separated by semicolons; the start symbol is the left
// side of a grammar's first rule. A semicolon where no rule has begun, or behind one
// that separates, starts a comment up to the end of the line. name is the file name for
// errors, which are file:line:col, what is wrong and what to write instead.
func ParseGrammars(name string, src []byte) (*System, error) {
	p := &grammarParser{src: string(src), line: 1, col: 1, actions: map[string]int{}}
	grammars, err := p.file()
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	s := &System{Name: name, Actions: p.names}
	for i, g := range grammars {
		s.Components = append(s.Components, g.component(i, len(p.names)))
	}
	if err := Validate(s); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// grammar is one grammar as it was read.
type grammar struct {
	nonterminals []string
	number       map[string]int
	rules        []production
}

// production is nonterminal -> right side.
type production struct {
	from  int
	right []grammarSymbol
}

// grammarSymbol is a terminal (an action) or a nonterminal, by number.
type grammarSymbol struct {
	terminal bool
	number   int
}

// grammarParser reads grammars.
type grammarParser struct {
	src       string
	line, col int
	actions   map[string]int
	names     []string // of the actions
}

// file reads all grammars.
func (p *grammarParser) file() ([]*grammar, error) {
	var all []*grammar
	for {
		p.skip(true)
		switch {
		case p.src == "" && len(all) > 0:
			return all, nil
		case !p.take("("):
			return nil, p.fail("a grammar begins with a parenthesis; write ( S -> [ \"a\" S, [] ] )")
		}
		g := &grammar{number: map[string]int{}}
		if err := p.grammar(g); err != nil {
			return nil, err
		}
		all = append(all, g)
	}
}

// grammar reads rules up to the closing parenthesis.
func (p *grammarParser) grammar(g *grammar) error {
	for {
		p.skip(true)
		if err := p.rule(g); err != nil {
			return err
		}
		p.skip(false)
		switch {
		case p.take(")"):
			return nil
		case !p.take(";"):
			return p.fail("a rule is followed by another one or by the end of the grammar; write ; or )")
		}
	}
}

// rule reads A -> [ ... ].
func (p *grammarParser) rule(g *grammar) error {
	name := p.name()
	if name == "" {
		return p.fail("a rule begins with a nonterminal; write A -> [ \"a\" B, \"c\" ], and no ; behind the last rule")
	}
	p.skip(false)
	if !p.take("->") {
		return p.fail("%s is followed by its right sides; write %s -> [ \"a\" B, \"c\" ]", name, name)
	}
	p.skip(false)
	if !p.take("[") {
		return p.fail("right sides stand in brackets; write %s -> [ \"a\" B, \"c\" ]", name)
	}
	from := g.nonterminal(name)
	right := []grammarSymbol{}
	for {
		p.skip(false)
		switch {
		case p.take("]"):
			g.rules = append(g.rules, production{from, right})
			return nil
		case p.take(","):
			g.rules = append(g.rules, production{from, right})
			right = []grammarSymbol{}
		case p.take("[]"):
		case strings.HasPrefix(p.src, `"`):
			action, err := p.terminal()
			if err != nil {
				return err
			}
			right = append(right, grammarSymbol{true, action})
		default:
			name := p.name()
			if name == "" {
				return p.fail("no symbol; write terminals as \"a\", nonterminals as A, and ] at the end")
			}
			right = append(right, grammarSymbol{false, g.nonterminal(name)})
		}
	}
}

// nonterminal returns the number of a nonterminal.
func (g *grammar) nonterminal(name string) int {
	n, ok := g.number[name]
	if !ok {
		n = len(g.nonterminals)
		g.number[name] = n
		g.nonterminals = append(g.nonterminals, name)
	}
	return n
}

// terminal reads a quoted terminal and returns its action.
func (p *grammarParser) terminal() (int, error) {
	end := strings.IndexAny(p.src[1:], "\"\n")
	if end < 1 || p.src[1+end] != '"' {
		return 0, p.fail("a terminal is a name in quotes on one line; write \"a\"")
	}
	name := p.src[1 : 1+end]
	p.advance(end + 2)
	action, ok := p.actions[name]
	if !ok {
		action = len(p.names)
		p.actions[name] = action
		p.names = append(p.names, name)
	}
	return action, nil
}

// name reads a nonterminal, "" if there is none.
func (p *grammarParser) name() string {
	end := strings.IndexAny(p.src, " \t\r\n\"()[],;")
	if end < 0 {
		end = len(p.src)
	}
	if arrow := strings.Index(p.src[:end], "->"); arrow >= 0 {
		end = arrow
	}
	name := p.src[:end]
	p.advance(end)
	return name
}

// skip skips white space, and comments where there can be some.
func (p *grammarParser) skip(comments bool) {
	for p.src != "" {
		switch {
		case strings.ContainsRune(" \t\r\n", rune(p.src[0])):
			p.advance(1)
		case comments && p.src[0] == ';':
			end := strings.IndexByte(p.src, '\n')
			if end < 0 {
				end = len(p.src)
			}
			p.advance(end)
		default:
			return
		}
	}
}

// take reads the text if it comes next.
func (p *grammarParser) take(text string) bool {
	if !strings.HasPrefix(p.src, text) {
		return false
	}
	p.advance(len(text))
	return true
}

func (p *grammarParser) advance(n int) {
	for _, b := range []byte(p.src[:n]) {
		p.col++
		if b == '\n' {
			p.line, p.col = p.line+1, 1
		}
	}
	p.src = p.src[n:]
}

func (p *grammarParser) fail(format string, args ...any) error {
	return fmt.Errorf("%d:%d: %s", p.line, p.col, fmt.Sprintf(format, args...))
}

// component returns a pushdown system with one control whose stack is what is still to
// be derived. It accepts with the empty stack.
func (g *grammar) component(index, actions int) *Component {
	c := &Component{
		Name: fmt.Sprintf("%s_%d", g.nonterminals[0], index+1), Controls: []string{"derive"},
		Symbols: slices.Clone(g.nonterminals), Initial: Configuration{0, []int{0}}, Final: []Final{{Label: ""}},
	}
	for a := range actions {
		c.Alphabet = append(c.Alphabet, a)
	}
	b := &grammarLowering{c: c, suffixes: map[string]int{}}
	for _, r := range g.rules {
		b.rule(r.from, r.right)
	}
	return c
}

// grammarLowering makes rules of productions. The rest of a right side that is too long
// for a rule is a symbol of its own, shared by all right sides that end with it.
type grammarLowering struct {
	c        *Component
	suffixes map[string]int
}

// rule makes top derive the right side: a terminal at its front is the action.
func (b *grammarLowering) rule(top int, right []grammarSymbol) {
	action := Tau
	if len(right) > 0 && right[0].terminal {
		action, right = right[0].number, right[1:]
	}
	var push []int
	switch {
	case len(right) == 1 && !right[0].terminal:
		push = []int{right[0].number}
	case len(right) > 0 && !right[0].terminal:
		push = []int{right[0].number, b.suffix(right[1:])}
	case len(right) > 0:
		push = []int{b.suffix(right)}
	}
	b.c.Rules = append(b.c.Rules, Rule{Top: top, Action: action, Push: push, Origin: -1})
}

// suffix returns the symbol that derives just that.
func (b *grammarLowering) suffix(right []grammarSymbol) int {
	if len(right) == 1 && !right[0].terminal {
		return right[0].number
	}
	key := fmt.Sprint(right)
	symbol, ok := b.suffixes[key]
	if !ok {
		symbol = len(b.c.Symbols)
		b.suffixes[key] = symbol
		b.c.Symbols = append(b.c.Symbols, fmt.Sprintf("rest %d", len(b.suffixes)))
		b.rule(symbol, right)
	}
	return symbol
}
