package ownership

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/order"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// A result that others wait for: an object is made with a wait group or a channel of
// its own, one function, which runs once, fills in its fields and then calls Done or closes the channel,
// and whoever else reads them waits for that before. Nothing interferes with such
// accesses, whatever else leads to the object.

// IsCompleted tells whether the access is to fields of such objects.
func (l *Owners) IsCompleted(n *pointsto.Node, pointer ssa.Value) bool {
	if _, ok := pointer.(*ssa.FieldAddr); !ok {
		return false
	}
	found := false
	for _, cell := range l.Graph.PointsTo(n, pointer).Cells() {
		if len(l.Stars.LocationsAt(cell)) == 0 {
			continue
		}
		if len(l.Stars.StarsAt(cell)) > 0 || !l.isCompletedObject(cell.Object) {
			return false
		}
		found = true
	}
	return found
}

func (l *Owners) isCompletedObject(o *pointsto.Object) bool {
	known, ok := l.completed[o]
	if !ok {
		known = l.findCompleted(o)
		l.completed[o] = known
	}
	return known
}

// completion collects what is done to one abstract object.
type completion struct {
	l       *Owners
	object  *pointsto.Object
	site    *ssa.Alloc
	reads   bool              // whether reads are looked at, or all else
	signal  string            // the field that is waited for
	writer  *ssa.Function     // fills the fields in, and signals
	writes  []*ssa.Store      // that are not fresh
	signals []ssa.Instruction // calls, and the places where deferred ones run
	begins  int               // how often the signal is made ready before the object is handed on
}

func (l *Owners) findCompleted(o *pointsto.Object) bool {
	site, ok := o.Site.(*ssa.Alloc)
	if !ok {
		return false
	}
	d := &completion{l: l, object: o, site: site, signal: signalField(o.Type)}
	if d.signal == "" {
		return false
	}
	for _, d.reads = range []bool{false, true} { // who writes is known when reads are looked at
		for _, n := range l.Graph.Holders(o) {
			for _, b := range n.Func.Blocks {
				for _, instr := range b.Instrs {
					if !d.allows(n, instr) {
						return false
					}
				}
			}
		}
	}
	if d.begins != 1 || len(d.signals) == 0 || !order.RunsOnceFor(d.writer, site) {
		return false
	}
	flow := ssaflow.NewFlow(l.values.Function(d.writer).Function)
	for _, signal := range d.signals {
		after := ssaflow.Reach(flow.At[signal], flow.Succs, func(ssaflow.Place) bool { return false })
		if slices.ContainsFunc(d.writes, func(w *ssa.Store) bool { return after[flow.At[w]] }) {
			return false
		}
	}
	return true
}

// signalField returns the only field of a struct that is a wait group or a channel.
func signalField(t types.Type) string {
	structure, ok := t.Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	found := ""
	for f := range structure.Fields() {
		_, isChan := f.Type().Underlying().(*types.Chan)
		if isChan || isWaitGroup(f.Type()) {
			if found != "" {
				return ""
			}
			found = f.Name()
		}
	}
	return found
}

func isWaitGroup(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync" && named.Obj().Name() == "WaitGroup"
}

// allows tells whether an instruction of n leaves the object one that is completed.
func (d *completion) allows(n *pointsto.Node, instr ssa.Instruction) bool {
	if address, ok := instr.(*ssa.FieldAddr); ok && !d.reads && d.mayBe(n, address.X) &&
		modref.FieldName(address.X.Type(), address.Field) == d.signal {
		return d.allowsSignal(n, address)
	}
	for _, pointer := range reduce.Pointers(instr) {
		if !slices.ContainsFunc(d.l.Graph.PointsTo(n, pointer).Cells(), d.isField) {
			continue
		}
		address, ok := pointer.(*ssa.FieldAddr)
		if !ok {
			return false
		}
		if !d.allowsAccess(n, address, instr) {
			return false
		}
	}
	if _, ok := instr.(ssa.CallInstruction); ok && len(reduce.Pointers(instr)) == 0 {
		for _, c := range reduce.CellsAccessedBy(d.l.Graph, d.l.Stars, n, instr) {
			if d.isField(c) {
				return false
			}
		}
	}
	return true
}

// isField tells whether memory is of the object, and not of the signal.
func (d *completion) isField(c pointsto.Cell) bool {
	return c.Object == d.object && !pointsto.IsWithin(c.Path, d.signal)
}

// mayBe tells whether a pointer may lead into the object.
func (d *completion) mayBe(n *pointsto.Node, v ssa.Value) bool {
	return slices.Contains(d.l.Graph.PointsTo(n, v).Objects(), d.object)
}

// allowsAccess tells whether a load or store of a field is made before the object is
// handed on, by the writer, or by somebody who has waited.
func (d *completion) allowsAccess(n *pointsto.Node, address *ssa.FieldAddr, at ssa.Instruction) bool {
	if d.l.Unpublished.Is(n, address, at) {
		return true
	}
	base := mustalias.BaseKey(address.X)
	store, isStore := at.(*ssa.Store)
	if isStore == d.reads {
		return true
	}
	if isStore {
		if base != ssa.Value(d.site) || !d.isWriter(n.Func) {
			return false
		}
		d.writes = append(d.writes, store)
		return true
	}
	if _, isLoad := at.(*ssa.UnOp); !isLoad {
		return false
	}
	return base == ssa.Value(d.site) && d.writer == n.Func || d.hasWaited(n, base, at)
}

