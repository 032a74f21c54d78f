package keys

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/lockset"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// A counter that only grows gives out tickets, no two of which are one:
//
//	s.mu.Lock()
//	id := s.next
//	s.next++
//	s.mu.Unlock()
//
// All that writes it are increments, each with the same lock of the same object held from where the
// counter is read, or atomic additions; or it writes what was made just before. A counter has
// 64 bits, and does not come to its end.

// counter is a field of a struct type, or a package variable.
type counter struct {
	global *ssa.Global
	owner  string // the struct type
	field  int
}

// counterUses is what the program does with a counter.
type counterUses struct {
	good   bool   // it only grows
	atomic bool   // by atomic additions
	lock   string // that all increments hold
}

// counterAt returns the counter that the address is of, and the object that it is in.
func counterAt(address ssa.Value) (c counter, base ssa.Value, ok bool) {
	switch v := address.(type) {
	case *ssa.Global:
		return counter{global: v}, nil, true
	case *ssa.FieldAddr:
		base, _ = modref.FieldPath(v)
		owner := v.X.Type().Underlying().(*types.Pointer).Elem()
		structure, isStruct := owner.Underlying().(*types.Struct)
		if !isStruct || structure.Field(v.Field).Exported() {
			return counter{}, nil, false // reflection may set it
		}
		return counter{owner: types.TypeString(owner, nil), field: v.Field}, base, true
	}
	return counter{}, nil, false
}

// usesOf returns what the program does with a counter.
func (k *Keys) usesOf(c counter) *counterUses {
	known, ok := k.counters[c]
	if !ok {
		known = &counterUses{good: true}
		k.counters[c] = known
		if c.global != nil {
			for _, use := range k.UsesOf(c.global) {
				k.addUse(c, use.Node, use.Instr, c.global, known)
			}
		} else {
			for _, fn := range k.Graph.Functions() {
				if known.good {
					k.addUses(c, k.Graph.NodesOf(fn), known)
				}
			}
		}
		known.good = known.good && known.atomic == (known.lock == "")
	}
	return known
}

// addUses adds what the function of the nodes does with a counter that is a field.
func (k *Keys) addUses(c counter, nodes []*pointsto.Node, uses *counterUses) {
	for _, b := range nodes[0].Func.Blocks {
		for _, instr := range b.Instrs {
			switch v := instr.(type) {
			case *ssa.Store:
				if holds(v.Val.Type(), c.owner) && !isFirst(v) {
					uses.good = false // a struct is replaced as a whole
				}
			case ssa.CallInstruction:
				if slices.ContainsFunc(nodes, func(n *pointsto.Node) bool { return k.mayWriteObject(n, v) }) {
					uses.good = false
				}
			case *ssa.FieldAddr:
				if v.Field != c.field || types.TypeString(v.X.Type().Underlying().(*types.Pointer).Elem(), nil) != c.owner {
					continue
				}
				for _, r := range *v.Referrers() {
					k.addUse(c, nodes[0], r, v, uses)
				}
			}
		}
	}
}

// holds tells whether a value of the type has a struct of the owner's type in it.
func holds(t types.Type, owner string) bool {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if types.TypeString(t, nil) == owner {
			return true
		}
		for i := range u.NumFields() {
			if holds(u.Field(i).Type(), owner) {
				return true
			}
		}
	case *types.Array:
		return holds(u.Elem(), owner)
	}
	return false
}

// isFirst tells whether the store is to what the function has just made: nobody has taken a ticket
// there before.
func isFirst(store *ssa.Store) bool {
	base, _ := modref.FieldPath(store.Addr)
	made, ok := base.(*ssa.Alloc)
	if !ok || made.Block() != store.Block() {
		return false
	}
	all := store.Block().Instrs
	from, to := slices.Index(all, ssa.Instruction(made)), slices.Index(all, ssa.Instruction(store))
	return from < to && !slices.ContainsFunc(all[from:to], ssaflow.MayYield)
}

// mayWriteObject tells whether a call hands an object with a counter to what is not followed, and
// may write all of it.
func (k *Keys) mayWriteObject(n *pointsto.Node, call ssa.CallInstruction) bool {
	opaque := slices.ContainsFunc(k.Graph.Callees(n, call), func(callee *pointsto.Node) bool {
		effect, known := knowledge.Accesses(callee.Func)
		if known {
			return effect.Writes && !effect.Atomic
		}
		return !k.Graph.Analysed(callee) && !knowledge.IsSynchronisation(callee.Func)
	})
	return opaque && slices.ContainsFunc(call.Common().Args, func(v ssa.Value) bool {
		return ssaflow.IsPointerLike(v.Type()) && slices.ContainsFunc(k.Graph.PointsTo(n, v).Objects(),
			func(o *pointsto.Object) bool {
				return slices.ContainsFunc(k.Stars.Stars, func(s *isolate.Star) bool { return s.Objects[o] })
			})
	})
}

