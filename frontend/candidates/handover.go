package candidates

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// handover is an instruction by which another goroutine gets a value: a go statement with an argument,
// a call that starts what it is handed, or the making of a function literal that runs on another
// goroutine than the one which makes it, by what it captures.
type handover struct {
	node    *pointsto.Node
	at      ssa.Instruction
	value   ssa.Value
	content bool // not the variable itself, whose address the value is, but what is in there
	often   bool // any number of goroutines get it
	away    bool // to whoever takes it: it is sent, put into a pool, or stored where a package variable leads to
}

// handed returns the objects that go statements, and the like, hand to goroutines, and that others have
// as well: they are handed over more than once, or are used or kept by who hands them over. It tells
// whether what they lead to is theirs as well: not if they are elements, which workers divide.
func (f *finder) handed() map[*pointsto.Object]bool {
	all := map[*pointsto.Object]bool{}
	for _, n := range f.graph.Nodes() {
		if !f.isOwn(n.Func) || !f.graph.Analysed(n) || f.runs[n] == nil || isInitializer(n.Func) {
			continue
		}
		f.poll.Check()
		for _, h := range f.handingsIn(n) {
			if !f.isShared(h) {
				continue
			}
			leads := !originOf(h.value, h.content).isElement
			for _, c := range f.graph.PointsTo(n, h.value).Cells() {
				switch {
				case h.content:
					for _, o := range f.graph.Contents(c).Objects() {
						all[o] = all[o] || leads
					}
				case !isElement(c):
					all[c.Object] = all[c.Object] || leads
				}
			}
		}
	}
	return all
}

// handingsIn returns what a node hands to goroutines.
func (f *finder) handingsIn(n *pointsto.Node) (all []handover) {
	add := func(at ssa.Instruction, v ssa.Value, often bool) {
		if leadsOn(v.Type()) {
			all = append(all, handover{node: n, at: at, value: v, often: often})
		}
	}
	away := func(at ssa.Instruction, v ssa.Value) {
		if v != nil && leadsOn(v.Type()) {
			all = append(all, handover{node: n, at: at, value: v, away: true})
		}
	}
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			switch v := instr.(type) {
			case *ssa.Go:
				for _, arg := range append(slices.Clip(v.Call.Args), v.Call.Value) {
					add(v, arg, false)
				}
			case *ssa.Call:
				starts := f.graph.Starts(n, v)
				for _, arg := range v.Call.Args {
					if len(starts) > 0 {
						add(v, arg, isOften(starts))
					}
				}
				away(v, pooled(v))
			case *ssa.Send:
				away(v, v.X)
			case *ssa.Select:
				for _, s := range v.States {
					away(v, s.Send)
				}
			case *ssa.Store:
				if _, isVariable := placeOf(v.Addr).root.(*ssa.Global); isVariable {
					away(v, v.Val)
				}
			case *ssa.MapUpdate:
				if _, isVariable := placeOf(v.Map).root.(*ssa.Global); isVariable {
					away(v, v.Value)
				}
			case *ssa.MakeClosure:
				if often, ok := f.runsElsewhere(v); ok {
					for _, binding := range v.Bindings {
						add(v, binding, often)
						all = append(all, handover{node: n, at: v, value: binding, content: true, often: often})
					}
				}
			}
		}
	}
	return all
}

// leadsOn tells whether values of the type are the addresses of objects, and no copies.
func leadsOn(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Signature, *types.Interface:
		return true
	}
	return false
}

func isOften(starts []pointsto.Edge) bool {
	return slices.ContainsFunc(starts, func(e pointsto.Edge) bool { return e.Start != nil && e.Start.Often })
}

