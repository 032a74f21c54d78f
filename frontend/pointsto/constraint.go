package pointsto

// A constraint says what to do with each label of a node, besides copying it.
type constraint struct {
	kind constraintKind
	path
	node uint32 // the other node
	typ  typeID
	site int32 // index of a call site or a conversion; of parts, the number of the call that asks for them
}

type constraintKind uint8

const (
	loadFrom        constraintKind = iota // node = *(label + path)
	storeTo                               // *(label + path) = node
	addressOf                             // node = label + path
	arrayOf                               // node = the array of which label is an element
	castTo                                // node = label as a pointer to typ
	movedBy                               // node = label + any offset
	toInterface                           // node = label as a value of type typ
	assertInterface                       // node = label if it implements typ
	assertPointer                         // node = label if its type is typ
	assertBox                             // node = value in the box if its type is typ
	assignTo                              // *label = value in node
	methodsOf                             // node, node+1 = the methods of the value, the value
	partsOf                               // node = the parts of the value, or of what it points to
	valuePartsOf                          // node = the parts of the value
	addressesOf                           // node = the addresses of what lies where the value points
	callFunction                          // call the function
	callMethod                            // call the method of the value
	callReceiver                          // call the function for the receiver
)

// apply applies c to labels.
func (s *solver) apply(c constraint, labels set) {
	switch c.kind {
	case loadFrom, storeTo:
		for label := range labels.all {
			if use := s.useOf(label); use == viewed {
				for at := range s.slotsAt(s.plain(label), c.typ) {
					s.access(c, at)
				}
			} else if at, ok := s.follow(c.path, s.plain(label)); ok && use == asItIs {
				s.access(c, at)
			}
		}
	case castTo:
		s.addLabels(s.find(c.node), s.castAll(c, labels))
	case addressOf:
		s.addLabels(s.find(c.node), s.followAll(c.path, labels))
	case arrayOf, movedBy, toInterface, assertInterface, assertPointer:
		var out set
		for label := range labels.all {
			if to, ok := s.translate(c, label); ok {
				out.add(to)
			}
		}
		s.addLabels(s.find(c.node), out)
	case assertBox:
		for label := range labels.all {
			if s.isBox(label) && s.naturalType(label) == c.typ {
				s.loadAt(c.node, label, s.objectOf(label).layout)
			}
		}
	case assignTo:
		for label := range labels.all {
			s.assign(label, c.node)
		}
	case methodsOf:
		var values set
		for label := range labels.all {
			if s.addMethods(label, s.sites[c.site], c.node) {
				values.add(label)
			}
		}
		s.addLabels(s.find(c.node+1), values)
	case partsOf, valuePartsOf:
		s.addAllParts(c, labels)
	case addressesOf:
		s.addAddresses(labels, c.node)
	case callFunction:
		for label := range labels.all {
			s.callFunctionValue(s.sites[c.site], s.plain(label))
		}
	case callMethod:
		s.callMethods(s.sites[c.site], labels)
	case callReceiver:
		for label := range labels.all {
			s.callForReceiver(s.sites[c.site], label)
		}
	}
}

// access loads from or stores to the cell.
func (s *solver) access(c constraint, at uint32) {
	if c.kind == loadFrom {
		s.addEdge(s.content(at), c.node)
	} else {
		s.addEdge(c.node, s.content(at))
	}
}

// translate maps one label to another.
func (s *solver) translate(c constraint, label uint32) (uint32, bool) {
	switch c.kind {
	case arrayOf:
		return s.aroundElement(label)
	case movedBy:
		return s.moved(label), true
	case toInterface:
		return s.tagged(label, c.typ), true
	case assertInterface:
		return label, s.implementsInterface(s.dynamicType(label), c.typ)
	case assertPointer:
		if s.dynamicType(label) != c.typ || s.isBox(label) {
			return 0, false
		}
		at, _ := s.untagged(label)
		return at, at != 0
	}
	return 0, false
}

// aroundElement returns the array of which the label is an element.
func (s *solver) aroundElement(label uint32) (uint32, bool) {
	at := s.plain(label)
	if s.useOf(label) != asItIs || at == 0 {
		return label, at != 0
	}
	if o := s.objectOf(at); at > o.base && o.layout.array(int32(at-1-o.base)) {
		return at - 1, true
	}
	return at, true // a single variable used as an array of one element
}
