package lockset

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// ownLocks is the objects of one site that are accessed so.
type ownLocks struct {
	l        *Locks
	object   *pointsto.Object
	lock     string                       // the path of the lock
	sections map[*ssa.Call]esl.AccessKind // by the call that takes the lock
	accesses map[ownAccess]bool
	inner    map[*pointsto.Object]bool // maps and arrays that fields of the object hold, each made for it
}

// ownAccess is an access through a pointer by an instruction of a node.
type ownAccess struct {
	node    *pointsto.Node
	at      ssa.Instruction
	pointer ssa.Value
}

// ownLocksOf returns what is known of the object, or of the one whose map or array it is;
// nil if it is not accessed so.
func (l *Locks) ownLocksOf(o *pointsto.Object) *ownLocks {
	if l.ownLocks == nil {
		l.ownLocks = map[*pointsto.Object]*ownLocks{}
		for _, o := range l.Stars.Watched() {
			if own := l.findOwnLocks(o); own != nil {
				l.ownLocks[o] = own
			}
		}
		l.addInner()
	}
	return l.ownLocks[o]
}

// addInner adds the maps and arrays that are held by one of the objects each.
func (l *Locks) addInner() {
	holders := map[*pointsto.Object][]*ownLocks{}
	for _, own := range l.ownLocks {
		for m := range own.inner {
			holders[m] = append(holders[m], own)
		}
	}
	for m, all := range holders {
		if l.ownLocks[m] == nil && len(all) == 1 {
			l.ownLocks[m] = all[0]
		}
	}
}

func (l *Locks) findOwnLocks(o *pointsto.Object) *ownLocks {
	if len(l.Stars.Regions(o)) == 0 || len(l.Stars.StarsAt(pointsto.Cell{Object: o})) > 0 || !l.Stars.IsApart(o) ||
		l.Stars.IsCompanion(o) || !holdsMutex(o.Type) {
		return nil
	}
	own := &ownLocks{l: l, object: o, sections: map[*ssa.Call]esl.AccessKind{}, accesses: map[ownAccess]bool{}}
	own.findInner()
	for _, n := range l.Graph.Holders(append(slices.Collect(maps.Keys(own.inner)), o)...) {
		if !knowledge.IsSynchronisation(n.Func) && !own.read(n) {
			return nil
		}
	}
	if own.lock == "" || l.Kept.Locks[pointsto.Cell{Object: o, Path: own.lock}] || l.Stars.Owns(o) {
		return nil // or it is known which lock it is
	}
	return own
}

// findInner finds the maps and arrays that the fields of the object hold and that belong
// to the same locations.
func (own *ownLocks) findInner() {
	own.inner = map[*pointsto.Object]bool{}
	regions := own.l.Stars.Regions(own.object)
	for _, cell := range own.l.Graph.Cells(own.object) {
		for _, held := range own.l.Graph.Contents(cell).Objects() {
			switch held.Type.Underlying().(type) {
			case *types.Map, *types.Slice, *types.Array:
				own.inner[held] = own.l.Stars.IsApart(held) &&
					!slices.ContainsFunc(own.l.Stars.Regions(held), func(at isolate.Location) bool {
						return !slices.Contains(regions, at)
					})
			}
		}
	}
	maps.DeleteFunc(own.inner, func(_ *pointsto.Object, is bool) bool { return !is })
}

// ownHold is how a lock is held, by the base of its object.
type ownHold struct {
	by    *ssa.Call
	reads bool
}

