package esl

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// opNames are the keywords of the operations. Access is printed as its kind.
var opNames = [...]string{
	Skip: "skip", Goto: "goto", Choice: "choice", Call: "call", Return: "return", Access: "access",
	LockOp: "lock", Unlock: "unlock", RLock: "rlock", RUnlock: "runlock",
	UnitBegin: "unit-begin", UnitEnd: "unit-end", Start: "start", Join: "join", Done: "done",
	Set: "set", Await: "await", AwaitUnset: "await-unset",
	Send: "send", Receive: "recv", ReceiveClosed: "recv-closed", CloseChannel: "close", Forget: "forget",
	Select: "select", SelectDefault: "select-default", Intend: "intend",
	Enlist: "enlist", Awake: "awake", Signal: "signal", Broadcast: "broadcast",
	Add: "add", WaitZero: "wait-zero", Assign: "assign", Test: "test", Swap: "swap", Exit: "exit",
}

// String returns the keyword of the operation.
func (op Op) String() string {
	if int(op) < len(opNames) {
		return opNames[op]
	}
	return missing(int(op))
}

// Print writes the text form of the program, which Parse reads back. It needs no
// valid program: a reference out of range is printed as "?7", which Parse
// rejects. The error is that of w.
//
// The text is one declaration or statement a line, with names for indices and a
// position after "@":
//
//	object w @ main.go:29:8
//	location w.count
//	lock mu mutex
//	channel jobs cap 1
//	process main entry main.main initial
//
//	func main.main @ main.go:12:1
//	L1:
//	  unit-begin w "(*main.Vector).Clear" @ main.go:13:2
//	  write w.count @ main.go:14:2
//	  unit-end w
//	  choice L1 L2
//	L2:
//	end
func Print(w io.Writer, p *Program) error {
	_, err := io.WriteString(w, p.String())
	return err
}

// String returns the text form of the program; see Print.
func (p *Program) String() string {
	pr := printer{program: p}
	pr.declarations()
	for _, f := range p.Functions {
		pr.function(f)
	}
	return pr.out.String()
}

type printer struct {
	program *Program
	out     strings.Builder
}

// line writes one line of words and a position.
func (pr *printer) line(indent string, pos Pos, words ...string) {
	pr.out.WriteString(indent + strings.Join(words, " "))
	if pos != (Pos{}) {
		pr.out.WriteString(" @ " + quotePos(pos))
	}
	pr.out.WriteString("\n")
}

func (pr *printer) declarations() {
	p := pr.program
	if p.Name != "" {
		pr.line("", Pos{}, "program", quote(p.Name))
	}
	for _, o := range p.Objects {
		words := []string{"object", quote(o.Name)}
		if o.Site != "" {
			words = append(words, "@", quoteSite(o.Site))
		}
		pr.line("", Pos{}, words...)
	}
	for i := range p.Locations {
		pr.line("", Pos{}, "location", pr.location(i))
	}
	for _, l := range p.Locks {
		kind := missing(int(l.Kind))
		if l.Kind <= RW {
			kind = l.Kind.String()
		}
		pr.line("", l.Pos, "lock", quote(l.Name), kind)
	}
	for _, f := range p.Flags {
		pr.line("", Pos{}, "flag", quote(f.Name))
	}
	for _, c := range p.Channels {
		pr.line("", c.Pos, "channel", quote(c.Name), "cap", strconv.Itoa(c.Capacity))
	}
	for _, c := range p.Conditions {
		pr.line("", c.Pos, "condition", quote(c.Name))
	}
	for _, g := range p.Groups {
		pr.line("", g.Pos, "group", quote(g.Name))
	}
	for _, v := range p.Variables {
		pr.line("", Pos{}, "variable", quote(v.Name), "values", strconv.Itoa(v.Values))
	}
	for _, q := range p.Processes {
		words := []string{"process", quote(q.Name), "entry", pr.functionName(q.Entry)}
		if q.Copies != 1 {
			words = append(words, "copies", strconv.Itoa(q.Copies))
		}
		if q.Initial {
			words = append(words, "initial")
		}
		for i, location := range q.Disjoint {
			if i == 0 {
				words = append(words, "disjoint")
			}
			words = append(words, pr.location(location))
		}
		pr.line("", q.Pos, words...)
	}
}

// function prints a function. Jump targets get the labels L1, L2, ... in the
// order in which they stand.
func (pr *printer) function(f Function) {
	target := make([]bool, len(f.Body)+1)
	for _, s := range f.Body {
		for _, t := range s.Targets {
			if t >= 0 && t < len(target) {
				target[t] = true
			}
		}
	}
	labels := map[int]string{}
	for i, is := range target {
		if is {
			labels[i] = fmt.Sprintf("L%d", len(labels)+1)
		}
	}
	pr.out.WriteString("\n")
	pr.line("", f.Pos, "func", quote(f.Name))
	for i := 0; i <= len(f.Body); i++ {
		if target[i] {
			pr.out.WriteString(labels[i] + ":\n")
		}
		if i < len(f.Body) {
			pr.line("  ", f.Body[i].Pos, pr.statement(f.Body[i], labels)...)
		}
	}
	pr.out.WriteString("end\n")
}

