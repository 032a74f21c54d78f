package candidates

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
)

// kind is what an access does: a set.
type kind uint16

const (
	reads kind = 1 << iota
	writes
	atomically // by package sync/atomic
	behind     // by a method of what is in an interface
	counting   // as an increment whose value nobody uses
	setting    // as an exported function does that stores what it is handed
	reporting  // a read of which the value is only added up, stored elsewhere and returned
	returning  // such a read of which it is returned
	handing    // of a function: it returns an address in what it is handed, or what is loaded from there
)

// use is an access to a field, or to what it leads to, as one instruction makes it. One
// mention of the field in the source can have several: a read of a slice, and later a
// write of its elements.
type use struct {
	at      ssa.Instruction
	kind    kind
	reached ssa.Value // the address of what is accessed: of the field, or of what it leads to
	base    ssa.Value // the address of the object; nil for a variable
	owner   *types.Named
	global  *ssa.Global
	field   string    // of owner
	mention token.Pos // of the field
}

// findUses returns the accesses of a function to the fields and variables that are looked
// at, by instruction.
func (f *finder) findUses(n *pointsto.Node) map[ssa.Instruction][]use {
	c := &collector{finder: f, node: n, uses: map[ssa.Instruction][]use{}}
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			c.instruction(instr)
		}
	}
	return c.uses
}

type collector struct {
	finder *finder
	node   *pointsto.Node
	uses   map[ssa.Instruction][]use
}

func (c *collector) instruction(instr ssa.Instruction) {
	switch v := instr.(type) {
	case *ssa.FieldAddr:
		owner := query.NamedStruct(v.X.Type().Underlying().(*types.Pointer).Elem())
		if owner != nil && c.finder.types[owner.Obj()] != nil {
			c.field(v, use{base: v.X, owner: owner})
		}
	case *ssa.UnOp:
		if v.Op == token.MUL {
			c.whole(v, v.X, v.Type(), reads)
		}
	case *ssa.Store:
		c.whole(v, v.Addr, v.Val.Type(), writes)
	case *ssa.Call:
		c.encoded(v)
	}
	for _, operand := range instr.Operands(nil) {
		if g, ok := (*operand).(*ssa.Global); ok && c.finder.variables[g] != nil {
			t := c.tracer(use{global: g, field: variableName(g), mention: instr.Pos()})
			t.use(instr, g, true, 0)
		}
	}
}

// field notes the accesses through the address of a field, or of a part of one.
func (c *collector) field(v *ssa.FieldAddr, u use) {
	field := fieldOf(v)
	if !c.finder.isLocation(field) {
		return
	}
	u.field += field.Name()
	if !isDivided(field) {
		u.mention = v.Pos()
		c.tracer(u).follow(v, true, 0)
		return
	}
	u.field += "."
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			c.field(r, u)
		case *ssa.UnOp:
			c.parts(r, v, u, reads)
		case *ssa.Store:
			if r.Addr == ssa.Value(v) {
				c.parts(r, v, u, writes)
			}
		}
	}
}

// parts notes an access to all fields in a field.
func (c *collector) parts(instr ssa.Instruction, v *ssa.FieldAddr, u use, k kind) {
	for _, field := range c.finder.types[u.owner.Obj()].fields {
		if strings.HasPrefix(field.name, u.field) {
			c.add(use{at: instr, kind: k, reached: v, base: u.base, owner: u.owner, field: field.name, mention: v.Pos()})
		}
	}
}

// isLocation tells whether a field can be part of an atomic set.
func (f *finder) isLocation(field *types.Var) bool {
	return !isPool(field.Type()) && !slices.ContainsFunc(f.asLoaded(), func(p *load.Program) bool {
		return !query.IsLocation(p, field)
	})
}

// whole notes an access to all fields of an object.
func (c *collector) whole(instr ssa.Instruction, address ssa.Value, t types.Type, k kind) {
	owner := query.NamedStruct(t)
	if owner == nil || c.finder.types[owner.Obj()] == nil {
		return
	}
	for _, field := range c.finder.types[owner.Obj()].fields {
		c.add(use{at: instr, kind: k, reached: address, base: address, owner: owner, field: field.name, mention: instr.Pos()})
	}
}

