package tag

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// IsPlain tells whether the value leads to no star.
func (l *Choices) IsPlain(n *pointsto.Node, v ssa.Value) bool {
	tags := l.Unknown(n, v)
	return len(tags) == 1 && tags[0].Kind == None && len(l.RegionsOf(n, v)) == 0
}

// ErrorOf returns the tag of an error as far as it shows in the function whether it is nil.
func (l *Choices) ErrorOf(n *pointsto.Node, v ssa.Value) Tag {
	switch v := v.(type) {
	case *ssa.Const:
		return NilnessTag(true)
	case *ssa.MakeInterface:
		if l.IsPlain(n, v) {
			return NilnessTag(false)
		}
	case *ssa.Call:
		if knowledge.Makes(v, knowledge.NewError) {
			return NilnessTag(false)
		}
	case *ssa.UnOp:
		if global, ok := v.X.(*ssa.Global); ok && l.isSentinel(global) {
			return NilnessTag(false)
		}
	}
	return Tag{}
}

// isSentinel tells whether the variable gets an error when it is initialised, and
// keeps it.
func (l *Choices) isSentinel(global *ssa.Global) bool {
	known, ok := l.sentinels[global]
	if !ok {
		known = l.findSentinel(global)
		l.sentinels[global] = known
	}
	return known
}

func (l *Choices) findSentinel(global *ssa.Global) bool {
	stores := 0
	for _, use := range l.UsesOf(global) {
		switch v := use.Instr.(type) {
		case *ssa.UnOp:
		case *ssa.Store:
			made, isCall := v.Val.(*ssa.Call)
			_, isBoxed := v.Val.(*ssa.MakeInterface)
			if !isBoxed && !(isCall && knowledge.Makes(made, knowledge.NewError)) ||
				use.Node.Func.Synthetic != "package initializer" {
				return false
			}
			stores++
		default:
			return false
		}
	}
	return stores > 0
}

// Zero returns the tag of a variable before the first store.
func (t *Table) Zero(a *ssa.Alloc) Tag {
	switch of := a.Type().Underlying().(*types.Pointer).Elem(); {
	case ssaflow.IsBool(of):
		return t.Compose(Cell, []Tag{TruthTag(false)})
	case ssaflow.IsError(of):
		return t.Compose(Cell, []Tag{NilnessTag(true)})
	}
	return t.Compose(Cell, []Tag{{}})
}
