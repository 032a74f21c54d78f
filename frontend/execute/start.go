package execute

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Trials of a program have one start: what the initialisation of its packages leaves. It is carried out once. A run
// has a copy of the memory that a variable leads to from when it is touched first, so that none sees what
// another one has done.

// start returns what the initialisation has left, nil if runs cannot begin with copies of that.
func (p *Program) start() *beginning {
	if p.started {
		return p.beginning
	}
	p.started = true
	m := p.newMachine(newWatch(&Subject{Line: -1}))
	m.idle, m.notes = true, true
	m.decide = func([]*goroutine, *goroutine) int { return 0 }
	m.among = func(int) int { return 0 }
	complete := false
	m.start(func(g *goroutine, _ []value) value {
		g.invoke(&closure{fn: p.main.Func("init")}, nil, nil)
		complete = true
		return nil
	})
	p.Executed += p.steps - m.steps + m.initial
	all := newCopier(m, m)
	all.owners, all.shared = map[any]*ssa.Global{}, sharing{}
	if complete {
		p.beginning = m.end(nil, all)
	}
	if p.beginning != nil {
		p.initially = initially{all.shared, all.shared.members(), all.fixed, map[*ssa.Global][]Line{}}
	}
	return p.beginning
}

// initially is what is known of the memory that the initialisation has left.
type initially struct {
	shared  sharing
	members map[*ssa.Global][]*ssa.Global // see sharing
	fixed   map[*cell]bool                // see copier
	lines   map[*ssa.Global][]Line        // see linesAtStart
}

// beginning is what a run has left that others begin with copies of: the initialisation, or what brings an object into
// a state.
type beginning struct {
	m       *machine // that has carried it out
	object  value    // that the run has made; nil: none
	isState bool     // of a trial: the object has been made, and calls have been carried out
	cells   int      // that it is made of, and other things that are copied
}

// end returns what a run has left, with the object that it has made; nil if others cannot begin with copies of that, as
// the copier finds out.
func (m *machine) end(object value, all *copier) *beginning {
	if m.err != nil || len(m.goroutines) > 1 || len(m.timers) > 0 {
		return nil
	}
	all.value(object)
	for v, c := range m.globals {
		all.owner = v
		all.cell(c)
	}
	all.owner = nil
	for v := range m.addresses.of {
		all.value(v)
	}
	if all.failed {
		return nil
	}
	return &beginning{m: m, object: object, cells: len(all.copies)}
}

// startFrom begins a run with what another one has left: of variables when they are touched.
func (m *machine) startFrom(b *beginning) {
	from := b.m
	m.copier = newCopier(from, m)
	m.initialised, m.given = maps.Clone(from.initialised), maps.Clone(from.given)
	m.partial.unset, m.partial.failed = maps.Clone(from.partial.unset), maps.Clone(from.partial.failed)
	m.unique, m.clock = maps.Clone(from.unique), from.clock
	for v, n := range from.addresses.of {
		if m.addresses.of == nil {
			m.addresses = addresses{map[any]int64{}, map[int64]value{}}
		}
		c := m.copier.value(v)
		m.addresses.of[c], m.addresses.at[n] = n, c
	}
}

// copyOf returns the copy of a variable that was touched before the run began, nil if it was not.
func (m *machine) copyOf(v *ssa.Global) *cell {
	if m.copier == nil {
		return nil
	}
	return m.copier.cell(m.copier.from.variable(v))
}

// variable returns the memory of a variable that the run has touched, or what was before it; nil if nothing has.
func (m *machine) variable(v *ssa.Global) *cell {
	if c := m.globals[v]; c != nil {
		return c
	}
	c := m.copyOf(v)
	if c != nil {
		m.globals[v] = c
	}
	return c
}

// isOfTrials tells whether objects are watched only in what a trial makes.
func (s *Subject) isOfTrials() bool { return !s.All && s.Global == "" }

// knownType returns the cell that stands for a type; nil if there is none yet.
func (m *machine) knownType(t types.Type) *cell {
	if c := m.typeCells[t]; c != nil {
		return c
	}
	if c, ok := m.types.At(t).(*cell); ok || m.copier == nil {
		return c
	}
	return m.copier.from.knownType(t)
}

// here returns the copy that there is of memory of the start, else the memory itself, which nothing has touched.
func (m *machine) here(v value) value {
	if m.copier == nil {
		return v
	}
	if n, ok := m.copier.copies[v]; ok {
		return n
	}
	return v
}

// copier copies what memory of another machine leads to.
type copier struct {
	from   *machine
	to     *machine
	copies map[any]any    // of cells, maps, channels and functions, and of what one allocation makes
	fixed  map[*cell]bool // which stand for values, and are not copied
	failed bool           // there is something that cannot be copied

	owner  *ssa.Global         // that is copied
	owners map[any]*ssa.Global // for which things were copied first
	shared sharing
}

func newCopier(from, to *machine) *copier {
	c := &copier{from: from, to: to, copies: make(map[any]any, from.copied)}
	for _, u := range from.unique { // it stands for a value, and is never written
		if c.fixed == nil {
			c.fixed = map[*cell]bool{}
		}
		c.fixed[u] = true
	}
	return c
}

