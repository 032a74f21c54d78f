package execute

// IsReachedBy tells whether the goroutine can come to the object from what it may still read:
// the registers of its activations, deferred calls, and what it was started with. What package
// variables lead to does not count.
func (o Object) IsReachedBy(g Goroutine) bool {
	s := &search{want: o.o, seen: map[any]bool{}}
	return s.goroutine(g.g)
}

// IsGlobal tells whether package variables lead to the object.
func (o Object) IsGlobal(in Goroutine) bool {
	s := &search{want: o.o, seen: map[any]bool{}}
	for _, c := range in.g.m.globals {
		if s.object(c.mem) {
			return true
		}
	}
	return false
}

// IsShared tells whether the object was made so that another goroutine than its maker can
// reach it, or could at an earlier time: if not, none can.
func (o Object) IsShared() bool {
	switch x := o.o.(type) {
	case *memory:
		return x.shared
	case *channel:
		return x.shared
	case *closure:
		return x.shared
	}
	return true
}

// search looks for an object in what values lead to.
type search struct {
	want any
	seen map[any]bool
}

func (s *search) goroutine(g *goroutine) bool {
	if g.done {
		return false
	}
	if g.begin != nil && (s.value(g.begin) || s.values(g.args)) {
		return true
	}
	if p := g.parked; p != nil {
		if p.done && s.value(p.received) {
			return true
		}
		for _, c := range p.cases {
			if !p.done && s.value(c.val) {
				return true
			}
		}
	}
	for fr := g.top; fr != nil; fr = fr.caller {
		for r := range fr.live() {
			if s.value(fr.regs[r]) {
				return true
			}
		}
		for _, d := range fr.defers {
			if s.value(d.fn) || s.values(d.args) {
				return true
			}
		}
		if s.value(fr.result) {
			return true
		}
	}
	return false
}

func (s *search) values(all []value) bool {
	for _, v := range all {
		if s.value(v) {
			return true
		}
	}
	return false
}

// value tells whether the value leads to the object.
func (s *search) value(v value) bool {
	switch v := v.(type) {
	case *cell:
		return v != nil && s.object(v.mem)
	case slice:
		return cap(v.cells) > 0 && s.object(v.cells[:1][0].mem)
	case *mapping:
		return v != nil && s.object(v.mem)
	case *iterator:
		return v != nil && v.m != nil && s.object(v.m.mem)
	case *channel:
		return v != nil && s.object(v)
	case *closure:
		return v != nil && s.object(v)
	case iface:
		return s.value(v.val)
	case aggregate:
		return s.values(v)
	}
	return false
}

// object tells whether the object is the one, or leads to it.
func (s *search) object(o any) bool {
	if o == s.want {
		return true
	}
	if s.seen[o] {
		return false
	}
	s.seen[o] = true
	switch x := o.(type) {
	case *memory:
		for _, c := range x.root {
			if s.cell(c) {
				return true
			}
		}
		return s.mapping(x.maps)
	case *channel:
		return s.values(x.buffer)
	case *closure:
		return s.values(x.env)
	}
	return false
}

func (s *search) cell(c *cell) bool {
	for _, part := range c.parts {
		if s.cell(part) {
			return true
		}
	}
	switch state := c.state.(type) {
	case *mapping: // a sync.Map
		if s.mapping(state) {
			return true
		}
	case *poolState:
		if s.values(state.values) {
			return true
		}
	}
	return s.value(c.val)
}

func (s *search) mapping(m *mapping) bool {
	if m == nil {
		return false
	}
	for _, e := range m.order {
		if !e.gone && (s.value(e.key) || s.value(e.val)) {
			return true
		}
	}
	return false
}
