package lower

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// noteMemory notes what an access to memory that a field leads to is an access of: it
// counts for the field, but at the place itself the source has another name for it.
func (l *lowerer) noteMemory(pos esl.Pos, at ssa.Instruction) {
	field, ok := ssaflow.ContainerOf(ssaflow.AddressIn(at)).(*ssa.FieldAddr)
	if !ok {
		return
	}
	holder := types.Unalias(field.X.Type().Underlying().(*types.Pointer).Elem())
	named, ok := holder.(*types.Named)
	if !ok || l.Stars.Subject.Is(named) {
		return
	}
	l.memory[pos] = named.Obj().Name() + "." + named.Underlying().(*types.Struct).Field(field.Field).Name()
}
