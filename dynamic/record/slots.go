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
	eachSlot(f, func(slot []byte, _ int64) { out.Write(leftInSlot(slot, written)) })
	return &out
}

// eachSlot calls visit with each slot of a file, and where it begins.
func eachSlot(f *os.File, visit func(slot []byte, at int64)) {
	segment := make([]byte, hook.SegmentSize)
	for at := int64(0); ; at += hook.SegmentSize {
		if n, err := f.ReadAt(segment, at); n < len(segment) || err != nil && err != io.EOF {
			return
		}
		size := int(binary.LittleEndian.Uint32(segment))
		if size <= trace.BlockHeader {
			return
		}
		for slot := hook.SegmentHeader; slot+size <= len(segment); slot += size {
			visit(segment[slot:slot+size], at+int64(slot))
		}
	}
}

// leftInSlot returns the block in a slot, empty if there is none.
func leftInSlot(slot []byte, written *progress) []byte {
	goroutine, first := owner(slot)
	records := withoutSoft(slot, recordsIn(slot))
	if goroutine == 0 || records == 0 || first < written.next[goroutine] {
		return nil
	}
	return sealed(slot, records)
}

// withoutSoft takes out of a slot what its program would have left out or completed; that has matched nothing.
func withoutSoft(slot []byte, records int) (left int) {
	for i := range records {
		from := slot[trace.BlockHeader+i*trace.RecordSize:][:trace.RecordSize]
		if trace.Op(from[0])&trace.Soft == 0 {
			copy(slot[trace.BlockHeader+left*trace.RecordSize:], from)
			left++
		}
	}
	return left
}

// firmIn is how many of the records at the beginning of a slot stay as they are.
func firmIn(slot []byte) int {
	n, records := 0, recordsIn(slot)
	for n < records && trace.Op(slot[trace.BlockHeader+n*trace.RecordSize])&trace.Soft == 0 {
		n++
	}
	return n
}

// owner is whose records are in a slot, 0 if nobody's, and the number of the first one.
func owner(slot []byte) (goroutine uint32, first uint64) {
	return binary.LittleEndian.Uint32(slot[4:]), binary.LittleEndian.Uint64(slot[8:])
}

// recordsIn is how many records are in a slot.
func recordsIn(slot []byte) int {
	end := trace.BlockHeader
	for end+trace.RecordSize <= len(slot) && slot[end] != 0 {
		end += trace.RecordSize
	}
	return (end - trace.BlockHeader) / trace.RecordSize
}

// sealed makes a block of the first records in a slot.
func sealed(slot []byte, records int) []byte {
	goroutine, first := owner(slot)
	block := slot[:trace.BlockHeader+records*trace.RecordSize]
	trace.SealBlock(block, goroutine, first)
	return block
}

// progress follows which records of each goroutine are in blocks that have come whole.
type progress struct {
	next map[uint32]uint64
	head []byte // of the block that is coming
	rest int    // bytes of it that are still to come
}

// left is how many bytes are missing to the end of a part of the block that is coming: its head or its
// records; 0 between two blocks.
func (w *progress) left() int {
	switch {
	case len(w.head) == trace.BlockHeader:
		return w.rest
	case len(w.head) > 0:
		return trace.BlockHeader - len(w.head)
	}
	return 0
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
