package predict

import (
	"github.com/empire-go/empire-go/dynamic/events"
	"github.com/empire-go/empire-go/dynamic/predict/order"
	"github.com/empire-go/empire-go/dynamic/predict/segment"
)

// Blocks says which code is meant to be atomic.
type Blocks interface {
	// event is told of each event, with its place in the order and the locks that its thread holds after it, and
	// returns the blocks that have ended. An event that is none of the order has no place.
	event(e events.Event, id order.ID, held *order.Held) []*block
	// open shows the blocks that have not ended.
	open(show func(*block))
	// rest ends the blocks that have not ended, at the end of the trace.
	rest() []*block
}

// block is a block with what a reader wants to know of it.
type block struct {
	segment.Block
	name string
	site uint32 // of the unit, in a recorded trace
	cut  bool   // a part of it is not in the window any more
}

func (b *block) id(i int) order.ID { return order.ID{Thread: b.Thread, Index: b.Accesses[i]} }

// add adds an access.
func (b *block) add(id order.ID) {
	b.Thread = id.Thread
	b.Accesses = append(b.Accesses, id.Index)
}

// openBlocks are the blocks of threads that have not ended.
type openBlocks struct {
	threads []openBlock
	ended   [1]*block // see end
}

// end returns the block that has ended, until the next one has.
func (o *openBlocks) end(b *block) []*block {
	o.ended[0] = b
	return o.ended[:]
}

// usual is how many accesses a block is expected to have.
const usual = 16

func newBlock() *block { return &block{Block: segment.Block{Accesses: make([]int32, 0, usual)}} }

type openBlock struct {
	*block
	depth int  // of begins
	waits bool // something was waited for
}

func (o *openBlocks) of(thread uint32) *openBlock {
	for int(thread) >= len(o.threads) {
		o.threads = append(o.threads, openBlock{})
	}
	return &o.threads[thread]
}

func (o *openBlocks) open(show func(*block)) {
	for _, t := range o.threads {
		if t.block != nil {
			show(t.block)
		}
	}
}

// Transactions are the blocks from begin to end, the outermost ones.
func Transactions() Blocks { return &marked{} }

type marked struct{ openBlocks }

func (m *marked) event(e events.Event, id order.ID, _ *order.Held) []*block {
	t := m.of(e.Thread)
	switch {
	case e.Op == events.BlockBegin:
		if t.depth++; t.depth == 1 {
			t.block = newBlock()
		}
	case e.Op == events.BlockEnd && t.depth > 0:
		if t.depth--; t.depth == 0 {
			b := t.block
			t.block = nil
			return m.end(b)
		}
	case t.depth > 0 && e.Op.Kind() == events.Variable:
		t.add(id)
	}
	return nil
}

func (m *marked) rest() (all []*block) {
	m.open(func(b *block) { all = append(all, b) })
	return all
}

// Sections are critical sections in which nothing is waited for: from where a thread takes a lock while it holds none
// to where it holds none again.
func Sections() Blocks { return &sections{} }

type sections struct{ openBlocks }

func (s *sections) event(e events.Event, id order.ID, held *order.Held) []*block {
	t := s.of(e.Thread)
	switch e.Op {
	case events.Lock, events.RLock:
		if t.block == nil {
			*t = openBlock{block: newBlock()}
		}
	case events.Unlock, events.RUnlock:
		if t.block != nil && held == nil {
			b := *t
			*t = openBlock{}
			if !b.waits {
				return s.end(b.block)
			}
		}
	case events.Prewait, events.Postwait:
		t.waits = t.block != nil
	case events.Read, events.Write, events.Update:
		if t.block != nil {
			t.add(id)
		}
	}
	return nil
}

func (s *sections) rest() []*block { return nil }
