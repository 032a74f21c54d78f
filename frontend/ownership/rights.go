package ownership

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Transfer is a place where something is put into a channel or pool, or taken out.
type Transfer struct {
	node    *pointsto.Node
	Instr   ssa.Instruction
	through ssa.Value // the channel, or the address of the pool
	Value   ssa.Value // what is put in, or taken out
	Put     bool

	argument int // of a call that hands the value to where it is put in: which one
}

// TransfersOf returns the transfers of an instruction, for a select in the order of its
// cases, without what is taken out.
func TransfersOf(n *pointsto.Node, instr ssa.Instruction) []Transfer {
	switch v := instr.(type) {
	case *ssa.Send:
		return []Transfer{{node: n, Instr: v, through: v.Chan, Value: v.X, Put: true}}
	case *ssa.UnOp:
		if v.Op == token.ARROW {
			return []Transfer{{node: n, Instr: v, through: v.X}}
		}
	case *ssa.Select:
		var all []Transfer
		for _, st := range v.States {
			all = append(all, Transfer{node: n, Instr: v, through: st.Chan, Value: st.Send, Put: st.Dir == types.SendOnly})
		}
		return all
	case ssa.CallInstruction:
		args := ssaflow.Arguments(v.Common())
		switch {
		case isPoolCall(v, knowledge.PoolPut):
			return []Transfer{{node: n, Instr: v, through: args[0], Value: args[1], Put: true}}
		case isPoolCall(v, knowledge.PoolGet):
			return []Transfer{{node: n, Instr: v, through: args[0]}}
		}
	}
	return nil
}

// isPoolCall tells whether the call is of a method of sync.Pool.
func isPoolCall(call ssa.CallInstruction, method knowledge.ContainerOp) bool {
	fn := call.Common().StaticCallee()
	return fn != nil && knowledge.Of(fn).Container == method
}

// Taken returns what is taken out where the instruction gives it a value.
func Taken(n *pointsto.Node, instr ssa.Instruction) (Transfer, bool) {
	v, ok := instr.(ssa.Value)
	if !ok {
		return Transfer{}, false
	}
	if call, ok := instr.(*ssa.Call); ok && isPoolCall(call, knowledge.PoolGet) {
		return Transfer{node: n, Instr: call, through: call.Call.Args[0], Value: call}, true
	}
	from, at := receivedFrom(v)
	return Transfer{node: n, Instr: at, through: from, Value: v}, from != nil
}

// receivedFrom returns the channel that the value was received from, and where; nil
// if it was not, or if another value stands for what was received, too.
func receivedFrom(v ssa.Value) (ch ssa.Value, at ssa.Instruction) {
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.ARROW && !v.CommaOk {
			return v.X, v
		}
	case *ssa.Extract:
		for _, r := range *v.Tuple.Referrers() {
			if other, ok := r.(*ssa.Extract); ok && other != v && other.Index == v.Index {
				return nil, nil
			}
		}
		switch t := v.Tuple.(type) {
		case *ssa.UnOp:
			if t.Op == token.ARROW && v.Index == 0 {
				return t.X, t
			}
		case *ssa.Select:
			next := 2
			for _, st := range t.States {
				if st.Send != nil {
					continue
				}
				if next == v.Index {
					return st.Chan, t
				}
				next++
			}
		}
	}
	return nil, nil
}

// rightsFinder finds out whether what is put into a channel or pool is evidently
// something that the same activation, or the one that called it for that, has made or
// taken out, and has not put in anywhere since.
type rightsFinder struct {
	graph     *pointsto.Result
	functions func(*ssa.Function) *mustalias.Function
	puts      []Transfer             // those of the program, and the calls that hand something to one
	takes     map[*ssa.Function]bool // its results are such things; known or assumed while it is looked at
}

// maxStages bounds the calls through which something is handed to where it is put in.
const maxStages = 4

// add notes where things are put in, with the calls that lead there.
func (f *rightsFinder) add(puts []Transfer) {
	work := slices.Clone(puts)
	for len(work) > 0 {
		t := work[len(work)-1]
		work = work[:len(work)-1]
		if slices.ContainsFunc(f.puts, func(known Transfer) bool {
			return known.node == t.node && known.Instr == t.Instr && known.Value == t.Value && known.argument == t.argument
		}) {
			continue
		}
		f.puts = append(f.puts, t)
		for _, root := range f.roots(t.Value) {
			if p, ok := root.(*ssa.Parameter); ok {
				work = append(work, f.callsWith(t.node, p)...)
			}
		}
	}
	f.takes = map[*ssa.Function]bool{} // what was found with some of the places only
}

// callsWith returns the calls of a node as places where the argument for the parameter
// is put in.
func (f *rightsFinder) callsWith(n *pointsto.Node, p *ssa.Parameter) (all []Transfer) {
	i := slices.Index(n.Func.Params, p)
	for _, e := range f.graph.Callers(n) {
		args := ssaflow.Arguments(e.Site.Common())
		if e.Site.Parent() == e.Caller.Func && len(args) == len(n.Func.Params) {
			all = append(all, Transfer{node: e.Caller, Instr: e.Site, Value: args[i], Put: true, argument: i})
		}
	}
	return all
}

