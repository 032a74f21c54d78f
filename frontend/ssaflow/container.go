package ssaflow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// ContainerOf returns the array or slice, or the address of one, that an address of an element, or
// a part of a slice, is made from.
func ContainerOf(pointer ssa.Value) ssa.Value {
	for {
		switch v := pointer.(type) {
		case *ssa.IndexAddr:
			pointer = v.X
		case *ssa.Slice:
			pointer = v.X
		default:
			return pointer
		}
	}
}

// AddressIn returns the address that a store or load is at, nil for other instructions.
func AddressIn(instr ssa.Instruction) ssa.Value {
	switch v := instr.(type) {
	case *ssa.Store:
		return v.Addr
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return v.X
		}
	}
	return nil
}