// runsElsewhere tells whether a function literal, or a method value, is what a goroutine begins with, or is
// called by what one begins with; and whether any number of goroutines may run it that one call starts.
func (f *finder) runsElsewhere(made *ssa.MakeClosure) (often, ok bool) {
	for _, body := range f.graph.NodesOf(made.Fn.(*ssa.Function)) {
		for _, e := range f.graph.Callers(body) {
			starts := f.graph.Callers(e.Caller)
			switch {
			case e.IsStart():
				often, ok = often || isOften([]pointsto.Edge{e}), true
			case e.Caller.Func != made.Parent() && e.Site.Common().StaticCallee() == nil:
				often = often || isOften(starts)
				ok = ok || slices.ContainsFunc(starts, func(e pointsto.Edge) bool { return e.IsStart() })
			}
		}
	}
	return often, ok
}

// isShared tells whether others than one goroutine have what is handed to it: it is handed to several, or
// used after that, or was known already. Callers of the function are asked for what they pass.
func (f *finder) isShared(h handover) bool {
	known, asked := f.handovers[h]
	if !asked {
		f.handovers[h] = false // of a recursive call
		known = h.often || f.findShared(h)
		f.handovers[h] = known
	}
	return known
}

func (f *finder) findShared(h handover) bool {
	from := originOf(h.value, h.content)
	switch {
	case from.usedAfter(h, h.value, false), from.usedAfter(h, from.root, from.isElement):
		return true
	case !h.away && (reaches(h.at, h.at, from.renewed) || !from.isElement && from.isKnown(h)):
		return true
	}
	switch v := from.root.(type) {
	case *ssa.Parameter:
		i := slices.Index(h.node.Func.Params, v)
		return slices.ContainsFunc(f.graph.Callers(h.node), func(e pointsto.Edge) bool {
			arg := argument(e.Site, i)
			return arg != nil && e.Site.Parent() == e.Caller.Func && f.isShared(handover{e.Caller, e.Site, arg, h.content,
				!h.away && isOften([]pointsto.Edge{e}), h.away})
		})
	case *ssa.FreeVar:
		outer := h.node.Func.Parent()
		i := slices.Index(h.node.Func.FreeVars, v)
		if outer == nil {
			return false
		}
		for _, n := range f.graph.NodesOf(outer) {
			for _, made := range closuresOf(h.node.Func) {
				if f.isShared(handover{n, made, made.Bindings[i], h.content || h.value != from.root, false, h.away}) {
					return true
				}
			}
		}
	}
	return false
}

// closuresOf returns where a function literal is made.
func closuresOf(fn *ssa.Function) (all []*ssa.MakeClosure) {
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			if made, ok := instr.(*ssa.MakeClosure); ok && made.Fn == ssa.Value(fn) {
				all = append(all, made)
			}
		}
	}
	return all
}

// derivation is how a value is found from another one, the root, by fields, loads and elements.
type derivation struct {
	root      ssa.Value
	isElement bool
	isField   bool              // of what the root is the address of, and loaded from there
	made      []ssa.Instruction // what gives another root: it makes it, or sets it if it is a variable
	renewed   []ssa.Instruction // that, and what gives another element
}

// originOf returns where a value comes from: or, if loaded is true, what is at that address.
func originOf(v ssa.Value, loaded bool) derivation {
	return originWithin(v, loaded, map[ssa.Value]bool{})
}