// addUse adds what an instruction does with the address of a counter.
func (k *Keys) addUse(c counter, n *pointsto.Node, instr ssa.Instruction, address ssa.Value, uses *counterUses) {
	switch v := instr.(type) {
	case *ssa.UnOp, *ssa.DebugRef:
		return
	case *ssa.Store:
		if v.Addr != address {
			break
		}
		if isFirst(v) || c.global != nil && n.Func.Synthetic == "package initializer" {
			return
		}
		if lock, ok := k.lockOfIncrement(n, v); ok && (uses.lock == "" || uses.lock == lock) {
			uses.lock = lock
			return
		}
	case *ssa.Call:
		if callee := v.Call.StaticCallee(); callee != nil && v.Call.Args[0] == address {
			switch knowledge.Of(callee).Atomic {
			case knowledge.AtomicLoad:
				return
			case knowledge.AtomicAdd:
				if addsSome(v) {
					uses.atomic = true
					return
				}
			}
		}
	}
	uses.good = false
}

// addsSome tells whether an atomic addition adds a constant above zero, to 64 bits.
func addsSome(call *ssa.Call) bool {
	by, ok := call.Call.Args[len(call.Call.Args)-1].(*ssa.Const)
	return ok && len(call.Call.Args) == 2 && isWide(by.Type()) && by.Int64() > 0
}

// lockOfIncrement returns the lock that is held from where the counter is read to the store, which
// adds a constant to it.
func (k *Keys) lockOfIncrement(n *pointsto.Node, store *ssa.Store) (lock string, ok bool) {
	sum, isSum := store.Val.(*ssa.BinOp)
	if !isSum || ssaflow.StepOf(sum) != 1 || !isWide(sum.Type()) {
		return "", false
	}
	load, isLoad := sum.X.(*ssa.UnOp)
	if !isLoad || !sameAddress(load.X, store.Addr) || !isAtOnce(load, store) {
		return "", false
	}
	return k.lockAround(n, store.Addr, load, store)
}

// isAtOnce tells whether nothing is between the two instructions, in one block, that may store to a
// counter.
func isAtOnce(load *ssa.UnOp, store *ssa.Store) bool {
	all := store.Block().Instrs
	from, to := slices.Index(all, ssa.Instruction(load)), slices.Index(all, ssa.Instruction(store))
	return from >= 0 && from < to && !slices.ContainsFunc(all[from:to], func(instr ssa.Instruction) bool {
		_, isStore := instr.(*ssa.Store)
		return isStore || ssaflow.MayYield(instr)
	})
}

// sameAddress tells whether the addresses are of one counter in one object.
func sameAddress(a, b ssa.Value) bool {
	c, base, ok := counterAt(a)
	d, other, same := counterAt(b)
	_, path := modref.FieldPath(a)
	_, otherPath := modref.FieldPath(b)
	return ok && same && c == d && base == other && path == otherPath
}

// lockAround returns the lock of the counter's object, or of the program, that one section of the
// function holds at all of the instructions, in all uses of the function.
func (k *Keys) lockAround(n *pointsto.Node, address ssa.Value, instrs ...ssa.Instruction) (lock string, ok bool) {
	_, base, _ := counterAt(address)
	for _, m := range k.Graph.NodesOf(n.Func) {
		found := ""
		for _, s := range k.sectionsOf(m) {
			if slices.ContainsFunc(instrs, func(i ssa.Instruction) bool { return !s.Inside[i] }) {
				continue
			}
			call := s.From.(*ssa.Call)
			if op, _ := knowledge.LockOperation(call.Call.StaticCallee()); op != knowledge.Lock {
				continue
			}
			of, path := modref.FieldPath(call.Call.Args[0])
			if global, is := of.(*ssa.Global); is {
				found = global.String() + " " + path
			} else if base != nil && of == base {
				found = types.TypeString(base.Type(), nil) + " " + path
			}
		}
		if found == "" || lock != "" && lock != found {
			return "", false
		}
		lock = found
	}
	return lock, lock != ""
}

// sectionsOf returns the critical sections of a node.
func (k *Keys) sectionsOf(n *pointsto.Node) []*lockset.Section {
	return ssaflow.Remember(k.sections, n, func() *lockset.Sections { return k.lockSets.NewSections(n) }).All()
}

