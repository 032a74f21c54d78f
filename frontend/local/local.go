// Package local finds objects of synchronisation that are local to one call of a function: channels, locks, wait
// groups that it makes, and hands to nobody but functions that it calls and goroutines that these start. Whatever else
// a program does, nobody else operates on them: who waits for one of them for ever does so by what this call does, so
// that it can be asked of the call alone, without a program around it. GCatch takes programs apart in the same way (Liu
// et al., ASPLOS 2021, section 3.2).
//
// Where the objects get to is found out from the values of the SSA form, without regard to the order in which things
// are done: the values that lead to an object are the one that makes it, and all that is derived, loaded, called with
// or captured from these. Anything that is not understood lets it out.
//
//	local   the calls, and what makes objects in them
//	flow    which values lead to an object
//	inputs  what conditions depend on
package local

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// Call is a call of a function that makes objects which are local to it.
type Call struct {
	Function *ssa.Function
	// isFollowed tells of which functions the bodies are looked at: what others are handed others have.
	isFollowed func(*ssa.Function) bool
	leading    map[ssa.Instruction]map[ssa.Value]bool  // by what makes them: what leads to the local ones
	touching   map[ssa.CallInstruction]bool            // calls that are handed one, or hand one back
	callers    map[*ssa.Function][]ssa.CallInstruction // evident calls, of what it may evidently call
	inputs     map[ssa.Value][]Input                   // that are known, see Inputs
	changed    map[*ssa.Package]map[*ssa.Global]bool   // variables that get other values, by package
}

// Of returns what is local to a call of a function; nil if nothing is that goroutines share. Linear in the functions
// that are evidently called, for each object that is made.
func Of(fn *ssa.Function, isFollowed func(*ssa.Function) bool) *Call {
	c := &Call{Function: fn, isFollowed: isFollowed, leading: map[ssa.Instruction]map[ssa.Value]bool{},
		touching: map[ssa.CallInstruction]bool{}, inputs: map[ssa.Value][]Input{},
		changed: map[*ssa.Package]map[*ssa.Global]bool{}}
	for _, at := range c.makers(fn, 0, map[*ssa.Function]bool{}) {
		if c.callers == nil {
			c.findCallers()
		}
		f := newFlow(c, at.(ssa.Value))
		f.run()
		if f.isOut || !f.isShared {
			continue
		}
		c.leading[at] = f.leads
		for _, site := range f.sites {
			c.touching[site] = true
		}
	}
	if len(c.leading) == 0 {
		return nil
	}
	return c
}

// IsHandedOver tells whether a literal is used for more than to be called, deferred or started where it is.
func IsHandedOver(literal *ssa.Function) bool {
	var space [8]*ssa.Value
	uses := func(at ssa.Instruction, v ssa.Value) bool {
		site, isCall := at.(ssa.CallInstruction)
		if _, isDebug := at.(*ssa.DebugRef); isDebug || isCall && !slices.Contains(site.Common().Args, v) {
			return false
		}
		return slices.ContainsFunc(at.Operands(space[:0]), func(operand *ssa.Value) bool { return *operand == v })
	}
	for _, b := range literal.Parent().Blocks {
		for _, instr := range b.Instrs {
			made, ok := instr.(*ssa.MakeClosure)
			switch {
			case ok && made.Fn == ssa.Value(literal):
				if slices.ContainsFunc(*made.Referrers(), func(at ssa.Instruction) bool { return uses(at, made) }) {
					return true
				}
			case uses(instr, literal):
				return true
			}
		}
	}
	return false
}

// IsLocal tells whether what an instruction makes is local to the call.
func (c *Call) IsLocal(at ssa.Instruction) bool { return c.leading[at] != nil }

// MayLead tells whether a value may lead to what an instruction makes that is local.
func (c *Call) MayLead(v ssa.Value, at ssa.Instruction) bool { return c.leading[at][v] }

// Touches tells whether a call may operate on something local, or make it. All others do nothing that matters.
func (c *Call) Touches(site ssa.CallInstruction) bool { return c.touching[site] }

// maxMakers bounds how many functions deep something is made that is handed back.
const maxMakers = 3

// makers returns the instructions that make objects of synchronisation: in the function, in the literals in it, and in
// functions that it calls which may hand them back.
func (c *Call) makers(fn *ssa.Function, depth int, seen map[*ssa.Function]bool) (all []ssa.Instruction) {
	if seen[fn] {
		return nil
	}
	seen[fn] = true
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case *ssa.MakeChan:
				all = append(all, x)
			case *ssa.Alloc:
				if synchronises(x.Type().Underlying().(*types.Pointer).Elem(), 0) {
					all = append(all, x)
				}
			case *ssa.Call:
				if callee := x.Call.StaticCallee(); depth < maxMakers && c.mayHandBack(callee) {
					all = append(all, c.makers(callee, depth+1, seen)...)
				}
			}
		}
	}
	for _, inner := range fn.AnonFuncs {
		all = append(all, c.makers(inner, depth, seen)...)
	}
	return all
}

// mayHandBack tells whether a declared function that is followed has a result that may lead to an object of
// synchronisation.
func (c *Call) mayHandBack(fn *ssa.Function) bool {
	if fn == nil || fn.Parent() != nil || len(fn.Blocks) == 0 || !c.isFollowed(fn) {
		return false
	}
	for result := range fn.Signature.Results().Variables() {
		switch t := result.Type().Underlying().(type) {
		case *types.Chan:
			return true
		case *types.Pointer:
			if synchronises(t.Elem(), 0) {
				return true
			}
		}
	}
	return false
}

// synchronises tells whether a variable of a type is an object of package sync, or has one as a field.
func synchronises(t types.Type, depth int) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync" {
		switch named.Obj().Name() {
		case "Mutex", "RWMutex", "WaitGroup", "Cond":
			return true
		}
		return false
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || depth > 1 {
		return false
	}
	for field := range st.Fields() {
		if synchronises(field.Type(), depth+1) {
			return true
		}
	}
	return false
}

// findCallers finds the calls in the function, in what it evidently calls or starts, and in the literals there.
func (c *Call) findCallers() {
	c.callers = map[*ssa.Function][]ssa.CallInstruction{}
	reached := map[*ssa.Function]bool{c.Function: true}
	queue := []*ssa.Function{c.Function}
	add := func(fn *ssa.Function) {
		if !reached[fn] && len(fn.Blocks) > 0 && c.isFollowed(fn) {
			reached[fn] = true
			queue = append(queue, fn)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, inner := range queue[0].AnonFuncs {
			add(inner)
		}
		for _, b := range queue[0].Blocks {
			for _, instr := range b.Instrs {
				site, ok := instr.(ssa.CallInstruction)
				if !ok || site.Common().StaticCallee() == nil {
					continue
				}
				callee := site.Common().StaticCallee()
				c.callers[callee] = append(c.callers[callee], site)
				add(callee)
			}
		}
	}
}

// isModelled tells whether an operation on what it is handed first is part of a model of synchronisation.
func isModelled(fn *ssa.Function) bool {
	row := knowledge.Of(fn)
	return knowledge.IsOperation(fn) || row.Cond != knowledge.NoCond || row.Once
}
