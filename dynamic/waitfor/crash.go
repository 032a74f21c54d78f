package waitfor

import (
	"regexp"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/dynamic/stacks"
	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/scenarios"
)

// Violation is an operation that came in the wrong order.
type Violation struct {
	Class   scenarios.Class
	What    string // in words: "a channel closed twice"
	By      string // the goroutine; "" if it is not known
	At      Place
	Message string // of the runtime, if it has ended the program
	Before  string // what came before in the wrong order, with who and where; "" if nothing is known
	// Supposed tells that it is no more than likely: the operation would have been right after one that this run has
	// not come to.
	Supposed bool
}

// ID is the stable id.
func (v *Violation) ID() string { return v.Class.ID(v.What, v.At.Function) }

// crashes is what the runtime, and package testing, say when an operation comes in the wrong order.
var crashes = []struct {
	text, class, what string
	op                trace.Op
}{
	{"send on closed channel", "order", "a send on a channel that is closed", trace.Send},
	{"close of closed channel", "order", "a channel closed twice", trace.Close},
	{"sync: negative WaitGroup counter", "order", "a wait group counted down below zero", trace.Done},
	{"sync: WaitGroup misuse: Add called concurrently with Wait", "order", "Add of a wait group while Wait returns",
		trace.Add},
	{"sync: WaitGroup is reused before previous Wait has returned", "order", "Add of a wait group while Wait returns",
		trace.Add},
	{unlocked, "order", "a lock released that nobody holds", trace.Unlock},
	{" has completed", "order", "a test that was used after its end", 0},
	{"invalid memory address or nil pointer dereference", "order", "nil used", trace.Read},
	{"assignment to entry in nil map", "order", "nil used", trace.Read},
	{concurrentMap, "data-race", "a map used while it is written", 0},
}

// What the fatal errors of packages are about, and the call that leads to them.
const (
	unlocked      = "sync: unlock of unlocked lock"
	concurrentMap = "concurrent map access"
)

var fatal = []struct{ call, message string }{{"internal/runtime/maps.fatal(", concurrentMap},
	{"internal/sync.fatal(", unlocked}, {"\nsync.fatal(", unlocked}}

var crashLine = regexp.MustCompile(`(?m)^(?:panic|fatal error): (.*)$`)

// AddCrash adds what the runtime has said when it ended the program: what went wrong, and the stacks of all goroutines,
// that of the one that did it first.
//
// The runtime does not write why it ends the program where that is a fatal error of a package of its own: then the
// stack tells.
func (r *Report) AddCrash(text string) {
	line := crashLine.FindStringSubmatch(text)
	for _, f := range fatal {
		if line == nil && strings.Contains(text, f.call) {
			line = []string{"", f.message}
		}
	}
	all := stacks.Parse(strings.TrimLeft(text, "\n"))
	if line == nil || len(all) == 0 {
		return
	}
	for _, c := range crashes {
		if !strings.Contains(line[1], c.text) || c.op == 0 && c.class == "order" && !strings.HasPrefix(line[1], "Log in ") {
			continue
		}
		class, _ := scenarios.ClassByName(c.class)
		v := &Violation{Class: class, What: c.what, Message: line[1], At: Place{Pos: r.ending.inModule(all[0])}}
		v.At.Function = r.ending.functionAt(v.At.Pos)
		number, g, did := r.ending.ranAt(all[0], c.op)
		if g != nil {
			v.By = nameOf(number)
		}
		if r.ending.explain(v, c.op, number, g, did) {
			r.Orders = append(r.Orders, v)
		}
		return
	}
}

// inModule is the innermost call of a goroutine that is in the program, "" if there is none.
func (e *ending) inModule(g stacks.Goroutine) string {
	for _, p := range g.Places {
		if rest, ok := strings.CutPrefix(p, strings.TrimSuffix(e.header.Root, "/")+"/"); ok && e.header.Root != "" {
			return rest
		}
	}
	return ""
}

// functionAt is the function that a line is in, if something is recorded there.
func (e *ending) functionAt(pos string) string {
	for _, s := range e.header.Sites {
		if s.Pos == pos || strings.HasPrefix(s.Pos, pos+":") {
			return s.Function
		}
	}
	return ""
}

// ranAt is the goroutine that did an operation where a stack is, the latest one if there are several, with the record.
// Calls that were deferred may have come after that.
func (e *ending) ranAt(stack stacks.Goroutine, op trace.Op) (number uint32, latest *goroutine, did trace.Record) {
	for n, g := range e.goroutines {
		if latest != nil && g.number < latest.number {
			continue
		}
		for i := range g.recent {
			r := g.recent[(g.count+recent-1-i)%recent]
			is := r.Op == op || r.Op == trace.Waits && trace.Op(r.Arg) == op || op == trace.Send && r.Op == trace.Presend ||
				op == trace.Read && r.Op == trace.AtomicRead || op == trace.Unlock && r.Op == trace.RUnlock || op == 0
			if is && r.Op != 0 && stack.IsAt(e.header.Site(r.Site).Pos) {
				number, latest, did = n, g, r
				break
			}
		}
	}
	return number, latest, did
}

// explain says what came before in the wrong order. It tells whether the crash is of its class.
func (e *ending) explain(v *Violation, op trace.Op, number uint32, g *goroutine, did trace.Record) bool {
	if g == nil {
		return op != trace.Read
	}
	by := func(what string, a act) {
		if a.number > 0 {
			v.Before = nameOf(a.goroutine) + " " + what + " at " + e.place(a.site).Pos
		}
	}
	object := did.Object
	switch op {
	case trace.Send:
		if c := e.channels[object]; c != nil && len(c.closes) > 0 {
			by("had closed it", c.closes[len(c.closes)-1])
		}
	case trace.Close:
		if c := e.channels[object]; c != nil && len(c.closes) == 2 {
			by("had closed it", c.closes[0])
		}
	case trace.Unlock:
		by("had released it", e.released[object])
	case trace.Add, trace.Done:
		by("waited, or had waited,", e.waited[object])
	case trace.Read:
		return e.explainNil(v, number, did)
	}
	return true
}

// explainNil says why a variable was nil whose value was used: another goroutine had set it to nil, or, if none had set
// it, there is a place in the program that does.
func (e *ending) explainNil(v *Violation, number uint32, read trace.Record) bool {
	if stacks.LineOf(e.header.Site(read.Site).Pos) != stacks.LineOf(v.At.Pos) {
		return false // it was no variable
	}
	name := e.nameOf(read)
	w := e.written[e.locationOf(read)]
	switch {
	case w.number > 0 && w.goroutine == number:
		return false
	case w.number > 0:
		v.What = "nil used after " + name + " was set to it"
		v.Before = nameOf(w.goroutine) + " had set it to nil at " + e.place(w.site).Pos
		return true
	}
	i := slices.IndexFunc(e.header.Sites, func(s trace.Site) bool {
		return s.Kind == "write" && s.Field == name && s.Set == e.header.Site(read.Site).Set
	})
	isOther := false
	for n, other := range e.goroutines {
		isOther = isOther || n != number && !other.ended
	}
	if i < 0 || !isOther {
		return false
	}
	v.What, v.Supposed = "nil used before "+name+" was set", true
	v.Before = "nobody had set it; " + e.header.Sites[i].Pos + " does, which this run had not come to"
	return true
}