// encoded notes what an encoder or a decoder does to an object that it is handed.
func (c *collector) encoded(call *ssa.Call) {
	fn := call.Call.StaticCallee()
	if fn == nil {
		return
	}
	effect, ok := knowledge.Accesses(fn)
	if !ok || effect.Atomic {
		return
	}
	for _, arg := range effect.Operands(call.Call.Args) {
		c.finder.notePrinted(c.node, arg, effect)
		boxed, ok := arg.(*ssa.MakeInterface)
		if !ok {
			continue
		}
		if pointer, ok := boxed.X.Type().Underlying().(*types.Pointer); ok {
			c.whole(call, boxed.X, pointer.Elem(), kindOf(effect))
		}
	}
}

func kindOf(e knowledge.Effect) (k kind) {
	if e.Reads {
		k |= reads
	}
	if e.Writes {
		k |= writes
	}
	if e.Atomic {
		k |= atomically
	}
	return k
}

func (c *collector) add(u use) {
	if isCounted(u.at, u.kind) {
		u.kind |= counting
	}
	if isSetting(u.at) {
		u.kind |= setting
	}
	u.kind |= reportOf(u.at, u.kind, u.owner)
	c.uses[u.at] = append(c.uses[u.at], u)
}

// tracer returns one that notes the accesses like u.
func (c *collector) tracer(u use) *tracer {
	return &tracer{finder: c.finder, node: c.node, seen: map[ssa.Value]bool{},
		note: func(at ssa.Instruction, reached ssa.Value, k kind) {
			u.at, u.reached, u.kind = at, reached, k
			c.add(u)
		}}
}

// tracer follows an address, and what is loaded from there, to the accesses: as far as
// the values of the function lead, which are evidence enough.
type tracer struct {
	finder *finder
	node   *pointsto.Node // nil: in whatever context the function runs
	seen   map[ssa.Value]bool
	note   func(at ssa.Instruction, reached ssa.Value, k kind)
}

// maxLoads bounds how many pointers are followed from the field on.
const maxLoads = 4

// follow looks at the uses of v: an address, or a slice, map or interface.
func (t *tracer) follow(v ssa.Value, isAddress bool, loads int) {
	if t.seen[v] || v.Referrers() == nil || loads > maxLoads || loads > 0 && guardsItself(v.Type()) {
		return
	}
	t.seen[v] = true
	for _, r := range *v.Referrers() {
		t.use(r, v, isAddress, loads)
	}
}

// derive follows a value that was made from another one.
func (t *tracer) derive(v ssa.Value, loads int) {
	_, isPointer := v.Type().Underlying().(*types.Pointer)
	t.follow(v, isPointer, loads)
}

func (t *tracer) use(instr ssa.Instruction, v ssa.Value, isAddress bool, loads int) {
	switch r := instr.(type) {
	case *ssa.UnOp:
		if r.Op == token.MUL && isAddress {
			t.note(r, v, reads)
			t.derive(r, loads+1)
		}
	case *ssa.Store:
		if r.Addr == v && isAddress {
			t.note(r, v, writes)
		}
	case *ssa.FieldAddr:
		if t.finder.isLocation(fieldOf(r)) && !guardsItself(v.Type()) {
			t.follow(r, true, loads)
		}
	case *ssa.IndexAddr:
		if r.X == v {
			t.follow(r, true, loads)
		}
	case *ssa.Lookup:
		if r.X == v {
			t.note(r, v, reads)
			t.derive(r, loads+1)
		}
	case *ssa.Range:
		t.note(r, v, reads)
		t.follow(r, false, loads+1)
	case *ssa.MapUpdate:
		if r.Map == v {
			t.note(r, v, writes)
		}
	case *ssa.Next, *ssa.Extract, *ssa.Phi, *ssa.ChangeType, *ssa.TypeAssert, *ssa.ChangeInterface, *ssa.MakeInterface,
		*ssa.Slice, *ssa.Field, *ssa.Index:
		t.derive(r.(ssa.Value), loads)
	case *ssa.Call:
		t.call(r, v, loads)
	case *ssa.Return:
		if t.node == nil {
			t.note(r, v, handing)
		}
	}
}

