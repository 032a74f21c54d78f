package pointsto

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// Node is a call-graph node: a function in a context.
type Node struct {
	ID      int
	Func    *ssa.Function
	Context *Context // nil if none
	solved  *Node    // of a node for some callers: the one that was solved, for all of them; see matching

	values  map[ssa.Value]uint32
	results uint32 // node of the first slot of the results, if made
	sites   []*callSite
	starts  []*callSite                       // of sites: they start goroutines, other than by a go statement
	siteOf  map[ssa.CallInstruction]*callSite // see ownSites; nil until it is asked for
	callers []Edge

	instructions int // see Instructions
	traits       *traits
}

// solvedAs returns the node with the values.
func (n *Node) solvedAs() *Node {
	if n.solved != nil {
		return n.solved
	}
	return n
}

// Edge is a call-graph edge: a call, go or defer statement that can run Callee.
// Where Caller is a function without body that calls back, Site is the call
// that passed the function to it.
type Edge struct {
	Caller *Node
	Site   ssa.CallInstruction
	Callee *Node
	Start  *Start // not nil: what Site calls starts Callee on another goroutine
}

// IsStart reports whether Callee runs on a goroutine of its own.
func (e Edge) IsStart() bool {
	_, isGo := e.Site.(*ssa.Go)
	return isGo || e.Start != nil
}

// String returns the function and its context.
func (n *Node) String() string { return n.Func.String() + n.Context.String() }

// A callSite is a call in a node, go and defer included.
type callSite struct {
	index    int32
	caller   *Node
	instr    ssa.CallInstruction
	function *ssa.Function // of static calls
	value    uint32        // node of the function, or of the interface whose method is called
	args     []uint32      // first nodes; the receiver is the first, but for calls of interface methods
	result   uint32
	callees  []*Node
	linked   map[*Node]bool // of callees, if they are many
	start    *Start         // of the callees on other goroutines; nil for an ordinary call
	method   *types.Func    // that it calls on the value in an interface
	passed   uint32         // node of the arguments, if reflection makes the call
}

// traits are what the analysis wants to know of a function at each call.
type traits struct {
	literal     bool // belongs to the context of the function around it
	bound       bool
	perCall     bool
	perReceiver bool
	perOwner    bool // see owned
	wrapper     bool
	helper      bool                 // works on what it is handed: see isHelper
	external    bool                 // has no constraints of its own
	callsBack   bool                 // is external, and takes functions
	callbacks   []knowledge.Callback // that it runs on other goroutines
	calls       []int                // the parameters that it calls: see matching
	model       model
	class       knowledge.Class

	node *Node // without context; nil if there is none yet
}

func (s *solver) traitsOf(f *ssa.Function) *traits {
	t := s.traits[f]
	if t == nil {
		t = &traits{}
		if s.refinement != nil {
			*t = *s.base.traitsOf(f) // names are costly
			t.node = nil
		} else {
			s.classify(f, t)
		}
		if !s.insensitive {
			t.literal, t.bound, t.wrapper = f.Parent() != nil, isBound(f), isWrapper(f)
			receiver := f.Signature.Recv()
			sensitive := receiver != nil && s.config.Sensitivity.Receiver(f)
			t.perReceiver = sensitive && pointerlike(receiver.Type()) && !t.external
			if t.perOwner = s.refinement != nil && s.owned.has(f) && !sensitive &&
				!s.config.Sensitivity.CallSite(f); t.perOwner {
				t.perReceiver = s.owned.isPerReceiver(f)
			}
			t.perCall = t.perOwner || t.wrapper || t.helper || sensitive || s.config.Sensitivity.CallSite(f) || t.callsBack
		}
		s.traits[f] = t
	}
	return t
}

// classify finds the traits that do not depend on what is asked.
func (s *solver) classify(f *ssa.Function, t *traits) {
	t.model = s.models[flowOf(f)]
	callbacks, whole := s.config.Concurrent.Concurrent(f)
	if t.callbacks = callbacks; whole {
		t.model = startsOnly
	}
	t.class = knowledge.ClassOf(f)
	t.external = len(f.Blocks) == 0 || t.model != nil || knowledge.IsOpaquePackage(packagePath(f)) || isCgo(f)
	t.callsBack = t.external && callsBack(f)
	t.helper = isHelper(f)
	if !t.external {
		t.calls = calledParameters(f, s.called)
	}
}

func isBound(f *ssa.Function) bool { return strings.HasPrefix(f.Synthetic, "bound ") }

func isWrapper(f *ssa.Function) bool {
	for _, p := range []string{"wrapper ", "thunk ", "instantiation "} {
		if strings.HasPrefix(f.Synthetic, p) {
			return true
		}
	}
	return false
}

