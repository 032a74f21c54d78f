package ownership

import (
	"fmt"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// GoroutineStart is an instruction of a node that starts a goroutine at the entry.
type GoroutineStart struct {
	Node  *pointsto.Node
	Site  ssa.CallInstruction
	Entry *pointsto.Node
}

// OwnElementsOf returns the locations of which each goroutine that is started there accesses
// elements of its own: all that it does with them is in the function with which it begins,
// to elements of one array, with an index that no other one has; but that it may read elsewhere what
// the elements lead to.
func (l *Owners) OwnElementsOf(start GoroutineStart) (all []isolate.Location) {
	e := &ownElements{l: l, start: start, bases: map[isolate.Location]string{}, shared: map[isolate.Location]bool{},
		arrays: map[isolate.Location]map[*pointsto.Object]bool{}, read: map[isolate.Location][]*pointsto.Object{}}
	e.collect()
	for at := range e.bases {
		isRead := slices.ContainsFunc(e.read[at], func(o *pointsto.Object) bool { return e.arrays[at][o] })
		if !e.shared[at] && !isRead {
			all = append(all, at)
		}
	}
	return all
}

// ownElements looks for the locations that a goroutine accesses, and how.
type ownElements struct {
	l      *Owners
	start  GoroutineStart
	bases  map[isolate.Location]string                    // the slice or array whose elements are accessed
	arrays map[isolate.Location]map[*pointsto.Object]bool // what that, and its header, is in
	read   map[isolate.Location][]*pointsto.Object        // what is only read, in other ways
	shared map[isolate.Location]bool                      // what is accessed in other ways
}

func (e *ownElements) collect() {
	entry := e.start.Entry
	seen := map[*pointsto.Node]bool{entry: true}
	for work := []*pointsto.Node{entry}; len(work) > 0; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				if cells := reduce.CellsAccessedBy(e.l.Graph, e.l.Stars, n, instr); len(cells) > 0 {
					e.add(cells, n, instr)
				}
			}
		}
		for _, call := range e.l.Graph.Calls(n) {
			if call.IsStart() {
				continue
			}
			for _, callee := range e.l.KeptIn(call.Callee) {
				if !seen[callee] {
					seen[callee] = true
					work = append(work, callee)
				}
			}
		}
	}
}

// add notes that an instruction accesses memory.
func (e *ownElements) add(cells []pointsto.Cell, n *pointsto.Node, instr ssa.Instruction) {
	base := ""
	if n == e.start.Entry {
		base = e.baseOf(instr)
	}
	for _, c := range cells {
		for _, at := range e.l.Stars.LocationsAt(c) {
			known, ok := e.bases[at]
			switch {
			case base == "" && !e.onlyReads(n, instr), base != "" && ok && known != base:
				e.shared[at] = true
			case base == "":
				e.read[at] = append(e.read[at], c.Object)
			default:
				e.bases[at] = base
				if e.arrays[at] == nil {
					e.arrays[at] = map[*pointsto.Object]bool{}
				}
				e.arrays[at][c.Object] = true
			}
		}
	}
}

// onlyReads tells whether an instruction that accesses memory does not write it.
func (e *ownElements) onlyReads(n *pointsto.Node, instr ssa.Instruction) bool {
	if _, isCall := instr.(ssa.CallInstruction); isCall && len(reduce.Pointers(instr)) == 0 {
		return !reduce.LibraryWrites(e.l.Graph, e.l.Stars, n, instr)
	}
	return modref.IsRead(instr)
}