// known returns the copy of something, if there is one.
func (c *copier) known(x any) (n any, ok bool) {
	if n, ok = c.copies[x]; ok && c.owners != nil && c.owners[x] != c.owner {
		c.shared.join(c.owner, c.owners[x])
	}
	return n, ok
}

func (c *copier) note(x, n any) {
	c.copies[x] = n
	c.from.copied = len(c.copies)
	if c.owners != nil {
		c.owners[x] = c.owner
	}
}

func (c *copier) memory(m *memory) *memory {
	if m == nil {
		return nil
	}
	if n, ok := c.known(m); ok {
		return n.(*memory)
	}
	n := &memory{shared: m.shared, quiet: m.quiet, origin: m.origin}
	c.note(m, n)
	n.root = make([]*cell, len(m.root))
	for i, r := range m.root {
		n.root[i] = c.empty(r, n)
	}
	for i, r := range m.root {
		c.fill(r, n.root[i])
	}
	if m.maps != nil {
		n.maps = c.mapping(m.maps)
	}
	return n
}

func (c *copier) cell(x *cell) *cell {
	if x == nil || x == readOnly || c.fixed[x] {
		return x
	}
	if _, isType := x.state.(*typeState); isType { // there is one for each type, in all runs
		return x
	}
	if n, ok := c.known(x); ok {
		return n.(*cell)
	}
	mem := c.memory(x.mem)
	if n, ok := c.known(x); ok {
		return n.(*cell)
	}
	n := c.empty(x, mem) // it is another view of memory
	c.fill(x, n)
	return n
}

// empty makes the copy of a cell without what is in it.
func (c *copier) empty(x *cell, mem *memory) *cell {
	if n, ok := c.known(x); ok {
		return n.(*cell)
	}
	n := &cell{typ: x.typ, mem: mem, elem: x.elem}
	c.note(x, n)
	if len(x.parts) > 0 {
		n.parts = make([]*cell, len(x.parts))
		for i, p := range x.parts {
			if p.mem == x.mem {
				n.parts[i] = c.empty(p, mem)
			} else {
				n.parts[i] = c.cell(p)
			}
		}
	}
	return n
}

// fill copies what is in a cell.
func (c *copier) fill(x, n *cell) {
	n.val, n.state, n.view = c.value(x.val), c.state(x.state), c.cell(x.view)
	if h := x.header; h != nil {
		n.header = &headerPart{c.to, c.cell(h.of), c.cells(h.all), h.at}
	}
	for i, p := range x.parts {
		if p.mem == x.mem {
			c.fill(p, n.parts[i])
		}
	}
}

func (c *copier) cells(all []*cell) []*cell {
	if all == nil {
		return nil
	}
	whole := all[:cap(all)]
	copied := make([]*cell, len(whole))
	for i, x := range whole {
		copied[i] = c.cell(x)
	}
	return copied[:len(all)]
}

func (c *copier) mapping(x *mapping) *mapping {
	if n, ok := c.known(x); ok {
		return n.(*mapping)
	}
	n := newMapping()
	c.note(x, n)
	if x.mem != nil {
		n.mem.shared, n.mem.quiet, n.mem.origin = x.mem.shared, x.mem.quiet, x.mem.origin
		c.note(x.mem, n.mem)
	}
	for _, e := range x.order {
		if !e.gone {
			n.put(c.value(e.key), c.value(e.val))
		}
	}
	return n
}

func (c *copier) value(v value) value {
	switch v := v.(type) {
	case nil, bool, int64, float64, complex128, string:
		return v
	case *cell:
		return c.cell(v)
	case slice:
		return slice{c.cells(v.cells)}
	case *mapping:
		if v != nil {
			return c.mapping(v)
		}
		return v
	case iface:
		return iface{v.typ, c.value(v.val)}
	case aggregate:
		n := make(aggregate, len(v))
		for i, e := range v {
			n[i] = c.value(e)
		}
		return n
	case *closure:
		if v == nil || len(v.env) == 0 {
			return v
		}
		if n, ok := c.known(v); ok {
			return n
		}
		n := &closure{fn: v.fn, native: v.native, shared: v.shared, origin: v.origin}
		c.note(v, n)
		n.env = c.value(aggregate(v.env)).(aggregate)
		return n
	case *channel:
		if v == nil {
			return v
		}
		if n, ok := c.known(v); ok {
			return n
		}
		n := &channel{capacity: v.capacity, element: v.element, closed: v.closed, shared: v.shared, origin: v.origin}
		c.note(v, n)
		n.buffer = slices.Clone(c.value(aggregate(v.buffer)).(aggregate))
		return n
	}
	c.failed = true
	return v
}

// state copies the state of a synchronisation object that nobody uses.
func (c *copier) state(s any) any {
	switch s := s.(type) {
	case nil:
		return nil
	case *lockState:
		c.failed = c.failed || s.writer || s.readers > 0
		return &lockState{}
	case *groupState:
		c.failed = c.failed || s.count != 0
		return &groupState{}
	case *condState:
		c.failed = c.failed || len(s.waiters) > 0
		return &condState{}
	case *poolState:
		return &poolState{c.value(aggregate(s.values)).(aggregate)}
	case *mapping:
		return c.mapping(s)
	case *fileState:
		return s
	}
	c.failed = true
	return s
}
