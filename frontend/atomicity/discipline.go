package atomicity

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// discipline is how the whole program accesses memory of a class, when others than the goroutine that
// made it can reach it.
type discipline struct {
	escapes bool // its address, or the map or slice, gets where accesses are not followed
	written bool

	plainRead, plainWrite bool
	// by the locks that are held: at all writes, exclusively; and also at all reads; and at all plain reads
	writers, all, plainReaders relations

	history history
	looked  bool // it is accessed otherwise than by adding to it
}

// relations is a set of relations; nil is the set of all.
type relations map[relation]bool

// keepOnly leaves what is in the other set, too.
func (r relations) keepOnly(other relations) relations {
	if r == nil {
		return other
	}
	kept := relations{}
	for k := range r {
		if other[k] {
			kept[k] = true
		}
	}
	return kept
}

func (r relations) meets(other relations) bool {
	for k := range r {
		if other[k] {
			return true
		}
	}
	return false
}

// isOrdered tells whether no two accesses race, one of which writes.
func (d *discipline) isOrdered() bool {
	switch {
	case d.escapes:
		return false
	case !d.written, !d.plainRead && !d.plainWrite, len(d.all) > 0:
		return true
	}
	return !d.plainWrite && d.writers.meets(d.plainReaders)
}

// findDisciplines looks at the whole program. Accesses are only collected: each is looked at when it is asked about its
// class, as few classes are.
func (p *Program) findDisciplines() {
	p.disciplines, p.collected = map[class]*discipline{}, map[class][]access{}
	for _, fn := range p.graph.Functions() {
		if knowledge.IsSynchronisation(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				p.escapesAt(instr)
				all, _ := p.accesses(instr)
				for _, a := range all {
					if a.class.of != 0 {
						p.collected[a.class] = append(p.collected[a.class], a)
					}
				}
			}
		}
	}
}

// of returns the discipline of a class.
func (p *Program) of(c class) *discipline {
	all := p.collected[c]
	delete(p.collected, c)
	for _, a := range all {
		p.note(a)
	}
	return p.entry(c)
}

// entry returns the discipline of a class as far as it is known.
func (p *Program) entry(c class) *discipline {
	d := p.disciplines[c]
	if d == nil {
		d = &discipline{}
		p.disciplines[c] = d
	}
	return d
}

// isFresh tells whether nobody else can reach the memory that is accessed.
func (p *Program) isFresh(a access) bool {
	if isInitializer(a.at.Parent()) {
		if _, ok := a.place.root.(*ssa.Global); ok {
			return true
		}
	}
	nodes := p.graph.NodesOf(a.at.Parent())
	for _, n := range nodes {
		if !p.unpublished.Is(n, a.pointer, a.at) {
			return false
		}
	}
	return len(nodes) > 0
}

func isInitializer(fn *ssa.Function) bool { return fn.Synthetic == "package initializer" }

// note takes an access into account.
func (p *Program) note(a access) {
	if p.isFresh(a) {
		return
	}
	d := p.entry(a.class)
	d.looked = d.looked || !p.isAddition(a)
	if a.writes {
		p.noteWrite(a)
	}
	with := relations{}
	for lock, exclusive := range p.holding.heldAt(a.at) {
		if a.writes && !exclusive {
			continue
		}
		for _, r := range relate(a.place.path, lock.path, lock.root == a.place.root, p.globalOf(lock.root)) {
			with[r] = true
		}
	}
	if a.writes {
		d.written = true
		d.plainWrite = d.plainWrite || !a.atomic
		d.writers = d.writers.keepOnly(with)
	} else if !a.atomic {
		d.plainRead = true
		d.plainReaders = d.plainReaders.keepOnly(with)
	}
	d.all = d.all.keepOnly(with)
}

// globalOf returns the number of a package variable, 0 for other values.
func (n *numbers) globalOf(root ssa.Value) rune {
	if g, ok := root.(*ssa.Global); ok && g.Object() != nil {
		return n.number(g.Object())
	}
	return 0
}

// escapesAt notes the variables of which an instruction takes the address, or the map or slice, where
// it is not followed.
func (p *Program) escapesAt(instr ssa.Instruction) {
	for _, operand := range instr.Operands(nil) {
		if g, ok := (*operand).(*ssa.Global); ok {
			p.addressUsed(g, instr)
		}
	}
	switch v := instr.(type) {
	case *ssa.Store:
		if _, isStruct := v.Val.Type().Underlying().(*types.Struct); isStruct && !isAtomicType(v.Val.Type()) {
			p.leaves(p.place(v.Addr), v.Val.Type(), func(at place) { p.entry(class{p.last(at), true}).escapes = true })
		}
	case *ssa.FieldAddr:
		for _, r := range *v.Referrers() {
			p.addressUsed(v, r)
		}
	case *ssa.UnOp:
		p.loaded(v)
	case *ssa.MakeInterface:
		p.boxed(v)
	case *ssa.Convert:
		p.converted(v.X.Type(), v.Type())
	case *ssa.ChangeType:
		p.converted(v.X.Type(), v.Type())
	}
}

