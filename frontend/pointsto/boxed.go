package pointsto

// IsBoxed reports whether the object can be reached from a value in an interface, as
// reflection does. It does not depend on contexts: an object of a refinement is boxed if
// the one is that the base has in its place. The first question about a program takes
// time linear in what can be reached.
func (r *Result) IsBoxed(o *Object) bool {
	base := r.s
	if r.s.refinement != nil {
		base = r.s.base
	}
	if base.reached == nil {
		base.reached = base.findBoxed()
	}
	if o.ID < len(base.reached) {
		return base.reached[o.ID]
	}
	before := base.objectsOf[objectKey{site: o.Site}]
	return before == nil || base.reached[before.ID]
}

// findBoxed returns by ID which objects can be reached from values in interfaces.
func (s *solver) findBoxed() []bool {
	reached, followed := make([]bool, len(s.objects)), make([]bool, len(s.index.sets))
	var work []*Object
	follow := func(node uint32) {
		number := s.index.of[s.find(node)-s.index.first]
		if followed[number] {
			return
		}
		followed[number] = true
		for label := range s.index.sets[number].all {
			if c := s.plain(label); c != 0 && !reached[s.cells[c].object] {
				reached[s.cells[c].object] = true
				work = append(work, s.objectOf(c))
			}
		}
	}
	for _, node := range s.boxed {
		follow(node)
	}
	for len(work) > 0 {
		o := work[len(work)-1]
		work = work[:len(work)-1]
		for c := range uint32(o.layout.size()) {
			if content := s.cells[o.base+c].content; content != 0 {
				follow(content)
			}
		}
	}
	return reached
}
