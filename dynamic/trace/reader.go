package trace

import (
	"bufio"
	"fmt"
	"io"
)

// Reader reads a file and merges the streams of its goroutines into one order: a
// linearisation of program order, of the order of the versions of each object, and of each
// Go before the Start that it announces. Any such order is a possible run, and
// patterns of conflicting accesses look the same in all of them.
//
// What is yielded is always a beginning of such a run, closed under what happened before:
// from a program that was killed, or a file with damaged blocks, a goroutine's stream is used
// up to its first gap, and others up to the first record that needs what is missing.
//
// A Reader holds the records that cannot be ordered yet, and 16 bytes for each object that is not
// gone, or has a number near that of one. The end of an object may come behind later records of the
// goroutine that has recorded it. It reads no further than it must, so that it can follow a pipe.
type Reader struct {
	header  *Header
	input   blocks
	streams map[uint32]*stream
	objects [MaxOrders]objects // by order
	orders  []uint8            // by site
	current *stream
	ready   []*stream
	started map[uint32]bool // announced by a Go and not started yet
	late    []Event         // ends of objects that are due, behind others of their goroutines
	stats   Stats
	ended   bool
}

// Stats counts what was read.
type Stats struct {
	Events    uint64 // yielded
	Unordered uint64 // records behind a gap, or that wait for one: not yielded
	Damaged   uint64 // stretches of the file without a readable block
	Torn      uint64 // bytes of an incomplete last block
	Open      int    // goroutines that have not ended
	Ended     bool   // the file has an end: it was kept until its program had ended, see AppendEnd
	Held      int    // records that wait now, and the most that have waited at once
	MaxHeld   int
}

// Whole says whether the file had all that its program recorded, up to its end.
func (s Stats) Whole() bool { return s.Unordered == 0 && s.Damaged == 0 && s.Torn == 0 }

// Cut is a *CutError if the trace, which was read to its end, ends in the middle or lacks a part, and nil otherwise.
func (s Stats) Cut() error {
	switch {
	case s.Torn > 0:
		return &CutError{fmt.Sprintf("%d bytes of its last block are there", s.Torn)}
	case s.Damaged > 0:
		return &CutError{"a part of it is damaged"}
	case s.Unordered > 0:
		return &CutError{"what some of its events depend on is missing"}
	case !s.Ended:
		return &CutError{"it has no end; record it again, and let the run come to its end"}
	}
	return nil
}

// stream is what is left of a goroutine's records.
type stream struct {
	goroutine uint32
	queue     [][]byte // blocks; the first is used from position at on
	at        int
	seq       uint64 // of the next record
	received  uint64 // sequence number that the next block must have
	cut       bool   // there was a gap, or a record that is in no order
	busy      bool   // it is the current stream, ready, or waits for a version or a Go
	waitsGo   bool
}

// NewReader reads the header of a file. The errors wrap ErrFormat unless r failed.
func NewReader(r io.Reader) (*Reader, error) {
	b := buffered(r)
	h, err := readHeader(b)
	if err != nil {
		return nil, err
	}
	return ReaderOf(h, b), nil
}

// ReaderOf reads what is behind a header that is known: the blocks of a run. Many runs of one program have one header.
func ReaderOf(h *Header, r io.Reader) *Reader {
	all := &Reader{header: h, input: blocks{r: buffered(r)}, streams: map[uint32]*stream{}, started: map[uint32]bool{},
		orders: h.Orders()}
	for i := range all.objects {
		all.objects[i].epochs = h.Reduced
	}
	return all
}

// buffered returns a reader with a buffer that is large enough.
func buffered(r io.Reader) *bufio.Reader {
	if b, ok := r.(*bufio.Reader); ok && b.Size() >= 2*(BlockHeader+MaxBlock*RecordSize) {
		return b
	}
	return newBufio(r)
}

// Header is what the file begins with.
func (r *Reader) Header() *Header { return r.header }

// Stats counts what was read so far; Unordered and Open are final after io.EOF.
func (r *Reader) Stats() Stats { return r.stats }