// read follows the function of a node. It reports whether each access to the object there
// is fresh, or made with its own lock held by the same activation; maps and arrays of which
// that does not hold are left to themselves.
func (own *ownLocks) read(n *pointsto.Node) bool {
	if len(n.Func.Blocks) == 0 {
		return true
	}
	entry := make([]map[ssa.Value]ownHold, len(n.Func.Blocks))
	work := []*ssa.BasicBlock{n.Func.Blocks[0]}
	if n.Func.Recover != nil {
		work = append(work, n.Func.Recover)
		entry[n.Func.Recover.Index] = map[ssa.Value]ownHold{}
	}
	entry[0] = map[ssa.Value]ownHold{}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		held := map[ssa.Value]ownHold{}
		for k, v := range entry[b.Index] {
			held[k] = v
		}
		for _, instr := range b.Instrs {
			own.step(n, instr, held)
		}
		for _, to := range b.Succs {
			if meet(&entry[to.Index], held) {
				work = append(work, to)
			}
		}
	}
	for _, b := range n.Func.Blocks {
		held := entry[b.Index]
		if held == nil {
			continue
		}
		for _, instr := range b.Instrs {
			if !own.allows(n, instr, held) {
				return false
			}
			own.step(n, instr, held)
		}
	}
	return true
}

// meet keeps in a map what both have. It reports whether that has changed it.
func meet(to *map[ssa.Value]ownHold, from map[ssa.Value]ownHold) bool {
	if *to == nil {
		*to = map[ssa.Value]ownHold{}
		for k, v := range from {
			(*to)[k] = v
		}
		return true
	}
	changed := false
	for k, v := range *to {
		if from[k] != v {
			delete(*to, k)
			changed = true
		}
	}
	return changed
}

// step follows what an instruction does to the locks that are held.
func (own *ownLocks) step(n *pointsto.Node, instr ssa.Instruction, held map[ssa.Value]ownHold) {
	if v, ok := instr.(ssa.Value); ok {
		delete(held, v) // another object, in a loop
	}
	if _, runs := instr.(*ssa.RunDefers); runs {
		clear(held)
	}
	call, ok := instr.(*ssa.Call)
	if !ok {
		return
	}
	base, op, ok := own.operation(n, call)
	if !ok {
		return
	}
	switch op {
	case knowledge.Lock, knowledge.RLock:
		held[base] = ownHold{call, op == knowledge.RLock}
	default:
		delete(held, base)
	}
}

// operation returns the base of the object on whose lock a call is an operation.
func (own *ownLocks) operation(n *pointsto.Node, call ssa.CallInstruction) (
	base ssa.Value, op knowledge.LockOp, ok bool) {
	callee := call.Common().StaticCallee()
	if callee == nil || len(call.Common().Args) == 0 {
		return nil, 0, false
	}
	if op, ok = knowledge.LockOperation(callee); !ok {
		return nil, 0, false
	}
	base, path := modref.FieldPath(call.Common().Args[0])
	if path == "" || !own.isIt(n, base) {
		return nil, 0, false
	}
	return mustalias.BaseKey(base), op, own.lock == "" || own.lock == path
}

// isIt tells whether a value may be the address of the object.
func (own *ownLocks) isIt(n *pointsto.Node, v ssa.Value) bool {
	return slices.Contains(own.l.Graph.PointsTo(n, v).Objects(), own.object)
}

// allows looks at an instruction before which the locks are held.
func (own *ownLocks) allows(n *pointsto.Node, instr ssa.Instruction, held map[ssa.Value]ownHold) bool {
	if field, ok := instr.(*ssa.FieldAddr); ok && own.isIt(n, field.X) && own.isLock(field) {
		return own.allowsLock(n, field)
	}
	if call, ok := instr.(ssa.CallInstruction); ok {
		if base, op, is := own.operation(n, call); is {
			_, isHeld := held[base]
			switch instr.(type) {
			case *ssa.Call:
				return isTakingLock(op) != isHeld
			case *ssa.Defer:
				return !isTakingLock(op) && isHeld
			}
			return false
		}
	}
	if store, ok := instr.(*ssa.Store); ok && fresh.HoldsPointers(store.Val.Type()) {
		own.holds(n, store)
	}
	pointers := reduce.Pointers(instr)
	for _, pointer := range pointers {
		if !own.allowsPointer(n, instr, pointer, held) {
			return false
		}
	}
	if len(pointers) == 0 { // what a library function accesses
		for _, c := range reduce.CellsAccessedBy(own.l.Graph, own.l.Stars, n, instr) {
			if c.Object == own.object {
				return false
			}
			delete(own.inner, c.Object)
		}
	}
	return true
}

