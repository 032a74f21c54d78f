package mustalias

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Matcher compares two computations: the one that a first look decided on, and one
// that a second look from place q on decides on. They are the same if they apply the
// same operations to the same operands, but for values that are read again.
type Matcher struct {
	*ssaflow.Flow
	Node   *pointsto.Node
	L      *Values
	Read   ssa.Value // the first look; nil if any will do
	Q      ssaflow.Place
	Inside ssaflow.PlaceSet // what is executed between the first look and q

	Paired bool // read was matched with a second look
	AtQ    bool // which is the one at q
	Loose  bool // an address is loaded again, so that it may be another one
	helper *insideCall
	Strict bool

	decider *ssa.Call // the second of two helpers that were compared by what they forward
	depth   int
}

// maxExpression bounds how deep expressions are compared.
const maxExpression = 24

// Same tells whether two values are computed alike, or one is the negation of the
// other.
func (m *Matcher) Same(first, second ssa.Value) bool {
	first, second = ssaflow.Unnegated(first), ssaflow.Unnegated(second)
	ok := false
	if a, b := ssaflow.Equality(first), ssaflow.Equality(second); a != nil && b != nil {
		ok = m.sameOperands(a, b)
	} else {
		ok = m.equal(first, second)
	}
	m.Strict = !m.Loose
	return ok
}

func (m *Matcher) equal(first, second ssa.Value) bool {
	m.depth++
	defer func() { m.depth-- }()
	switch {
	case m.depth > maxExpression:
		return false
	case m.helper != nil:
		return m.equalToInner(first, second)
	}
	if same, ok := m.equalInside(first, second); ok {
		return same
	}
	switch {
	case m.IsLook(first) && m.IsLook(second):
		return m.second(first, second)
	case first == second && m.isUnchanged(first):
		return true
	}
	return m.sameOperation(first, second)
}

// second compares two looks. That the second one is executed after q is required of
// the read in question, and of others unless they are one and the same value.
func (m *Matcher) second(first, second ssa.Value) bool {
	at := m.At[second.(ssa.Instruction)]
	fresh := at == m.Q || m.StrictlyDominates(m.Q, at)
	if first != m.Read && first == second && !fresh {
		return m.isUnchanged(first)
	}
	if !fresh || !m.SameLook(first, second) {
		return false
	}
	if first == m.Read {
		m.Paired, m.AtQ = true, m.AtQ || at == m.Q
	}
	return true
}

// SameLook tells whether two looks are at the same location.
func (m *Matcher) SameLook(first, second ssa.Value) bool { return m.sameOperation(first, second) }

// isUnchanged tells whether a value is not computed anew between the first look and
// the second.
func (m *Matcher) isUnchanged(v ssa.Value) bool {
	instr, ok := v.(ssa.Instruction)
	if !ok {
		return true // a constant, a parameter, a variable, a function
	}
	if m.Read != nil && m.DerivedFrom(m.Read)[v] {
		return false // decided on the first look
	}
	at := m.At[instr]
	return !m.Inside[at] && at != m.Q
}

// sameOperation compares two instructions and their operands.
func (m *Matcher) sameOperation(first, second ssa.Value) bool {
	switch a := first.(type) {
	case *ssa.Const:
		b, ok := second.(*ssa.Const)
		return ok && (a.Value == nil) == (b.Value == nil) &&
			(a.Value == nil || a.Value.ExactString() == b.Value.ExactString())
	case *ssa.Builtin: // each call has its own; what append returns may be other memory each time
		b, ok := second.(*ssa.Builtin)
		return ok && a.Name() == b.Name() && a.Name() != "append"
	case *ssa.BinOp:
		b, ok := second.(*ssa.BinOp)
		return ok && a.Op == b.Op && m.sameOperands(a, b)
	case *ssa.UnOp:
		b, ok := second.(*ssa.UnOp)
		if !ok || a.Op != b.Op || a.Op.String() == "<-" || a.CommaOk != b.CommaOk {
			return false
		}
		if a.Op.String() == "*" && !m.IsLook(a) {
			return m.sameLoad(a, b)
		}
		return m.sameOperands(a, b)
	case *ssa.FieldAddr:
		b, ok := second.(*ssa.FieldAddr)
		return ok && a.Field == b.Field && m.sameOperands(a, b)
	case *ssa.Field:
		b, ok := second.(*ssa.Field)
		return ok && a.Field == b.Field && m.sameOperands(a, b)
	case *ssa.Extract:
		b, ok := second.(*ssa.Extract)
		return ok && a.Index == b.Index && m.sameOperands(a, b)
	case *ssa.Lookup:
		b, ok := second.(*ssa.Lookup)
		return ok && a.CommaOk == b.CommaOk && m.sameOperands(a, b)
	case *ssa.TypeAssert:
		b, ok := second.(*ssa.TypeAssert)
		return ok && a.CommaOk == b.CommaOk && a.AssertedType == b.AssertedType && m.sameOperands(a, b)
	case *ssa.Call:
		b, ok := second.(*ssa.Call)
		return ok && a.Call.StaticCallee() == b.Call.StaticCallee() && !a.Call.IsInvoke() && !b.Call.IsInvoke() &&
			(ssaflow.Computes(a) || m.IsLook(a)) && m.findsTheSame(a, b) && m.sameOperands(a, b)
	case *ssa.IndexAddr, *ssa.Index, *ssa.Slice, *ssa.Convert, *ssa.ChangeType, *ssa.MultiConvert, *ssa.ChangeInterface,
		*ssa.MakeInterface, *ssa.SliceToArrayPointer:
		return sameKind(first, second) && m.sameOperands(first.(ssa.Instruction), second.(ssa.Instruction))
	case *ssa.Phi: // of a condition of several parts, evaluated again
		return first == second && !m.dominatesItself(a) && m.sameOperands(a, a)
	}
	return false
}

