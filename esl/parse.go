package esl

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Parse reads the text form of a program that Print describes; name is the file
// name for errors. Comments go from "#" to the end of the line. Declarations and
// functions may stand in any order.
//
// The error is that of the first line that is wrong: file:line:col, what is wrong
// and what to write instead. Parse checks the syntax and resolves the names;
// Validate checks the rest.
func Parse(name string, src []byte) (*Program, error) {
	ps := &parser{
		program: &Program{},
		objects: names{}, locations: names{}, locks: names{}, flags: names{}, channels: names{}, processes: names{},
		functions: names{}, conditions: names{}, groups: names{}, variables: names{},
	}
	lines := ps.scan(string(src))
	ps.declare(lines)
	ps.define(lines)
	if ps.err != nil {
		ps.err.file = name
		return nil, ps.err
	}
	return ps.program, nil
}

// syntaxError is an error at a place of the text.
type syntaxError struct {
	file      string
	line, col int
	what      string
}

func (e *syntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.file, e.line, e.col, e.what)
}

// names maps the names of one kind to indices.
type names map[string]int

// parser reads a program in two passes over its lines, so that names may be used
// before they are declared: declare collects the names, define reads the rest.
type parser struct {
	program                                                          *Program
	objects, locations, locks, flags, channels, processes, functions names
	conditions, groups, variables                                    names
	err                                                              *syntaxError // the one on the earliest line
}

// fail records an error, unless there is one on an earlier line.
func (ps *parser) fail(line, col int, format string, args ...any) {
	if ps.err == nil || line < ps.err.line {
		ps.err = &syntaxError{line: line, col: col, what: fmt.Sprintf(format, args...)}
	}
}

// scan splits the text into lines of tokens and leaves empty lines out.
func (ps *parser) scan(src string) []*line {
	var lines []*line
	for i, text := range strings.Split(src, "\n") {
		tokens, err := tokenize(strings.TrimSuffix(text, "\r"))
		if err != nil {
			ps.fail(i+1, err.col, "%s", err.what)
			continue
		}
		if len(tokens) > 0 {
			lines = append(lines, &line{parser: ps, number: i + 1, tokens: tokens, end: len(text) + 1})
		}
	}
	return lines
}

// declare enters the names of all declarations and functions.
func (ps *parser) declare(lines []*line) {
	p, body := ps.program, false
	for _, l := range lines {
		keyword := l.tokens[0]
		l.next = 1
		switch {
		case keyword.is("end"):
			body = false
		case body:
		case keyword.is("func"):
			body = true
			p.Functions = append(p.Functions, Function{Name: l.declare("function", ps.functions)})
		case keyword.is("object"):
			p.Objects = append(p.Objects, Object{Name: l.declare("object", ps.objects)})
		case keyword.is("location"):
			p.Locations = append(p.Locations, Location{Name: l.declare("location", ps.locations)})
		case keyword.is("lock"):
			p.Locks = append(p.Locks, Lock{Name: l.declare("lock", ps.locks)})
		case keyword.is("flag"):
			p.Flags = append(p.Flags, Flag{Name: l.declare("flag", ps.flags)})
		case keyword.is("channel"):
			p.Channels = append(p.Channels, Channel{Name: l.declare("channel", ps.channels)})
		case keyword.is("condition"):
			p.Conditions = append(p.Conditions, Condition{Name: l.declare("condition", ps.conditions)})
		case keyword.is("group"):
			p.Groups = append(p.Groups, Group{Name: l.declare("group", ps.groups)})
		case keyword.is("variable"):
			p.Variables = append(p.Variables, Variable{Name: l.declare("variable", ps.variables)})
		case keyword.is("process"):
			p.Processes = append(p.Processes, Process{Name: l.declare("process", ps.processes), Copies: 1})
		}
	}
}

// define reads the lines in full, now that all names are known.
func (ps *parser) define(lines []*line) {
	var count struct{ objects, locations, locks, channels, processes, functions, conditions, groups, variables int }
	next := func(n *int) int { *n++; return *n - 1 }
	var body *body // of the function that is being read
	p := ps.program
	for _, l := range lines {
		keyword := l.tokens[0]
		l.next, l.failed = 1, false
		switch {
		case body != nil && keyword.is("end"):
			body.finish()
			body = nil
		case body != nil:
			body.line(l)
		case keyword.is("func"):
			l.name("the function's name")
			f := &p.Functions[next(&count.functions)]
			f.Pos = l.position()
			body = newBody(ps, f, l)
		case keyword.is("program"):
			p.Name = l.name("the program's name")
		case keyword.is("object"):
			l.name("")
			p.Objects[next(&count.objects)].Site = l.site()
		case keyword.is("location"):
			l.location(&p.Locations[next(&count.locations)])
		case keyword.is("lock"):
			l.lock(&p.Locks[next(&count.locks)])
		case keyword.is("flag"):
			l.name("")
		case keyword.is("channel"):
			l.channel(&p.Channels[next(&count.channels)])
		case keyword.is("condition"):
			l.name("")
			p.Conditions[next(&count.conditions)].Pos = l.position()
		case keyword.is("group"):
			l.name("")
			p.Groups[next(&count.groups)].Pos = l.position()
		case keyword.is("variable"):
			l.variable(&p.Variables[next(&count.variables)])
		case keyword.is("process"):
			l.process(&p.Processes[next(&count.processes)])
		default:
			l.failAt(keyword, "%s is no declaration; write program, object, location, lock, flag, channel, condition, group, "+
				"variable, process or func", keyword)
		}
		l.finish()
	}
	if body != nil {
		ps.fail(body.header.number, 1, "the function has no end; write end after its last statement")
	}
}

