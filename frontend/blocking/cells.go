package blocking

import (
	"go/token"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
)

// loadInto loads what a pointer leads to into a register: the fields of a struct one by one.
func (l *lowerer) loadInto(s *state, p pointer, t types.Type, r ssa.Value) effect {
	if isPrimitive(t) {
		return plain(s, r, copied{p.to})
	}
	if st, ok := t.Underlying().(*types.Struct); ok {
		return plain(s, r, l.loadStruct(s, p, st))
	}
	if _, ok := t.Underlying().(*types.Array); ok || isSpoilt(s, cell{p.to, p.path}) {
		return plain(s, r, nil)
	}
	all := l.load(s, cell{p.to, p.path}, t, l.zeroAt(p, t), l.matters(r))
	e := effect{outcomes: all}
	if len(all) > 1 {
		e.branching = waiting
	}
	for _, o := range all {
		o.state.set(r, o.value)
	}
	return e
}

// zeroAt is the value of memory that nothing was stored to; of package variables that are not followed it is not known.
func (l *lowerer) zeroAt(p pointer, t types.Type) value {
	if p.to.isForeign {
		return nil
	}
	return zero(t)
}

// loadStruct loads the fields of a struct, as far as they are not variables of the model.
func (l *lowerer) loadStruct(s *state, p pointer, st *types.Struct) value {
	all := make(several, st.NumFields())
	for i := range all {
		f := st.Field(i)
		at := pointer{p.to, join(p.path, f.Name())}
		if isPrimitive(f.Type()) {
			all[i] = copied{at.to}
			continue
		}
		if l.quiet.isPartForgotten(st, i) {
			continue
		}
		if inner, ok := f.Type().Underlying().(*types.Struct); ok {
			all[i] = l.loadStruct(s, at, inner)
			continue
		}
		if got := l.load(s, cell{at.to, at.path}, f.Type(), l.zeroAt(at, f.Type()), false); len(got) == 1 {
			all[i] = got[0].value
		}
	}
	return all
}

// store stores a value where a pointer leads: the fields of a struct one by one.
func (l *lowerer) store(s *state, p pointer, t types.Type, v value, isFresh bool) effect {
	var stmts []esl.Stmt
	l.storeAll(s, p, t, v, isFresh, &stmts)
	return effect{outcomes: []outcome{{stmts: stmts, state: s}}}
}

// storeAll adds the statements of a store; isFresh tells that nobody has operated on the object.
func (l *lowerer) storeAll(s *state, p pointer, t types.Type, v value, isFresh bool, stmts *[]esl.Stmt) {
	if c, isCopy := v.(copied); isCopy || isPrimitive(t) && (v == nil || !isFresh) {
		l.copies(c.from, cell{p.to, p.path}, isFresh)
		return
	}
	if st, ok := t.Underlying().(*types.Struct); ok {
		fields, _ := v.(several)
		for i := range st.NumFields() {
			f := st.Field(i)
			var x value
			if i < len(fields) {
				x = fields[i]
			}
			l.storeAll(s, pointer{p.to, join(p.path, f.Name())}, f.Type(), x, isFresh, stmts)
		}
		return
	}
	if a, ok := t.Underlying().(*types.Array); ok {
		for i := range min(int(a.Len()), 32) {
			l.storeAll(s, pointer{p.to, join(p.path, "["+strconv.Itoa(i)+"]")}, a.Elem(), nil, isFresh, stmts)
		}
		return
	}
	*stmts = append(*stmts, l.save(s, cell{p.to, p.path}, l.zeroAt(p, t), inMemory(v))...)
}

// inMemory is what is known of a value that is stored.
func inMemory(v value) value {
	if _, isNil := v.(nothing); isNil {
		return nothing{}
	}
	return v
}

// clearObject makes the memory of an object that has just been made zero.
func (l *lowerer) clearObject(s *state, o *object) {
	s.store = s.store.without(o.cells(), anyPath)
}