// functionNode returns the node of f in context, and makes it if new.
func (s *solver) functionNode(f *ssa.Function, context *Context) *Node {
	t := s.traitsOf(f)
	if context == nil && t.node != nil {
		return t.node
	}
	if n := s.frozenNode(f); n != nil {
		return n
	}
	key := functionKey{f, context}
	n := s.functions[key]
	if n == nil {
		n = &Node{ID: len(s.order), Func: f, Context: context, values: map[ssa.Value]uint32{}, traits: t}
		s.functions[key] = n
		s.order = append(s.order, n)
		if !t.external {
			s.ungenerated = append(s.ungenerated, n)
		}
		if context == nil {
			t.node = n
		}
	}
	return n
}

// result returns the first node of the results of n.
func (s *solver) result(n *Node) uint32 {
	if n.results == 0 {
		if slots := s.layouts.slots(n.Func.Signature.Results()); slots > 0 {
			n.results = s.newNodes(n, slots)
		}
	}
	return n.results
}

// ownSites returns the calls that n makes itself, but not what they call back.
func (n *Node) ownSites() map[ssa.CallInstruction]*callSite {
	if n.siteOf == nil {
		n.siteOf = make(map[ssa.CallInstruction]*callSite, len(n.sites))
		for _, site := range n.sites {
			if site.start == nil && site.instr.Parent() == n.Func {
				n.siteOf[site.instr] = site
			}
		}
	}
	return n.siteOf
}

// newSite records a call.
func (s *solver) newSite(caller *Node, instr ssa.CallInstruction) *callSite {
	site := &callSite{index: int32(len(s.sites)), caller: caller, instr: instr}
	s.sites = append(s.sites, site)
	caller.sites = append(caller.sites, site)
	return site
}

// call generates the constraints of a call, go or defer.
func (s *solver) call(n *Node, instr ssa.CallInstruction) {
	common := instr.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		s.builtin(n, instr, b)
		return
	}
	site := s.newSite(n, instr)
	for _, a := range common.Args {
		site.args = append(site.args, s.value(n, a))
	}
	if v := instr.Value(); v != nil {
		site.result = s.value(n, v)
	}
	if f, static := common.Value.(*ssa.Function); static {
		site.function = f
	} else {
		site.value = s.value(n, common.Value)
	}
	if site.method = common.Method; site.method != nil {
		s.startCallbacks(site, s.concurrentMethod(site.method), site.args)
	}
	s.dispatch(site)
}

// dispatch generates the constraints of a call.
func (s *solver) dispatch(site *callSite) {
	switch f, n := site.function, site.caller; {
	case site.method != nil:
		s.constrain(site.value, constraint{kind: callMethod, site: site.index})
	case f == nil:
		s.constrain(site.value, constraint{kind: callFunction, site: site.index})
	default:
		if t := s.traitsOf(f); t.perReceiver {
			s.receivers = append(s.receivers, site)
			s.constrain(site.args[0], constraint{kind: callReceiver, site: site.index})
		} else {
			s.connect(site, s.calleeOf(n, site.instr, f, t), site.args)
		}
	}
}

// calleeOf returns what a call in n of a function runs that does not depend on its
// receiver.
func (s *solver) calleeOf(n *Node, call ssa.CallInstruction, f *ssa.Function, t *traits) *Node {
	if t.literal {
		return s.functionNode(f, n.Context)
	}
	return s.functionNode(f, s.contextFor(n, call, t))
}

// onlyCallee returns the one node whose results are those of the call, nil if there is
// none known before all is solved.
func (s *solver) onlyCallee(n *Node, call *ssa.Call) *Node {
	f, static := call.Call.Value.(*ssa.Function)
	if !static {
		return nil
	}
	t := s.traitsOf(f)
	if t.perReceiver || t.external {
		return nil
	}
	return s.calleeOf(n, call, f, t)
}

// contextFor returns the context of functions that do not depend on a receiver.
func (s *solver) contextFor(caller *Node, call ssa.CallInstruction, t *traits) *Context {
	if t.perCall {
		if t.perOwner && caller.Context != nil {
			return caller.Context
		}
		if t.wrapper && caller.traits.wrapper || t.helper && caller.traits.helper {
			// Wrappers of interfaces that call each other have as many
			// chains as there are paths through them. The functions of a
			// package of helpers do one thing together.
			return caller.Context
		}
		return s.callContext(caller, call)
	}
	return nil
}

// callForReceiver calls the method of the site for the receiver.
func (s *solver) callForReceiver(site *callSite, label uint32) {
	if cell := s.plain(label); cell != 0 {
		s.connectReceiver(site, s.functionNode(site.function, s.methodContext(cell, s.traitsOf(site.function))), label,
			site.args[1:])
	}
}