// isEvident tells whether that is so for one place.
func (f *rightsFinder) isEvident(t Transfer, depth int) bool {
	if _, isGo := t.Instr.(*ssa.Go); isGo || depth > maxStages {
		return false
	}
	roots := f.roots(t.Value)
	if roots == nil {
		return false
	}
	for _, other := range f.puts {
		same := other.Instr == t.Instr && other.Value == t.Value && other.argument == t.argument
		if other.node == t.node && !same && f.overlaps(roots, f.roots(other.Value)) && f.mayFollow(t, other, roots) {
			return false
		}
	}
	for _, root := range roots {
		p, isParameter := root.(*ssa.Parameter)
		switch at := root.(type) {
		case ssa.Instruction:
			if ssaflow.RepeatsWithout(t.Instr.Block(), ssaflow.BlockOf(t.Value, at)) {
				return false
			}
		default:
			if !isParameter || ssaflow.IsInCycle(t.Instr.Block()) {
				return false
			}
		}
		if !isParameter {
			continue
		}
		calls := f.callsWith(t.node, p)
		if len(calls) == 0 || len(calls) != len(f.graph.Callers(t.node)) {
			return false
		}
		for _, call := range calls {
			if e := call.Instr.(ssa.CallInstruction); f.isStart(call.node, e, t.node) || !f.isEvident(call, depth+1) {
				return false
			}
		}
	}
	return true
}

// isStart tells whether the call starts the node on a goroutine of its own.
func (f *rightsFinder) isStart(n *pointsto.Node, site ssa.CallInstruction, callee *pointsto.Node) bool {
	return slices.ContainsFunc(f.graph.Callers(callee), func(e pointsto.Edge) bool {
		return e.Caller == n && e.Site == site && e.IsStart()
	})
}

// mayFollow tells whether both places may be executed for one value.
func (f *rightsFinder) mayFollow(a, b Transfer, roots []ssa.Value) bool {
	if a.Instr.Block() == b.Instr.Block() {
		return true
	}
	for _, t := range []Transfer{a, b} {
		if _, isDefer := t.Instr.(*ssa.Defer); isDefer {
			return true
		}
	}
	var anew *ssa.BasicBlock // where the value is another one
	if at, ok := roots[0].(ssa.Instruction); ok && len(roots) == 1 {
		anew = at.Block()
	}
	reaches := func(from, to *ssa.BasicBlock) bool { return to != anew && ssaflow.BlockReaches(from, to, anew) }
	return reaches(a.Instr.Block(), b.Instr.Block()) || reaches(b.Instr.Block(), a.Instr.Block())
}

func (f *rightsFinder) overlaps(a, b []ssa.Value) bool {
	return b == nil || slices.ContainsFunc(a, func(v ssa.Value) bool { return slices.Contains(b, v) })
}

// roots returns where a value was made, or taken out, or the parameters that it is; nil if
// it may come from elsewhere.
func (f *rightsFinder) roots(v ssa.Value) []ssa.Value {
	all, ok := f.addRoots(v, nil, map[*ssa.Phi]bool{})
	if !ok {
		return nil
	}
	return append([]ssa.Value{}, all...)
}

func (f *rightsFinder) addRoots(v ssa.Value, all []ssa.Value, seen map[*ssa.Phi]bool) ([]ssa.Value, bool) {
	for next := ssaflow.Unwrapped(v); next != nil; next = ssaflow.Unwrapped(v) {
		v = next
	}
	ok := true
	switch u := v.(type) {
	case *ssa.Const:
		return all, u.IsNil()
	case *ssa.Parameter, *ssa.Alloc:
	case *ssa.Phi:
		if seen[u] {
			return all, false // what an earlier iteration has put in
		}
		seen[u] = true
		for _, e := range u.Edges {
			if all, ok = f.addRoots(e, all, seen); !ok {
				return all, false
			}
		}
		return all, true
	case *ssa.Call:
		ok = isPoolCall(u, knowledge.PoolGet) || f.returnsTaken(u)
	case *ssa.UnOp:
		if cell, isCell := u.X.(*ssa.Alloc); isCell && u.Op == token.MUL && f.functions(cell.Parent()).OnceCells[cell] {
			for _, r := range *cell.Referrers() {
				if store, isStore := r.(*ssa.Store); isStore {
					return f.addRoots(store.Val, all, seen)
				}
			}
		}
		from, _ := receivedFrom(u)
		ok = from != nil
	default:
		from, _ := receivedFrom(v)
		ok = from != nil
	}
	return append(all, v), ok
}

// returnsTaken tells whether the result of a call is what the callee has made, or taken
// out, and has put in nowhere.
func (f *rightsFinder) returnsTaken(call *ssa.Call) bool {
	fn := call.Call.StaticCallee()
	if fn == nil || len(fn.Blocks) == 0 || fn.Signature.Results().Len() != 1 {
		return false
	}
	if known, ok := f.takes[fn]; ok {
		return known
	}
	f.takes[fn] = false
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		roots := f.roots(ret.Results[0])
		if roots == nil || slices.ContainsFunc(roots, f.isParameterOrPut) {
			return false
		}
	}
	f.takes[fn] = true
	return true
}

// isParameterOrPut tells whether the root is a parameter, or is put in somewhere.
func (f *rightsFinder) isParameterOrPut(root ssa.Value) bool {
	if _, isParameter := root.(*ssa.Parameter); isParameter {
		return true
	}
	return slices.ContainsFunc(f.puts, func(t Transfer) bool {
		return t.Instr.Parent() == root.Parent() && f.overlaps([]ssa.Value{root}, f.roots(t.Value))
	})
}
