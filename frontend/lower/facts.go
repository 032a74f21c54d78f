package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// graphFacts is what is found out about the call graph once, for all rounds of the
// lowering, because it takes time where programs are large.
type graphFacts struct {
	graph *pointsto.Result
	kept  map[*pointsto.Node]bool

	reached    map[nodeValue]uint
	callbacks  map[*pointsto.Node]callbacks
	exitSets   *exitSets               // nil until it is asked for
	callsBack  map[*pointsto.Node]bool // nil until it is asked for: see mayCallBack
	doIsKept   map[pointsto.Cell]bool
	doCalls    []pointsto.Edge // of Once.Do
	hasDoCalls bool
	locked     []pointsto.Edge // calls of operations on locks
	hasLocked  bool
	globals    map[*ssa.Global][]nodeInstr // nil until it is asked for: see usesOf
	exits      map[*pointsto.Node]bool     // nil until it is asked for: see mayExit
	neverNil   map[nodeValue]bool          // parameters: see isNeverNil

	carriers    map[int]*carriers               // by star, as far as asked for: see carriersOf
	reachesStar map[int]map[*pointsto.Node]bool // by star: see opensUnit
	ownLocks    map[*pointsto.Object]*ownLocks  // nil until it is asked for: see ownLocksOf
	usage       *usage                          // nil until it is asked for: see isUsedInSteps
	stays       map[*pointsto.Node]bool         // answers of staysWithParameters
	closures    map[*ssa.Function][]nodeInstr   // nil until it is asked for: see closuresOf
	neverMade   map[*ssa.Function]bool          // answers of isNeverMade
}

// nodeInstr is an instruction of a node.
type nodeInstr struct {
	node  *pointsto.Node
	instr ssa.Instruction
}

// usesOf returns the instructions that name the variable, of each function for one
// call-graph node.
func (f *graphFacts) usesOf(global *ssa.Global) []nodeInstr {
	if f.globals == nil {
		f.globals = map[*ssa.Global][]nodeInstr{}
		seen := map[*ssa.Function]bool{}
		for _, n := range f.graph.Nodes() {
			if !seen[n.Func] {
				seen[n.Func] = true
				f.addUses(n)
			}
		}
	}
	return f.globals[global]
}

func (f *graphFacts) addUses(n *pointsto.Node) {
	var operands []*ssa.Value
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			operands = instr.Operands(operands[:0])
			for _, o := range operands {
				if global, ok := (*o).(*ssa.Global); ok {
					f.globals[global] = append(f.globals[global], nodeInstr{n, instr})
				}
			}
		}
	}
}

func newGraphFacts(c Config) *graphFacts {
	return &graphFacts{
		graph: c.Graph, kept: c.Kept.Kept,
		reached: map[nodeValue]uint{}, callbacks: map[*pointsto.Node]callbacks{}, doIsKept: map[pointsto.Cell]bool{}, neverNil: map[nodeValue]bool{},
		reachesStar: map[int]map[*pointsto.Node]bool{}, carriers: map[int]*carriers{}, stays: map[*pointsto.Node]bool{}, neverMade: map[*ssa.Function]bool{},
	}
}

// mayCallBack tells whether a function may run kept ones without the lowering seeing
// it: those that call them, directly or through functions whose bodies are not lowered.
// Few do, and it need not be found out which ones the others run.
func (f *graphFacts) mayCallBack(n *pointsto.Node) bool {
	if f.callsBack != nil {
		return f.callsBack[n]
	}
	f.callsBack = map[*pointsto.Node]bool{}
	var work []*pointsto.Node
	for _, n := range f.graph.Nodes() {
		if f.kept[n] {
			work = append(work, n)
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range f.graph.Callers(n) {
			if m := e.Caller; !f.callsBack[m] {
				f.callsBack[m] = true
				if !f.kept[m] || knowledge.IsSynchronisation(m.Func) {
					work = append(work, m)
				}
			}
		}
	}
	return f.callsBack[n]
}

// onceCalls returns the calls of Once.Do in the whole program.
func (f *graphFacts) onceCalls() []pointsto.Edge {
	if !f.hasDoCalls {
		f.doCalls, f.hasDoCalls = f.graph.CallsTo(knowledge.Onces), true
	}
	return f.doCalls
}

// lockCalls returns the calls of operations on locks in the whole program.
func (f *graphFacts) lockCalls() []pointsto.Edge {
	if !f.hasLocked {
		f.locked, f.hasLocked = f.graph.CallsTo(knowledge.Locks), true
	}
	return f.locked
}
