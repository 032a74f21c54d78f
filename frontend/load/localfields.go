package load

import (
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// forwardStores replaces loads of fields of local structs by what was stored there,
//
//	j := job{queue: q}; j.queue.mu.Lock()    q.mu.Lock()
//
// if no pointer to the struct exists but for its accesses, there is one store to the field and
// none to what is around it or in it, and the load comes after the store. (The SSA form keeps
// structs in memory, unlike other variables.) It takes time linear in the size of the functions.
func forwardStores(functions []*ssa.Function) {
	for _, fn := range functions {
		var variables []*ssa.Alloc
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if a, ok := instr.(*ssa.Alloc); ok && !a.Heap {
					variables = append(variables, a)
				}
			}
		}
		for _, a := range variables {
			forwardIn(a)
		}
	}
}

// part is the accesses to a part of a local variable.
type part struct {
	stores   []*ssa.Store
	reads    []read
	embedded bool // it is, or is in, an embedded field
}

// read is a value that is a part of a variable, and the load by which it was read: the value
// itself, or of more than the part.
type read struct {
	value ssa.Value
	load  *ssa.UnOp
}

func forwardIn(a *ssa.Alloc) {
	parts := map[string]*part{} // by the numbers of the fields that lead there
	if !partsOf(a, "", parts) {
		return
	}
	for _, path := range slices.Sorted(maps.Keys(parts)) {
		p := parts[path]
		if p.embedded || len(p.stores) != 1 || overlapsStored(path, parts) {
			continue
		}
		for _, r := range p.reads {
			if executesAfter(p.stores[0], r.load) {
				replace(r.value, p.stores[0].Val)
			}
		}
	}
}

// partsOf collects the accesses by an address. It tells whether there is no other use of it.
func partsOf(address ssa.Value, path string, parts map[string]*part) bool {
	at := partAt(path, parts)
	for _, user := range *address.Referrers() {
		switch user := user.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			at.reads = append(at.reads, read{user, user})
			fieldsOf(user, path, user, parts)
		case *ssa.Store:
			if user.Val == address {
				return false
			}
			at.stores = append(at.stores, user)
		case *ssa.FieldAddr:
			path := inField(path, user.Field)
			partAt(path, parts).embedded = at.embedded || isEmbedded(user.X.Type(), user.Field)
			if !partsOf(user, path, parts) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// fieldsOf collects the fields that are taken from a struct which was loaded.
func fieldsOf(v ssa.Value, around string, load *ssa.UnOp, parts map[string]*part) {
	for _, user := range *v.Referrers() {
		if field, ok := user.(*ssa.Field); ok {
			path := inField(around, field.Field)
			at := partAt(path, parts)
			at.embedded = partAt(around, parts).embedded || isEmbedded(field.X.Type(), field.Field)
			at.reads = append(at.reads, read{field, load})
			fieldsOf(field, path, load, parts)
		}
	}
}

func inField(path string, field int) string { return path + strconv.Itoa(field) + "." }

// isEmbedded tells whether a field of a struct, or of the struct that the type points to, is
// embedded.
func isEmbedded(t types.Type, field int) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return t.Underlying().(*types.Struct).Field(field).Embedded()
}

func partAt(path string, parts map[string]*part) *part {
	if parts[path] == nil {
		parts[path] = &part{}
	}
	return parts[path]
}

// overlapsStored tells whether what is around a part, or in it, is stored to.
func overlapsStored(path string, parts map[string]*part) bool {
	for other, p := range parts {
		if other != path && len(p.stores) > 0 && (strings.HasPrefix(path, other) || strings.HasPrefix(other, path)) {
			return true
		}
	}
	return false
}

// executesAfter tells whether a load is executed only after a store.
func executesAfter(store *ssa.Store, load *ssa.UnOp) bool {
	if store.Block() != load.Block() {
		return store.Block().Dominates(load.Block())
	}
	instrs := store.Block().Instrs
	return slices.Index(instrs, ssa.Instruction(store)) < slices.Index(instrs, ssa.Instruction(load))
}

// replace has the users of a value use another one. The instruction that computes it stays,
// without users.
func replace(v, by ssa.Value) {
	for _, user := range *v.Referrers() {
		for _, operand := range user.Operands(nil) {
			if *operand == v {
				*operand = by
				if refer := by.Referrers(); refer != nil {
					*refer = append(*refer, user)
				}
			}
		}
	}
	*v.Referrers() = nil
}