// isReference tells whether memory can be changed by what a value leads to: a number or a string leads to none.
func isReference(v ssa.Value) bool {
	if boxed, ok := v.(*ssa.MakeInterface); ok {
		v = boxed.X
	}
	_, isBasic := v.Type().Underlying().(*types.Basic)
	return !isBasic
}

// guardsItself tells whether the address is of a struct that has a lock: what is done
// to it is its own business.
func guardsItself(address types.Type) bool {
	pointer, ok := address.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	named := query.NamedStruct(pointer.Elem())
	return named != nil && query.HasLock(named.Underlying().(*types.Struct))
}

// call looks at a call that v is an argument of.
func (t *tracer) call(call *ssa.Call, v ssa.Value, loads int) {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		t.builtin(b.Name(), call, v)
		return
	}
	if guardsItself(v.Type()) {
		return
	}
	for _, callee := range t.callees(call) {
		for i, p := range callee.Params {
			if argument(call, i) != v || guardsItself(p.Type()) {
				continue
			}
			k := t.finder.effectOn(callee, i, loads)
			if k&handing != 0 && isReference(v) {
				t.derive(call, loads+1)
			}
			k &^= handing
			if _, isBoxed := v.(*ssa.MakeInterface); isBoxed || !types.IsInterface(v.Type()) {
				k &^= behind // it is known what is in there: the field itself, say
			}
			if k != 0 && call.Call.IsInvoke() && i == 0 {
				k |= behind
			}
			if k != 0 {
				t.note(call, v, k)
			}
		}
		if len(callee.Params) == 0 { // external
			if effect, ok := knowledge.Accesses(callee); ok {
				t.note(call, v, kindOf(effect))
			}
		}
	}
}

// callees returns what a call can run.
func (t *tracer) callees(call *ssa.Call) []*ssa.Function {
	if t.node == nil {
		return t.finder.graph.CalleeFunctions(call)
	}
	return t.finder.graph.CalleeFunctions(call, t.node)
}

// builtin looks at a call of a built-in function. The result of append is a write where
// it is stored.
func (t *tracer) builtin(name string, call *ssa.Call, v ssa.Value) {
	args := call.Call.Args
	switch name {
	case "copy", "delete", "clear":
		if args[0] == v {
			t.note(call, v, writes)
		} else {
			t.note(call, v, reads)
		}
	case "append", "len":
		t.note(call, v, reads)
	}
}

// effectKey is a parameter, reached by some loads.
type effectKey struct {
	fn    *ssa.Function
	i     int
	loads int
}

// effectOn returns what a function does to the memory that a parameter leads to.
func (f *finder) effectOn(fn *ssa.Function, i, loads int) kind {
	if effect, ok := knowledge.Accesses(fn); ok {
		if i < len(fn.Params) && (effect.First && i > 0 || effect.Second && i != 1) {
			return 0
		}
		return kindOf(effect)
	}
	if fn.Pkg != nil && fn.Pkg.Pkg.Path() == "container/heap" {
		if i > 0 {
			return 0
		}
		return reads | writes // by methods of the heap
	}
	key := effectKey{fn, i, loads}
	if known, ok := f.effects[key]; ok {
		return known
	}
	f.effects[key] = 0 // of a recursive call
	f.poll.Check()
	var all kind
	isPlain := false
	t := &tracer{finder: f, seen: map[ssa.Value]bool{}, note: func(_ ssa.Instruction, _ ssa.Value, k kind) {
		all |= k
		isPlain = isPlain || k&atomically == 0
	}}
	if i < len(fn.Params) {
		t.derive(fn.Params[i], loads)
	}
	if isPlain {
		all &^= atomically
	}
	f.effects[key] = all
	return all
}
