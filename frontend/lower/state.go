package lower

import (
	"encoding/binary"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/relevance"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
)

// state is what is known at a point of a function clone. States are values: with
// returns a changed copy.
type state struct {
	tags     tag.Known  // of values
	defers   []deferred // pushed and not yet run, in order
	private  uint       // stars that no other goroutine can reach yet, as bits
	made     bool       // the clone is to make a star and has made it
	promises []promise  // about reads that may be forgotten, in the order of the reads
	look     string     // the key for what the next call reads; set only for one step
	idle     uint       // the loops around here that access other objects only, as bits: see unitLoop

	opened  uint   // the units, by index, that are open of those that a span limits
	visited uint64 // see visit

	replaced uint64 // locations whose contents were replaced since the clone was entered: see replace

	panicking bool   // the deferred calls run because of a panic
	exiting   bool   // the deferred calls run because the goroutine ends: see exitGone
	ended     bool   // the program ends here
	recovered bool   // in a deferred call: it has recovered the panic that it was run for
	pushed    uint32 // deferred calls left for callers: see leftBehind
}

// deferred is a deferred call that has been pushed.
type deferred struct {
	node  *pointsto.Node // of the statement
	instr *ssa.Defer
	args  []tag.Tag // of the function value and the arguments
	many  bool      // pushed more than once
}

// with returns the state in which v has tag g.
func (s state) with(v ssa.Value, g tag.Tag) state {
	s.tags = s.tags.With(v, g)
	return s
}

// only returns the state with the tags of live values.
func (s state) only(live ssaflow.Values) state {
	s.tags = s.tags.Only(func(v ssa.Value, g tag.Tag) bool {
		if live.Has(v) {
			return true
		}
		_, isParameter := v.(*ssa.Parameter) // see learn
		return isParameter && g.Kind == tag.Holder && g.HasParts()
	})
	return s
}

// from returns the state before an instruction of a block with the tags that are still asked for: ways
// that differ only in what others were are one from there on. Of variables, deferred calls ask.
func (f *function) from(b *ssa.BasicBlock, instr int, s state) state {
	s.tags = s.tags.Only(func(v ssa.Value, g tag.Tag) bool {
		_, isVariable := v.(*ssa.Alloc)
		return isVariable || g.Kind == tag.Holder || f.IsUsedFrom(v, b, instr)
	})
	return s
}

// forgetful returns the state in which it is not known what values are, but for variables: whoever asks has to
// try all that they may be. That adds accesses, and takes none. Of a loop that holds a lock it may be lost that all of
// it is one unit of work: what a run breaks then is another pattern.
func (s state) forgetful() state {
	s.tags = s.tags.Only(func(v ssa.Value, g tag.Tag) bool {
		_, isVariable := v.(*ssa.Alloc)
		return isVariable || g.Kind == tag.Holder
	})
	return s
}

// push returns the state after a defer statement.
func (s state) push(d deferred) state {
	for i, known := range s.defers {
		if known.same(d) {
			defers := append([]deferred(nil), s.defers...)
			defers[i].many = true
			s.defers = defers
			return s
		}
	}
	s.defers = append(s.defers[:len(s.defers):len(s.defers)], d)
	return s
}

// same tells whether both are one deferred call, except for how often.
func (d deferred) same(other deferred) bool {
	return d.node == other.node && d.instr == other.instr && slices.Equal(d.args, other.args)
}

// pop returns the state without the last deferred call, and that call.
func (s state) pop() (state, deferred) {
	last := len(s.defers) - 1
	d := s.defers[last]
	s.defers = s.defers[:last:last]
	return s, d
}

// appendKey appends what identifies the state among those of one function.
func (l *lowerer) appendKey(key []byte, c *clone, s state) []byte {
	number := c.fn.Number
	key = s.tags.AppendKey(key, number, l.tags)
	for _, bits := range []uint64{uint64(s.private), uint64(s.idle), uint64(s.opened), s.visited, s.replaced,
		uint64(s.pushed), tag.Bits(s.made, s.panicking, s.exiting, s.recovered), uint64(len(s.promises))} {
		key = binary.AppendUvarint(key, bits)
	}
	for _, p := range s.promises {
		key = binary.AppendUvarint(key, uint64(number[p.read])<<2|tag.Bits(p.forgotten, p.passing))
		key = append(binary.AppendUvarint(key, uint64(len(p.locations))), p.locations...)
	}
	for _, d := range s.defers {
		for _, n := range []int{d.node.ID, d.instr.Block().Index, int(d.instr.Pos()), len(d.args), int(tag.Bits(d.many))} {
			key = binary.AppendUvarint(key, uint64(n))
		}
		for _, g := range d.args {
			key = binary.AppendUvarint(key, uint64(l.tags.Number(g)))
		}
	}
	return key
}

// function is what lowering precomputes about an SSA function, once for all its
// clones.
type function struct {
	*mustalias.Function
	visits     map[visit]int
	localCells map[*ssa.Alloc]bool      // see LocalCellsOf
	increments map[ssa.Instruction]bool // the loads and stores that are halves of n++
}

// newFunction analyses a function.
func newFunction(of *mustalias.Function) *function {
	return &function{Function: of, visits: map[visit]int{}, localCells: mustalias.LocalCellsOf(of),
		increments: relevance.IncrementsIn(of.Func)}
}