// ticketOfCall returns the origin that a call is: of an atomic addition, or of a function that
// returns a ticket of its own in each of its returns.
func (k *Keys) ticketOfCall(call *ssa.Call) *Origin {
	callee := call.Call.StaticCallee()
	if callee == nil || len(call.Call.Args) == 0 && len(callee.Params) > 0 {
		return nil
	}
	if isAddition(call) {
		c, base, ok := counterAt(call.Call.Args[0])
		if !ok || !addsSome(call) {
			return nil
		}
		if uses := k.usesOf(c); !uses.good || !uses.atomic {
			return nil
		}
		_, path := modref.FieldPath(call.Call.Args[0])
		return &Origin{Key: call, Supply: fmt.Sprint("additions to ", c, " ", path), Within: base}
	}
	if callee.Signature.Results().Len() != 1 || len(callee.Blocks) == 0 {
		return nil
	}
	var within ssa.Value
	for _, b := range callee.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || b == callee.Recover && !k.recovers(callee) {
			continue
		}
		made, ok := ret.Results[0].(ssa.Instruction)
		if !ok {
			return nil
		}
		var o *Origin
		if inner, isCall := made.(*ssa.Call); isCall && !isAddition(inner) {
			return nil
		}
		if o = k.originOf(ret.Results[0]); o == nil {
			return nil
		}
		if o.Within != nil {
			i := slices.IndexFunc(callee.Params, func(p *ssa.Parameter) bool { return p == o.Within })
			if i < 0 || within != nil && within != call.Call.Args[i] {
				return nil
			}
			within = call.Call.Args[i]
		}
	}
	return &Origin{Key: call, Supply: "results of " + callee.String(), Within: within}
}

// isAddition tells whether the call is an atomic addition.
func isAddition(call *ssa.Call) bool {
	callee := call.Call.StaticCallee()
	return callee != nil && knowledge.Of(callee).Atomic == knowledge.AtomicAdd
}

// recovers tells whether the function may return after a panic.
func (k *Keys) recovers(fn *ssa.Function) bool {
	return slices.ContainsFunc(k.Graph.NodesOf(fn), k.Recovers)
}

// ticket returns the origin that an instruction is which reads a counter, or adds to what it has
// read, in one critical section with an increment. If that comes after, nothing that may panic is
// between.
func (k *Keys) ticket(instr ssa.Instruction) *Origin {
	v := instr.(ssa.Value)
	if !isWide(v.Type()) {
		return nil
	}
	load, isLoad := instr.(*ssa.UnOp)
	if sum, ok := instr.(*ssa.BinOp); ok {
		if load, isLoad = sum.X.(*ssa.UnOp); ssaflow.StepOf(sum) != 1 {
			return nil
		}
	}
	if !isLoad {
		return nil
	}
	c, base, ok := counterAt(load.X)
	if !ok {
		return nil
	}
	store := incrementBeside(instr, load)
	if store == nil {
		return nil
	}
	uses := k.usesOf(c)
	if !uses.good || uses.atomic {
		return nil
	}
	for _, n := range k.Graph.NodesOf(instr.Parent()) {
		if lock, ok := k.lockAround(n, load.X, load, instr, store); !ok || lock != uses.lock {
			return nil
		}
	}
	return &Origin{Key: v, Supply: nameOf(v), Within: base}
}

// incrementBeside returns the store of an increment of the counter that is executed whenever the
// instruction is: before it in the block, or after it with nothing between that may panic or take
// long. A sum is the ticket itself that is stored.
func incrementBeside(instr ssa.Instruction, load *ssa.UnOp) *ssa.Store {
	before, simple := true, true
	for _, other := range instr.Block().Instrs {
		store, isStore := other.(*ssa.Store)
		isStore = isStore && sameAddress(store.Addr, load.X)
		_, isSum := instr.(*ssa.BinOp)
		switch {
		case isStore && isSum && !before && simple && store.Val == instr.(ssa.Value):
			return store
		case isStore && !isSum && (before || simple):
			return store
		case other == instr:
			before = false
		case !before:
			simple = simple && isSimple(other, load)
		}
	}
	return nil
}

// isSimple tells whether the instruction cannot panic where the counter was read before.
func isSimple(instr ssa.Instruction, load *ssa.UnOp) bool {
	switch v := instr.(type) {
	case *ssa.DebugRef, *ssa.MakeInterface, *ssa.Alloc:
		return true
	case *ssa.FieldAddr:
		return isBeside(v, load.X)
	case *ssa.BinOp:
		return v.Op == token.ADD || v.Op == token.SUB
	case *ssa.UnOp:
		return v.Op == token.MUL && isBeside(v.X, load.X)
	case *ssa.Store:
		return isBeside(v.Addr, load.X)
	}
	return false
}

// isBeside tells whether the address is of a variable, or in the object of the counter.
func isBeside(address, counter ssa.Value) bool {
	base, _ := modref.FieldPath(address)
	switch base.(type) {
	case *ssa.Global, *ssa.Alloc:
		return true
	}
	of, _ := modref.FieldPath(counter)
	return base == of
}
