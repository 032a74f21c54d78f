// Command pieces edits documents that are lists of pieces of two texts, with what can be taken back, while others search
// and count.
package main

import (
	"fmt"
	"sync"
)

// piece is a part of a text: of the one that was there, or of what was added.
type piece struct {
	added         bool
	start, length int
}

// change is what an edit has done, for taking it back.
type change struct {
	at, removed int
	before      []piece
}

// Document is a text that is edited.
type Document struct {
	mu       sync.RWMutex
	original string
	added    []byte
	pieces   []piece
	length   int
	undo     []change
	edits    int
	lines    int
}

// NewDocument returns a document with a text.
func NewDocument(text string) *Document {
	d := &Document{original: text, length: len(text)}
	d.pieces = []piece{{false, 0, len(text)}}
	return d
}

// find returns the piece in which a place is, and where in it.
func (d *Document) find(at int) (index, offset int) {
	for i := range d.pieces {
		if at < d.pieces[i].length {
			return i, at
		}
		at -= d.pieces[i].length
	}
	return len(d.pieces), 0
}

// split makes a place the beginning of a piece, and returns that.
func (d *Document) split(at int) int {
	i, offset := d.find(at)
	if offset == 0 {
		return i
	}
	p := d.pieces[i]
	left, right := p, p
	left.length = offset
	right.start, right.length = p.start+offset, p.length-offset
	d.pieces = append(d.pieces, piece{})
	copy(d.pieces[i+2:], d.pieces[i+1:])
	d.pieces[i], d.pieces[i+1] = left, right
	return i + 1
}

// Insert inserts a text.
func (d *Document) Insert(at int, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	at %= d.length + 1
	i := d.split(at)
	start := len(d.added)
	d.added = append(d.added, text...)
	d.pieces = append(d.pieces, piece{})
	copy(d.pieces[i+1:], d.pieces[i:])
	d.pieces[i] = piece{true, start, len(text)}
	d.length += len(text)
	d.edits++
	for _, c := range []byte(text) {
		if c == '\n' {
			d.lines++
		}
	}
	if len(d.pieces) > 200 {
		d.flatten()
	}
}

// Delete deletes a part.
func (d *Document) Delete(at, count int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.length <= count {
		return
	}
	at %= d.length - count
	from := d.split(at)
	to := d.split(at + count)
	d.undo = append(d.undo, change{at, count, append([]piece(nil), d.pieces[from:to]...)})
	if len(d.undo) > 32 {
		d.undo = d.undo[1:]
	}
	d.pieces = append(d.pieces[:from], d.pieces[to:]...)
	d.length -= count
	d.edits++
}

// Undo takes the last deletion back.
func (d *Document) Undo() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := len(d.undo)
	if n == 0 || d.undo[n-1].at > d.length {
		return false
	}
	c := d.undo[n-1]
	d.undo = d.undo[:n-1]
	i := d.split(c.at)
	rest := append([]piece(nil), d.pieces[i:]...)
	d.pieces = append(append(d.pieces[:i], c.before...), rest...)
	d.length += c.removed
	d.edits++
	return true
}

// flatten makes one piece of all.
func (d *Document) flatten() {
	text := make([]byte, 0, d.length)
	for _, p := range d.pieces {
		if p.added {
			text = append(text, d.added[p.start:p.start+p.length]...)
		} else {
			text = append(text, d.original[p.start:p.start+p.length]...)
		}
	}
	d.original, d.added = string(text), d.added[:0]
	d.pieces = append(d.pieces[:0], piece{false, 0, len(text)})
	d.undo = d.undo[:0]
}

// Count counts a character.
func (d *Document) Count(c byte) int {
	d.mu.RLock()
	defer d.mu.RUnlock()
	n := 0
	for _, p := range d.pieces {
		text := d.original
		if p.added {
			text = string(d.added)
		}
		for i := p.start; i < p.start+p.length; i++ {
			if text[i] == c {
				n++
			}
		}
	}
	return n
}

// At returns a character.
func (d *Document) At(at int) byte {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.length == 0 {
		return 0
	}
	i, offset := d.find(at % d.length)
	if p := d.pieces[i]; p.added {
		return d.added[p.start+offset]
	} else {
		return d.original[p.start+offset]
	}
}

func main() {
	documents := make([]*Document, 6)
	for i := range documents {
		documents[i] = NewDocument("the quick brown fox jumps over the lazy dog, and that is what it does\n")
	}
	words := []string{"one ", "or\n", "another", " word that is longer", "\n\n"}
	var wg sync.WaitGroup
	sums := make([]int, 5)
	for g := range sums {
		wg.Go(func() {
			seed, sum := uint32(g+1), 0
			for i := range 40_000 {
				seed = seed*1664525 + 1013904223
				d := documents[int(seed>>8)%len(documents)]
				at := int(seed >> 12)
				switch {
				case i%5 == 0:
					d.Insert(at, words[i%len(words)])
				case i%5 == 1:
					d.Delete(at, 7)
				case i%25 == 7:
					d.Undo()
				case i%100 == 12:
					sum += d.Count('o')
				default:
					sum += int(d.At(at))
				}
			}
			sums[g] = sum
		})
	}
	wg.Wait()
	edits := 0
	for _, d := range documents {
		edits += d.edits
	}
	fmt.Println(edits > 0, len(sums))
}
