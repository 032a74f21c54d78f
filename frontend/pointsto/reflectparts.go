package pointsto

// A value of package reflect may be a part of what that was handed. What such parts can be is a
// closure over memory. It is followed where it is small. Where it is not, as in a decoder that any
// value of a program reaches, it says nothing, and costs memory times calls: that is a hole. Which
// it is, is known when all else is solved.

// maxParts bounds the labels of the parts that a call of package reflect is taken to return.
const maxParts = 1 << 10

// A reflectedParts is what a call of package reflect may return a part of.
type reflectedParts struct {
	site    *callSite
	closure uint32 // node of the parts of what the call is handed, and of what they point to
	few     uint32 // node of the same, while they are few
	many    bool   // whether they are too many
}

// returnParts returns, of a value that is a part of what package reflect was handed, all that it
// can be. What the standard library does with such parts is told elsewhere (see visit), and of
// what is no part there are none.
func returnParts(s *solver, site *callSite, _ *Node, args []uint32) {
	if site.result != 0 && !inLibrary(s.config.Program, site.caller.Func) {
		s.addEdge(s.reflectedParts(site, args[0]), site.result)
	}
}

// returnAddresses returns the addresses of all parts.
func returnAddresses(s *solver, site *callSite, callee *Node, args []uint32) {
	s.reflected(site, callee.Func, args)
	if site.result != 0 && !inLibrary(s.config.Program, site.caller.Func) {
		for _, from := range []uint32{args[0], s.reflectedParts(site, args[0])} {
			s.constrain(from, constraint{kind: addressesOf, node: site.result + 1})
		}
	}
}

// assertValue returns the value if it is of the type in question.
func assertValue(s *solver, site *callSite, callee *Node, args []uint32) {
	if args[0] != 0 && site.result != 0 {
		t := callee.Func.Signature.Results().At(0).Type()
		s.assert(args[0]+1, t, site.result)
		if !inLibrary(s.config.Program, site.caller.Func) {
			s.assert(s.reflectedParts(site, args[0]), t, site.result)
		}
	}
}

// reflectedParts returns the node of the parts of what package reflect was handed, and of what
// they point to.
func (s *solver) reflectedParts(site *callSite, handed uint32) uint32 {
	first := s.newNodes(site.caller, 2)
	p := &reflectedParts{site: site, closure: first, few: first + 1}
	s.partsAt = append(s.partsAt, p)
	further := constraint{kind: partsOf, node: p.closure, site: int32(len(s.partsAt))} // 0 is no call
	s.constrain(handed, further)
	s.constrain(p.closure, further)
	return p.few
}

// hasManyParts reports whether the parts that a call returns, by number, are too many.
func (s *solver) hasManyParts(call int32) bool {
	if call == 0 {
		return false // no call, but a function that visits all parts
	}
	p := s.partsAt[call-1]
	p.many = p.many || s.node(s.find(p.closure)).points.exceeds(maxParts)
	return p.many
}

// assumeParts lets calls return parts where these are few. It reports whether there is work.
func (s *solver) assumeParts() bool {
	for i, p := range s.partsAt {
		if s.hasManyParts(int32(i + 1)) {
			s.hole(Reflect, p.site.caller.Func, p.site.instr.Pos(), "parts",
				"what reflection finds in values that lead to much memory is not followed")
		} else {
			s.addLabels(s.find(p.few), s.node(s.find(p.closure)).points)
		}
	}
	return s.hasWork()
}

// addAddresses adds the addresses of what lies where the values with the labels point to, as far
// as reflection gives them away: of exported and embedded fields, and of elements.
func (s *solver) addAddresses(labels set, to uint32) {
	var addresses set
	for label := range labels.all {
		at, t := s.untagged(label)
		if t == 0 || at == 0 || s.useOf(label) != asItIs || s.isBox(label) || !hasParts(s.dynamic.types[t], true) {
			continue
		}
		o := s.objectOf(at)
		if o.kind != memory {
			continue // of a map
		}
		begin, end := s.extent(at)
		for off := begin; off < end; off++ {
			if off == begin || isVisible(o.layout.paths[off], o.layout.types[off]) {
				addresses.add(o.base + uint32(off))
			}
		}
	}
	s.addLabels(s.find(to), addresses)
}

// addAllParts adds the parts of the values with the labels (see addParts), unless they are too many.
func (s *solver) addAllParts(c constraint, labels set) {
	const often = 64
	var there set
	i := 0
	for label := range labels.all {
		if i%often == 0 && s.hasManyParts(c.site) {
			return
		}
		i++
		s.addParts(label, c.kind == partsOf, c.node, &there)
	}
	s.addLabels(s.find(c.node), there)
}
