package keys

import (
	"context"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Shards: the elements of arrays and slices are memory cells as the entries of a map are, and
// where a type keeps an array of locks beside arrays of data, lock i guards element i of them.
// There are two isolated indices, the same for all fields; an index is one of them, or another
// one, wherever it is computed. What has another index is no location of this model, and no lock.
//
// The address of an element is told by its path: of the array, and the class of the index.

// IsOfIndices tells whether it is the elements of arrays and slices that are told apart.
func (k *Keys) IsOfIndices() bool { return k != nil && k.locks != nil }

// FindIndices returns what is known of the indices of the arrays and slices that are fields of the
// set, nil if there are none beside an array or slice of locks.
func FindIndices(ctx context.Context, facts *modref.Facts) *Keys {
	k := &Keys{Facts: facts, carriers: map[ssa.Value]bool{}, locks: map[string]bool{}, isolated: true,
		nested: map[int]bool{}}
	if k.of = k.structure(); k.of == nil {
		return nil
	}
	frozen := isolate.FindFrozen(ctx, facts.Graph, facts.Stars.Watched()...)
	uses := k.uses()
	k.fields = make([]bool, len(facts.Stars.Subject.Fields))
	found, isFilledOtherwise := false, sync.OnceValue(k.isFilledOtherwise)
	for f := range k.of.Fields() {
		element := elementOf(f.Type())
		_, isSlice := f.Type().Underlying().(*types.Slice)
		if element == nil || isSlice && !k.isFrozen(frozen, f.Name()) {
			continue
		}
		if isMutex(element) {
			if onlyLocks(uses[f.Name()], isSlice) {
				k.locks[f.Name()] = true
			}
		} else if i := slices.Index(facts.Stars.Subject.Fields, f.Name()); i >= 0 {
			k.fields[i], found = true, true
			k.nested[i] = isPlainContainer(element) && ownsElements(uses[f.Name()], isSlice) && !isFilledOtherwise()
		}
	}
	if !found || len(k.locks) == 0 {
		return nil
	}
	for name := range uses {
		for _, use := range uses[name] {
			for _, address := range indexed(use) {
				if k.isToldApart(name) {
					k.trace(address.Parent(), address.Index)
				}
			}
		}
	}
	if k.exhausted {
		return nil
	}
	k.findLockSlices()
	return k
}

// structure returns the struct that the checked objects are, nil if they are in an array, or no
// one struct.
func (k *Keys) structure() (of *types.Struct) {
	for _, star := range k.Stars.Stars {
		for o := range star.Objects {
			t := (pointsto.Cell{Object: o, Path: star.Path}).Type()
			if t == nil || strings.Contains(star.Path, "[") {
				return nil
			}
			is, ok := t.Underlying().(*types.Struct)
			if !ok || of != nil && is != of || !k.Stars.Subject.Is(t) {
				return nil
			}
			of = is
		}
	}
	return of
}

// isOfStructure tells whether the type is that of the checked objects, or one that is converted to it.
func (k *Keys) isOfStructure(t types.Type) bool { return types.Identical(t.Underlying(), k.of) }

// elementOf returns the type of the elements of arrays or slices, nil for other types.
func elementOf(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Array:
		return u.Elem()
	case *types.Slice:
		return u.Elem()
	}
	return nil
}

// isMutex tells whether values of the type are locks.
func isMutex(t types.Type) bool {
	name := types.Unalias(t).String()
	return name == "sync.Mutex" || name == "sync.RWMutex"
}

// isPlainContainer tells whether values of the type are maps or slices of what has no pointers.
func isPlainContainer(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Map:
		return isBasic(u.Key()) && isBasic(u.Elem())
	case *types.Slice:
		return isBasic(u.Elem())
	}
	return false
}

func isBasic(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Kind() != types.UnsafePointer
}

// isFrozen tells whether the field has one value as long as others can reach the object.
func (k *Keys) isFrozen(frozen *isolate.Frozen, name string) bool {
	for _, star := range k.Stars.Stars {
		for o := range star.Objects {
			if !frozen.Is(pointsto.Cell{Object: o, Path: pointsto.JoinPath(star.Path, name)}) {
				return false
			}
		}
	}
	return true
}

