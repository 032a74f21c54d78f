package record

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"

	"github.com/empire-go/empire-go/dynamic/hook"
	"github.com/empire-go/empire-go/dynamic/trace"
)

// NewSlots makes the file in which a program keeps what it has recorded and not written yet:
// in memory, if the system has a place for that. Its descriptor is the second one in
// hook.EnvTrace.
func NewSlots() (*os.File, error) {
	for _, dir := range []string{"/dev/shm", ""} {
		f, err := os.CreateTemp(dir, "empire-go")
		if err == nil {
			return f, os.Remove(f.Name())
		}
		if dir == "" {
			return nil, err
		}
	}
	return nil, nil
}

// Complete appends to the file of a trace, whose header has a size, what its program has left
// in slots when it ended: all of a goroutine's latest records, if it died.
func Complete(file *os.File, header int64, slots *os.File) error {
	written := &progress{next: map[uint32]uint64{}}
	end, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if _, err := io.Copy(written, io.NewSectionReader(file, header, end-header)); err != nil {
		return err
	}
	_, err = io.Copy(file, leftIn(slots, written))
	return err
}

// leftIn returns the blocks that a program that has ended has not written; it may have died
// after it had written a block and before it had emptied the slot.
func leftIn(f *os.File, written *progress) io.Reader {
	var out bytes.Buffer
	segment := make([]byte, hook.SegmentSize)
	for at := int64(0); ; at += hook.SegmentSize {
		if n, err := f.ReadAt(segment, at); n < len(segment) || err != nil && err != io.EOF {
			return &out
		}
		size := int(binary.LittleEndian.Uint32(segment))
		if size <= trace.BlockHeader {
			return &out
		}
		for slot := hook.SegmentHeader; slot+size <= len(segment); slot += size {
			out.Write(leftInSlot(segment[slot:slot+size], written))
		}
	}
}

// leftInSlot returns the block in a slot, empty if there is none.
func leftInSlot(slot []byte, written *progress) []byte {
	goroutine, first := binary.LittleEndian.Uint32(slot[4:]), binary.LittleEndian.Uint64(slot[8:])
	end := trace.BlockHeader
	for end+trace.RecordSize <= len(slot) && slot[end] != 0 {
		end += trace.RecordSize
	}
	if goroutine == 0 || end == trace.BlockHeader || first < written.next[goroutine] {
		return nil
	}
	block := slot[:end]
	trace.SealBlock(block, goroutine, first)
	return block
}

// progress follows which records of each goroutine are in blocks that have come whole.
type progress struct {
	next map[uint32]uint64
	head []byte // of the block that is coming
	rest int    // bytes of it that are still to come
}

// Write takes blocks, in any pieces.
func (w *progress) Write(p []byte) (int, error) {
	for b := p; len(b) > 0; {
		if len(w.head) < trace.BlockHeader {
			n := min(trace.BlockHeader-len(w.head), len(b))
			w.head, b = append(w.head, b[:n]...), b[n:]
			if len(w.head) == trace.BlockHeader {
				w.rest = int(binary.LittleEndian.Uint32(w.head[16:])) * trace.RecordSize
			}
			continue
		}
		n := min(w.rest, len(b))
		if w.rest, b = w.rest-n, b[n:]; w.rest == 0 {
			count := uint64(binary.LittleEndian.Uint32(w.head[16:]))
			w.next[binary.LittleEndian.Uint32(w.head[4:])] = binary.LittleEndian.Uint64(w.head[8:]) + count
			w.head = w.head[:0]
		}
	}
	return len(p), nil
}

// stream is readers one after the other, the last of which is only asked for when the others have
// ended.
type stream struct {
	parts []io.Reader
	last  func() io.Reader
}

func (s *stream) Read(p []byte) (int, error) {
	for len(s.parts) > 0 {
		n, err := s.parts[0].Read(p)
		if err != nil {
			s.parts = s.parts[1:]
			if len(s.parts) == 0 && s.last != nil {
				s.parts, s.last = []io.Reader{s.last()}, nil
			}
		}
		if n > 0 {
			return n, nil
		}
	}
	return 0, io.EOF
}
