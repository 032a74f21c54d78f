package lower

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/relevance"
	"github.com/empire-go/empire-go/frontend/tag"
)

// state is what is known at a point of a function clone. States are values: with
// returns a changed copy.
type state struct {
	tags     map[ssa.Value]tag.Tag // values with a tag other than none
	defers   []deferred            // pushed and not yet run, in order
	private  uint                  // stars that no other goroutine can reach yet, as bits
	made     bool                  // the clone is to make a star and has made it
	promises []promise             // about reads that may be forgotten, in the order of the reads
	look     string                // the key for what the next call reads; set only for one step
	idle     uint                  // the loops around here that access other objects only, as bits: see unitLoop

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
	if s.tags[v] == g {
		return s
	}
	tags := map[ssa.Value]tag.Tag{}
	maps.Copy(tags, s.tags)
	if g.Kind == tag.None {
		delete(tags, v)
	} else {
		tags[v] = g
	}
	s.tags = tags
	return s
}

// only returns the state with the tags of live values.
func (s state) only(live map[ssa.Value]bool) state {
	for v, g := range s.tags {
		// else see learn
		if _, isParameter := v.(*ssa.Parameter); !live[v] && !(isParameter && g.Kind == tag.Holder && g.HasParts()) {
			s = s.with(v, tag.Tag{})
		}
	}
	return s
}

// from returns the state before an instruction of a block with the tags that are still asked for: ways
// that differ only in what others were are one from there on. Of variables, deferred calls ask.
func (f *function) from(b *ssa.BasicBlock, instr int, s state) state {
	for v, g := range s.tags {
		if _, isVariable := v.(*ssa.Alloc); !isVariable && g.Kind != tag.Holder && !f.IsUsedFrom(v, b, instr) {
			s = s.with(v, tag.Tag{})
		}
	}
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

// key identifies the state among those of one function.
func (s state) key(number map[ssa.Value]int) string {
	entries := make([]string, 0, len(s.tags))
	for v, g := range s.tags {
		entries = append(entries, string(g.AppendKey(binary.AppendVarint(nil, int64(number[v])))))
	}
	slices.Sort(entries)
	key := []byte(strings.Join(entries, ""))
	for _, bits := range []uint{s.private, s.idle, s.opened, uint(s.visited), uint(s.replaced), uint(s.pushed)} {
		key = binary.AppendUvarint(key, uint64(bits))
	}
	key = fmt.Append(key, s.made, s.panicking, s.exiting, s.recovered)
	for _, p := range s.promises {
		key = fmt.Append(key, "?", number[p.read], p.forgotten, p.passing, p.locations)
	}
	for _, d := range s.defers {
		key = fmt.Append(key, d.node.ID, d.instr.Block().Index, d.instr.Pos(), d.args, d.many)
	}
	return string(key)
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
	f := &function{Function: of, visits: map[visit]int{}}
	f.localCells = mustalias.LocalCellsOf(of)
	f.increments = relevance.IncrementsIn(f.Func)
	return f
}
