package hook

import (
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// Where a program is recorded in full, or exactly, a plain access and its record are one step, too, as far as it can be
// written as one operation: the order of the records of two such accesses that race is the order in which they took
// effect. The others record an access before it.

// LoadExactly reads a field.
func LoadExactly[F any](g *Goroutine, p *F, ref Ref) F {
	o := g.exactly(trace.Read, unsafe.Pointer(p), ref)
	v := *p
	g.took(o, trace.Read, ref)
	return v
}

// SetExactly writes the field.
func (c Cell[F]) SetExactly(v F) {
	o := c.g.exactly(trace.Write, unsafe.Pointer(c.p), c.ref)
	*c.p = v
	c.g.took(o, trace.Write, c.ref)
}

// exactlyVariable is exactly for a package variable.
func (g *Goroutine) exactlyVariable(op trace.Op, ref Ref) owners {
	if g.off {
		return owners{}
	}
	o := objects.variables(g, ref.class())
	g.stop(op, o, ref)
	o.exact.lock()
	return owners{named: o}
}

// LoadExactlyVariable reads a package variable.
func LoadExactlyVariable[V any](g *Goroutine, p *V, ref Ref) V {
	o := g.exactlyVariable(trace.Read, ref)
	v := *p
	g.took(o, trace.Read, ref)
	return v
}

// VariableCell is a package variable that is about to be assigned to.
type VariableCell[V any] struct{ cell Cell[V] }

// AtVariable is the package variable at p.
func AtVariable[V any](g *Goroutine, p *V, ref Ref) VariableCell[V] {
	return VariableCell[V]{Cell[V]{g, p, ref}}
}

// SetExactly writes the variable.
func (c VariableCell[V]) SetExactly(v V) {
	o := c.cell.g.exactlyVariable(trace.Write, c.cell.ref)
	*c.cell.p = v
	c.cell.g.took(o, trace.Write, c.cell.ref)
}
