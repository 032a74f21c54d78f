package pointsto

import (
	"go/types"

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
	callbacks, _ := s.config.Concurrent.Concurrent(callee.Func)
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
	for _, c := range callbacks {
		if c.Argument >= len(args) {
			continue
		}
		started := s.newSite(site.caller, site.instr)
		started.start = &Start{c.Often, c}
		s.starts = append(s.starts, started)
		if c.Method == "" {
			s.constrain(args[c.Argument], constraint{kind: callFunction, site: started.index})
		} else if started.method = methodOf(site.instr, c); started.method != nil {
			s.constrain(args[c.Argument], constraint{kind: callMethod, site: started.index})
		}
	}
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
	for _, n := range s.order {
		called[n.Func.String()] = true
	}
	for _, site := range s.starts {
		site.start.Often = site.start.Often || called[site.start.By.AgainBy]
	}
}

// Starts returns what a call in n starts on goroutines of its own, other than by a
// go statement, in order of IDs.
func (r *Result) Starts(n *Node, site ssa.CallInstruction) []Edge {
	var edges []Edge
	for _, e := range r.Calls(n) {
		if e.Site == site && e.Start != nil {
			edges = append(edges, e)
		}
	}
	return edges
}
