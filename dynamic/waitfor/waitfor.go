// Package waitfor says what has gone wrong at the end of a recorded run: which goroutines were about to block and did
// not go on, what each of them holds, and which of them wait for each other; which signal one of them has missed; which
// goroutines go round without getting on; and which operation has ended the program because it came in the wrong order.
// It is what happened: nothing is predicted, and nothing can be said of a goroutine that was at a select or in code
// that is not recorded.
//
//	waitfor  who waits for whom
//	missed   signals that came too early, or not at all
//	spin     goroutines that run without getting on
//	asks     whether such a goroutine waits for a change, by its source
//	crash    what the runtime says when it ends the program
//	late     Add of a wait group that nothing orders with a Wait
//	text     all of that in words
package waitfor

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"io"
	"slices"

	"github.com/empire-go/empire-go/dynamic/events"
	"github.com/empire-go/empire-go/dynamic/races"
	"github.com/empire-go/empire-go/dynamic/stacks"
	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/scenarios"
)

// Report is the end of a run.
type Report struct {
	Events  uint64
	Waiting []*Goroutine // that had not ended and were about to block, in the order of their numbers
	Others  int          // that had not ended otherwise
	// Circles are goroutines each of which waits for a lock that the next one holds, the last for one of the first.
	Circles [][]*Goroutine
	Whole   bool // all that was recorded could be read
	// HasLeaks tells that the runtime has looked for leaked goroutines; Leaked is those that are not among Waiting.
	HasLeaks bool
	Leaked   []stacks.Goroutine
	Spinning []*Spin      // that had not ended, and looked again and again at what did not change
	Orders   []*Violation // operations in the wrong order

	ending *ending
}

// Goroutine is one that waits.
type Goroutine struct {
	Number  uint32
	Started Place // its go statement; unknown of main, and of what nobody has started
	Op      trace.Op
	What    string // in words: "lock c.mu"
	At      Place
	Holds   []Hold
	For     []*Goroutine // who holds the lock that it waits for, and waits, too
	Held    []Hold       // with what they hold it; also those who do not wait, or have ended
	Leaked  bool         // the runtime has found that nothing which runs can let it go on
	Behind  []*Goroutine // of a reader: who waits to write, so that no more readers get the lock
	Missed  *Missed      // the signal that it would have needed; nil if none is known
}

// Name names it as other commands do.
func (g *Goroutine) Name() string { return nameOf(g.Number) }

func nameOf(number uint32) string {
	if number == 1 {
		return "main"
	}
	return fmt.Sprintf("g%d", number)
}

// Class is the class of the error.
func (r *Report) Class(g *Goroutine) scenarios.Class {
	name := "blocked"
	switch {
	case r.IsInCircle(g):
		name = "deadlock"
	case g.Missed != nil:
		name = "missed-signal"
	}
	class, _ := scenarios.ClassByName(name)
	return class
}

// ID is the stable id of what is told of a goroutine.
func (r *Report) ID(g *Goroutine) string { return r.Class(g).ID(g.At.Function, g.What) }

// Place is a place in the source.
type Place struct{ Pos, Function string }

// Hold is a lock that is held.
type Hold struct {
	Lock   string
	Shared bool
	At     Place
	By     string // the goroutine
	Ended  bool   // which has ended
	number uint32 // of the goroutine
	object uint32
}

// Read reads a trace to its end, or as far as it can be read. It takes time linear in it, and memory for what is held
// and for what was written.
func Read(in io.Reader) (*Report, error) {
	r, err := trace.NewReader(in)
	if err != nil {
		return nil, err
	}
	e := &ending{header: r.Header(), goroutines: map[uint32]*goroutine{}, held: map[uint32][]Hold{},
		channels: map[uint32]*channel{}, conditions: map[uint32]*condition{}, written: map[location]act{},
		sources: sources{r.Header().Root, map[string]*ast.File{}, token.NewFileSet()}, watched: map[location][]uint32{},
		released: map[uint32]act{}, waited: map[uint32]act{}}
	src, err := events.Follow(r, e.add)
	if err != nil {
		return nil, err
	}
	l := lates{races.New(), map[uint64][]waited{}, map[[2]uint32]bool{}}
	var orders []*Violation
	for {
		next, err := src.Next()
		if errors.Is(err, io.EOF) || errors.As(err, new(*trace.CutError)) {
			break
		}
		if err != nil {
			return nil, err
		}
		orders = append(orders, l.add(src, next)...)
	}
	report := e.report(r.Stats())
	report.Orders = orders
	return report, nil
}

// AddLeaks adds what the runtime has found out when the program ended. A goroutine is told by where it waits.
func (r *Report) AddLeaks(all []stacks.Goroutine) {
	r.HasLeaks = true
	for _, leak := range all {
		if !leak.Leaked {
			continue
		}
		i := slices.IndexFunc(r.Waiting, func(g *Goroutine) bool { return !g.Leaked && leak.IsAt(g.At.Pos) })
		if i < 0 {
			r.Leaked = append(r.Leaked, leak)
		} else {
			r.Waiting[i].Leaked = true
		}
	}
	r.settle()
}

