package pointsto

import (
	"encoding/binary"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A function that calls what it is handed, as sync.Map.Range does, would call in the graph, whoever it is called by,
// what all its callers hand it: a program in which two places range over such maps would have runs in which the
// callback of one is called for the other. So its calls are matched with its callers: it has a node for each choice of
// functions that a caller may hand it, or of values whose methods it calls. What its values may point to is that of the
// one node that was solved, which these nodes share: only calls are told apart, through all levels on which a parameter
// is handed on.
//
// It is sound: in each activation a parameter holds what its caller has handed it, and only that is called there.

// maxMatched bounds the nodes that are added, times the nodes of the graph.
const maxMatched = 0.5

// matching adds the nodes to a result.
type matching struct {
	*Result
	known   map[matchedKey]*Node
	all     []*Node // in order
	alive   map[*Node]bool
	work    []*Node
	most    int
	choices map[*Node]map[int]set // of the nodes that are added: what a parameter holds
}

type matchedKey struct {
	of     *Node
	handed string // see keyOf
}

// matched is the part of a result that is as calls are matched, where that is not as it was solved.
type matched struct {
	callees map[*callSite][]*Node
	callers map[*Node][]Edge
	size    int // of all IDs
}

// match matches the calls.
func (r *Result) match() {
	m := &matching{Result: r, known: map[matchedKey]*Node{}, alive: map[*Node]bool{}, choices: map[*Node]map[int]set{},
		most: int(maxMatched * float64(len(r.nodes)))}
	r.matched = matched{callees: map[*callSite][]*Node{}, callers: map[*Node][]Edge{}, size: len(r.s.order)}
	for _, n := range r.nodes {
		if len(n.traits.calls) == 0 {
			m.reach(n)
		}
	}
	for _, n := range r.s.roots {
		m.reach(n)
	}
	for len(m.work) > 0 {
		n := m.work[0]
		m.work = m.work[1:]
		for _, site := range n.sites {
			m.matchSite(n, r.s.current(site))
		}
	}
	m.addCallers()
	r.nodes = append(slices.DeleteFunc(slices.Clone(r.nodes), func(n *Node) bool { return !m.alive[n] }), m.all...)
}

// reach notes that a node can be reached.
func (m *matching) reach(n *Node) {
	if !m.alive[n] {
		m.alive[n] = true
		m.work = append(m.work, n)
	}
}

// matchSite replaces the callees of a call by those for what it hands them.
func (m *matching) matchSite(n *Node, site *callSite) {
	isOther := false
	callees := make([]*Node, 0, len(site.callees))
	for _, callee := range site.callees {
		if handed := m.handed(n, site, callee); handed != nil {
			callee, isOther = m.nodeFor(callee, handed), true
		}
		callees = append(callees, callee)
		m.reach(callee)
	}
	if isOther {
		slices.SortFunc(callees, byID)
		m.matched.callees[site] = callees
	}
}

// handed returns what a call in a node hands a callee for the parameters that this one calls; nil if it is not known to
// be less than what all calls hand it.
func (m *matching) handed(n *Node, site *callSite, callee *Node) map[int]set {
	var handed map[int]set
	for _, i := range callee.traits.calls {
		labels, known := m.argument(n, site, callee, i)
		if !known || len(labels) == 0 {
			continue
		}
		if all := callee.values[callee.Func.Params[i]]; all != 0 && !labels.equal(m.s.points(all)) {
			if handed == nil {
				handed = map[int]set{}
			}
			handed[i] = labels
		}
	}
	return handed
}

// argument returns what a call in a node hands a callee for a parameter, if that is known.
func (m *matching) argument(n *Node, site *callSite, callee *Node, parameter int) (labels set, known bool) {
	if site.passed != 0 || site.start != nil || callee.traits.external {
		return nil, false
	}
	if site.method != nil {
		parameter--
	}
	if parameter < 0 || parameter >= len(site.args) || site.args[parameter] == 0 {
		return nil, false
	}
	args := site.instr.Common().Args
	if choices := m.choices[n]; choices != nil && site.instr.Parent() == n.Func && parameter < len(args) {
		if p, ok := args[parameter].(*ssa.Parameter); ok {
			if k := slices.Index(n.Func.Params, p); k >= 0 && choices[k] != nil {
				return choices[k], true
			}
		}
	}
	return m.s.points(site.args[parameter]), true
}

// nodeFor returns the node of a function for what it is handed; the one for everything if there would be too many.
func (m *matching) nodeFor(of *Node, handed map[int]set) *Node {
	key := matchedKey{of, keyOf(of.traits.calls, handed)}
	if n := m.known[key]; n != nil {
		return n
	}
	if len(m.all) >= m.most {
		return of
	}
	n := &Node{ID: m.matched.size, Func: of.Func, Context: of.Context, solved: of, values: of.values, results: of.results,
		traits: of.traits, instructions: of.instructions}
	m.matched.size++
	m.known[key], m.choices[n] = n, handed
	m.all = append(m.all, n)
	for _, old := range of.sites {
		site := *m.s.current(old)
		site.caller, site.linked = n, nil
		if p, ok := site.instr.Common().Value.(*ssa.Parameter); ok && site.start == nil && site.passed == 0 {
			if k := slices.Index(of.Func.Params, p); k >= 0 && handed[k] != nil {
				site.callees = m.among(site.callees, handed[k], site.method)
			}
		}
		n.sites = append(n.sites, &site)
		if site.start != nil {
			n.starts = append(n.starts, &site)
		}
	}
	return n
}

// keyOf tells what is handed for each of the parameters.
func keyOf(parameters []int, handed map[int]set) string {
	var key []byte
	for _, i := range parameters {
		if labels, ok := handed[i]; ok {
			key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(i)), uint64(len(labels)))
			for _, w := range labels {
				key = binary.LittleEndian.AppendUint64(binary.AppendUvarint(key, uint64(w.key)), w.bits)
			}
		}
	}
	return string(key)
}