// Read is the next event, or io.EOF. Other errors are those of the underlying reader.
func (r *Reader) Read() (Event, error) {
	for {
		if n := len(r.late); n > 0 {
			e := r.late[n-1]
			r.late = r.late[:n-1]
			return e, nil
		}
		s := r.current
		if s == nil {
			if n := len(r.ready); n > 0 {
				r.current, r.ready = r.ready[n-1], r.ready[:n-1]
			} else if err := r.fill(); err != nil {
				return Event{}, err
			}
			continue
		}
		if len(s.queue) == 0 {
			r.current, s.busy = nil, false
			continue
		}
		rec := GetRecord(s.queue[0][s.at:])
		shared := r.header.Reduced && rec.Op&Shared != 0
		if shared {
			rec.Op &^= Shared
		}
		if !r.due(s, rec) {
			r.current = nil
			continue
		}
		e := Event{Goroutine: s.goroutine, Seq: s.seq, Shared: shared, Record: rec}
		r.pop(s)
		r.follow(s, rec)
		if rec.Op == ObjectGone && !r.ends(e) {
			continue // it comes when it is due
		}
		return e, nil
	}
}

// due says whether a record of the current stream comes next; if not, the stream waits.
func (r *Reader) due(s *stream, rec Record) bool {
	switch {
	case rec.Op.Versioned():
		return r.objectsOf(rec).due(s, rec)
	case rec.Op == Start && rec.Arg != 0:
		s.waitsGo = !r.started[s.goroutine]
		return !s.waitsGo
	}
	return true
}

// objectsOf returns the order that a record is in.
func (r *Reader) objectsOf(rec Record) *objects {
	if int(rec.Site) < len(r.orders) {
		return &r.objects[r.orders[rec.Site]]
	}
	return &r.objects[0]
}

// ends takes in the record of an object's end, or of that of one of its orders. It tells whether that is due.
func (r *Reader) ends(e Event) bool {
	order := 0
	if r.header.Reduced {
		order = int(min(e.Site, MaxOrders-1))
	}
	return r.objects[order].ends(e)
}

// pop takes the first record of a stream.
func (r *Reader) pop(s *stream) {
	s.at += RecordSize
	s.seq++
	if s.at == len(s.queue[0]) {
		r.input.release(s.queue[0])
		s.queue, s.at = s.queue[1:], 0
	}
	r.stats.Events++
	r.stats.Held--
}

// follow lets go on what waited for a record.
func (r *Reader) follow(s *stream, rec Record) {
	switch op := rec.Op; {
	case op.Versioned():
		var end *Event
		if r.ready, end = r.objectsOf(rec).advance(rec, r.ready); end != nil {
			r.late = append(r.late, *end)
		}
	case op == Go:
		child := uint32(rec.Arg)
		r.started[child] = true
		if c := r.streams[child]; c != nil && c.waitsGo {
			c.waitsGo = false
			r.ready = append(r.ready, c)
		}
	case op == Start:
		delete(r.started, s.goroutine)
	case op == End:
		s.cut = true
		if len(s.queue) == 0 {
			delete(r.streams, s.goroutine)
		} else {
			r.current = nil // nothing may follow: it stays behind
		}
	}
}

// fill reads one block.
func (r *Reader) fill() error {
	if r.ended {
		return io.EOF
	}
	b, err := r.input.next()
	r.stats.Damaged, r.stats.Torn = r.input.damaged, r.input.torn
	if err != nil {
		if err == io.EOF {
			r.end()
		}
		return err
	}
	if b.goroutine == 0 {
		r.stats.Ended = true
		r.input.release(b.records)
		return nil
	}
	s := r.streams[b.goroutine]
	if s == nil {
		s = &stream{goroutine: b.goroutine}
		r.streams[b.goroutine] = s
	}
	count := len(b.records) / RecordSize
	if known := s.received - b.first; b.first < s.received { // from a block that came before its time
		count -= int(min(known, uint64(count)))
		if count == 0 {
			r.input.release(b.records)
			return nil
		}
		b.first, b.records = s.received, b.records[known*RecordSize:]
	}
	if s.cut || b.first != s.received {
		s.cut = true
		r.stats.Unordered += uint64(count)
		r.input.release(b.records)
		return nil
	}
	s.received += uint64(count)
	s.queue = append(s.queue, b.records)
	r.stats.Held += count
	r.stats.MaxHeld = max(r.stats.MaxHeld, r.stats.Held)
	if !s.busy {
		s.busy = true
		r.ready = append(r.ready, s)
	}
	return nil
}

// end counts what stays behind.
func (r *Reader) end() {
	r.ended = true
	r.stats.Unordered += uint64(r.stats.Held)
	r.stats.Held = 0
	r.stats.Open = len(r.streams)
}
