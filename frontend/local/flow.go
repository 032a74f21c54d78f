package local

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// flow follows an object from where it is made.
type flow struct {
	call     *Call
	made     ssa.Value
	leads    map[ssa.Value]bool // to the object
	queue    []ssa.Value
	sites    []ssa.CallInstruction // that it is handed to, or comes back from
	isOut    bool                  // others may have it
	isShared bool                  // a goroutine has it that the call starts
	object   types.Type            // that it is of: of memory its own type
	element  types.Type            // of a channel
	holding  map[types.Type]bool   // see holds
	inErrors bool                  // errors may lead to it
}

// newFlow returns the flow of what an instruction makes.
func newFlow(c *Call, made ssa.Value) *flow {
	f := &flow{call: c, made: made, leads: map[ssa.Value]bool{}, holding: map[types.Type]bool{}}
	switch t := made.Type().Underlying().(type) {
	case *types.Chan:
		f.element = t.Elem()
	case *types.Pointer:
		f.object = t.Elem()
	}
	f.add(made)
	return f
}

func (f *flow) add(v ssa.Value) {
	if !f.leads[v] {
		f.leads[v] = true
		f.queue = append(f.queue, v)
	}
}

func (f *flow) run() {
	if f.follow(); f.inErrors && !f.isOut { // again, as some values were not looked at
		f.leads, f.holding, f.queue, f.sites = map[ssa.Value]bool{}, map[types.Type]bool{}, nil, nil
		f.add(f.made)
		f.follow()
	}
}

func (f *flow) follow() {
	for len(f.queue) > 0 && !f.isOut {
		v := f.queue[0]
		f.queue = f.queue[1:]
		if v.Referrers() == nil {
			f.isOut = true // a package variable, a constant
			return
		}
		for _, r := range *v.Referrers() {
			f.use(r, v)
		}
	}
}

// use looks at what an instruction does with a value that leads to the object.
func (f *flow) use(at ssa.Instruction, v ssa.Value) {
	switch x := at.(type) {
	case *ssa.DebugRef, *ssa.BinOp, *ssa.If, *ssa.RunDefers, *ssa.Jump:
	case *ssa.Send:
		f.isOut = f.isOut || x.X == v
	case *ssa.Select:
		for _, st := range x.States {
			f.isOut = f.isOut || st.Send == v
		}
	case *ssa.UnOp:
		if x.Op == token.MUL && f.holds(x.Type()) {
			f.add(x)
		}
	case *ssa.Store:
		if x.Val == v {
			f.stored(ssaflow.BaseOf(x.Addr))
		}
	case *ssa.MapUpdate:
		if x.Key == v || x.Value == v {
			f.stored(x.Map)
		}
	case *ssa.MakeClosure:
		f.add(x)
		for i, b := range x.Bindings {
			if b == v {
				f.add(x.Fn.(*ssa.Function).FreeVars[i])
			}
		}
	case *ssa.Return:
		f.returned(x, v)
	case *ssa.Go:
		f.isShared = true
		f.calls(x, v)
	case ssa.CallInstruction:
		f.calls(x, v)
	case *ssa.MakeInterface:
		f.inErrors = f.inErrors || types.Implements(x.X.Type(), errorType)
		f.add(x)
	case *ssa.Phi, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Slice:
		f.add(x.(ssa.Value))
	case *ssa.Field, *ssa.Index, *ssa.Extract, *ssa.Lookup, *ssa.Range, *ssa.Next, *ssa.TypeAssert:
		if w := x.(ssa.Value); f.holds(w.Type()) {
			f.add(w)
		}
	default: // panicked with, converted
		f.isOut = true
	}
}

// stored looks at what leads to memory in which the object is stored.
func (f *flow) stored(base ssa.Value) {
	switch x := base.(type) {
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice:
		f.add(x)
	case *ssa.FreeVar: // of a literal: the variable that it captures
		f.add(x)
		f.captured(x)
	case *ssa.UnOp: // of memory that a variable leads to
		if x.Op != token.MUL {
			f.isOut = true
		} else if !f.leads[x] {
			f.add(x)
			f.storedWhere(ssaflow.BaseOf(x.X))
		}
	case *ssa.Phi:
		if !f.leads[x] {
			f.add(x)
			for _, e := range x.Edges {
				f.stored(ssaflow.BaseOf(e))
			}
		}
	case *ssa.Call: // of append
		if !ssaflow.IsBuiltin(x, "append") {
			f.isOut = true
		} else if !f.leads[x] {
			f.add(x)
			f.stored(ssaflow.BaseOf(x.Call.Args[0]))
		}
	case *ssa.Const:
	default:
		f.isOut = true
	}
}

// storedWhere looks at all that the values of a variable lead to.
func (f *flow) storedWhere(variable ssa.Value) {
	f.stored(variable)
	places := placesOf(variable)
	f.isOut = f.isOut || len(places) == 0
	for _, place := range places {
		for _, r := range *place.Referrers() {
			switch x := r.(type) {
			case *ssa.Store:
				if x.Addr == place {
					f.stored(ssaflow.BaseOf(x.Val))
				}
				f.isOut = f.isOut || x.Val == place
			case *ssa.UnOp, *ssa.DebugRef, *ssa.MakeClosure:
			default: // it is stored to elsewhere, or has parts
				f.isOut = true
			}
		}
	}
}

