package isolate

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// A variable of a function is often made together with what synchronises it, as in
//
//	var sum int
//	var mu sync.Mutex
//	done := make(chan struct{})
//
// Where the function runs many times there are as many of each. What is made in one block belongs together: it is made
// as often, and neither is ever replaced. So the lock is a companion of the variable.

// findTogether finds the companions of memory that a function makes.
func (i *Isolation) findTogether() {
	local, ok := i.Subject.Local.(ssa.Instruction)
	if !ok || i.Stars[0].Single {
		return
	}
	made := map[ssa.Value][]*pointsto.Object{}
	for _, o := range i.graph.Objects() {
		if instr, ok := o.Site.(ssa.Instruction); ok && instr.Block() == local.Block() && o.Site != i.Subject.Local {
			made[o.Site] = append(made[o.Site], o)
		}
	}
	for n, instr := range local.Block().Instrs {
		v := ssaflow.AsValue(instr)
		switch v.(type) {
		case *ssa.Alloc, *ssa.MakeChan:
			if objects := made[v]; len(objects) == 1 && query.IsSynchronisation(objects[0].Type) {
				path := fmt.Sprintf("%s#%d", v.Name(), n)
				i.companions = append(i.companions, &Companion{Object: objects[0], Path: path})
			}
		}
	}
	i.dropShared()
}

// Together returns the memory that a function makes with its companions, in the order in which they are made; nil if it
// has none.
func (i *Isolation) Together() (all []ssa.Value) {
	local, ok := i.Subject.Local.(ssa.Instruction)
	if !ok || len(i.companions) == 0 {
		return nil
	}
	for _, instr := range local.Block().Instrs {
		v := ssaflow.AsValue(instr)
		if v != nil && (v == i.Subject.Local || slices.ContainsFunc(i.companions, func(c *Companion) bool {
			return c.Object.Site == v
		})) {
			all = append(all, v)
		}
	}
	return all
}

// isCapture tells whether a cell is where a literal, or a variable that is assigned once, has what the function with
// the memory makes.
func (i *Isolation) isCapture(cell pointsto.Cell) bool {
	if i.Subject.Local == nil {
		return false
	}
	switch made := cell.Object.Site.(type) {
	case *ssa.MakeClosure:
		return knowledge.Outermost(made.Parent()) == knowledge.Outermost(i.Subject.Local.Parent())
	case *ssa.Alloc:
		stores := 0
		return made.Parent() == i.Subject.Local.Parent() && ssaflow.OnlyLoaded(made, &stores) && stores == 1 &&
			!ssaflow.IsStoredAgain(made)
	}
	return false
}
