package lower

import (
	"fmt"
	"go/types"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/multiplicity"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// state is what is known at a point of a function clone. States are values: with
// returns a changed copy.
type state struct {
	tags     map[ssa.Value]tag // values with a tag other than none
	defers   []deferred        // pushed and not yet run, in order
	private  uint              // stars that no other goroutine can reach yet, as bits
	made     bool              // the clone is to make a star and has made it
	promises []promise         // about reads that may be forgotten, in the order of the reads
	look     string            // the key for what the next call reads; set only for one step
	idle     uint              // the loops around here that access other objects only, as bits: see unitLoop

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
	args  []tag // of the function value and the arguments
	many  bool  // pushed more than once
}

// with returns the state in which v has tag g.
func (s state) with(v ssa.Value, g tag) state {
	if s.tags[v] == g {
		return s
	}
	tags := make(map[ssa.Value]tag, len(s.tags)+1)
	for k, t := range s.tags {
		tags[k] = t
	}
	if g.kind == none {
		delete(tags, v)
	} else {
		tags[v] = g
	}
	s.tags = tags
	return s
}

// only returns the state with the tags of live values.
func (s state) only(live map[ssa.Value]bool) state {
	for v := range s.tags {
		if !live[v] {
			s = s.with(v, tag{})
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
		entries = append(entries, fmt.Sprint(number[v], g))
	}
	sort.Strings(entries)
	var b strings.Builder
	fmt.Fprint(&b, entries, s.private, s.made, s.idle, s.opened, s.panicking, s.exiting, s.recovered, s.pushed, s.visited, s.replaced)
	for _, p := range s.promises {
		fmt.Fprint(&b, "?", number[p.read], p.forgotten, p.passing, p.locations)
	}
	for _, d := range s.defers {
		fmt.Fprint(&b, d.node.ID, d.instr.Block().Index, d.instr.Pos(), d.args, d.many)
	}
	return b.String()
}

// function is what lowering precomputes about an SSA function, once for all its
// clones.
type function struct {
	ssa        *ssa.Function
	number     map[ssa.Value]int
	liveIn     []map[ssa.Value]bool // by block index: values used at or after its first instruction that is no phi
	onceCells  map[*ssa.Alloc]bool  // variables that are assigned once: see findOnceCells
	visits     map[visit]int
	loops      map[*ssa.BasicBlock]map[*ssa.BasicBlock]bool // by header, as far as asked for
	localCells map[*ssa.Alloc]bool                          // see findLocalCells
	increments map[ssa.Instruction]bool                     // the loads and stores that are halves of n++
	leaders    map[*ssa.IndexAddr]*ssa.IndexAddr            // an earlier computation of the same address: see findLeaders
	beside     map[*ssa.IndexAddr][]*ssa.IndexAddr          // see findBeside
}

// newFunction analyses fn.
func newFunction(fn *ssa.Function) *function {
	f := &function{ssa: fn, number: map[ssa.Value]int{}, visits: map[visit]int{}, loops: map[*ssa.BasicBlock]map[*ssa.BasicBlock]bool{}}
	for _, p := range fn.Params {
		f.number[p] = len(f.number)
	}
	for _, v := range fn.FreeVars {
		f.number[v] = len(f.number)
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if v, ok := instr.(ssa.Value); ok {
				f.number[v] = len(f.number)
			}
		}
	}
	f.findLeaders()
	f.findBeside()
	f.findLive()
	f.findOnceCells()
	f.findLocalCells()
	f.findIncrements()
	return f
}

// findLive computes the values live at the beginning of each block, after its
// phis, by the usual backward iteration.
func (f *function) findLive() {
	f.liveIn = make([]map[ssa.Value]bool, len(f.ssa.Blocks))
	for i := range f.liveIn {
		f.liveIn[i] = map[ssa.Value]bool{}
	}
	var operands []*ssa.Value
	for changed := true; changed; {
		changed = false
		for i := len(f.ssa.Blocks) - 1; i >= 0; i-- {
			b := f.ssa.Blocks[i]
			live := map[ssa.Value]bool{}
			for _, succ := range b.Succs {
				for v := range f.liveIn[succ.Index] {
					live[v] = true
				}
				for _, phi := range phis(succ) {
					delete(live, phi)
				}
			}
			for _, succ := range b.Succs {
				for p, pred := range succ.Preds {
					if pred != b {
						continue
					}
					for _, phi := range phis(succ) {
						live[phi.Edges[p]] = true
					}
				}
			}
			for j := len(b.Instrs) - 1; j >= 0; j-- {
				instr := b.Instrs[j]
				if _, isPhi := instr.(*ssa.Phi); isPhi {
					break
				}
				if v, ok := instr.(ssa.Value); ok {
					delete(live, v)
				}
				operands = instr.Operands(operands[:0])
				for _, o := range operands {
					if *o != nil {
						live[*o] = true
					}
				}
				if element, ok := instr.(*ssa.IndexAddr); ok && f.leaders[element] != nil {
					live[f.leaders[element]] = true
				}
				if element, ok := instr.(*ssa.IndexAddr); ok {
					for _, earlier := range f.beside[element] {
						live[earlier] = true
					}
				}
			}
			if len(live) != len(f.liveIn[i]) {
				f.liveIn[i] = live
				changed = true
			}
		}
	}
}

// findLeaders finds the addresses of elements that are computed again, as in
// s[i].mu.Lock(); s[i].n++: what the first one was found to be, the others are.
func (f *function) findLeaders() {
	f.leaders = map[*ssa.IndexAddr]*ssa.IndexAddr{}
	addresses := addressNumbers{}
	seen := map[any][]*ssa.IndexAddr{}
	for _, b := range f.ssa.DomPreorder() {
		for _, instr := range b.Instrs {
			element, ok := instr.(*ssa.IndexAddr)
			if !ok {
				continue
			}
			number := addresses.number(element)
			for _, earlier := range seen[number] {
				if earlier.Block().Dominates(b) {
					f.leaders[element] = earlier
					break
				}
			}
			if f.leaders[element] == nil {
				seen[number] = append(seen[number], element)
			}
		}
	}
}

// addressNumbers numbers addresses, so that those which are evidently one have one
// number: the same fields and elements of the same base.
type addressNumbers map[addressPart]int

type addressPart struct {
	base  any // the number of an address, or another ssa.Value
	field int
	index any // of an element: an ssa.Value, or the text of a constant; nil for a field
}

// number returns the number of an address; another value is its own.
func (n addressNumbers) number(v ssa.Value) any {
	var part addressPart
	switch v := v.(type) {
	case *ssa.FieldAddr:
		part = addressPart{base: n.number(v.X), field: v.Field}
	case *ssa.IndexAddr:
		part = addressPart{base: n.number(v.X), index: indexKey(v.Index)}
	default:
		return v
	}
	number, ok := n[part]
	if !ok {
		number = len(n)
		n[part] = number
	}
	return number
}

// phis returns the phi instructions at the head of the block.
func phis(b *ssa.BasicBlock) []*ssa.Phi {
	var all []*ssa.Phi
	for _, instr := range b.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		all = append(all, phi)
	}
	return all
}