// baseOf names the slice or array of which the instruction accesses an element of the
// goroutine's own, or of which it reads the header for that; empty if it does anything
// else.
func (e *ownElements) baseOf(instr ssa.Instruction) string {
	address := ssaflow.AddressIn(instr)
	if address == nil {
		return ""
	}
	if element := elementOf(address); element != nil {
		if !e.isOwn(element.Index) {
			return ""
		}
		header, ok := element.X.(*ssa.UnOp)
		if !ok || header.Op != token.MUL {
			return e.nameOf(element.X) // an array, or a parameter
		}
		if len(reduce.AccessedBy(e.l.Graph, e.l.Stars, e.start.Entry, header)) > 0 {
			return e.nameOf(header.X) // who changes the header accesses the location
		}
		return e.nameOf(header)
	}
	header, ok := instr.(*ssa.UnOp)
	if !ok || header.Op != token.MUL {
		return ""
	}
	for _, user := range *header.Referrers() {
		switch u := user.(type) {
		case *ssa.DebugRef:
		case *ssa.IndexAddr:
			if u.X != ssa.Value(header) || !e.isOwn(u.Index) {
				return ""
			}
		case *ssa.Call:
			if !ssaflow.IsBuiltin(u, "len") {
				return ""
			}
		default:
			return ""
		}
	}
	return e.nameOf(header.X)
}

// elementOf returns the element that the address is of, or is in, as a field of a
// struct; nil if it is in none.
func elementOf(address ssa.Value) *ssa.IndexAddr {
	for {
		switch v := address.(type) {
		case *ssa.FieldAddr:
			address = v.X
		case *ssa.IndexAddr:
			return v
		default:
			return nil
		}
	}
}

// nameOf names an address that is the same in all copies of the goroutine; empty if it
// may differ.
func (e *ownElements) nameOf(address ssa.Value) string {
	switch v := address.(type) {
	case *ssa.Global:
		return v.String()
	case *ssa.Parameter:
		if arg := e.argument(v); arg != nil && e.isFixed(arg) {
			return v.Name()
		}
	case *ssa.FreeVar:
		if variable := e.binding(v); variable != nil && e.isFixed(variable) {
			return v.Name()
		}
	case *ssa.UnOp: // a pointer in a variable that is captured, and assigned once
		if captured, ok := v.X.(*ssa.FreeVar); ok && v.Op == token.MUL {
			cell, ok := e.binding(captured).(*ssa.Alloc)
			if stores := 0; ok && e.isFixed(cell) && ssaflow.OnlyLoaded(cell, &stores) && stores == 1 {
				return "*" + captured.Name()
			}
		}
	case *ssa.FieldAddr:
		if name := e.nameOf(v.X); name != "" {
			return fmt.Sprint(name, ".", v.Field)
		}
	}
	return ""
}

// isOwn tells whether the index differs from that of any other copy.
func (e *ownElements) isOwn(index ssa.Value) bool {
	switch v := index.(type) {
	case *ssa.Parameter:
		arg := e.argument(v)
		return arg != nil && e.differs(arg, nil)
	case *ssa.UnOp:
		variable, ok := v.X.(*ssa.FreeVar)
		return ok && v.Op == token.MUL && e.isOwnVariable(e.binding(variable))
	}
	return false
}

// argument returns what the start of the goroutine passes for a parameter.
func (e *ownElements) argument(p *ssa.Parameter) ssa.Value {
	start, ok := e.start.Site.(*ssa.Go)
	i := slices.Index(e.start.Entry.Func.Params, p)
	if !ok || i < 0 || i >= len(start.Call.Args) || len(start.Call.Args) != len(e.start.Entry.Func.Params) ||
		start.Call.IsInvoke() {
		return nil
	}
	return start.Call.Args[i]
}

// binding returns the variable of the function with the start that one of the function
// literal stands for, nil if it is not evident.
func (e *ownElements) binding(v *ssa.FreeVar) ssa.Value {
	common := e.start.Site.Common()
	i := slices.Index(e.start.Entry.Func.FreeVars, v)
	for _, started := range append([]ssa.Value{common.Value}, common.Args...) {
		if literal, ok := started.(*ssa.MakeClosure); ok && literal.Fn == e.start.Entry.Func && i >= 0 {
			return literal.Bindings[i]
		}
	}
	return nil
}

