package pointsto

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// Start is what is known of goroutines that a call starts for a callback.
type Start struct {
	Often bool // any number for one call, at any time
	By    knowledge.Callback
}

// startsOf starts the callbacks of a function in the table.
func (s *solver) startsOf(site *callSite, callee *Node, args []uint32) {
	callbacks := callee.traits.callbacks
	if len(callbacks) == 0 {
		return
	}
	if callee.Func.Signature.Recv() != nil && len(args) > 0 {
		args = args[1:]
	}
	s.startCallbacks(site, callbacks, args)
}

// startCallbacks makes the caller start the callbacks among the arguments.
func (s *solver) startCallbacks(site *callSite, callbacks []knowledge.Callback, args []uint32) {
	if s.isBase(site.caller) {
		return // they are sites of their own
	}
	for _, c := range callbacks {
		if c.Argument >= len(args) {
			continue
		}
		started := s.newSite(site.caller, site.instr)
		started.start, started.value = &Start{c.Often, c}, args[c.Argument]
		s.starts = append(s.starts, started)
		if c.Method != "" {
			started.method = methodOf(site.instr, c)
		}
		if c.Method == "" || started.method != nil {
			s.dispatch(started)
		}
	}
}

// concurrentMethod returns what a call of the method of an interface starts.
func (s *solver) concurrentMethod(method *types.Func) []knowledge.Callback {
	callbacks, ok := s.concurrent[method]
	if !ok {
		callbacks = s.config.Concurrent.ConcurrentMethod(method)
		s.concurrent[method] = callbacks
	}
	return callbacks
}

// methodOf returns the method that is called on an argument of interface type.
func methodOf(call ssa.CallInstruction, c knowledge.Callback) *types.Func {
	parameters := call.Common().Signature().Params()
	if c.Argument >= parameters.Len() {
		return nil
	}
	object, _, _ := types.LookupFieldOrMethod(parameters.At(c.Argument).Type(), false, nil, c.Method)
	method, _ := object.(*types.Func)
	return method
}

// startsOnly is the model of a function that does nothing but start callbacks.
func startsOnly(s *solver, site *callSite, callee *Node, _ []uint32) { s.returnNew(site, callee.Func) }

// findRepeated notes which callbacks run any number of times because a function
// that makes them run again is called.
func (s *solver) findRepeated() {
	called := map[string]bool{}
	for _, site := range s.starts {
		name := site.start.By.AgainBy
		again, known := called[name]
		if !known {
			again = s.runs(name)
			called[name] = again
		}
		site.start.Often = site.start.Often || again
	}
}

// runs reports whether the function with the full name is called.
func (s *solver) runs(name string) bool {
	return slices.ContainsFunc(s.order, func(n *Node) bool {
		return strings.HasSuffix(name, "."+n.Func.Name()) && n.Func.String() == name
	})
}

// Starts returns what a call in n starts on goroutines of its own, other than by a
// go statement, in order of IDs.
func (r *Result) Starts(n *Node, site ssa.CallInstruction) []Edge {
	var edges []Edge
	for _, c := range n.starts {
		if c.instr != site {
			continue
		}
		for _, callee := range r.calleesOf(r.s.current(c)) {
			edges = append(edges, Edge{n, site, callee, c.start})
		}
	}
	return edges
}
