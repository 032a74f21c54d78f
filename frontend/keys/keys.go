package keys

import (
	"context"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/lockset"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/rules"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Class is a class of keys.
type Class = int

const (
	Other Class = iota - 1 // a key that is made once, and is none of the isolated ones
	None                   // no entry: the field itself, and memory that entries lead to
	Rest                   // any key that is in no class of its own
	first                  // of constants
)

// maxConstants bounds the constants that have classes of their own; the rest share the last one.
const maxConstants = 6

// maxCarriers bounds the values that keys are traced through.
const maxCarriers = 5_000

// Keys is what is known about the keys of the maps in an atomic set.
type Keys struct {
	*modref.Facts
	lockSets *lockset.Locks

	fields    []bool                      // by index in Subject.Fields: it is a map whose entries are told apart
	carriers  map[ssa.Value]bool          // values that may be keys, or become one unchanged
	values    map[string]Class            // of constants
	names     []string                    // of the classes of constants
	origins   map[ssa.Instruction]*Origin // by the instruction that makes the key
	counters  map[counter]*counterUses
	sections  map[*pointsto.Node]*lockset.Sections
	isolated  bool // there are isolated keys
	exhausted bool

	// of indices: see FindIndices
	of         *types.Struct
	locks      map[string]bool // the fields that are arrays or slices of locks
	nested     map[int]bool    // by index in Subject.Fields: no two elements hold the same memory
	lockSlices map[*pointsto.Object][]LockSlice
}

// Find returns what is known of the keys of the maps that are fields of the set, nil if no two keys
// are told apart.
func Find(facts *modref.Facts, lockSets *lockset.Locks) *Keys {
	k := &Keys{Facts: facts, lockSets: lockSets, carriers: map[ssa.Value]bool{}, values: map[string]Class{},
		origins: map[ssa.Instruction]*Origin{}, counters: map[counter]*counterUses{},
		sections: map[*pointsto.Node]*lockset.Sections{}}
	if !k.findFields() {
		return nil
	}
	for _, n := range facts.Kept.KeptOf(facts.Graph) {
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				if m, key := Access(instr); m != nil && k.isOfField(n, m) {
					k.trace(n.Func, key)
				}
			}
		}
	}
	k.findOrigins()
	if k.exhausted || len(k.values) < 2 && !k.isolated {
		return nil
	}
	return k
}

// FindBy is Find, or FindIndices, by the rule that the model is to rest on; nil if nothing is to be
// told apart.
func FindBy(ctx context.Context, rule *rules.Rule, facts *modref.Facts, lockSets *lockset.Locks) *Keys {
	switch rule {
	case rules.Keys:
		return Find(facts, lockSets)
	case rules.Shards:
		return FindIndices(ctx, facts)
	}
	return nil
}

// findFields finds the fields of the set that are maps.
func (k *Keys) findFields() (found bool) {
	subject := k.Stars.Subject
	k.fields = make([]bool, len(subject.Fields))
	for _, star := range k.Stars.Stars {
		for o := range star.Objects {
			for _, c := range k.Graph.Cells(o) {
				for _, at := range k.Stars.LocationsAt(c) {
					if t := c.Type(); t != nil && IsMap(t) {
						k.fields[at.Field], found = true, true
					}
				}
			}
		}
	}
	return found
}

// IsMap tells whether the type is that of maps.
func IsMap(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// isOfField tells whether the map may be one of the maps of the set.
func (k *Keys) isOfField(n *pointsto.Node, m ssa.Value) bool {
	for _, at := range k.RegionsOf(n, m) {
		if k.fields[at.Field] {
			return true
		}
	}
	return false
}

// Access returns the map of which the instruction accesses one entry, and the key; nil if it does
// not.
func Access(instr ssa.Instruction) (m, key ssa.Value) {
	switch v := instr.(type) {
	case *ssa.MapUpdate:
		return v.Map, v.Key
	case *ssa.Lookup:
		if IsMap(v.X.Type()) {
			return v.X, v.Index
		}
	case ssa.CallInstruction:
		if ssaflow.IsBuiltin(v, "delete") {
			return v.Common().Args[0], v.Common().Args[1]
		}
	}
	return nil, nil
}

// EntryKey returns the key of the entry that the instruction accesses, nil if it accesses none, or
// no entries are told apart.
func (k *Keys) EntryKey(instr ssa.Instruction) ssa.Value {
	if k == nil || k.IsOfIndices() {
		return nil
	}
	_, key := Access(instr)
	return key
}

// TouchesEntries tells whether an instruction that accesses a field, or what it leads to, may touch
// entries of a map. What reads the field itself does not, nor what accesses memory that an entry
// leads to; what writes the field puts all entries in the place of others.
func (k *Keys) TouchesEntries(instr ssa.Instruction, own bool) bool {
	if k.IsOfIndices() {
		return !isLength(instr) && !(own && readsHeader(instr))
	}
	switch v := instr.(type) {
	case *ssa.UnOp:
		return v.Op != token.MUL
	case *ssa.Store:
		return own || holdsMap(v.Val.Type())
	}
	return true
}

// readsHeader tells whether the instruction loads the slice that a field holds.
func readsHeader(instr ssa.Instruction) bool {
	load, ok := instr.(*ssa.UnOp)
	if !ok {
		return false
	}
	_, isField := load.X.(*ssa.FieldAddr)
	_, isSlice := load.Type().Underlying().(*types.Slice)
	return isField && isSlice
}

// holdsMap tells whether a value of the type may be or have a map.
func holdsMap(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic, *types.Pointer, *types.Chan, *types.Signature:
		return false
	case *types.Struct:
		for i := range u.NumFields() {
			if holdsMap(u.Field(i).Type()) {
				return true
			}
		}
		return false
	}
	return true
}

