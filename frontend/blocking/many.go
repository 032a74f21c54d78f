package blocking

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// An object that stands for many has no memory of its own: what is in a cell of one of them is not known. But where all
// that is ever stored in that cell, of any of them and by anybody, is the same value, and each of them gets it before
// somebody can look, that is what is in it: what a loop makes in each round, and what the goroutine of the round has
// captured of it. That is a summary of a node as shape analyses have it (Chase, Wegman and Zadeck, PLDI 1990).
//
// That no other value is stored is taken for granted until one is: then another round begins.

// storeInMany notes that a value is stored in a cell of an object that stands for many. Nobody can tell any more when
// nothing leads to what the value leads to.
func (l *lowerer) storeInMany(s *state, c cell, x value) {
	cells := l.known.many[c.of]
	if cells == nil {
		cells = map[string]*variable{}
		l.known.many[c.of] = cells
	}
	if cells[c.path] == nil {
		cells[c.path] = &variable{}
	}
	l.known.add(cells[c.path], x)
	l.escapes(s, x)
}

// inMany returns what is known of a cell of an object that stands for many.
func (l *lowerer) inMany(c cell) value {
	v := l.known.many[c.of][c.path]
	if v == nil || len(v.values) != 1 || l.known.manySpoilt[c.of] || l.known.rewritten[c.of] {
		return nil
	}
	if at, ok := c.of.made.(*ssa.Alloc); !ok || !isInitialised(at, c.path) {
		return nil
	}
	return v.values[0]
}

// spoilMany notes that memory of an object was changed in a way that is not known, if it stands for many.
func (l *lowerer) spoilMany(o *object) {
	if o.isMany && !l.known.manySpoilt[o] {
		l.known.manySpoilt[o], l.known.changed = true, true
	}
}

// isInitialised tells whether something is stored at a path of what an instruction allocates before that is used in any
// other way.
func isInitialised(at *ssa.Alloc, path string) bool {
	paths := map[ssa.Value]string{at: ""}
	var room [8]*ssa.Value
	isBehind := false
	for _, instr := range at.Block().Instrs {
		if instr == ssa.Instruction(at) {
			isBehind = true
			continue
		}
		if !isBehind {
			continue
		}
		switch x := instr.(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.FieldAddr:
			if of, ok := paths[x.X]; ok {
				paths[x] = join(of, fieldName(x.X.Type(), x.Field))
			}
			continue
		case *ssa.Store:
			if _, isLed := paths[x.Val]; isLed {
				return false
			}
			if to, ok := paths[x.Addr]; ok && (to == "" || to == path || strings.HasPrefix(path, to+".")) {
				return true
			}
			continue
		}
		for _, operand := range instr.Operands(room[:0]) {
			if _, isUsed := paths[*operand]; isUsed {
				return false
			}
		}
	}
	return false
}