// uses returns the instructions that have to do with a field of the type, by the field's name: what
// takes its address, or reads it out of a copy.
func (k *Keys) uses() map[string][]ssa.Value {
	all := map[string][]ssa.Value{}
	for _, fn := range k.Graph.Functions() {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				switch v := instr.(type) {
				case *ssa.FieldAddr:
					if name := k.fieldAt(v); name != "" {
						all[name] = append(all[name], v)
					}
				case *ssa.Field:
					if k.isOfStructure(v.X.Type()) {
						name := v.X.Type().Underlying().(*types.Struct).Field(v.Field).Name()
						all[name] = append(all[name], v)
					}
				}
			}
		}
	}
	return all
}

// fieldAt returns the name of the field of the type of which it is the address, "" if it is of
// another type.
func (k *Keys) fieldAt(v *ssa.FieldAddr) string {
	if !k.isOfStructure(v.X.Type().Underlying().(*types.Pointer).Elem()) {
		return ""
	}
	return modref.FieldName(v.X.Type(), v.Field)
}

// indexed returns the addresses of elements that are made from the address of an array, or of a
// variable with a slice.
func indexed(field ssa.Value) (all []*ssa.IndexAddr) {
	for _, r := range *field.Referrers() {
		switch r := r.(type) {
		case *ssa.IndexAddr:
			if r.X == field {
				all = append(all, r)
			}
		case *ssa.UnOp:
			if _, isSlice := r.Type().Underlying().(*types.Slice); isSlice {
				for _, of := range *r.Referrers() {
					if element, ok := of.(*ssa.IndexAddr); ok && element.X == ssa.Value(r) {
						all = append(all, element)
					}
				}
			}
		}
	}
	return all
}

// isOnlyIndexed tells whether the field is filled with what is made for it, once in a function, and
// otherwise nothing is done with it but to look at its length and to take the addresses of its
// elements.
func isOnlyIndexed(field ssa.Value, isSlice bool) bool {
	if _, isAddress := field.(*ssa.FieldAddr); !isAddress {
		return false
	}
	for _, r := range *field.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.IndexAddr:
		case *ssa.Store:
			if !isSlice || r.Addr != field || !isNew(r.Val, r) {
				return false
			}
		case *ssa.UnOp:
			if ssaflow.IsUnusedArray(r) {
				continue
			}
			if !isSlice || slices.ContainsFunc(*r.Referrers(), func(use ssa.Instruction) bool {
				return !isLookAt(use, r)
			}) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isLookAt tells whether the instruction looks at the length of a slice, or takes the address of an
// element.
func isLookAt(use ssa.Instruction, of ssa.Value) bool {
	switch use := use.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.IndexAddr:
		return use.X == of
	case *ssa.Call:
		return isLength(use)
	}
	return false
}

// isLength tells whether the instruction asks for a length.
func isLength(instr ssa.Instruction) bool {
	return ssaflow.IsBuiltin(instr, "len") || ssaflow.IsBuiltin(instr, "cap")
}

// isNew tells whether the value that is stored is made for that.
func isNew(v ssa.Value, store *ssa.Store) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return v.IsNil()
	case *ssa.MakeSlice, *ssa.MakeMap:
		return fresh.IsKeptOnlyBy(v, store)
	case *ssa.Slice:
		made, ok := v.X.(*ssa.Alloc)
		return ok && fresh.IsKeptOnlyBy(made, store)
	}
	return false
}

// onlyLocks tells whether the locks of an array or slice are the object's own, and are only locked
// and unlocked.
func onlyLocks(uses []ssa.Value, isSlice bool) bool {
	for _, use := range uses {
		if !isOnlyIndexed(use, isSlice) {
			return false
		}
		for _, element := range indexed(use) {
			for _, r := range *element.Referrers() {
				call, ok := r.(ssa.CallInstruction)
				if !ok {
					return false
				}
				if _, isGo := r.(*ssa.Go); isGo {
					return false
				}
				callee := call.Common().StaticCallee()
				if callee == nil {
					return false
				}
				if _, isLock := knowledge.LockOperation(callee); !isLock {
					return false
				}
			}
		}
	}
	return true
}

