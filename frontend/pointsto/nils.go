package pointsto

// Methods run on nil, too. Labels do not say what may be nil, but a value that turns out
// to point nowhere can be nothing else (or is not known, and its methods run as well).
// What may be nil besides pointing somewhere calls no other methods than that does.

// wrapped is a value that becomes one of an interface.
type wrapped struct {
	from, to uint32
	typ      typeID
}

// assumeNil lets the methods run whose receivers have turned out to be nil. It reports
// whether there is work.
func (s *solver) assumeNil() bool {
	values := s.wrapped
	s.wrapped = nil
	for _, v := range values {
		if len(s.points(v.from)) == 0 {
			s.addLabel(v.to, s.tagged(0, v.typ))
		}
	}
	sites := s.receivers
	s.receivers = nil
	for _, site := range sites {
		if len(site.callees) == 0 {
			s.connect(site, s.functionNode(site.function, s.contextOfNil(site)), site.args)
		}
	}
	return s.hasWork()
}

// contextOfNil is the context of a method on nothing: what is told apart by owner, as the
// insertion into an empty tree, works for the owner for which its caller does.
func (s *solver) contextOfNil(site *callSite) *Context {
	if s.traitsOf(site.function).perOwner {
		return site.caller.Context
	}
	return nil
}