// TellsApart tells whether the entries of the map in a field are told apart.
func (k *Keys) TellsApart(field int) bool { return k != nil && k.fields[field] }

// Carries tells whether the value may become a key.
func (k *Keys) Carries(v ssa.Value) bool { return k != nil && k.carriers[v] }

// All returns all classes.
func (k *Keys) All() []Class {
	return append([]Class{None}, k.Keys()...)
}

// Keys returns the classes that a key may have of which nothing is known.
func (k *Keys) Keys() []Class {
	if k.IsOfIndices() {
		return k.Isolated()
	}
	all := []Class{Rest}
	all = append(all, k.Constants()...)
	return append(all, k.Isolated()...)
}

// Isolated returns the classes of the isolated keys, with one key each.
func (k *Keys) Isolated() []Class {
	if !k.isolated {
		return nil
	}
	last := first + Class(len(k.names))
	return []Class{last, last + 1}
}

// Constants returns the classes of constants that a key which was made may be equal to.
func (k *Keys) Constants() (all []Class) {
	for i := range k.names {
		all = append(all, first+Class(i))
	}
	return all
}

// ClassOf returns the class of a constant; not ok if nothing is known of it.
func (k *Keys) ClassOf(c *ssa.Const) (class Class, ok bool) {
	text, ok := textOf(c)
	if !ok || !k.carriers[c] {
		return Rest, false
	}
	class, ok = k.values[text]
	return class, ok
}

// Name returns what to call an entry with a key of the class, in brackets.
func (k *Keys) Name(class Class) string {
	i := int(class - first)
	switch {
	case class == Rest:
		return "*"
	case i < len(k.names):
		return k.names[i]
	}
	return [...]string{"k", "k'"}[i-len(k.names)]
}

// textOf returns what two constants have in common if they are equal, whatever their types; not ok
// for those whose equality is none of their values' (NaN), or that are no plain values.
func textOf(c *ssa.Const) (text string, ok bool) {
	basic, isBasic := c.Type().Underlying().(*types.Basic)
	if !isBasic || c.Value == nil || basic.Info()&(types.IsString|types.IsInteger|types.IsBoolean) == 0 {
		return "", false
	}
	if c.Value.Kind() == constant.Unknown {
		return "", false
	}
	return c.Value.ExactString(), true
}

// addConstant gives a constant a class.
func (k *Keys) addConstant(c *ssa.Const) {
	text, ok := textOf(c)
	if k.IsOfIndices() {
		return
	}
	if _, known := k.values[text]; !ok || known {
		return
	}
	if len(k.names) < maxConstants {
		k.names = append(k.names, text)
	}
	k.values[text] = first + Class(len(k.names)-1)
}

// trace adds the values that a value of the function may be, unchanged.
func (k *Keys) trace(fn *ssa.Function, v ssa.Value) {
	if v == nil || k.carriers[v] || k.exhausted {
		return
	}
	if len(k.carriers) >= maxCarriers {
		k.exhausted = true
		return
	}
	k.carriers[v] = true
	switch v := v.(type) {
	case *ssa.Const:
		k.addConstant(v)
	case *ssa.Phi:
		if !k.IsOfIndices() && k.countsOnce(v) {
			return // see findNumbers
		}
		for _, e := range v.Edges {
			k.trace(fn, e)
		}
	case *ssa.ChangeType:
		k.trace(fn, v.X)
	case *ssa.ChangeInterface:
		k.trace(fn, v.X)
	case *ssa.MakeInterface:
		k.trace(fn, v.X)
	case *ssa.UnOp:
		for _, stored := range storedIn(v.X) {
			k.trace(stored.Parent(), stored.Val)
		}
	case *ssa.Parameter:
		k.traceArguments(fn, v)
	case *ssa.Convert, *ssa.Call:
		if from := source(v); from != nil {
			k.trace(fn, from)
		}
	}
}

// traceArguments adds what the callers of the function pass for the parameter.
func (k *Keys) traceArguments(fn *ssa.Function, p *ssa.Parameter) {
	i := slices.Index(fn.Params, p)
	for _, n := range k.Graph.NodesOf(fn) {
		for _, e := range k.Graph.Callers(n) {
			if e.Site == nil {
				continue
			}
			args := e.Site.Common().Args
			if e.Site.Common().IsInvoke() {
				args = append([]ssa.Value{e.Site.Common().Value}, args...)
			}
			if len(args) == len(fn.Params) {
				k.trace(e.Site.Parent(), args[i])
			}
		}
	}
}

// storedIn returns the stores to the variable with the address, if it is a local one, of this
// function or of the one around it.
func storedIn(address ssa.Value) (all []*ssa.Store) {
	switch v := address.(type) {
	case *ssa.Alloc:
		for _, r := range *v.Referrers() {
			if store, ok := r.(*ssa.Store); ok && store.Addr == v {
				all = append(all, store)
			}
		}
	case *ssa.FreeVar:
		fn := v.Parent()
		i := slices.Index(fn.FreeVars, v)
		for _, b := range fn.Parent().Blocks {
			for _, instr := range b.Instrs {
				if made, ok := instr.(*ssa.MakeClosure); ok && made.Fn == fn {
					all = append(all, storedIn(made.Bindings[i])...)
				}
			}
		}
	}
	return all
}