// location reads the rest of "location w.count".
func (l *line) location(to *Location) {
	at := l.peek()
	object, field, ok := strings.Cut(l.name(""), ".")
	if !ok {
		l.failAt(at, "%s has no object; write location OBJECT.FIELD", at)
		return
	}
	to.Object, to.Name = l.find(at, "object", object, l.parser.objects), field
}

// lock reads the rest of "lock mu rw @ main.go:3:1".
func (l *line) lock(to *Lock) {
	l.name("")
	switch at := l.take(); {
	case at.is("mutex"):
		to.Kind = Mutex
	case at.is("rw"):
		to.Kind = RW
	default:
		l.failAt(at, "%s is no kind of lock; write mutex or rw after the lock's name", at)
	}
	to.Pos = l.position()
}

// channel reads the rest of "channel c cap 1 @ main.go:3:1".
func (l *line) channel(to *Channel) {
	l.name("")
	if at := l.take(); !at.is("cap") {
		l.failAt(at, "the channel has no capacity; write channel NAME cap 0 for an unbuffered one")
		return
	}
	at := l.take()
	n, err := strconv.Atoi(at.text)
	if err != nil {
		l.failAt(at, "%s is no capacity; write a number up to %d", at, MaxCapacity)
	}
	to.Capacity = n
	to.Pos = l.position()
}

// variable reads the rest of "variable v values 3".
func (l *line) variable(to *Variable) {
	l.name("")
	if at := l.take(); !at.is("values") {
		l.failAt(at, "the variable has no number of values; write variable NAME values 2")
		return
	}
	to.Values = l.integer("a number of values")
}

// integer reads a number.
func (l *line) integer(what string) int {
	at := l.take()
	n, err := strconv.Atoi(at.text)
	if err != nil {
		l.failAt(at, "%s is no number; write %s", at, what)
	}
	return n
}

// process reads the rest of "process p entry f copies 2 disjoint w.data @ main.go:3:1".
func (l *line) process(to *Process) {
	l.name("")
	if at := l.take(); !at.is("entry") {
		l.failAt(at, "the process has no entry; write process NAME entry FUNCTION")
		return
	}
	to.Entry = l.reference("function", l.parser.functions)
	if l.peek().is("copies") {
		l.take()
		at := l.take()
		n, err := strconv.Atoi(at.text)
		if err != nil || n < 1 {
			l.failAt(at, "%s is no number of copies; write copies 2", at)
		}
		to.Copies = n
	}
	if l.peek().is("initial") {
		l.take()
		to.Initial = true
	}
	if l.peek().is("disjoint") {
		l.take()
		to.Disjoint = append(to.Disjoint, l.reference("location", l.parser.locations))
		for !l.peek().end() && !l.peek().is("@") {
			to.Disjoint = append(to.Disjoint, l.reference("location", l.parser.locations))
		}
	}
	to.Pos = l.position()
}

// site reads "@ main.go:29:8" as text.
func (l *line) site() string {
	if !l.peek().is("@") {
		return ""
	}
	l.take()
	at := l.take()
	if at.text == "" {
		l.failAt(at, "there is no site after @; write @ main.go:29:8")
	}
	return at.text
}

// position reads "@ main.go:12:3", or nothing.
func (l *line) position() Pos {
	if !l.peek().is("@") {
		return Pos{}
	}
	l.take()
	at := l.take()
	file, numbers := at.text, ""
	if at.quoted {
		numbers = l.take().text
	} else if i := strings.IndexByte(at.text, ':'); i >= 0 {
		file, numbers = at.text[:i], at.text[i:]
	}
	pos, err := parsePos(file, numbers)
	if err != nil {
		l.failAt(at, "%s is no position; write @ main.go:12:3, or @ \"odd name.go\":12:3", at)
	}
	return pos
}

// parsePos reads ":12:3" or ":12".
func parsePos(file, numbers string) (Pos, error) {
	parts := strings.Split(numbers, ":")
	if file == "" || parts[0] != "" || len(parts) < 2 || len(parts) > 3 {
		return Pos{}, errors.New("no position")
	}
	var n [2]int
	for i, part := range parts[1:] {
		v, err := strconv.Atoi(part)
		if err != nil || v < 0 {
			return Pos{}, errors.New("no number")
		}
		n[i] = v
	}
	return Pos{file, n[0], n[1]}, nil
}
