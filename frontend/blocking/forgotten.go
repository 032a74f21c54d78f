package blocking

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// forget finds out which memory functions write that are left out.
func (q *quiet) forget() {
	q.forgotten = q.prints.newAccessed()
	q.isForgotten, q.isSpent = map[ssa.Instruction]bool{}, map[*ssa.Store]bool{}
	seen := map[*traits]bool{}
	var queue []*traits
	for _, t := range q.functions {
		if q.isLeftOut(t.fn) {
			queue = append(queue, t)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		if t := queue[0]; !seen[t] && !t.must {
			seen[t] = true
			q.forgotten.addAll(t.print.writes)
			queue = append(queue, t.callees...)
		}
	}
}

// isPartForgotten tells whether it is not known what a field of structs of a type holds, as something writes it that is
// left out, or writes memory that is not known.
func (q *quiet) isPartForgotten(t *types.Struct, field int) bool {
	m := q.fieldOf(t, field)
	return q.overwritten.meets([]memory{m}) || q.isCoarse && (q.forgotten.meets([]memory{m}) || q.isUnneeded(m))
}

// fieldOf returns the memory that a field of structs of a type is.
func (q *quiet) fieldOf(t *types.Struct, field int) memory {
	return memory{q.prints.owner(part{q.prints.number(t), field}), q.prints.number(t.Field(field).Type())}
}

// isUnneeded tells whether some memory is numbers and texts on which nothing depends that is evaluated, as most of the
// tables of a program are.
func (q *quiet) isUnneeded(m memory) bool {
	return q.prints.plain[m.holds] && !q.needed.meets([]memory{m})
}

// readsForgotten tells whether an instruction reads memory of which it is not known what it holds, as something writes
// it that is left out, or writes memory that is not known; the fields of a struct are looked at one by one: see
// isPartForgotten.
func (q *quiet) readsForgotten(instr ssa.Instruction) bool {
	if !q.isCoarse && len(q.overwritten.all) == 0 {
		return false
	}
	if load, ok := instr.(*ssa.UnOp); ok {
		if _, isStruct := load.Type().Underlying().(*types.Struct); isStruct {
			return false
		}
	}
	is, ok := q.isForgotten[instr]
	if !ok {
		var print footprint
		q.prints.add(&print, instr, func(ssa.Value) bool { return false })
		is = q.overwritten.meets(print.reads) ||
			q.isCoarse && (q.forgotten.meets(print.reads) || slices.ContainsFunc(print.reads, q.isUnneeded))
		q.isForgotten[instr] = is
	}
	return is
}

// isForNobody tells whether nobody reads what is stored, but for code that is left out.
func (q *quiet) isForNobody(x *ssa.Store) bool {
	if !q.isCoarse || holdsPrimitive(x.Val.Type()) {
		return false
	}
	is, ok := q.isSpent[x]
	if !ok {
		of := q.prints.ownerOf(x.Addr)
		is = !slices.ContainsFunc(q.prints.within(nil, of, x.Val.Type()), func(m memory) bool {
			return !q.forgotten.all[m] && !q.isUnneeded(m)
		})
		q.isSpent[x] = is
	}
	return is
}