// ending is a run as far as it was read.
type ending struct {
	header     *trace.Header
	sources    sources
	goroutines map[uint32]*goroutine
	held       map[uint32][]Hold // by lock
	channels   map[uint32]*channel
	conditions map[uint32]*condition
	written    map[location]act      // by location: the last write
	watched    map[location][]uint32 // who has looked there before it has begun to wait for a condition
	released   map[uint32]act        // by lock: the last release
	waited     map[uint32]act        // by wait group: the last Wait that has begun or returned
	number     uint64                // of the last record
}

// act is what a goroutine has done.
type act struct {
	number    uint64 // of the record; 0: nothing
	goroutine uint32
	site      uint32
	count     int // of a write: how many there were
}

// location is a field of an object.
type location struct {
	object uint32
	field  string
}

func (e *ending) act(r trace.Event) act { return act{e.number, r.Goroutine, r.Site, 0} }

// locationOf is where an access is.
func (e *ending) locationOf(r trace.Record) location {
	site := e.header.Site(r.Site)
	if site.Set < 0 { // the object is the location
		return location{object: r.Object}
	}
	return location{r.Object, site.Field}
}

// channel is how many messages were sent and received.
type channel struct {
	sent, received int
	closed         bool
	closes         []act // the last two
	leftOut        act   // the last send that was left out, if none was made since
}

// recent is how many records, at most, are kept of a goroutine for a panic, behind which deferred calls come.
const recent = 16

// goroutine is what is known of a goroutine: its last record.
type goroutine struct {
	last    trace.Record
	number  uint64               // of the last record
	message int                  // the number of what it has sent last, on that channel
	recent  [recent]trace.Record // the last ones, the next one at count
	count   int
	looks   looks
	before  []sight // what it has looked at since it has taken a lock
	prewait uint64  // the number of the record since which it waits for a condition; 0: it does not
	changed act     // the last change of that which no signal has followed
	what    sight   // what has changed
	started Place
	ended   bool
}

func (e *ending) of(number uint32) *goroutine {
	g := e.goroutines[number]
	if g == nil {
		g = &goroutine{}
		e.goroutines[number] = g
	}
	return g
}

func (e *ending) place(site uint32) Place {
	s := e.header.Site(site)
	return Place{s.Pos, s.Function}
}

func (e *ending) add(r trace.Event) {
	if r.Op == trace.ObjectGone {
		delete(e.held, r.Object) // its number may be that of another one
		delete(e.channels, r.Object)
		delete(e.conditions, r.Object)
		return
	}
	g := e.of(r.Goroutine)
	e.number++
	if r.Op == trace.End { // also where a panic ends it: what it did before is kept
		g.ended = true
		return
	}
	g.last, g.number = r.Record, e.number
	g.recent[g.count%recent] = r.Record
	g.count++
	e.signals(g, r)
	e.look(g, r)
	switch r.Op {
	case trace.Write, trace.RMW, trace.AtomicWrite:
		at := e.locationOf(r.Record)
		w := e.act(r)
		w.count = e.written[at].count + 1
		e.written[at] = w
	case trace.Wait, trace.Waits:
		if trace.Op(r.Arg) == trace.Wait || r.Op == trace.Wait {
			e.waited[r.Object] = e.act(r)
		}
	case trace.Go:
		e.of(uint32(r.Arg)).started = e.place(r.Site)
	case trace.Send, trace.Presend:
		c := e.channel(r.Object)
		c.sent++
		c.leftOut = act{}
		g.message = c.sent
	case trace.Recv:
		if c := e.channel(r.Object); c.received < c.sent {
			c.received++
		}
	case trace.Close:
		c := e.channel(r.Object)
		c.closed = true
		c.closes = append(c.closes[max(0, len(c.closes)-1):], e.act(r))
	case trace.Lock, trace.RLock:
		e.held[r.Object] = append(e.held[r.Object], Hold{Lock: e.nameOf(r.Record), Shared: r.Op == trace.RLock,
			At: e.place(r.Site), By: nameOf(r.Goroutine), number: r.Goroutine, object: r.Object})
	case trace.Unlock, trace.RUnlock:
		if len(e.held[r.Object]) > 0 { // else it is the one that ends the program
			e.released[r.Object] = e.act(r)
		}
		all := e.held[r.Object]
		i := len(all) - 1
		for i > 0 && all[i].number != r.Goroutine {
			i-- // to the first, if another one has taken it
		}
		if i >= 0 {
			e.held[r.Object] = slices.Delete(all, i, i+1)
		}
	}
}