// originWithin is originOf, but for variables that are being looked at: what is stored in one may come from it.
func originWithin(v ssa.Value, loaded bool, seen map[ssa.Value]bool) (d derivation) {
	isField := false
	for {
		switch from := v.(type) {
		case *ssa.FieldAddr:
			isField, v = true, from.X
			continue
		case *ssa.Field:
			v = from.X
			continue
		case *ssa.IndexAddr:
			if index, ok := from.Index.(ssa.Instruction); ok {
				d.renewed = append(d.renewed, index)
			}
			d.isElement, v = true, from.X
			continue
		case *ssa.UnOp:
			if from.Op == token.ARROW {
				d.isElement = true
				break
			}
			loaded, d.isField, v = true, d.isField || isField, from.X
			continue
		case *ssa.Extract:
			switch of := from.Tuple.(type) {
			case *ssa.TypeAssert:
				v = of.X
				continue
			case *ssa.Call:
			default:
				d.isElement = true
			}
		case *ssa.Lookup:
			d.isElement = true
		case *ssa.Slice:
			v = from.X
			continue
		case *ssa.ChangeType:
			v = from.X
			continue
		case *ssa.ChangeInterface:
			v = from.X
			continue
		case *ssa.MakeInterface:
			v = from.X
			continue
		case *ssa.TypeAssert:
			v = from.X
			continue
		case *ssa.Alloc:
			if !loaded {
				break
			}
			isOpen := seen[from]
			seen[from] = true
			for _, r := range *from.Referrers() {
				if store, ok := r.(*ssa.Store); ok && store.Addr == v {
					d.made = append(d.made, store)
					d.isElement = d.isElement || !isOpen && originWithin(store.Val, false, seen).isElement
				}
			}
		}
		if root, ok := v.(ssa.Instruction); ok {
			d.made = append(d.made, root)
		}
		d.renewed = append(d.renewed, d.made...)
		d.root, d.isField = v, d.isField || isField && loaded
		return d
	}
}

// reaches tells whether control can come from an instruction to another one, or again to the same one,
// without any of those in between.
func reaches(from, to ssa.Instruction, without []ssa.Instruction) bool {
	seen := map[*ssa.BasicBlock]bool{}
	follow := func(instrs []ssa.Instruction) (found, through bool) {
		for _, instr := range instrs {
			switch {
			case instr == to:
				return true, false
			case slices.Contains(without, instr):
				return false, false
			}
		}
		return false, true
	}
	instrs := from.Block().Instrs
	found, through := follow(instrs[slices.Index(instrs, from)+1:])
	work := []*ssa.BasicBlock{}
	if through {
		work = append(work, from.Block().Succs...)
	}
	for len(work) > 0 && !found {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		if found, through = follow(b.Instrs); through {
			work = append(work, b.Succs...)
		}
	}
	return found
}

// usedAfter tells whether the function goes on to use a value that it has handed over: if it is the whole
// of which elements are, where no more of them are.
func (d derivation) usedAfter(h handover, v ssa.Value, isWhole bool) bool {
	if v.Referrers() == nil { // a package variable, or a function
		_, isVariable := v.(*ssa.Global)
		return isVariable && !isWhole
	}
	renewed := d.renewed
	if isWhole {
		renewed = d.made
	}
	return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.MakeInterface:
			if !isWhole && r.Referrers() != h.value.Referrers() && d.usedAfter(h, r, false) {
				return true
			}
		case *ssa.Defer:
			return r != h.at && !isWhole && (reaches(r, h.at, renewed) || reaches(h.at, r, renewed))
		}
		return r != h.at && !slices.Contains(renewed, r) && reaches(h.at, r, renewed) && !(isWhole && reaches(r, h.at, nil))
	})
}

// isKnown tells whether something else has led to what is handed over before that: a field, or where it
// was stored.
func (d derivation) isKnown(h handover) bool {
	if d.isField {
		return true
	}
	isStored := func(v ssa.Value) bool {
		return v.Referrers() != nil && slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
			switch r := r.(type) {
			case *ssa.Store:
				to := placeOf(r.Addr)
				_, isVariable := to.root.(*ssa.Alloc)
				return r.Val == v && !(isVariable && to.path == "") && reaches(r, h.at, d.renewed)
			case *ssa.MapUpdate:
				return r.Value == v && reaches(r, h.at, d.renewed)
			}
			return false
		})
	}
	if !h.content {
		return d.root == h.value && isStored(d.root)
	}
	return slices.ContainsFunc(d.made, func(instr ssa.Instruction) bool {
		store, ok := instr.(*ssa.Store)
		return ok && isStored(store.Val)
	})
}