// spoilt is the path of the cell that tells that memory of the object was changed in a way that is not known.
const spoilt = "spoilt"

// isSpoilt tells whether memory around a cell was changed in a way that is not known.
func isSpoilt(s *state, c cell) bool {
	v, ok := s.get(cell{c.of, spoilt})
	if _, known := s.get(c); known {
		return false
	}
	return ok && v != nil
}

// spoil forgets what is in the memory of the objects that a value leads to: something that is not followed may have
// changed it.
func (l *lowerer) spoil(s *state, v value) {
	each(v, func(o *object) {
		l.operates(o)
		if _, isMap := o.made.(*ssa.MakeMap); isMap {
			l.openTables(o)
		}
		l.spoilMany(o)
		for c, x := range s.contents(o) {
			switch x.(type) {
			case number, bounded:
				s.put(c, nil)
			}
		}
		s.put(cell{o, spoilt}, truth(true))
	})
}

// forgetAt is the effect of an operation after which it is not known what is in the memory that it is on.
func (l *lowerer) forgetAt(s *state, v value, result ssa.Value) effect {
	e := plain(s, result, nil)
	if p, ok := v.(pointer); ok {
		e.outcomes[0].stmts = l.save(s, cell{p.to, p.path}, nil, nil)
	}
	return e
}

// matters tells whether something depends on the value of a register: a branch, an operation, what is stored or
// handed on. What is only counted up or printed does not.
func (l *lowerer) matters(r ssa.Value) bool {
	if is, ok := l.mattering[r]; ok {
		return is
	}
	seen := map[ssa.Value]bool{r: true}
	for queue := []ssa.Value{r}; len(queue) > 0; queue = queue[1:] {
		isUsed := l.isUsed(queue[0], func(v ssa.Value) {
			if !seen[v] {
				seen[v] = true
				queue = append(queue, v)
			}
		})
		if isUsed {
			l.mattering[r] = true
			return true
		}
	}
	for v := range seen {
		l.mattering[v] = false
	}
	return false
}

// isUsed tells whether something depends on the value of a register itself; into is called for the registers that are
// computed from it, and matter if they do.
func (l *lowerer) isUsed(r ssa.Value, into func(ssa.Value)) bool {
	if r.Referrers() == nil {
		return true
	}
	for _, instr := range *r.Referrers() {
		switch x := instr.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if x.Addr == r {
				return true
			}
			if x.Val == r && !isIntoArguments(x.Addr) && !isCountedUp(r, x.Addr) {
				return true
			}
		case *ssa.Extract, *ssa.BinOp, *ssa.Convert, *ssa.ChangeType, *ssa.Phi, *ssa.MakeInterface:
			into(x.(ssa.Value))
		case *ssa.UnOp:
			if x.Op != token.NOT && x.Op != token.SUB {
				return true
			}
			into(x)
		case *ssa.Call:
			if callee := x.Call.StaticCallee(); callee == nil || l.c.IsFollowed(callee) || isModelled(callee) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// isCountedUp tells whether a value goes back to where it has been computed from, as in n++.
func isCountedUp(v ssa.Value, to ssa.Value) bool {
	b, ok := v.(*ssa.BinOp)
	if !ok {
		return false
	}
	load, ok := b.X.(*ssa.UnOp)
	if !ok {
		return false
	}
	if load.X == to {
		return true
	}
	f, ok1 := load.X.(*ssa.FieldAddr)
	g, ok2 := to.(*ssa.FieldAddr)
	return ok1 && ok2 && f.X == g.X && f.Field == g.Field
}

// isIntoArguments tells whether an address is of an element of the arguments of a call that is not followed, as of
// fmt.Println.
func isIntoArguments(address ssa.Value) bool {
	at, ok := address.(*ssa.IndexAddr)
	if !ok {
		return false
	}
	array, ok := at.X.(*ssa.Alloc)
	return ok && array.Comment == "varargs"
}