// statement returns the words of a statement, without the position.
func (pr *printer) statement(s Stmt, labels map[int]string) []string {
	words := []string{s.Op.String()}
	switch s.Op {
	case Goto, Choice, Select, SelectDefault:
		for _, t := range s.Targets {
			label, ok := labels[t]
			if !ok {
				label = missing(t)
			}
			words = append(words, label)
		}
	case Call:
		words = append(words, pr.functionName(s.Arg))
	case Access:
		words = []string{missing(int(s.Access)), pr.location(s.Arg)}
		if s.Access <= Increment {
			words[0] = s.Access.String()
		}
		if s.Key != "" {
			words = append(words, "as", quote(s.Key))
		}
	case LockOp, Unlock, RLock, RUnlock, Intend:
		words = append(words, nameOf(pr.program.Locks, s.Arg, func(l Lock) string { return l.Name }))
	case UnitBegin:
		words = append(words, pr.object(s.Arg), strconv.Quote(s.Unit))
		for i, o := range s.With {
			if i == 0 {
				words = append(words, "with")
			}
			words = append(words, pr.object(o))
		}
	case UnitEnd:
		words = append(words, pr.object(s.Arg))
	case Start, Join:
		words = append(words, nameOf(pr.program.Processes, s.Arg, func(q Process) string { return q.Name }))
	case Set, Await, AwaitUnset:
		words = append(words, nameOf(pr.program.Flags, s.Arg, func(f Flag) string { return f.Name }))
	case Send, Receive, ReceiveClosed, CloseChannel:
		words = append(words, nameOf(pr.program.Channels, s.Arg, func(c Channel) string { return c.Name }))
		if s.Value != 0 {
			words = append(words, "value", strconv.Itoa(s.Value))
		}
	case Forget:
		words = append(words, quote(s.Key))
	case Enlist, Awake, Signal, Broadcast:
		words = append(words, nameOf(pr.program.Conditions, s.Arg, func(c Condition) string { return c.Name }))
	case Add, WaitZero:
		words = append(words, nameOf(pr.program.Groups, s.Arg, func(g Group) string { return g.Name }))
		if s.Op == Add {
			words = append(words, strconv.Itoa(s.Count))
		}
	case Assign, Test, Swap:
		words = append(words, nameOf(pr.program.Variables, s.Arg, func(v Variable) string { return v.Name }))
		if s.Op != Assign {
			words = append(words, strconv.Itoa(s.Count))
		}
		if s.Op != Test {
			words = append(words, strconv.Itoa(s.Value))
		}
	}
	return words
}

func (pr *printer) object(i int) string {
	return nameOf(pr.program.Objects, i, func(o Object) string { return o.Name })
}

func (pr *printer) functionName(i int) string {
	return nameOf(pr.program.Functions, i, func(f Function) string { return f.Name })
}

func (pr *printer) location(i int) string {
	p := pr.program
	if i < 0 || i >= len(p.Locations) {
		return missing(i)
	}
	if o := p.Locations[i].Object; o < 0 || o >= len(p.Objects) {
		return missing(o)
	}
	return quote(p.LocationName(i))
}

// nameOf returns the name of all[i] as it is written in the text form.
func nameOf[T any](all []T, i int, name func(T) string) string {
	if i < 0 || i >= len(all) {
		return missing(i)
	}
	return quote(name(all[i]))
}

// missing is how a reference out of range is printed.
func missing(i int) string { return fmt.Sprintf("?%d", i) }

// quote returns a name as a word, in quotes where it needs them.
func quote(name string) string {
	if isWord(name, "_.$/-") {
		return name
	}
	return strconv.Quote(name)
}

func quoteSite(site string) string {
	if isWord(site, "_.$/-:") {
		return site
	}
	return strconv.Quote(site)
}

func quotePos(p Pos) string {
	file := quote(p.File)
	if p.Col == 0 {
		return fmt.Sprintf("%s:%d", file, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", file, p.Line, p.Col)
}

// isWord tells whether s consists of letters, digits and the given punctuation.
func isWord(s, punctuation string) bool {
	for _, r := range s {
		if r == unicode.ReplacementChar || !unicode.IsLetter(r) && !unicode.IsDigit(r) &&
			!strings.ContainsRune(punctuation, r) {
			return false
		}
	}
	return s != ""
}
