package std

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// Import turns an STD file into a recorded trace. All variables become locations of one
// object, so that they are one atomic set, and a transaction becomes a unit on it: the patterns
// can be matched, by the letter, unless there are thousands of variables. A
// join becomes a Wait for the Done with which its thread ends. The file is opened twice, since a
// trace begins with the table of its sites.
//
// A recorded run is stricter than an STD file: a thread has no event before its fork or
// after a join of it. Errors name the line. Of a file that was cut off, as far as that can be seen, all lines are
// imported, into a trace without an end, and the error is a *trace.CutError.
func Import(open func() (io.ReadCloser, error), w io.Writer) error {
	im := &importer{variables: map[string]bool{}, sites: map[trace.Site]uint32{{Kind: "none"}: 0},
		header: trace.Header{Imported: true, Sites: []trace.Site{{Kind: "none"}}}}
	if err := im.each(open, im.collect); err != nil {
		return err
	}
	cut := im.cut
	if err := im.plan(); err != nil {
		return err
	}
	out, err := trace.NewWriter(w, &im.header)
	if err != nil {
		return err
	}
	im.out, im.versions = out, map[uint32]uint64{}
	if err := im.each(open, im.write); err != nil {
		return err
	}
	if cut == "" {
		im.finish()
		return out.End()
	}
	if err := out.Close(); err != nil {
		return err
	}
	return &trace.CutError{Why: cut}
}

// importer is an import. Objects are numbered: 1 owns the variables, then come locks, the
// ends of threads and channels, in turn.
type importer struct {
	header    trace.Header
	sites     map[trace.Site]uint32
	threads   []imported
	variables map[string]bool
	out       *trace.Writer
	versions  map[uint32]uint64
	unended   Unended
	cut       string // why the file is not known to be whole
}

// imported is a thread.
type imported struct {
	name         string
	last         int // line of its last event
	forked       int // line of its fork
	joined       int // line of the first join of it
	forker       uint32
	begun, ended bool // records are written
}

func (im *importer) each(open func() (io.ReadCloser, error), do func(Event, Line) error) error {
	in, err := open()
	if err != nil {
		return err
	}
	defer in.Close()
	s := NewScanner(in)
	for {
		e, err := s.Next()
		if err == io.EOF {
			im.cut = im.unended.Why(s)
			return nil
		}
		if err != nil {
			return err
		}
		for s.Threads.Len() > len(im.threads) {
			im.threads = append(im.threads, imported{name: s.Threads.Name(uint32(len(im.threads)))})
		}
		if err := do(e, s.LineOf(e)); err != nil {
			return err
		}
	}
}

// collect makes the sites, and looks at the order of forks and joins.
func (im *importer) collect(e Event, l Line) error {
	im.site(l)
	im.site(threadSite(l.Thread))
	if err := im.unended.Add(e); err != nil {
		return err
	}
	if len(im.header.Sites) >= 1<<24 {
		return &Error{e.Line, "more different events than a recorded trace can tell apart; leave the places out"}
	}
	if !utf8.ValidString(l.Thread) || !utf8.ValidString(l.Operand) || !utf8.ValidString(l.Place) {
		return &Error{e.Line, fmt.Sprintf("%q is not UTF-8, in which a recorded trace has its names; write it in UTF-8", l)}
	}
	if operands[e.Op] == variable && len(im.variables) <= planned {
		im.variables[l.Operand] = true
	}
	t := &im.threads[e.Thread]
	if t.joined > 0 {
		return &Error{e.Line, fmt.Sprintf("%s goes on after the join at line %d; leave the join out", t.name, t.joined)}
	}
	t.last = e.Line
	switch e.Op {
	case Fork:
		im.site(threadSite(l.Operand))
		return im.threads[e.Operand].fork(e.Line)
	case Join:
		im.site(threadSite(l.Operand))
		if e.Operand == e.Thread {
			return &Error{e.Line, fmt.Sprintf("%s joins itself; leave it out", t.name)}
		}
		if child := &im.threads[e.Operand]; child.joined == 0 {
			child.joined = e.Line
		}
	}
	return nil
}

func (t *imported) fork(line int) error {
	switch {
	case t.last > 0:
		return &Error{line, fmt.Sprintf("%s is forked and had events before, the last one at line %d; leave the fork out",
			t.name, t.last)}
	case t.forked > 0:
		return &Error{line, fmt.Sprintf("%s is forked a second time, first at line %d; leave the fork out", t.name, t.forked)}
	}
	t.forked = line
	return nil
}

