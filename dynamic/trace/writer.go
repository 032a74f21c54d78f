package trace

import "io"

// writerBlock is after how many records of a goroutine a Writer writes a block.
const writerBlock = 512

// Writer writes a file. It is for tests and imports; an instrumented program has a writer of
// its own, of the same bytes.
type Writer struct {
	w       io.Writer
	err     error
	streams map[uint32]*pending
	order   []uint32 // goroutines as they appeared
}

// pending is the block of a goroutine that is being filled.
type pending struct {
	block []byte
	first uint64
	count uint64
}

// NewWriter begins a file.
func NewWriter(w io.Writer, h *Header) (*Writer, error) {
	begin, err := h.Encode()
	if err != nil {
		return nil, err
	}
	_, err = w.Write(begin)
	return &Writer{w: w, err: err, streams: map[uint32]*pending{}}, err
}

// Append adds a record at the end of a goroutine's stream. An error is kept for Close.
func (w *Writer) Append(goroutine uint32, r Record) {
	p := w.streams[goroutine]
	if p == nil {
		p = &pending{block: make([]byte, BlockHeader, BlockHeader+writerBlock*RecordSize)}
		w.streams[goroutine] = p
		w.order = append(w.order, goroutine)
	}
	n := len(p.block)
	p.block = p.block[:n+RecordSize]
	PutRecord(p.block[n:], r)
	p.count++
	if len(p.block) == cap(p.block) {
		w.write(goroutine, p)
	}
}

func (w *Writer) write(goroutine uint32, p *pending) {
	if len(p.block) == BlockHeader {
		return
	}
	SealBlock(p.block, goroutine, p.first)
	if w.err == nil {
		_, w.err = w.w.Write(p.block)
	}
	p.block, p.first = p.block[:BlockHeader], p.count
}

// Flush writes what is pending.
func (w *Writer) Flush() error {
	for _, g := range w.order {
		w.write(g, w.streams[g])
	}
	return w.err
}

// AppendEnd appends the end of a file whose program has ended: a block of goroutine 0, which is none.
func AppendEnd(dst []byte) []byte {
	n := len(dst)
	dst = append(dst, make([]byte, BlockHeader+RecordSize)...)
	PutRecord(dst[n+BlockHeader:], Record{Op: End})
	SealBlock(dst[n:], 0, 0)
	return dst
}

// End closes a file after which nothing comes.
func (w *Writer) End() error {
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := w.w.Write(AppendEnd(nil))
	return err
}

// Close flushes, and returns the first error. It does not close the underlying writer.
func (w *Writer) Close() error { return w.Flush() }