// placesOf returns the variable and what literals see of it, as far as it is one.
func placesOf(v ssa.Value) (all []ssa.Value) {
	switch x := v.(type) {
	case *ssa.FreeVar:
		for _, b := range ssaflow.BindingsOf(x) {
			all = append(all, placesOf(b)...)
		}
	case *ssa.Alloc:
		all = append(all, x)
		for i := 0; i < len(all); i++ {
			for _, r := range *all[i].Referrers() {
				if made, ok := r.(*ssa.MakeClosure); ok {
					for j, b := range made.Bindings {
						if b == all[i] {
							all = append(all, made.Fn.(*ssa.Function).FreeVars[j])
						}
					}
				}
			}
		}
	}
	return all
}

// captured adds what literals capture as a variable.
func (f *flow) captured(v *ssa.FreeVar) {
	bindings := ssaflow.BindingsOf(v)
	f.isOut = f.isOut || len(bindings) == 0
	for _, b := range bindings {
		f.stored(ssaflow.BaseOf(b))
	}
}

// returned looks at where a function that returns the object is called.
func (f *flow) returned(at *ssa.Return, v ssa.Value) {
	fn := at.Parent()
	if fn == f.call.Function || fn.Parent() != nil {
		f.isOut = true
		return
	}
	for _, site := range f.call.callers[fn] {
		result, ok := site.(*ssa.Call)
		if !ok {
			continue
		}
		f.sites = append(f.sites, site)
		if len(at.Results) == 1 {
			f.add(result)
			continue
		}
		for _, r := range *result.Referrers() {
			if part, ok := r.(*ssa.Extract); ok && at.Results[part.Index] == v {
				f.add(part)
			}
		}
	}
}

// calls looks at a call with the object as an argument, or of a literal that has captured it.
func (f *flow) calls(site ssa.CallInstruction, v ssa.Value) {
	f.sites = append(f.sites, site)
	common := site.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		f.builtin(site, b, v)
		return
	}
	callee := common.StaticCallee()
	switch {
	case callee == nil:
		f.isOut = f.isOut || common.IsInvoke() || slices.Contains(common.Args, v)
		return
	case isModelled(callee) && !f.call.isFollowed(callee):
		f.isShared = f.isShared || callee.Name() == "Go"
		f.isOut = f.isOut || !isReceiver(common, v) && !isLiteral(v)
		return
	case knowledge.Of(callee).Atomic != knowledge.NoAtomic:
		f.isOut = f.isOut || !isReceiver(common, v)
		if result, ok := site.(*ssa.Call); ok && f.holds(result.Type()) {
			f.add(result)
		}
		return
	case knowledge.Of(callee).Time == knowledge.StartTimer:
		f.isShared = true
		return
	case knowledge.Of(callee).Makes == knowledge.NewCond:
		if result, ok := site.(*ssa.Call); ok {
			f.add(result)
		}
		return
	case knowledge.Forgets(callee):
		return
	case len(callee.Blocks) == 0 || !f.call.isFollowed(callee):
		f.isOut = f.isOut || slices.Contains(common.Args, v)
		return
	}
	for i, a := range common.Args {
		if a == v {
			f.add(callee.Params[i])
		}
	}
}

// isReceiver tells whether a value is what a method is called on, and nothing else.
func isReceiver(common *ssa.CallCommon, v ssa.Value) bool {
	return common.Args[0] == v && !slices.Contains(common.Args[1:], v)
}

// isLiteral tells whether a value is a function literal where it is made.
func isLiteral(v ssa.Value) bool {
	_, is := v.(*ssa.MakeClosure)
	return is
}

// builtin looks at a call of a built-in function.
func (f *flow) builtin(site ssa.CallInstruction, b *ssa.Builtin, v ssa.Value) {
	switch b.Name() {
	case "append":
		f.add(site.(*ssa.Call))
		if slice := site.Common().Args[0]; slice != v { // whoever has its array has the object
			f.stored(ssaflow.BaseOf(slice))
		}
	case "copy":
		if to := site.Common().Args[0]; to != v {
			f.stored(ssaflow.BaseOf(to))
		}
	case "panic":
		f.isOut = true
	}
}

var errorType = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

// holds tells whether a value of a type can lead to the object. An error does only if something that leads to it is
// made an error.
func (f *flow) holds(t types.Type) bool {
	return ssaflow.Remember(f.holding, t, func() bool { return f.leadsTo(t, map[types.Type]bool{}) })
}

// leadsTo is holds, but for types that are looked at already.
func (f *flow) leadsTo(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	some := func(v *types.Var) bool { return f.isObject(v.Type()) || f.leadsTo(v.Type(), seen) }
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Interface:
		return f.inErrors || !ssaflow.IsError(t)
	case *types.Chan:
		return f.element != nil && types.Identical(u.Elem(), f.element) || f.leadsTo(u.Elem(), seen)
	case *types.Pointer:
		return f.isObject(u.Elem()) || f.leadsTo(u.Elem(), seen)
	case *types.Slice:
		return f.isObject(u.Elem()) || f.leadsTo(u.Elem(), seen)
	case *types.Array:
		return f.isObject(u.Elem()) || f.leadsTo(u.Elem(), seen)
	case *types.Map:
		return f.leadsTo(u.Key(), seen) || f.leadsTo(u.Elem(), seen)
	case *types.Struct:
		return slices.ContainsFunc(slices.Collect(u.Fields()), some)
	case *types.Tuple:
		return slices.ContainsFunc(slices.Collect(u.Variables()), some)
	}
	return true
}

func (f *flow) isObject(t types.Type) bool { return f.object != nil && types.Identical(t, f.object) }