// among returns the callees that are of one of the functions, or the method of one of the values, in a set.
func (m *matching) among(callees []*Node, values set, method *types.Func) (some []*Node) {
	for _, n := range callees {
		for label := range values.all {
			if method == nil && m.isCalled(label, n) || method != nil && m.isMethod(label, method, n) {
				some = append(some, n)
				break
			}
		}
	}
	return some
}

// isCalled tells whether a node is of the function that a label stands for.
func (m *matching) isCalled(label uint32, n *Node) bool {
	c := m.s.plain(label)
	if c == 0 {
		return false
	}
	o := m.s.objectOf(c)
	fn, _ := o.Site.(*ssa.Function)
	if closure, ok := o.Site.(*ssa.MakeClosure); ok {
		fn = closure.Fn.(*ssa.Function)
	}
	isOne := !n.traits.literal || n.traits.bound || n.Context == nil || n.Context == o.Context
	return fn == nil || fn == n.Func && isOne
}

// isMethod tells whether a node is of the method of a value in an interface.
func (m *matching) isMethod(label uint32, method *types.Func, n *Node) bool {
	_, t := m.s.untagged(label)
	return m.s.method(t, method) == n.Func
}

// addCallers finds the edges into the nodes that some calls are matched of, or that these call.
func (m *matching) addCallers() {
	changed := map[*Node]bool{}
	for _, n := range m.all {
		changed[n], changed[n.solved] = true, true
		for _, site := range n.solved.sites {
			for _, callee := range m.s.current(site).callees {
				changed[callee] = true
			}
		}
	}
	for _, n := range slices.Concat(m.nodes, m.all) {
		if !m.alive[n] {
			continue
		}
		for _, site := range n.sites {
			site = m.s.current(site)
			for _, callee := range m.calleesOf(site) {
				if changed[callee] {
					m.matched.callers[callee] = append(m.matched.callers[callee], Edge{n, site.instr, callee, site.start})
				}
			}
		}
	}
	for n := range changed {
		if m.matched.callers[n] == nil {
			m.matched.callers[n] = []Edge{}
		}
	}
}

// calleesOf returns the callees of a call as it is in the solution.
func (r *Result) calleesOf(site *callSite) []*Node {
	if callees, ok := r.matched.callees[site]; ok {
		return callees
	}
	return site.callees
}

// calledParameters returns the indices of the parameters that a function calls, itself or by handing them on to another
// one that does.
func calledParameters(f *ssa.Function, known map[*ssa.Function][]int) []int {
	if calls, ok := known[f]; ok {
		return calls
	}
	known[f] = nil // of recursion nothing is asked twice
	var calls []int
	for i, p := range f.Params {
		_, isFunction := p.Type().Underlying().(*types.Signature)
		if (isFunction || types.IsInterface(p.Type())) && callsValue(p, known) {
			calls = append(calls, i)
		}
	}
	known[f] = calls
	return calls
}

// callsValue tells whether a parameter is called, or handed on to what calls it.
func callsValue(p *ssa.Parameter, known map[*ssa.Function][]int) bool {
	var handedOn []ssa.CallInstruction
	for _, use := range *p.Referrers() {
		call, ok := use.(ssa.CallInstruction)
		if ok && call.Common().Value == p {
			return true
		} else if ok {
			handedOn = append(handedOn, call)
		}
	}
	return slices.ContainsFunc(handedOn, func(call ssa.CallInstruction) bool {
		callee := call.Common().StaticCallee()
		return callee != nil && slices.ContainsFunc(calledParameters(callee, known), func(i int) bool {
			return i < len(call.Common().Args) && call.Common().Args[i] == p
		})
	})
}
