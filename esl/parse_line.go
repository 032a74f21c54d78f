package esl

import (
	"sort"
	"strconv"
	"strings"
)

// token is a word of a line. The end of the line is the zero text, not quoted.
type token struct {
	text   string
	quoted bool
	col    int
}

// is tells whether the token is the keyword.
func (t token) is(keyword string) bool { return t.text == keyword && !t.quoted }

// end tells whether the token is the end of the line.
func (t token) end() bool { return t.is("") }

// String names the token in an error.
func (t token) String() string {
	if t.end() {
		return "the end of the line"
	}
	return strconv.Quote(t.text)
}

// tokenize splits a line into words and quoted strings and drops the comment.
func tokenize(text string) ([]token, *syntaxError) {
	var tokens []token
	for i := 0; i < len(text); {
		rest := text[i:]
		switch {
		case rest[0] == '#':
			return tokens, nil
		case rest[0] == ' ' || rest[0] == '\t':
			i++
		case rest[0] == '"':
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return nil, &syntaxError{col: i + 1,
					what: `the quoted name is not closed or has a bad escape; write "name" as in Go`}
			}
			value, _ := strconv.Unquote(quoted) // what QuotedPrefix returns is well formed
			tokens = append(tokens, token{value, true, i + 1})
			i += len(quoted)
		default:
			n := strings.IndexAny(rest, " \t#\"")
			if n < 0 {
				n = len(rest)
			}
			tokens = append(tokens, token{rest[:n], false, i + 1})
			i += n
		}
	}
	return tokens, nil
}

// line is a line that is being read, token by token. After its first error the
// others are not recorded.
type line struct {
	parser *parser
	number int
	tokens []token
	next   int
	end    int // the column after the line
	failed bool
}

func (l *line) failAt(t token, format string, args ...any) {
	if !l.failed {
		l.failed = true
		l.parser.fail(l.number, t.col, format, args...)
	}
}

// peek returns the next token without taking it.
func (l *line) peek() token {
	if l.next < len(l.tokens) {
		return l.tokens[l.next]
	}
	return token{col: l.end}
}

func (l *line) take() token {
	t := l.peek()
	l.next++
	return t
}

// finish reports what is left on the line.
func (l *line) finish() {
	if t := l.peek(); !t.end() {
		l.failAt(t, "unexpected %s; write one declaration or statement on a line", t)
	}
}

// name takes a name. what is what it is to be, for the error; "" where declare
// has reported the error already.
func (l *line) name(what string) string {
	t := l.take()
	switch {
	case what == "":
	case t.end() || t.is("@"):
		l.failAt(t, "a name is missing; write %s", what)
	case !t.quoted && !isWord(t.text, "_.$/-"):
		l.failAt(t, "%s is no plain name; write it in quotes", t.text)
	}
	return t.text
}

// declare takes a name and enters it among the others of its kind.
func (l *line) declare(kind string, all names) string {
	at := l.peek()
	name := l.name("the " + kind + "'s name")
	if _, dup := all[name]; dup {
		l.failAt(at, "%s %s is declared twice; write another name", kind, at)
		name += "\x00" // keeps the indices dense; the error is recorded
	}
	all[name] = len(all)
	return name
}

// reference takes a name that stands for an index.
func (l *line) reference(kind string, all names) int {
	at := l.peek()
	return l.find(at, kind, l.name("the name of "+article(kind)), all)
}

// article returns the kind with an indefinite article.
func article(kind string) string {
	if kind == "object" {
		return "an object"
	}
	return "a " + kind
}

// find looks a name up.
func (l *line) find(at token, kind, name string, all names) int {
	i, ok := all[name]
	if !ok {
		l.failAt(at, "there is no %s %q; write %s", kind, name, instead(kind, name, all))
	}
	return i
}

// instead proposes what to write for an unknown name.
func instead(kind, name string, all names) string {
	known := make([]string, 0, len(all))
	for n := range all {
		known = append(known, n)
	}
	sort.Strings(known)
	for _, n := range known {
		if strings.EqualFold(n, name) {
			return quote(n)
		}
	}
	switch {
	case kind == "label":
		return quote(name) + ": on a line before the statement to jump to"
	case len(known) == 0:
		return "a declaration of it"
	case len(known) > 5:
		return "the name of one that is declared"
	}
	for i, n := range known {
		known[i] = quote(n)
	}
	return "one of " + strings.Join(known, ", ")
}

// body is a function whose statements are being read.
type body struct {
	parser   *parser
	function *Function
	header   *line
	labels   names
	jumps    []jump
}

// jump is a statement whose targets are to be filled in at the end of the body.
type jump struct {
	line      *line
	statement int
	labels    []token
}

func newBody(ps *parser, f *Function, header *line) *body {
	return &body{ps, f, header, names{}, nil}
}