// ownsElements tells whether no two elements of the array or slice hold the same map or slice: each
// gets one that is made for it, or what it held before with more at its end.
func ownsElements(uses []ssa.Value, isSlice bool) bool {
	for _, use := range uses {
		if !isOnlyIndexed(use, isSlice) {
			return false
		}
		for _, element := range indexed(use) {
			for _, r := range *element.Referrers() {
				switch r := r.(type) {
				case *ssa.DebugRef:
				case *ssa.UnOp:
				case *ssa.Store:
					if r.Addr != ssa.Value(element) || !isNew(r.Val, r) && !isGrown(r) {
						return false
					}
				default:
					return false
				}
			}
		}
		for _, r := range *use.Referrers() {
			if store, ok := r.(*ssa.Store); ok && !isFilledWithNew(store.Val) {
				return false
			}
		}
	}
	return true
}

// isFilledWithNew tells whether a new slice gets elements that are made for it, as far as it is
// filled before it is stored.
func isFilledWithNew(v ssa.Value) bool {
	if c, ok := v.(*ssa.Const); ok {
		return c.IsNil()
	}
	referrers := slices.Clone(*v.Referrers())
	if part, ok := v.(*ssa.Slice); ok {
		referrers = append(referrers, *part.X.Referrers()...)
	}
	for _, r := range referrers {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store: // the only one: see isNew
		case *ssa.Slice:
			if ssa.Value(r) != v {
				return false
			}
		case *ssa.Call:
			if !isLength(r) {
				return false
			}
		case *ssa.IndexAddr:
			for _, use := range *r.Referrers() {
				if store, ok := use.(*ssa.Store); !ok || store.Addr != ssa.Value(r) || !isNew(store.Val, store) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// HandedOn returns the values that may be indices and are handed on by the instruction.
func (k *Keys) HandedOn(instr ssa.Instruction) (all []ssa.Value) {
	if !k.IsOfIndices() {
		return nil
	}
	switch instr := instr.(type) {
	case *ssa.Store:
		all = []ssa.Value{instr.Val}
	case ssa.CallInstruction:
		all = instr.Common().Args
	}
	return slices.DeleteFunc(slices.Clone(all), func(v ssa.Value) bool {
		_, isConst := v.(*ssa.Const)
		return isConst || !k.carriers[v]
	})
}

// isGrown tells whether what is stored is what was there before, with more at its end.
func isGrown(store *ssa.Store) bool {
	call, ok := store.Val.(*ssa.Call)
	if !ok || !ssaflow.IsBuiltin(call, "append") || !fresh.IsKeptOnlyBy(call, store) {
		return false
	}
	load, ok := call.Call.Args[0].(*ssa.UnOp)
	return ok && load.Op == token.MUL && isSameElement(load.X, store.Addr)
}

// isSameElement tells whether both are addresses of the element with one index, of one field.
func isSameElement(a, b ssa.Value) bool {
	x, isX := a.(*ssa.IndexAddr)
	y, isY := b.(*ssa.IndexAddr)
	if !isX || !isY || x.Index != y.Index {
		return a == b
	}
	f, g := headerOf(x), headerOf(y)
	return f != nil && g != nil && f.X == g.X && f.Field == g.Field
}

// headerOf returns the address of the field that is the array of the element, or has the slice, nil
// if it is no field.
func headerOf(element *ssa.IndexAddr) *ssa.FieldAddr {
	of := element.X
	if load, ok := of.(*ssa.UnOp); ok && load.Op == token.MUL {
		of = load.X
	}
	field, _ := of.(*ssa.FieldAddr)
	return field
}

// isFilledOtherwise tells whether an object of the type is overwritten as a whole, with another one.
func (k *Keys) isFilledOtherwise() bool {
	for _, fn := range k.Graph.Functions() {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if load, ok := instr.(*ssa.UnOp); ok && load.Op == token.MUL && k.holdsSubject(load.Type()) {
					return true
				}
			}
		}
	}
	return false
}

// holdsSubject tells whether a value of the type has objects of the checked type in it.
func (k *Keys) holdsSubject(t types.Type) bool {
	if k.isOfStructure(t) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return k.holdsSubject(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if k.holdsSubject(f.Type()) {
				return true
			}
		}
	}
	return false
}