// findOnceCells finds the variables whose address is taken only to share them
// with closures and that are assigned once: what they hold does not change, so a
// closure can be told what it is. (The SSA form captures every variable by its
// address.) A load before the store reads the zero value.
func (f *function) findOnceCells() {
	f.onceCells = map[*ssa.Alloc]bool{}
	for _, b := range f.ssa.Blocks {
		for _, instr := range b.Instrs {
			if a, ok := instr.(*ssa.Alloc); ok && isPointerLike(a.Type().Underlying().(*types.Pointer).Elem()) {
				stores := 0
				if onlyLoaded(a, &stores) && stores == 1 && !isStoredAgain(a) {
					f.onceCells[a] = true
				}
			}
		}
	}
}

// isStoredAgain tells whether the store to the variable can be executed twice for
// one execution of its declaration: the variable lives around a loop.
func isStoredAgain(a *ssa.Alloc) bool {
	for _, r := range *a.Referrers() {
		if store, ok := r.(*ssa.Store); ok && store.Addr == a && multiplicity.RepeatsWithout(store.Block(), a.Block()) {
			return true
		}
	}
	return false
}

// maxLent bounds how many calls deep the address of a variable is followed.
const maxLent = 4

// onlyLoaded tells whether the address v is only loaded from, stored to, captured by
// closures that only load it, and handed to functions that only load it, as the
// receiver of a method of a map type is. It counts the stores.
func onlyLoaded(v ssa.Value, stores *int) bool { return isOnlyLoaded(v, stores, maxLent) }

func isOnlyLoaded(v ssa.Value, stores *int, depth int) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if r.Addr != v || r.Val == v {
				return false
			}
			if _, isAlloc := v.(*ssa.Alloc); !isAlloc {
				return false
			}
			*stores++
		case *ssa.MakeClosure:
			for i, b := range r.Bindings {
				if b == v && !isOnlyLoaded(r.Fn.(*ssa.Function).FreeVars[i], stores, depth) {
					return false
				}
			}
		case ssa.CallInstruction:
			if !isLentTo(r, v, stores, depth) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isLentTo tells whether the function that is called is known, and only loads from
// the address among its arguments.
func isLentTo(call ssa.CallInstruction, address ssa.Value, stores *int, depth int) bool {
	callee := call.Common().StaticCallee()
	if callee == nil || len(callee.Blocks) == 0 || depth == 0 {
		return false
	}
	for i, a := range call.Common().Args {
		if a == address && !isOnlyLoaded(callee.Params[i], stores, depth-1) {
			return false
		}
	}
	return true
}