// isOwnVariable tells whether the variable is made for each iteration and gets a value
// in it that no other iteration has.
func (e *ownElements) isOwnVariable(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc: // i := x, or the variable of a range loop
		stores := 0
		if !ssaflow.OnlyLoaded(v, &stores) || stores != 1 {
			return false
		}
		for _, r := range *v.Referrers() {
			if store, ok := r.(*ssa.Store); ok {
				return e.differs(store.Val, v.Block()) && !ssaflow.RepeatsWithout(store.Block(), v.Block())
			}
		}
	case *ssa.Phi: // the variable of for i := 0; i < n; i++, of which each iteration has a copy
		return e.isLoop(v.Block()) && e.isCopied(v)
	}
	return false
}

// isCopied tells whether each iteration of the loop with the variable makes a new one,
// with the value of the last and a step.
func (e *ownElements) isCopied(variable *ssa.Phi) bool {
	loads := func(v ssa.Value, of ssa.Value) bool {
		load, ok := v.(*ssa.UnOp)
		return ok && load.Op == token.MUL && load.X == of
	}
	for i, edge := range variable.Edges {
		cell, ok := edge.(*ssa.Alloc)
		if !ok || !isSharedOnly(cell, variable) {
			return false
		}
		if !variable.Block().Dominates(variable.Block().Preds[i]) {
			continue // before the loop
		}
		var values []ssa.Value
		for _, r := range *cell.Referrers() {
			if store, ok := r.(*ssa.Store); ok {
				values = append(values, store.Val)
			}
		}
		if len(values) != 2 || !loads(values[0], variable) {
			return false
		}
		if step, ok := values[1].(*ssa.BinOp); !ok || ssaflow.StepOf(step) == 0 || !loads(step.X, cell) {
			return false
		}
	}
	isStored := slices.ContainsFunc(*variable.Referrers(), func(r ssa.Instruction) bool {
		_, ok := r.(*ssa.Store)
		return ok
	})
	return !isStored && isSharedOnly(variable, nil)
}

// isSharedOnly tells whether the variable is only loaded, captured by function literals
// that only load it, stored to outside of those, and merged by the phi.
func isSharedOnly(variable ssa.Value, merged *ssa.Phi) bool {
	for _, r := range *variable.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if r.Addr != variable {
				return false
			}
		case *ssa.Phi:
			if r != merged {
				return false
			}
		case *ssa.MakeClosure:
			for i, b := range r.Bindings {
				if stores := 0; b == variable && !ssaflow.OnlyLoaded(r.Fn.(*ssa.Function).FreeVars[i], &stores) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// differs tells whether the value, in the function with the start, is another one each
// time that the start is executed: it counts the iterations of the loop around. In a
// block, if it is not nil, that is executed once in each iteration.
func (e *ownElements) differs(v ssa.Value, in *ssa.BasicBlock) bool {
	counter := ssaflow.CounterOf(v)
	return counter != nil && e.isLoop(counter.Block()) && (in == nil || !ssaflow.RepeatsWithout(in, counter.Block()))
}

// isLoop tells whether the block is the head of a loop that is entered once at most, and
// whose iterations execute the start once at most.
func (e *ownElements) isLoop(header *ssa.BasicBlock) bool {
	again := false
	for _, before := range header.Preds {
		if header.Dominates(before) {
			again = true
		} else if e.l.Multiplicity.InLoop(before) {
			return false
		}
	}
	at := e.start.Site.Block()
	return again && header.Dominates(at) && !ssaflow.RepeatsWithout(at, header)
}

// isFixed tells whether the value of the function with the start is the same each time
// that the start is executed: it is computed once at most.
func (e *ownElements) isFixed(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Parameter, *ssa.FreeVar, *ssa.Const, *ssa.Global:
		return true
	case ssa.Instruction:
		return !e.l.Multiplicity.InLoop(v.Block())
	}
	return false
}