// isToldApart tells whether the elements of the field are told apart: locks, or data.
func (k *Keys) isToldApart(name string) bool {
	i := slices.Index(k.Stars.Subject.Fields, name)
	return k.locks[name] || i >= 0 && k.fields[i]
}

// FieldOf returns the name of the field of which the address is of an element, if the elements are
// told apart by their indices.
func (k *Keys) FieldOf(element *ssa.IndexAddr) (name string, ok bool) {
	if !k.IsOfIndices() {
		return "", false
	}
	field := headerOf(element)
	if field == nil {
		return "", false
	}
	name = k.fieldAt(field)
	return name, name != "" && k.isToldApart(name)
}

// IsLockSlice tells whether what a field of star number star at the path holds is the slice of its
// locks.
func (k *Keys) IsLockSlice(star int, path string) bool {
	if !k.IsOfIndices() {
		return false
	}
	name := strings.TrimPrefix(strings.TrimPrefix(path, k.Stars.Stars[star].Path), ".")
	return k.locks[name] && path == pointsto.JoinPath(k.Stars.Stars[star].Path, name)
}

// LockSlice is where a slice of locks is held.
type LockSlice struct {
	Star int
	Path string
}

// LockSlicesAt returns the fields that may hold the slice of locks which the object is.
func (k *Keys) LockSlicesAt(o *pointsto.Object) []LockSlice {
	if k == nil {
		return nil
	}
	return k.lockSlices[o]
}

func (k *Keys) findLockSlices() {
	k.lockSlices = map[*pointsto.Object][]LockSlice{}
	for i, star := range k.Stars.Stars {
		for o := range star.Objects {
			for name := range k.locks {
				at := LockSlice{i, pointsto.JoinPath(star.Path, name)}
				for _, held := range k.Graph.Contents(pointsto.Cell{Object: o, Path: at.Path}).Objects() {
					k.lockSlices[held] = append(k.lockSlices[held], at)
				}
			}
		}
	}
}

// Element returns the end of the path of the element with an index of the class.
func (k *Keys) Element(class Class) string {
	if class == Other {
		return "[-]"
	}
	return "[" + k.Name(class) + "]"
}

// IndexClasses returns the classes that an index may have.
func (k *Keys) IndexClasses() []Class { return append(k.Isolated(), Other) }

// ElementClass returns the class of the index in a path, None if there is none.
func (k *Keys) ElementClass(path string) Class {
	if k.IsOfIndices() {
		for _, class := range k.IndexClasses() {
			if strings.Contains(path, k.Element(class)) {
				return class
			}
		}
	}
	return None
}

// anyElement makes paths of elements those of any element.
var anyElement = strings.NewReplacer("[k]", "[]", "[k']", "[]", "[-]", "[]")

// AnyElement returns the path without what it tells of indices.
func (k *Keys) AnyElement(path string) string {
	if !k.IsOfIndices() {
		return path
	}
	if any := anyElement.Replace(path); any == path || any != "[]" {
		return any
	}
	return "" // of contents
}

// Led returns what is known of memory that an element leads to, which is at the path: that it is
// memory of this element alone.
func (k *Keys) Led(field int, path string) string {
	if class := k.ElementClass(path); class != None && k.nested[field] {
		return k.Element(class)
	}
	return ""
}

// IsOwn tells whether what is loaded belongs to the object, or element of an array in it, that it is
// loaded from, and to no other one.
func (k *Keys) IsOwn(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok || !k.IsOfIndices() {
		return false
	}
	field, isField := load.X.(*ssa.FieldAddr)
	if element, isElement := load.X.(*ssa.IndexAddr); isElement {
		field = headerOf(element)
	}
	if field == nil {
		return false
	}
	name := k.fieldAt(field)
	i := slices.Index(k.Stars.Subject.Fields, name)
	return isField && k.locks[name] || i >= 0 && k.nested[i]
}

// At returns the locations as those of the element at a path, where it is one that is told apart.
func (k *Keys) At(path string, all []isolate.Location) []isolate.Location {
	for i := range all {
		if !all[i].Apart {
			all[i].Key = k.ElementClass(path)
		}
	}
	return all
}