// addressUsed looks at what is done with the address of a variable.
func (p *Program) addressUsed(address ssa.Value, by ssa.Instruction) {
	at := p.place(address)
	c := class{of: p.last(at)}
	t := elem(address.Type())
	_, isStruct := t.Underlying().(*types.Struct)
	if isStruct && !isAtomicType(t) {
		return // its fields are told apart wherever their addresses are taken
	}
	switch by := by.(type) {
	case *ssa.DebugRef:
		return
	case *ssa.UnOp:
		return
	case *ssa.Store:
		if by.Addr == address && by.Val != address {
			if ssaflow.IsPointerLike(t) || ssaflow.IsMapOrSlice(by.Val) {
				p.stored(c, by)
			}
			return
		}
	case *ssa.Call:
		fn := by.Call.StaticCallee()
		if fn != nil && len(by.Call.Args) > 0 && by.Call.Args[0] == address && knowledge.IsAtomic(fn) {
			for _, other := range by.Call.Args[1:] {
				if other == address {
					p.entry(c).escapes = true
				}
			}
			return
		}
	}
	p.entry(c).escapes = true
	p.entry(class{c.of, true}).escapes = true
}

// stored looks at a map or slice that gets into a variable: it has to be a new one that is nowhere
// else.
func (p *Program) stored(c class, store *ssa.Store) {
	if !ssaflow.IsMapOrSlice(store.Val) || ssaflow.IsNil(store.Val) {
		return
	}
	switch made := store.Val.(type) {
	case *ssa.MakeMap, *ssa.MakeSlice:
		if onlyUsed(made, store) {
			return
		}
	case *ssa.Call:
		if ssaflow.IsBuiltin(made, "append") && onlyUsed(made, store) {
			if from := holder(made.Call.Args[0]); from != nil && p.place(from) == p.place(store.Addr) {
				return
			}
		}
	}
	p.entry(class{c.of, true}).escapes = true
}

// onlyUsed tells whether a value is used by one instruction only.
func onlyUsed(v ssa.Value, by ssa.Instruction) bool {
	for _, r := range *v.Referrers() {
		if _, isDebug := r.(*ssa.DebugRef); r != by && !isDebug {
			return false
		}
	}
	return true
}

// loaded looks at what is done with a map or slice that is loaded from a variable, and at structs that
// are copied with the maps and slices in them.
func (p *Program) loaded(load *ssa.UnOp) {
	if _, isStruct := load.Type().Underlying().(*types.Struct); isStruct && elem(load.X.Type()) != nil {
		p.leaves(p.place(load.X), load.Type(), func(at place) { p.entry(class{p.last(at), true}).escapes = true })
		return
	}
	from := holder(load)
	if from == nil {
		return
	}
	c := class{p.last(p.place(from)), true}
	for _, r := range *load.Referrers() {
		if !isOnlyAccess(load, r) || !p.isStoredBack(load, r) {
			p.entry(c).escapes = true
		}
	}
}

// isStoredBack tells whether what is appended to a slice gets to where that is from, and nowhere else.
func (p *Program) isStoredBack(v ssa.Value, by ssa.Instruction) bool {
	if !ssaflow.IsBuiltin(by, "append") || by.(*ssa.Call).Call.Args[0] != v {
		return true
	}
	for _, r := range *by.(*ssa.Call).Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if p.place(r.Addr) != p.place(holder(v)) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isOnlyAccess tells whether an instruction does nothing with a map or slice but access what is in it.
func isOnlyAccess(v ssa.Value, by ssa.Instruction) bool {
	switch by := by.(type) {
	case *ssa.DebugRef, *ssa.Lookup, *ssa.Range, *ssa.BinOp:
		return true
	case *ssa.MapUpdate:
		return by.Map == v && by.Value != v
	case *ssa.IndexAddr:
		for _, r := range *by.Referrers() {
			switch r := r.(type) {
			case *ssa.DebugRef, *ssa.UnOp:
			case *ssa.Store:
				if r.Addr != ssa.Value(by) {
					return false
				}
			default:
				return false
			}
		}
		return true
	case *ssa.Call:
		builtin, ok := by.Call.Value.(*ssa.Builtin)
		if !ok {
			return false
		}
		switch builtin.Name() {
		case "len", "cap", "delete", "clear", "copy":
			return true
		case "append": // where it is stored is looked at there
			return true
		}
	}
	return false
}

// boxed looks at a value that gets into an interface without methods: reflection may read it.
func (p *Program) boxed(v *ssa.MakeInterface) {
	if i, ok := v.Type().Underlying().(*types.Interface); !ok || i.NumMethods() > 0 || isOfClient(v.Parent()) {
		return
	}
	t := v.X.Type()
	if pointed := elem(t); pointed != nil {
		t = pointed
	}
	if _, isStruct := t.Underlying().(*types.Struct); isStruct {
		p.leaves(place{root: v.X}, t, func(at place) {
			d := p.entry(class{of: p.last(at)})
			d.plainRead, d.looked, d.plainReaders, d.all = true, true, relations{}, relations{}
			p.entry(class{p.last(at), true}).escapes = true
		})
	}
}

// isOfClient tells whether a function calls a library in place of a program.
func isOfClient(fn *ssa.Function) bool {
	return fn.Pkg != nil && fn.Pkg.Pkg.Path() == knowledge.ClientPath
}

// converted looks at a pointer that gets another type: then a field may have another name.
func (p *Program) converted(from, to types.Type) {
	a, b := elem(from), elem(to)
	if a == nil {
		return
	}
	if b != nil {
		s, _ := a.Underlying().(*types.Struct)
		u, _ := b.Underlying().(*types.Struct)
		if s == nil || u == nil || s == u || s.NumFields() == 0 || s.Field(0) == u.Field(0) {
			return
		}
	}
	for _, t := range []types.Type{a, b} {
		if t == nil {
			continue
		}
		if _, ok := t.Underlying().(*types.Struct); ok {
			p.leaves(place{}, t, func(at place) {
				p.entry(class{of: p.last(at)}).escapes = true
				p.entry(class{p.last(at), true}).escapes = true
			})
		}
	}
}