func (e *ending) channel(object uint32) *channel {
	c := e.channels[object]
	if c == nil {
		c = &channel{}
		e.channels[object] = c
	}
	return c
}

// mayGoOn tells whether a goroutine that has waited was let go on, and the run ended before it did.
func (e *ending) mayGoOn(g *goroutine) bool {
	object := g.last.Object
	switch c := e.channels[object]; trace.Op(g.last.Arg) {
	case trace.Lock, trace.RLock:
		return len(e.held[object]) == 0
	case trace.Send:
		return c != nil && (c.closed || g.message > 0 && g.message <= c.received)
	case trace.Recv:
		return c != nil && (c.closed || c.sent > c.received)
	case trace.CondWait:
		return !e.conditions[object].has(g)
	}
	return false
}

// nameOf names what a record is on.
func (e *ending) nameOf(r trace.Record) string {
	if field := e.header.Site(r.Site).Field; field != "" {
		return field
	}
	return fmt.Sprintf("object %d of the run", r.Object)
}

// what says what a goroutine waits for.
func (e *ending) what(r trace.Record) string {
	switch op := trace.Op(r.Arg); op {
	case 0:
		return "a select"
	case trace.Lock:
		return "lock " + e.nameOf(r)
	case trace.RLock:
		return "lock " + e.nameOf(r) + " for reading"
	case trace.Wait:
		return "wait group " + e.nameOf(r)
	case trace.CondWait:
		return "a signal of " + e.nameOf(r)
	case trace.Send:
		return "a receiver of " + e.nameOf(r)
	case trace.Recv:
		return "a message of " + e.nameOf(r)
	default:
		return fmt.Sprintf("%s of %s", op, e.nameOf(r))
	}
}

func (e *ending) report(s trace.Stats) *Report {
	out := &Report{Events: s.Events, Whole: s.Whole(), ending: e}
	byNumber := map[uint32]*Goroutine{}
	for number, g := range e.goroutines {
		switch {
		case g.ended || g.last.Op == 0:
		case g.last.Op != trace.Waits || e.mayGoOn(g):
			if s := e.spin(number, g); s != nil {
				out.Spinning = append(out.Spinning, s)
			} else {
				out.Others++
			}
		default:
			byNumber[number] = &Goroutine{Number: number, Started: g.started, Op: trace.Op(g.last.Arg),
				What: e.what(g.last), At: e.place(g.last.Site), Missed: e.missed(number, g)}
			out.Waiting = append(out.Waiting, byNumber[number])
		}
	}
	slices.SortFunc(out.Waiting, func(a, b *Goroutine) int { return int(a.Number) - int(b.Number) })
	for _, all := range e.held {
		for _, h := range all {
			if g := byNumber[h.number]; g != nil {
				g.Holds = append(g.Holds, h)
			}
		}
	}
	for _, g := range out.Waiting {
		slices.SortFunc(g.Holds, func(a, b Hold) int { return int(a.object) - int(b.object) })
		e.edges(g, byNumber)
	}
	out.circles()
	out.livelocks()
	return out
}

// edges finds out for whom a goroutine waits, if that is for a lock.
func (e *ending) edges(g *Goroutine, byNumber map[uint32]*Goroutine) {
	if g.Op != trace.Lock && g.Op != trace.RLock {
		return
	}
	object := e.goroutines[g.Number].last.Object
	if g.Op == trace.RLock && !slices.ContainsFunc(e.held[object], func(h Hold) bool { return !h.Shared }) {
		for number, other := range byNumber { // who waits to write keeps readers out
			if other.Op == trace.Lock && e.goroutines[number].last.Object == object {
				g.Behind = append(g.Behind, other)
			}
		}
		slices.SortFunc(g.Behind, func(a, b *Goroutine) int { return int(a.Number) - int(b.Number) })
		g.For = g.Behind
		return
	}
	for _, h := range e.held[object] {
		h.Ended = e.goroutines[h.number].ended
		g.Held = append(g.Held, h)
		if other := byNumber[h.number]; other != nil && !slices.Contains(g.For, other) {
			g.For = append(g.For, other)
		}
	}
}

// circles finds those who wait for each other: from each goroutine one goes on to the first whom it waits for.
func (r *Report) circles() {
	found := map[*Goroutine]bool{}
	for _, g := range r.Waiting {
		var path []*Goroutine
		for at := g; at != nil && !found[at]; {
			if i := slices.Index(path, at); i >= 0 {
				r.Circles = append(r.Circles, path[i:])
				for _, member := range path[i:] {
					found[member] = true
				}
				break
			}
			path = append(path, at)
			if len(at.For) == 0 {
				break
			}
			at = at.For[0]
		}
	}
}

// IsInCircle tells whether a goroutine is one of those who wait for each other.
func (r *Report) IsInCircle(g *Goroutine) bool {
	return slices.ContainsFunc(r.Circles, func(c []*Goroutine) bool { return slices.Contains(c, g) })
}
