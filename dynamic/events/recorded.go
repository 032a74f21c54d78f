package events

import (
	"fmt"
	"io"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// Recorded reads a trace that an instrumented program has recorded, or that was imported. It is opened twice, as
// for STD.
func Recorded(open func() (io.ReadCloser, error)) (Source, error) {
	s := &recordedSource{fields: map[string]uint32{}, threads: map[uint32]uint32{}, rooms: map[uint32]uint32{}}
	in, err := open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	r, err := trace.NewReader(in)
	if err != nil {
		return nil, err
	}
	if r.Header().Reduced {
		return nil, trace.ErrReduced
	}
	s.header, s.reader = r.Header(), r
	if err := s.first(s.fill); err != nil {
		return nil, err
	}
	file, err := open()
	if err != nil {
		return nil, err
	}
	s.file, s.number, s.strange, s.threads, s.names = file, 0, 0, map[uint32]uint32{}, nil
	s.reader, err = trace.NewReader(file)
	return s, err
}

// Follow reads a trace once, while the program runs, and calls each with every record. What its threads do last is not
// known: no Receive Joins.
func Follow(r *trace.Reader, each func(trace.Event)) (Source, error) {
	if r.Header().Reduced {
		return nil, trace.ErrReduced
	}
	return &recordedSource{header: r.Header(), reader: r, each: each, reading: reading{file: io.NopCloser(nil)},
		fields: map[string]uint32{}, threads: map[uint32]uint32{}, rooms: map[uint32]uint32{}}, nil
}

// recordedSource is a recorded trace. Threads are numbered in the order in which they begin.
type recordedSource struct {
	reading
	header  *trace.Header
	reader  *trace.Reader
	number  int
	fields  map[string]uint32
	threads map[uint32]uint32 // by goroutine
	names   []string          // of threads
	strange int               // goroutines that nobody is known to have started
	rooms   map[uint32]uint32 // by channel: how many messages it holds
	each    func(trace.Event) // nil: nobody wants the records
}

// fill makes the events of the next record.
func (s *recordedSource) fill() error {
	e, err := s.reader.Read()
	if err == nil {
		if s.each != nil {
			s.each(e)
		}
		s.events(e)
	}
	return err
}

// Next is the next event.
func (s *recordedSource) Next() (Event, error) { return s.next(s.fill, s.end) }

// end is the end of the trace.
func (s *recordedSource) end() error {
	if err := s.reader.Stats().Cut(); err != nil {
		return err
	}
	return io.EOF
}

// operations are the events of records. Those that are not here are no events.
var operations = [...]Op{
	trace.Read: Read, trace.AtomicRead: Read, trace.Write: Write, trace.AtomicWrite: Write, trace.RMW: Update,
	trace.UnitBegin: Enter, trace.UnitEnd: Leave,
	trace.Lock: Lock, trace.Unlock: Unlock, trace.RLock: RLock, trace.RUnlock: RUnlock, trace.TryLockFailed: TryFailed,
	trace.Add: Add, trace.Done: Done, trace.Wait: Wait,
	trace.Send: Send, trace.Recv: Receive, trace.Close: Close, trace.Presend: Presend, trace.Postsend: Postsend,
	trace.Offer: Send, trace.Declined: Look, // an offer of which nothing more is known may have been taken
	trace.OnceBegin: OnceBegin, trace.OnceEnd: OnceEnd, trace.OnceDone: OnceDone,
	trace.Prewait: Prewait, trace.CondWait: Postwait, trace.Signal: Notify, trace.Broadcast: Notify,
	trace.Go: Fork, trace.End: End, trace.ObjectGone: Gone, trace.Yield: Yield,
}

// events makes the events of a record: one, none, or both of a half of a wait.
func (s *recordedSource) events(r trace.Event) {
	s.pending.reset()
	s.number++
	t := s.thread(r.Goroutine)
	if r.Op == trace.Start && r.Arg == 0 && r.Goroutine != 1 {
		s.strange++
	}
	switch r.Op {
	case trace.Room:
		s.rooms[r.Object] = uint32(min(r.Arg, 1<<31))
	case trace.ObjectGone:
		delete(s.rooms, r.Object)
	}
	if int(r.Op) >= len(operations) || operations[r.Op] == 0 || s.header.Imported && r.Op == trace.Done {
		return // an import has a Done at the end of each thread
	}
	e := Event{Op: operations[r.Op], Thread: t, Place: r.Site, Object: uint64(r.Object), Number: s.number}
	switch {
	case e.Op == Send:
		e.Room = s.rooms[r.Object]
	case e.Op.Kind() == Variable:
		e.Object = variable(r.Object, s.field(r.Site))
		e.Atomic = r.Op >= trace.RMW && r.Op <= trace.AtomicWrite
	case r.Op == trace.Go:
		e.Object = uint64(s.thread(uint32(r.Arg)))
	case s.header.Imported && r.Op == trace.Wait:
		e.Op, e.Object = Join, uint64(s.thread((r.Object-3)/3+1))
	case r.Op == trace.UnitBegin && s.isBlock(r.Site):
		e.Op = BlockBegin
	case r.Op == trace.UnitEnd && s.isBlock(r.Site):
		e.Op = BlockEnd
	case s.header.Imported && r.Op == trace.Prewait:
		s.pending.both(e, Unlock)
		return
	case s.header.Imported && r.Op == trace.CondWait:
		s.pending.both(e, Lock)
		return
	}
	s.pending.add(e)
}

// isBlock tells whether a frame is a block that is to be atomic, and no function.
func (s *recordedSource) isBlock(site uint32) bool {
	return s.header.Imported || s.header.Site(site).Kind == trace.BlockKind
}

// thread is the number of a goroutine.
func (s *recordedSource) thread(g uint32) uint32 {
	t, ok := s.threads[g]
	if !ok {
		t = uint32(len(s.names))
		s.threads[g] = t
		name := fmt.Sprintf("g%d", g)
		if g == 1 {
			name = "main"
		}
		s.names = append(s.names, name)
	}
	return t
}

// field is the number of the field of a site.
func (s *recordedSource) field(site uint32) uint32 {
	at := s.header.Site(site)
	if at.Set < 0 { // the object is the location
		return 0
	}
	name := at.Field
	n, ok := s.fields[name]
	if !ok {
		n = uint32(len(s.fields)) + 1
		s.fields[name] = n
	}
	return n
}

// Place is the site.
func (s *recordedSource) Place(n uint32) Place {
	site := s.header.Site(n)
	return Place{site.Pos, site.Function}
}

func (s *recordedSource) Thread(thread uint32) string { return s.names[thread] }
func (s *recordedSource) Unit() string                { return "event" }

// Strange is how many goroutines nobody is known to have started so far: what they wait for is not known either.
func (s *recordedSource) Strange() int { return s.strange }

// Exact tells whether the accesses at a place are one step with their records: their order is that of the records.
func (s *recordedSource) Exact(place uint32) bool { return s.header.Site(place).Exact }

// Tries tells whether what is at a place tries to take a lock, and does not wait for it.
func (s *recordedSource) Tries(place uint32) bool { return s.header.Site(place).Kind == "trylock" }

// Site is what is known of a place.
func (s *recordedSource) Site(place uint32) trace.Site { return s.header.Site(place) }

// OfRun tells whether the trace is the record of a run, in which accesses that race may have come in another order.
func (s *recordedSource) OfRun() bool { return !s.header.Imported }

// Text is the operation with the field, or the kind of object, that it is on.
func (s *recordedSource) Text(e Event) string {
	field := s.header.Site(e.Place).Field
	switch e.Op.Kind() {
	case Nothing:
		return e.Op.String()
	case Variable:
		return text(e.Op, fmt.Sprintf("%s of o%d", field, e.Object>>FieldBits))
	case Thread:
		return text(e.Op, s.names[e.Object])
	}
	if field == "" {
		field = fmt.Sprintf("o%d", e.Object)
	}
	return text(e.Op, field)
}