// line reads a label or a statement.
func (b *body) line(l *line) {
	l.next = 0
	at := l.take()
	label, isLabel := strings.CutSuffix(at.text, ":")
	if at.quoted || !isLabel {
		b.statement(l, at)
		return
	}
	if !isWord(label, "_.$/-") {
		l.failAt(at, "%s is no label; write letters, digits and _, as L1:", at)
	}
	if _, dup := b.labels[label]; dup {
		l.failAt(at, "label %s stands twice in the function; write another one", label)
	}
	b.labels[label] = len(b.function.Body)
}

// statements maps the keywords to the statements, without arguments.
var statements = func() map[string]Stmt {
	all := map[string]Stmt{}
	for op := range opNames {
		if Op(op) != Access {
			all[opNames[op]] = Stmt{Op: Op(op)}
		}
	}
	for k := Read; k <= Increment; k++ {
		all[k.String()] = Stmt{Op: Access, Access: k}
	}
	return all
}()

// statement reads a statement, keyword at being taken.
func (b *body) statement(l *line, at token) {
	s, ok := statements[at.text]
	if !ok || at.quoted {
		l.failAt(at, "%s is no statement; write one of skip, goto, choice, call, return, read, write, atomic-read, "+
			"atomic-write, rmw, inc, "+
			"lock, unlock, rlock, runlock, unit-begin, unit-end, start, join, done, set, await, await-unset, send, recv, "+
			"recv-closed, close, forget, select, select-default, intend, enlist, awake, signal, broadcast, add, "+
			"wait-zero, assign, test, swap, exit, or end", at)
		return
	}
	ps := b.parser
	switch s.Op {
	case Goto, Choice, Select, SelectDefault:
		b.jump(l, s.Op)
	case Call:
		s.Arg = l.reference("function", ps.functions)
	case Access:
		s.Arg = l.reference("location", ps.locations)
		if l.peek().is("as") {
			l.take()
			s.Key = l.name("the read's name after as")
		}
	case LockOp, Unlock, RLock, RUnlock, Intend:
		s.Arg = l.reference("lock", ps.locks)
	case UnitBegin:
		l.unitBegin(&s)
	case UnitEnd:
		s.Arg = l.reference("object", ps.objects)
	case Start, Join:
		s.Arg = l.reference("process", ps.processes)
	case Set, Await, AwaitUnset:
		s.Arg = l.reference("flag", ps.flags)
	case Send, Receive, ReceiveClosed, CloseChannel:
		s.Arg = l.reference("channel", ps.channels)
		if (s.Op == Send || s.Op == Receive) && l.peek().is("value") {
			l.take()
			s.Value = l.integer("the number of a value")
		}
	case Enlist, Awake, Signal, Broadcast:
		s.Arg = l.reference("condition", ps.conditions)
	case Add, WaitZero:
		s.Arg = l.reference("group", ps.groups)
		if s.Op == Add {
			s.Count = l.integer("what is added")
		}
	case Assign, Test, Swap:
		s.Arg = l.reference("variable", ps.variables)
		if s.Op != Assign {
			s.Count = l.integer("the value that is waited for")
		}
		if s.Op != Test {
			s.Value = l.integer("the value that it gets")
		}
	case Forget:
		s.Key = l.name("the name of a read, as in: read w.count as k")
	}
	s.Pos = l.position()
	b.function.Body = append(b.function.Body, s)
}

// unitBegin reads the rest of: unit-begin w "label" with v1 v2.
func (l *line) unitBegin(s *Stmt) {
	s.Arg = l.reference("object", l.parser.objects)
	label := l.peek()
	if label.end() || label.is("@") || label.is("with") {
		l.failAt(label, "the unit has no label; write unit-begin OBJECT \"label\"")
		return
	}
	s.Unit = l.name("the unit's label")
	if l.peek().is("with") {
		l.take()
		for len(s.With) == 0 || !l.peek().end() && !l.peek().is("@") {
			s.With = append(s.With, l.reference("object", l.parser.objects))
		}
	}
}

// jump reads the labels of a goto or choice; finish resolves them.
func (b *body) jump(l *line, op Op) {
	j := jump{line: l, statement: len(b.function.Body)}
	for !l.peek().end() && !l.peek().is("@") {
		j.labels = append(j.labels, l.take())
	}
	if op == Goto && len(j.labels) != 1 {
		l.failAt(l.tokens[0], "goto has %d labels; write one, or choice", len(j.labels))
	}
	b.jumps = append(b.jumps, j)
}

// finish resolves the labels.
func (b *body) finish() {
	for _, j := range b.jumps {
		for _, at := range j.labels {
			target := j.line.find(at, "label", at.text, b.labels)
			if j.statement < len(b.function.Body) {
				s := &b.function.Body[j.statement]
				s.Targets = append(s.Targets, target)
			}
		}
	}
}
