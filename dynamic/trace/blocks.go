package trace

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// maxHeader bounds the header of a file that may be none.
const maxHeader = 1 << 30

// ErrFormat is wrapped by the errors of files that are no traces of this version.
var ErrFormat = errors.New("not a trace")

// ErrReduced is the error of those who need all that a program has done: prediction, cooperability, steering.
var ErrReduced = errors.New("the trace is reduced: what can match no pattern was left out; record it with --trace")

// CutError says that a trace ends in the middle: what is missing is not known.
type CutError struct{ Why string }

func (e *CutError) Error() string { return "the trace ends in the middle: " + e.Why }

// readHeader reads the beginning of a file.
func readHeader(r *bufio.Reader) (*Header, error) {
	var fixed [fileHeader]byte
	if n, err := io.ReadFull(r, fixed[:]); err != nil {
		if n == 0 && err == io.EOF {
			return nil, fmt.Errorf("%w: the file is empty; the program may have ended before it recorded anything", ErrFormat)
		}
		if err != io.EOF && err != io.ErrUnexpectedEOF {
			return nil, err
		}
	}
	if string(fixed[:len(Magic)]) != Magic {
		return nil, fmt.Errorf("%w: it does not begin with %s; write a file that empire-go run or trace import has written",
			ErrFormat, Magic)
	}
	rest := fixed[len(Magic):]
	if v := binary.LittleEndian.Uint32(rest); v != Version {
		if v > Version {
			return nil, fmt.Errorf("%w that this version reads: it has format %d, this empire-go reads %d; use the empire-go "+
				"that recorded it, or a newer one", ErrFormat, v, Version)
		}
		return nil, fmt.Errorf("%w: format %d does not exist; record it again", ErrFormat, v)
	}
	length, sum := binary.LittleEndian.Uint32(rest[4:]), binary.LittleEndian.Uint32(rest[8:])
	if length > maxHeader {
		return nil, fmt.Errorf("%w: its header is damaged; record it again", ErrFormat)
	}
	var text bytes.Buffer
	if _, err := io.CopyN(&text, r, int64(length)); err != nil && err != io.EOF {
		return nil, err
	}
	h := &Header{}
	if text.Len() < int(length) || crc32.Checksum(text.Bytes(), castagnoli) != sum {
		return nil, fmt.Errorf("%w: its header is damaged; record it again", ErrFormat)
	}
	if err := json.Unmarshal(text.Bytes(), h); err != nil {
		return nil, fmt.Errorf("%w: its header is no JSON (%v); record it again", ErrFormat, err)
	}
	return h, nil
}

// block is one block of one goroutine.
type block struct {
	goroutine uint32
	first     uint64
	records   []byte
}

// blocks reads the blocks of a file one after the other.
type blocks struct {
	r       *bufio.Reader
	free    [][]byte // buffers to use again
	damaged uint64   // stretches without a readable block
	torn    uint64   // bytes of an incomplete last block
}

func newBufio(r io.Reader) *bufio.Reader {
	return bufio.NewReaderSize(r, 4*(BlockHeader+MaxBlock*RecordSize))
}

// next is the next block that is whole. It waits for input only until that block is there.
// Bytes between blocks that are none are skipped and counted; io.EOF comes at the end.
func (b *blocks) next() (block, error) {
	skipped := uint64(0)
	for {
		found, size, err := b.look()
		if err == nil {
			if skipped > 0 {
				b.damaged++
			}
			defer b.r.Discard(size)
			return b.copy(found), nil
		}
		if err == io.EOF {
			if n, discarded := b.r.Buffered(), skipped > 0; discarded {
				b.damaged++
			} else {
				b.torn = uint64(n)
			}
			return block{}, io.EOF
		}
		if err != errNoBlock {
			return block{}, err
		}
		skipped += b.skip()
	}
}

// errNoBlock says that no whole block begins here.
var errNoBlock = errors.New("no block")

// look returns the block that begins at the next byte, with its size, without taking it.
func (b *blocks) look() ([]byte, int, error) {
	head, err := b.r.Peek(BlockHeader)
	if err != nil {
		return nil, 0, b.short(head, err)
	}
	count := binary.LittleEndian.Uint32(head[16:])
	if binary.LittleEndian.Uint32(head) != blockMark || count == 0 || count > MaxBlock {
		return nil, 0, errNoBlock
	}
	size := BlockHeader + int(count)*RecordSize
	whole, err := b.r.Peek(size)
	if err != nil {
		return nil, 0, b.short(whole, err)
	}
	if blockSum(whole) != binary.LittleEndian.Uint32(whole[20:]) {
		return nil, 0, errNoBlock
	}
	return whole, size, nil
}

// short tells an input that ends within a block from one in which the length of a block is
// damaged and others follow.
func (b *blocks) short(rest []byte, err error) error {
	if err == io.EOF && len(rest) > 1 && findMark(rest[1:]) >= 0 {
		return errNoBlock
	}
	return err
}

// skip discards bytes up to the next mark in the buffer, at least one.
func (b *blocks) skip() uint64 {
	rest, _ := b.r.Peek(b.r.Buffered())
	n := findMark(rest[1:])
	if n < 0 {
		n = max(len(rest)-4, 0) // the mark may be cut by the end of the buffer
	}
	b.r.Discard(n + 1)
	return uint64(n + 1)
}

var mark = binary.LittleEndian.AppendUint32(nil, blockMark)

func findMark(rest []byte) int { return bytes.Index(rest, mark) }

// copy takes a block out of the read buffer.
func (b *blocks) copy(whole []byte) block {
	var buffer []byte
	if n := len(b.free); n > 0 {
		buffer, b.free = b.free[n-1][:0], b.free[:n-1]
	}
	return block{
		goroutine: binary.LittleEndian.Uint32(whole[4:]),
		first:     binary.LittleEndian.Uint64(whole[8:]),
		records:   append(buffer, whole[BlockHeader:]...),
	}
}

// release gives the buffer of a block back.
func (b *blocks) release(records []byte) {
	if len(b.free) < 64 {
		b.free = append(b.free, records)
	}
}