// dominatesItself tells whether the phi is at the head of a loop: then it is another
// value in the next iteration.
func (m *Matcher) dominatesItself(phi *ssa.Phi) bool {
	return slices.ContainsFunc(phi.Block().Preds, func(pred *ssa.BasicBlock) bool { return phi.Block().Dominates(pred) })
}

// sameLoad compares two loads of memory that is no part of the set: the second one
// may find something else there, unless the variable is never assigned again. What
// others do to it is not looked at, but the unit itself must not change it between.
func (m *Matcher) sameLoad(a, b *ssa.UnOp) bool {
	if x, y := m.variableOf(a), m.variableOf(b); x != nil && y != nil {
		return m.samePart(a.X, b.X, x, y)
	}
	if !m.L.IsAssignedOnce(a.X) {
		cells := m.L.Graph.PointsTo(m.Node, a.X).Cells()
		m.Loose = m.Loose || !m.isSettled(cells)
		if m.isChanged(a, b, cells) {
			return false
		}
	}
	return m.sameOperands(a, b)
}

// isSettled tells whether the memory is fields of objects of the checked type that nobody writes
// any more when others can reach the object.
func (m *Matcher) isSettled(memory []pointsto.Cell) bool {
	return len(memory) > 0 && !slices.ContainsFunc(memory, func(c pointsto.Cell) bool {
		return len(m.L.Stars.StarsAt(c)) == 0 || m.L.Unpublished.IsCellWritten(c)
	})
}

// isChanged tells whether the goroutine may store to the memory between two instructions.
func (m *Matcher) isChanged(a, b ssa.Instruction, memory []pointsto.Cell) bool {
	between, ok := m.Between(m.At[a], m.At[b])
	if !ok {
		return true
	}
	var stores map[*pointsto.Node]bool // what may store there, with what calls it
	for p, in := range between {
		if !in {
			continue
		}
		switch v := m.Instrs[p].(type) {
		case *ssa.Store:
			if m.L.MayStore(m.Node, v, memory) {
				return true
			}
		case *ssa.Call:
			if stores == nil {
				stores = m.L.Storing(memory)
			}
			if slices.ContainsFunc(m.L.Graph.Callees(m.Node, v), func(callee *pointsto.Node) bool { return stores[callee] }) {
				return true
			}
		}
	}
	return false
}

// sameKind tells whether two values are computed by the same kind of instruction to
// the same type.
func sameKind(a, b ssa.Value) bool {
	switch a.(type) {
	case *ssa.IndexAddr:
		_, ok := b.(*ssa.IndexAddr)
		return ok
	case *ssa.Index:
		_, ok := b.(*ssa.Index)
		return ok
	case *ssa.Slice:
		_, ok := b.(*ssa.Slice)
		return ok
	case *ssa.Convert:
		_, ok := b.(*ssa.Convert)
		return ok && a.Type() == b.Type()
	case *ssa.ChangeType:
		_, ok := b.(*ssa.ChangeType)
		return ok && a.Type() == b.Type()
	case *ssa.MakeInterface:
		_, ok := b.(*ssa.MakeInterface)
		return ok && a.Type() == b.Type()
	}
	return false
}

// sameOperands compares the operands of two instructions of one kind.
func (m *Matcher) sameOperands(first, second ssa.Instruction) bool {
	a, b := first.Operands(nil), second.Operands(nil)
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if (*a[i] == nil) != (*b[i] == nil) || *a[i] != nil && !m.equal(*a[i], *b[i]) {
			return false
		}
	}
	return true
}