// holds looks at a store to a field of the object: of a map or array that is not made for
// it nothing is known.
func (own *ownLocks) holds(n *pointsto.Node, store *ssa.Store) {
	if !own.isIt(n, store.Addr) || own.isMade(store.Val, store) {
		return
	}
	if !ssaflow.IsPointerLike(store.Val.Type()) { // a struct, with what it holds
		clear(own.inner)
	}
	for _, o := range own.l.Graph.PointsTo(n, store.Val).Objects() {
		delete(own.inner, o)
	}
}

// isMade tells whether a stored value is new, or what the same field held before with
// elements appended.
func (own *ownLocks) isMade(v ssa.Value, store *ssa.Store) bool {
	switch v := v.(type) {
	case *ssa.MakeMap, *ssa.MakeSlice:
		return fresh.IsKeptOnlyBy(v, store)
	case *ssa.Slice:
		made, ok := v.X.(*ssa.Alloc)
		return ok && fresh.IsKeptOnlyBy(made, store)
	case *ssa.Call:
		if !ssaflow.IsBuiltin(v, "append") {
			return false
		}
		before, ok := v.Call.Args[0].(*ssa.UnOp)
		return ok && ssaflow.IsSameField(before.X, store.Addr)
	}
	return false
}

// allowsPointer looks at an access through a pointer.
func (own *ownLocks) allowsPointer(n *pointsto.Node, instr ssa.Instruction, pointer ssa.Value,
	held map[ssa.Value]ownHold) bool {
	if !ssaflow.IsPointerLike(pointer.Type()) {
		return true
	}
	var itself, inner, changes bool
	objects := own.l.Graph.PointsTo(n, pointer).Cells()
	for _, c := range objects {
		itself = itself || c.Object == own.object
		inner = inner || own.inner[c.Object]
		changes = changes || own.l.isWrittenCell(c)
	}
	writes := modref.IsWrite(instr)
	if !itself && !inner || own.l.Unpublished.Is(n, pointer, instr) || !writes && !changes {
		return true
	}
	base, path := own.baseOf(pointer, itself)
	with, isHeld := held[mustalias.BaseKey(base)]
	if !isHeld || path == "" || writes && with.reads || itself && inner || own.isNewAt(n, with.by) {
		for _, c := range objects {
			delete(own.inner, c.Object)
		}
		return !itself
	}
	own.note(ownAccess{n, instr, pointer}, with.by, writes)
	return true
}

// isNewAt tells whether nobody else has the object when its lock is taken: then there is no
// access there, and others may get it before the accesses that follow.
func (own *ownLocks) isNewAt(n *pointsto.Node, by *ssa.Call) bool {
	lock, ok := by.Call.Args[0].(*ssa.FieldAddr)
	return !ok || own.l.Unpublished.Is(n, lock.X, by)
}

// baseOf returns the object that an address is in, and where; of a map or array, or an
// element of it, that of the field that it was loaded from.
func (own *ownLocks) baseOf(pointer ssa.Value, itself bool) (base ssa.Value, path string) {
	for !itself {
		switch v := pointer.(type) {
		case *ssa.IndexAddr:
			pointer = v.X
			continue
		case *ssa.Slice:
			pointer = v.X
			continue
		case *ssa.UnOp:
			pointer = v.X
		default:
			return pointer, ""
		}
		break
	}
	return modref.FieldPath(pointer)
}