// connectReceiver calls the method callee on the receiver, if it is not 0.
func (s *solver) connectReceiver(site *callSite, callee *Node, label uint32, args []uint32) {
	receiver := s.value(callee, callee.Func.Params[0])
	if label != 0 {
		s.addLabel(receiver, label)
	}
	if site.calls(callee) {
		return
	}
	s.connect(site, callee, append([]uint32{receiver}, args...))
}

// callFunctionValue calls the function or closure at cell.
func (s *solver) callFunctionValue(site *callSite, cell uint32) {
	if cell == 0 {
		return
	}
	o := s.objectOf(cell)
	switch f := o.Site.(type) {
	case *ssa.Function:
		t := s.traitsOf(f)
		context := o.Context
		if !t.literal {
			context = s.contextFor(site.caller, site.instr, t)
		}
		s.connect(site, s.functionNode(f, context), site.args)
	case *ssa.MakeClosure:
		body := f.Fn.(*ssa.Function)
		context := o.Context
		if s.traitsOf(body).bound {
			context = s.receiverContext(cell)
		}
		callee := s.functionNode(body, context)
		s.connect(site, callee, site.args)
		at := o.base + 1
		for _, v := range body.FreeVars {
			l := s.layouts.value(v.Type())
			s.loadAt(s.value(callee, v), at, l)
			at += uint32(l.size())
		}
	}
}

// received is what a function is called on: it is handed over at once, as it may be much.
type received struct {
	callee *Node
	values set
}

// callMethods calls the method of an interface on the values with the labels. What it runs is looked up once for all
// values of a type, unless they are told apart.
func (s *solver) callMethods(site *callSite, labels set) {
	var all []received
	byCallee, byType := map[*Node]int{}, map[typeID]int{}
	for label := range labels.all {
		at, t := s.untagged(label)
		isBox := s.isBox(label)
		if k, known := byType[t]; known && !isBox {
			if at != 0 {
				all[k].values.add(at)
			}
			continue
		}
		f := s.method(t, site.method)
		if f == nil {
			continue
		}
		callee, isAny := s.calleeOn(site, f, label, at)
		s.connectReceiver(site, callee, 0, site.args)
		if isBox {
			continue
		}
		k, known := byCallee[callee]
		if !known {
			k = len(all)
			all, byCallee[callee] = append(all, received{callee: callee}), k
		}
		if isAny {
			byType[t] = k
		}
		if at != 0 {
			all[k].values.add(at)
		}
	}
	for _, r := range all {
		if len(r.values) > 0 {
			s.addLabels(s.find(s.value(r.callee, r.callee.Func.Params[0])), r.values)
		}
	}
}

// calleeOn returns what a call of the method f of an interface runs on the value label, of which the pointer is at, and
// whether that is so for any value of the type. What is in a box is loaded for it.
func (s *solver) calleeOn(site *callSite, f *ssa.Function, label, at uint32) (callee *Node, isAny bool) {
	traits := s.traitsOf(f)
	if traits.perReceiver && at != 0 && !s.isBox(label) {
		return s.functionNode(f, s.methodContext(s.plain(at), traits)), false
	}
	callee = s.functionNode(f, s.contextFor(site.caller, site.instr, traits))
	if s.isBox(label) {
		s.loadAt(s.value(callee, f.Params[0]), label, s.objectOf(label).layout)
	}
	return callee, !traits.perReceiver
}

// connect adds the call-graph edge, and lets arguments and results flow.
func (s *solver) connect(site *callSite, callee *Node, args []uint32) {
	if site.calls(callee) {
		return
	}
	site.add(callee)
	s.addCaller(callee, Edge{site.caller, site.instr, callee, site.start})
	s.startsOf(site, callee, args)
	if t := callee.traits; t.external {
		if site.passed == 0 && (!s.isBase(site.caller) || !s.isBase(callee)) {
			s.external(site, callee, args, t.model)
		}
		return
	}
	if site.passed != 0 {
		s.passValues(site, callee, len(args))
	}
	for i, p := range callee.Func.Params {
		if i < len(args) {
			s.addEdges(args[i], s.value(callee, p), s.layouts.slots(p.Type()))
		}
	}
	if site.result != 0 && site.passed == 0 {
		s.addEdges(s.result(callee), site.result, s.layouts.slots(callee.Func.Signature.Results()))
	}
}

// calls reports whether callee is known to be one of the site.
func (site *callSite) calls(callee *Node) bool {
	if site.linked == nil {
		return slices.Contains(site.callees, callee)
	}
	return site.linked[callee]
}

// add adds a callee.
func (site *callSite) add(callee *Node) {
	const few = 8
	if site.callees = append(site.callees, callee); site.linked != nil {
		site.linked[callee] = true
	} else if len(site.callees) > few {
		site.linked = map[*Node]bool{}
		for _, c := range site.callees {
			site.linked[c] = true
		}
	}
}
