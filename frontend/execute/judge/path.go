package judge

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
)

// Path is an access path: what one comes to from a register, a parameter, a constant or a
// package variable (its address).
type Path struct {
	Root  ssa.Value
	Steps []Step
}

// Step is a part of a path.
type Step struct {
	Kind  StepKind
	Index int       // of the field, or of the element if Var is nil
	Var   ssa.Value // whose value is the index of the element
}

// StepKind is what a step does.
type StepKind int

const (
	Load    StepKind = iota // what the pointer leads to
	Field                   // the address of a field, or a field of a value
	Element                 // the address of an element, or an element of a value
)

// At returns the value at the end of the path, as it is now; not ok if it leads through what
// is nil or not set, or out of bounds.
func (p Path) At(a execute.Activation) (v execute.Value, ok bool) {
	v, ok = a.Value(p.Root)
	for _, s := range p.Steps {
		if !ok {
			return v, false
		}
		index := s.Index
		if s.Var != nil {
			x, set := a.Value(s.Var)
			n, isInt := x.Int()
			if !set || !isInt {
				return v, false
			}
			index = int(n)
		}
		switch s.Kind {
		case Load:
			v, ok = v.Load()
		case Field:
			v, ok = v.Field(index)
		case Element:
			v, ok = v.Element(index)
		}
	}
	return v, ok
}

func (p Path) String() string {
	text := "nothing"
	if p.Root != nil {
		text = named(p.Root)
	}
	for _, s := range p.Steps {
		switch {
		case s.Kind == Load:
			text += "*"
		case s.Kind == Field:
			text += fmt.Sprintf(".%d", s.Index)
		case s.Var != nil:
			text += "[" + s.Var.Name() + "]"
		default:
			text += fmt.Sprintf("[%d]", s.Index)
		}
	}
	return text
}

// named says how a function computes a value, as far as that is by fields and elements.
func named(v ssa.Value) string {
	switch x := v.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr:
		return "&" + place(v)
	case *ssa.UnOp:
		if x.Op == token.MUL {
			return place(x.X)
		}
	}
	return v.Name()
}

// place is what an address is of.
func place(address ssa.Value) string {
	switch x := address.(type) {
	case *ssa.FieldAddr:
		of := x.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
		return named(x.X) + "." + of.Field(x.Field).Name()
	case *ssa.IndexAddr:
		return named(x.X) + "[" + named(x.Index) + "]"
	}
	return "*" + named(address)
}

// Address returns the path by which a function computes a value, from the nearest value that is
// neither a field, an element, nor loaded: what it is now, if nothing on the way has changed.
func Address(v ssa.Value) Path {
	step := func(from ssa.Value, s Step) Path {
		p := Address(from)
		p.Steps = append(p.Steps[:len(p.Steps):len(p.Steps)], s)
		return p
	}
	switch x := v.(type) {
	case *ssa.FieldAddr:
		return step(x.X, Step{Kind: Field, Index: x.Field})
	case *ssa.Field:
		return step(x.X, Step{Kind: Field, Index: x.Field})
	}
	return Path{Root: v}
}
