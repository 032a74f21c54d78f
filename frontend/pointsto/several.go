package pointsto

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// several is what contexts would tell apart: the functions that would have more than one
// context, and the objects that would be more than one because such functions allocate
// them. An object that is none of them, and that none of the functions has at hand, goes
// in a refinement where it goes in the base.
type several struct {
	*plan
	functions []bool // by ID of call-graph nodes
	objects   []bool // by ID
	held      []bool // by ID of objects: one of the functions has it at hand

	perCall   []bool // by ID: one context for each call
	receivers []*Node
	bodies    map[*ssa.Function]int // of bound methods: how many closures
	work      []*Node
}

// findSeveral finds what contexts would tell apart. Functions that are sensitive to
// receivers have one for each receiver, other sensitive ones for each call.
func (p *plan) findSeveral(sensitive, perReceiver []bool) *several {
	v := &several{
		plan: p, functions: make([]bool, len(p.order)), objects: make([]bool, len(p.objects)),
		held:    make([]bool, len(p.objects)),
		perCall: make([]bool, len(p.order)), bodies: map[*ssa.Function]int{},
	}
	for id, n := range p.order {
		if perReceiver[id] {
			v.receivers = append(v.receivers, n)
		} else if sensitive[id] || isWrapper(n.Func) {
			v.perCall[id] = true
			if len(n.callers) > 1 {
				v.add(n)
			}
		}
	}
	for _, o := range p.facts.bound {
		v.bodies[boundMethod(o)]++
	}
	for again := true; again; {
		again = v.spread() || v.addReceivers()
	}
	v.findHeld()
	return v
}

func (v *several) add(n *Node) {
	if n != nil && !v.functions[n.ID] {
		v.functions[n.ID] = true
		v.work = append(v.work, n)
	}
}

// spread follows contexts to what has them, too: literals, what is called once per call,
// and objects. It reports whether there was something new.
func (v *several) spread() bool {
	found := len(v.work) > 0
	for len(v.work) > 0 {
		n := v.work[len(v.work)-1]
		v.work = v.work[:len(v.work)-1]
		for _, literal := range n.Func.AnonFuncs {
			v.add(v.solver.functions[functionKey{function: literal}])
		}
		for _, site := range n.sites {
			for _, callee := range site.callees {
				if v.perCall[callee.ID] {
					v.add(callee)
				}
			}
		}
	}
	if found {
		for id, n := range v.facts.makers {
			v.objects[id] = n != nil && v.functions[n.ID]
		}
	}
	return found
}

// addReceivers adds the methods that would have several receivers. It reports whether
// there was one.
func (v *several) addReceivers() bool {
	for _, n := range v.receivers {
		if cells := v.receiversOf(n); len(cells) > 1 || len(cells) == 1 && v.objects[v.objectOf(cells[0]).ID] {
			v.add(n)
		}
	}
	for _, o := range v.facts.bound {
		if body := boundMethod(o); v.bodies[body] > 1 || v.objects[o.ID] {
			v.add(v.solver.functions[functionKey{function: body}])
		}
	}
	return len(v.work) > 0
}

// findHeld finds what the functions have at hand.
func (v *several) findHeld() {
	for number, labels := range v.index.sets {
		if !slices.ContainsFunc(v.index.ownersOf(uint32(number)), func(owner int32) bool { return v.functions[owner] }) {
			continue
		}
		for label := range labels.all {
			if c := v.plain(label); c != 0 {
				v.held[v.cells[c].object] = true
			}
		}
	}
}

// are reports whether contexts matter to the object.
func (v *several) are(o *Object) bool { return v.objects[o.ID] || v.held[o.ID] }
