package events

import (
	"fmt"
	"io"

	"github.com/empire-go/empire-go/dynamic/trace/std"
)

// STD reads a trace in the STD format, which is opened twice: what its threads do last is known before.
// begin and end are those of an atomic block. A thread has no event before its fork or behind its join.
func STD(open func() (io.ReadCloser, error)) (Source, error) {
	s := &stdSource{places: map[string]uint32{"": 0}, names: []string{""}}
	in, err := open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	s.scanner = std.NewScanner(in)
	if err := s.first(s.fill); err != nil {
		return nil, err
	}
	var file io.ReadCloser
	if file, err = open(); err != nil {
		return nil, err
	}
	s.file, s.scanner = file, std.NewScanner(file)
	return s, nil
}

// stdSource is an STD file. Its lines become one event or two; those to come are pending.
type stdSource struct {
	reading
	scanner *std.Scanner
	places  map[string]uint32
	names   []string // of places
	threads []stdThread
	unended std.Unended
}

// stdThread is what is checked of a thread.
type stdThread struct {
	last, forked, joined int // lines: of its last event, its fork and the first join of it
}

// fill makes the events of the next line, without their place.
func (s *stdSource) fill() error {
	e, err := s.scanner.Next()
	if err == nil {
		s.lines(e, 0)
	}
	return err
}

// Next is the next event.
func (s *stdSource) Next() (Event, error) { return s.next(s.checked, s.end) }

// checked is fill for the second reading, in which lines are checked, and the ends of threads are known.
func (s *stdSource) checked() error {
	e, err := s.scanner.Next()
	if err == nil {
		err = s.check(e)
	}
	if err != nil {
		return err
	}
	s.lines(e, s.place())
	if first := s.pending.events[0]; s.lasts.ends(first) {
		s.pending.add(Event{Op: End, Thread: first.Thread, Place: first.Place, Number: first.Number})
	}
	return nil
}

// end is the end of the trace: io.EOF if nothing is known to be missing.
func (s *stdSource) end() error {
	if why := s.unended.Why(s.scanner); why != "" {
		return &CutError{Why: why}
	}
	return io.EOF
}

// place is the number of the place of the last line.
func (s *stdSource) place() uint32 {
	text := s.scanner.Place()
	n, ok := s.places[string(text)]
	if !ok {
		n = uint32(len(s.names))
		s.names = append(s.names, string(text))
		s.places[string(text)] = n
	}
	return n
}

// simple are the operations of one event.
var simple = [...]Op{std.Read: Read, std.Write: Write, std.Acquire: Lock, std.Release: Unlock, std.Fork: Fork,
	std.Join: Join, std.Begin: BlockBegin, std.End: BlockEnd, std.Yield: Yield, std.ReadAcquire: RLock,
	std.ReadRelease: RUnlock, std.Prewait: Prewait, std.Postwait: Postwait, std.Notify: Notify, std.Send: Send,
	std.Receive: Receive, std.Close: Close, std.Presend: Presend, std.Postsend: Postsend}

// lines makes the events of a line.
func (s *stdSource) lines(e std.Event, place uint32) {
	s.pending.reset()
	first := Event{Op: simple[e.Op], Thread: e.Thread, Place: place, Object: uint64(e.Operand), Number: e.Line}
	switch e.Op {
	case std.Prewait:
		s.pending.both(first, Unlock)
	case std.Postwait:
		s.pending.both(first, Lock)
	default:
		s.pending.add(first)
	}
}

// check says what is wrong with a line, given those before it.
func (s *stdSource) check(e std.Event) error {
	for n := s.scanner.Threads.Len(); len(s.threads) < n; {
		s.threads = append(s.threads, stdThread{})
	}
	t := &s.threads[e.Thread]
	name := s.Thread(e.Thread)
	wrong := func(format string, args ...any) error {
		return &std.Error{Line: e.Line, Why: fmt.Sprintf(format, args...)}
	}
	if t.joined > 0 {
		return wrong("%s goes on after the join at line %d; leave the join out", name, t.joined)
	}
	t.last = e.Line
	if err := s.unended.Add(e); err != nil {
		return err
	}
	switch e.Op {
	case std.Fork, std.Join:
		other, of := &s.threads[e.Operand], s.Thread(e.Operand)
		switch {
		case e.Operand == e.Thread:
			return wrong("%s %ss itself; leave it out", of, e.Op)
		case e.Op == std.Join:
			if other.joined == 0 {
				other.joined = e.Line
			}
		case other.forked > 0:
			return wrong("%s is forked a second time, first at line %d; leave the fork out", of, other.forked)
		case other.last > 0:
			return wrong("%s is forked and had events before, the last one at line %d; leave the fork out", of, other.last)
		default:
			other.forked = e.Line
		}
	}
	return nil
}

func (s *stdSource) Place(n uint32) Place        { return Place{Pos: s.names[n]} }
func (s *stdSource) Thread(thread uint32) string { return s.scanner.Threads.Name(thread) }
func (s *stdSource) Unit() string                { return "line" }

// Text is the operation as it stands in the file, if it is one.
func (s *stdSource) Text(e Event) string {
	for op, of := range simple {
		if of != e.Op || of == 0 {
			continue
		}
		names := map[Kind]*std.Names{Variable: &s.scanner.Variables, Mutex: &s.scanner.Locks, Condition: &s.scanner.Locks,
			Channel: &s.scanner.Channels, Thread: &s.scanner.Threads}[e.Op.Kind()]
		if names == nil {
			return std.Op(op).String()
		}
		return fmt.Sprintf("%s(%s)", std.Op(op), names.Name(uint32(e.Object)))
	}
	return e.Op.String()
}