// isWriter tells whether the function is the only one that fills the object in.
func (d *completion) isWriter(fn *ssa.Function) bool {
	if d.writer == nil {
		d.writer = fn
	}
	return d.writer == fn
}

// allowsSignal tells whether the address of the wait group or channel is used to make
// it ready, to wait, or by the writer to signal.
func (d *completion) allowsSignal(n *pointsto.Node, address *ssa.FieldAddr) bool {
	for _, r := range *address.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store: // the channel
			if _, isNew := r.Val.(*ssa.MakeChan); r.Addr != ssa.Value(address) || !isNew || !d.isFirst(n, address, r) {
				return false
			}
		case *ssa.UnOp:
			if !d.allowsChannel(n, address, r) {
				return false
			}
		case ssa.CallInstruction:
			op, ok := waitGroupOperation(r)
			if !ok {
				return false
			}
			switch op {
			case knowledge.Add:
				if !isOne(r.Common().Args[1]) || !d.isFirst(n, address, r) {
					return false
				}
			case knowledge.Done:
				if !d.signalled(n, address, r) {
					return false
				}
			case knowledge.Wait:
			default:
				return false
			}
		default:
			return false
		}
	}
	return true
}

func waitGroupOperation(call ssa.CallInstruction) (knowledge.WaitGroupOp, bool) {
	callee := call.Common().StaticCallee()
	if callee == nil {
		return 0, false
	}
	return knowledge.WaitGroupOperation(callee)
}

// isFirst notes that the signal is made ready, once, when the object is in nobody
// else's hands.
func (d *completion) isFirst(n *pointsto.Node, address *ssa.FieldAddr, at ssa.Instruction) bool {
	d.begins++
	return address.X == ssa.Value(d.site) && d.l.Unpublished.Is(n, address, at)
}

func isOne(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Int64() == 1
}

// signalled notes that the writer signals.
func (d *completion) signalled(n *pointsto.Node, address *ssa.FieldAddr, call ssa.CallInstruction) bool {
	if mustalias.BaseKey(address.X) != ssa.Value(d.site) || !d.isWriter(n.Func) {
		return false
	}
	switch call.(type) {
	case *ssa.Call:
		d.signals = append(d.signals, call)
	case *ssa.Defer:
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				if run, ok := instr.(*ssa.RunDefers); ok {
					d.signals = append(d.signals, run)
				}
			}
		}
	default:
		return false
	}
	return true
}

// allowsChannel tells whether the channel that is loaded is only received from, or
// closed by the writer.
func (d *completion) allowsChannel(n *pointsto.Node, address *ssa.FieldAddr, load *ssa.UnOp) bool {
	for _, r := range *load.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			if r.Op != token.ARROW {
				return false
			}
		case *ssa.Select:
			if slices.ContainsFunc(r.States, func(s *ssa.SelectState) bool {
				return s.Chan == ssa.Value(load) && s.Dir == types.SendOnly || s.Send == ssa.Value(load)
			}) {
				return false
			}
		case ssa.CallInstruction:
			if !ssaflow.IsBuiltin(r, "close") || !d.signalled(n, address, r) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// hasWaited tells whether control comes to the load only after waiting for the
// object.
func (d *completion) hasWaited(n *pointsto.Node, base ssa.Value, load ssa.Instruction) bool {
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			switch v := instr.(type) {
			case *ssa.Call:
				if op, ok := waitGroupOperation(v); ok && op == knowledge.Wait && d.isSignalOf(v.Call.Args[0], base) &&
					ssaflow.Precedes(v, load) {
					return true
				}
			case *ssa.UnOp:
				if v.Op == token.ARROW && d.isChannelOf(v.X, base) && ssaflow.Precedes(v, load) {
					return true
				}
			case *ssa.If:
				if d.isReceived(v, base) && len(b.Succs[0].Preds) == 1 && b.Succs[0].Dominates(load.Block()) {
					return true
				}
			}
		}
	}
	return false
}

// isSignalOf tells whether an address is that of the signal of the object with a base.
func (d *completion) isSignalOf(address, base ssa.Value) bool {
	field, ok := address.(*ssa.FieldAddr)
	return ok && modref.FieldName(field.X.Type(), field.Field) == d.signal && mustalias.BaseKey(field.X) == base
}

func (d *completion) isChannelOf(channel, base ssa.Value) bool {
	load, ok := channel.(*ssa.UnOp)
	return ok && load.Op == token.MUL && d.isSignalOf(load.X, base)
}

// isReceived tells whether the branch is the one to the case of a select in which the
// channel of the object was received from.
func (d *completion) isReceived(branch *ssa.If, base ssa.Value) bool {
	comparison := ssaflow.Equality(branch.Cond)
	if comparison == nil || comparison.Op != token.EQL {
		return false
	}
	chosen, ok := comparison.X.(*ssa.Extract)
	number, isConst := comparison.Y.(*ssa.Const)
	if !ok || !isConst || chosen.Index != 0 {
		return false
	}
	s, ok := chosen.Tuple.(*ssa.Select)
	if !ok {
		return false
	}
	state := int(number.Int64())
	return state >= 0 && state < len(s.States) && s.States[state].Dir == types.RecvOnly &&
		d.isChannelOf(s.States[state].Chan, base)
}