// isWrittenCell tells whether the cell is a location, and written when others can reach it.
func (l *Locks) isWrittenCell(c pointsto.Cell) bool {
	return len(l.Stars.LocationsAt(c)) > 0 && l.Unpublished.IsCellWritten(c)
}

func isTakingLock(op knowledge.LockOp) bool {
	return op == knowledge.Lock || op == knowledge.RLock || op == knowledge.TryLock || op == knowledge.TryRLock
}

// isLock tells whether the address is that of a lock of the object.
func (own *ownLocks) isLock(field *ssa.FieldAddr) bool {
	for _, r := range *field.Referrers() {
		if inner, ok := r.(*ssa.FieldAddr); ok && own.isLock(inner) {
			return true
		}
	}
	return isMutexPointer(field.Type())
}

// allowsLock tells whether the address of the lock, or of a struct with it, is used for
// operations on it only, and always the same lock.
func (own *ownLocks) allowsLock(n *pointsto.Node, field *ssa.FieldAddr) bool {
	if !isMutexPointer(field.Type()) {
		return false // the lock of an embedded struct
	}
	_, path := modref.FieldPath(field)
	if own.lock == "" {
		own.lock = path
	}
	if own.lock != path {
		return false
	}
	for _, r := range *field.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Call, *ssa.Defer:
			_, op, ok := own.operation(n, r.(ssa.CallInstruction))
			if !ok || op == knowledge.TryLock || op == knowledge.TryRLock {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// note adds an access to those of the section that a call begins.
func (own *ownLocks) note(access ownAccess, by *ssa.Call, writes bool) {
	own.accesses[access] = true
	kind := esl.AtomicRead
	if writes {
		kind = esl.AtomicWrite
	}
	if known, ok := own.sections[by]; ok && known != kind {
		kind = esl.RMW
	}
	own.sections[by] = kind
}

// IsInOwnSection tells whether an access is to such objects only: the model has it where
// the lock is taken.
func (l *Locks) IsInOwnSection(n *pointsto.Node, pointer ssa.Value, at ssa.Instruction) bool {
	if !ssaflow.IsPointerLike(pointer.Type()) {
		return false
	}
	found := false
	for _, cell := range l.Graph.PointsTo(n, pointer).Cells() {
		if len(l.Stars.LocationsAt(cell)) == 0 {
			continue
		}
		own := l.ownLocksOf(cell.Object)
		if own == nil || !own.accesses[ownAccess{n, at, pointer}] {
			return false
		}
		found = true
	}
	return found
}

// OwnSection returns the kinds of the accesses in the critical sections of such objects
// that a call of the node begins.
func (l *Locks) OwnSection(n *pointsto.Node, at ssa.Instruction) (kinds []esl.AccessKind, object ssa.Value) {
	call, ok := at.(*ssa.Call)
	if !ok || len(call.Call.Args) == 0 || call.Call.StaticCallee() == nil {
		return nil, nil
	}
	lock, ok := call.Call.Args[0].(*ssa.FieldAddr)
	if _, isLock := knowledge.LockOperation(call.Call.StaticCallee()); !ok || !isLock {
		return nil, nil
	}
	for _, o := range l.Graph.PointsTo(n, lock.X).Objects() {
		own := l.ownLocksOf(o)
		if own == nil || own.object != o {
			continue
		}
		if kind, accesses := own.sections[call]; accesses && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	return kinds, lock.X
}

// holdsMutex tells whether a field of the struct, or of the elements of the array, is a
// mutex.
func holdsMutex(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if isMutexPointer(types.NewPointer(f.Type())) {
				return true
			}
		}
	case *types.Array:
		return holdsMutex(u.Elem())
	case *types.Slice:
		return holdsMutex(u.Elem())
	}
	return false
}

// isMutexPointer tells whether the type is that of the address of a mutex.
func isMutexPointer(t types.Type) bool {
	switch types.TypeString(t, nil) {
	case "*sync.Mutex", "*sync.RWMutex":
		return true
	}
	return false
}