// threadSite stands for the site that names a thread.
func threadSite(name string) Line { return Line{Op: Join, Operand: name} }

// planned is the most variables of which a plan is made: more are no atomic set that a person
// would have named, and there would be too many pairs of them.
const planned = 1 << 12

// plan says that all variables are one set, so that the patterns can be matched.
func (im *importer) plan() error {
	if len(im.variables) == 0 || len(im.variables) > planned {
		return nil
	}
	names := slices.Sorted(maps.Keys(im.variables))
	p := watch.Plan{Sets: []watch.Set{{Fields: names, Vars: names, Shared: true}},
		Policy: watch.Policy{Units: "auto", UnitFor: "none", Strict: true}}
	text, err := p.Encode()
	im.header.Plan = text
	return err
}

// site is the number of the site of a line: its operation, operand and place.
func (im *importer) site(l Line) uint32 {
	kinds := [...]string{Read: "read", Write: "write", Acquire: "lock", Release: "unlock", Fork: "go", Join: "wait",
		Begin: "named", End: "named", Yield: "yield", ReadAcquire: "rlock", ReadRelease: "runlock", Prewait: "prewait",
		Postwait: "wait", Notify: "broadcast", Send: "send", Receive: "recv", Close: "close", Presend: "presend",
		Postsend: "postsend"}
	s := trace.Site{Kind: kinds[l.Op], Pos: l.Place, Field: l.Operand}
	if l.Op == Begin || l.Op == End {
		s.Function = "transaction"
	}
	n, ok := im.sites[s]
	if !ok {
		n = uint32(len(im.header.Sites))
		im.sites[s] = n
		im.header.Sites = append(im.header.Sites, s)
	}
	return n
}

// write writes the records of a line.
func (im *importer) write(e Event, l Line) error {
	g := e.Thread + 1
	im.start(e.Thread)
	site := im.site(l)
	switch e.Op {
	case Read:
		im.versioned(g, trace.Read, site, 1)
	case Write:
		im.versioned(g, trace.Write, site, 1)
	case Yield:
		im.out.Append(g, trace.Record{Op: trace.Yield, Site: site})
	case Begin:
		im.out.Append(g, trace.Record{Op: trace.UnitBegin, Site: site, Object: 1})
	case End:
		im.out.Append(g, trace.Record{Op: trace.UnitEnd, Site: site})
	case Fork:
		im.threads[e.Operand].forker = g
		im.out.Append(g, trace.Record{Op: trace.Go, Site: site, Arg: uint64(e.Operand + 1)})
	case Join:
		im.end(e.Operand)
		im.versioned(g, trace.Wait, site, 3+3*e.Operand)
	default:
		object := 2 + 3*e.Operand
		if operands[e.Op] == channel {
			object = 4 + 3*e.Operand
		}
		im.versioned(g, onObjects[e.Op], site, object)
	}
	return nil
}

// onObjects are the operations on locks and channels as a recorded trace has them.
var onObjects = [...]trace.Op{Acquire: trace.Lock, Release: trace.Unlock, ReadAcquire: trace.RLock,
	ReadRelease: trace.RUnlock, Prewait: trace.Prewait, Postwait: trace.CondWait, Notify: trace.Broadcast,
	Send: trace.Send, Receive: trace.Recv, Close: trace.Close, Presend: trace.Presend, Postsend: trace.Postsend}

func (im *importer) versioned(g uint32, op trace.Op, site, object uint32) {
	im.out.Append(g, trace.Record{Op: op, Site: site, Object: object, Arg: im.versions[object]})
	im.versions[object]++
}

// start writes the first record of a thread.
func (im *importer) start(thread uint32) {
	if t := &im.threads[thread]; !t.begun {
		t.begun = true
		im.out.Append(thread+1, trace.Record{Op: trace.Start, Site: im.site(threadSite(t.name)), Arg: uint64(t.forker)})
	}
}

// end writes the last records of a thread.
func (im *importer) end(thread uint32) {
	t := &im.threads[thread]
	if t.ended {
		return
	}
	im.start(thread)
	t.ended = true
	im.versioned(thread+1, trace.Done, 0, 3+3*thread)
	im.out.Append(thread+1, trace.Record{Op: trace.End})
}

func (im *importer) finish() {
	for t := range im.threads {
		im.end(uint32(t))
	}
}
