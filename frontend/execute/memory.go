package execute

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// allocate returns memory for one value of the type, set to zero.
func (g *goroutine) allocate(t types.Type) *cell {
	mem := &memory{origin: g.origin()}
	c := g.m.newCell(t, mem, false)
	mem.root = []*cell{c}
	g.register(c, "")
	return c
}

// array returns memory for n values of the type.
func (g *goroutine) array(t types.Type, n int) []*cell {
	if n < 0 || n > 1<<16 {
		unsupported("%d elements", n)
	}
	mem := &memory{root: make([]*cell, n), origin: g.origin()}
	g.m.steps -= n / cellsOfStep
	for i := range mem.root {
		mem.root[i] = g.m.newCell(t, mem, true)
		g.register(mem.root[i], "[]")
	}
	return mem.root
}

// cellsOfStep is how many elements of an array, or a slice, are made in the time of an instruction.
const cellsOfStep = 4

func (m *machine) newCell(t types.Type, mem *memory, elem bool) *cell {
	c := &cell{typ: t, mem: mem, elem: elem}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		c.parts = make([]*cell, u.NumFields())
		for i := range c.parts {
			c.parts[i] = m.newCell(u.Field(i).Type(), mem, elem)
		}
	case *types.Array:
		if u.Len() > 1<<18 {
			unsupported("an array of %d elements", u.Len())
		}
		c.parts = make([]*cell, u.Len())
		m.steps -= len(c.parts) / cellsOfStep
		for i := range c.parts {
			c.parts[i] = m.newCell(u.Elem(), mem, true)
		}
	default:
		c.val = zero(t)
	}
	return c
}

// get returns the value in the cell.
func (c *cell) get() value {
	if c.view != nil && c.view != readOnly {
		return viewed(c.view.typ, c.typ, c.view.get())
	}
	switch c.typ.Underlying().(type) {
	case *types.Struct, *types.Array:
		a := make(aggregate, len(c.parts))
		for i, p := range c.parts {
			a[i] = p.get()
		}
		return a
	}
	return c.val
}

// set puts the value into the cell.
func (c *cell) set(v value) {
	if c.header != nil {
		c.header.set(v)
		return
	}
	if c.view == readOnly {
		unsupported("writing the numbers that make up a %s", c.typ)
	}
	if c.view != nil {
		c.view.set(viewed(c.typ, c.view.typ, v))
		return
	}
	switch c.typ.Underlying().(type) {
	case *types.Struct, *types.Array:
		a := v.(aggregate)
		for i, p := range c.parts {
			p.set(a[i])
		}
		return
	}
	c.val = v
}

// load reads the cell: an event, and a scheduling point if others can reach it.
func (g *goroutine) load(c *cell) (value, taint) {
	g.nonNil(c)
	if c.mem.shared {
		g.pointAt(c, Read)
	}
	t := g.access(c, Read)
	return c.get(), t.union(c.taint)
}

// store writes the cell.
func (g *goroutine) store(c *cell, v value, t taint) {
	g.nonNil(c)
	if c.mem.shared {
		g.pointAt(c, Write)
		g.m.publish(v)
		g.keep(t)
		t = nil
	}
	g.access(c, Write)
	g.put(c, v, t)
}

// storePart is store where that is part of a store that comes next.
func (g *goroutine) storePart(c *cell, v value, t taint) {
	if c.mem.shared {
		g.pointAt(c, Write)
		g.m.publish(v)
	}
	g.observe(c, Write)
	g.put(c, v, t)
}

// put makes a value that of a cell.
func (g *goroutine) put(c *cell, v value, t taint) {
	c.set(v)
	c.taint = t
	if b, ok := c.typ.Underlying().(*types.Basic); !ok || b.Kind() == types.UnsafePointer {
		g.m.version++ // it may lead to other memory than before
	}
}

func (g *goroutine) nonNil(c *cell) {
	if c == nil {
		panic(goPanic{runtimeError("invalid memory address or nil pointer dereference")})
	}
}

// publish marks what the value leads to as memory that other goroutines can reach.
func (m *machine) publish(v value) {
	switch v := v.(type) {
	case *cell:
		if v != nil {
			m.publishMemory(v.mem)
		}
	case slice:
		if cap(v.cells) > 0 {
			m.publishMemory(v.cells[:1][0].mem)
		}
	case *mapping:
		if v != nil {
			m.publishMemory(v.mem)
		}
	case *channel:
		if v != nil && !v.shared {
			v.shared = true
			for _, e := range v.buffer {
				m.publish(e)
			}
		}
	case *closure:
		if v != nil && !v.shared {
			v.shared = true
			for _, e := range v.env {
				m.publish(e)
			}
		}
	case iface:
		m.publish(v.val)
	case aggregate:
		for _, e := range v {
			m.publish(e)
		}
	}
}

func (m *machine) publishMemory(mem *memory) {
	if mem.shared {
		return
	}
	mem.shared = true
	for _, c := range mem.root {
		m.publishCell(c)
	}
	if mem.maps != nil {
		for _, e := range mem.maps.order {
			m.publish(e.key)
			m.publish(e.val)
		}
	}
}

func (m *machine) publishCell(c *cell) {
	for _, p := range c.parts {
		m.publishCell(p)
	}
	m.publish(c.val)
	switch s := c.state.(type) {
	case *mapping: // a sync.Map
		m.publishMemory(s.mem)
	case *poolState:
		for _, v := range s.values {
			m.publish(v)
		}
	}
}

// register notes the objects of the checked type in new memory, if this is the place
// where the objects that are asked for are made.
func (g *goroutine) register(c *cell, path string) {
	s := g.m.watch.Subject
	if g.makes(s.Local) {
		o := &object{id: len(g.m.objects), cell: c}
		g.m.objects = append(g.m.objects, o)
		g.m.mark(c, &location{o, 0})
	}
	if s.Type == nil || s.Global != "" {
		return
	}
	if g.m.watch.isSubject(c.typ) {
		if (s.Path == "" || normalPath(s.Path) == normalPath(path)) && g.isAtSite() {
			o := g.m.newObject(c)
			g.openConstructor(o)
		}
		return
	}
	g.eachPart(c, path)
}

// makes tells whether the goroutine is at the instruction that makes the value.
func (g *goroutine) makes(v ssa.Value) bool {
	if v == nil || g.top == nil {
		return false
	}
	at, ok := g.top.instr.(ssa.Value)
	return ok && at == v
}

func (g *goroutine) eachPart(c *cell, path string) {
	switch u := c.typ.Underlying().(type) {
	case *types.Struct:
		for i, p := range c.parts {
			g.register(p, strings.TrimPrefix(path+"."+u.Field(i).Name(), "."))
		}
	case *types.Array:
		for _, p := range c.parts {
			g.register(p, path+"[]")
		}
	}
}

// normalPath leaves out how elements are written.
func normalPath(path string) string { return strings.Trim(strings.ReplaceAll(path, "[]", ""), ".") }

// isAtSite tells whether the goroutine is where the objects asked for are made, or in a
// call that was made there.
func (g *goroutine) isAtSite() bool {
	s := g.m.watch.Subject
	if s.All {
		return true
	}
	for fr := g.top; fr != nil; fr = fr.caller {
		if fr.instr == nil {
			continue
		}
		at := g.m.program.ssa.Fset.Position(fr.instr.Pos())
		if at.Line == s.Line && strings.HasSuffix(at.Filename, "/"+s.File) {
			return true
		}
		if !g.m.watch.returnsSubject(fr.fn.ssa) {
			return false
		}
	}
	// A go statement that calls a constructor.
	return g.start == s.Line
}

// newObject makes the cell an object that is watched.
func (m *machine) newObject(c *cell) *object {
	o := &object{id: len(m.objects), cell: c}
	m.objects = append(m.objects, o)
	m.embed(o, c)
	for f, path := range m.watch.Subject.Fields {
		if part := partAt(c, path); part != nil {
			m.mark(part, &location{o, f})
		}
	}
	return o
}

// embed notes that methods with this receiver are methods of the object.
func (m *machine) embed(o *object, c *cell) {
	c.self = o
	if s, ok := c.typ.Underlying().(*types.Struct); ok {
		for i, p := range c.parts {
			if s.Field(i).Embedded() {
				m.embed(o, p)
			}
		}
	}
}

func (m *machine) mark(c *cell, at *location) {
	if isSynchronisation(c.typ) {
		return
	}
	c.at = at
	for _, p := range c.parts {
		m.mark(p, at)
	}
}

// partAt returns the cell of a field.
func partAt(c *cell, path string) *cell {
	for _, name := range strings.Split(path, ".") {
		s, ok := c.typ.Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		var next *cell
		for i := range s.NumFields() {
			if s.Field(i).Name() == name {
				next = c.parts[i]
			}
		}
		if next == nil {
			return nil
		}
		c = next
	}
	return c
}

// isSynchronisation tells whether the type is of synchronisation objects, which are
// never locations. sync.Map and sync.Pool hold values.
func isSynchronisation(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Chan); ok {
		return true
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != "sync" {
		return false
	}
	return n.Obj().Name() != "Map" && n.Obj().Name() != "Pool"
}

// locations returns the fields that an access to the cell touches.
func (m *machine) locations(c *cell) []*location {
	if c.at != nil {
		return []*location{c.at}
	}
	var all []*location
	for _, p := range c.parts {
		if len(all) < 32 {
			for _, at := range m.locations(p) {
				if len(all) == 0 || all[len(all)-1] != at {
					all = append(all, at)
				}
			}
		}
	}
	return append(all, m.reached(c)...)
}

// reached returns the fields, or package variables, that lead to the cell or the map at this moment.
func (m *machine) reached(c any) []*location {
	if m.reachVersion != m.version || m.reach == nil {
		if m.reachVersion = m.version; m.reach == nil {
			m.reach = map[any][]*location{}
		}
		clear(m.reach) // it soon has as much in it again
		seen := map[any]bool{}
		for _, o := range m.objects {
			if m.watch.Subject.Local != nil {
				clear(seen)
				m.follow(o.cell, &location{o, 0}, seen, true)
				continue
			}
			for f, path := range m.watch.Subject.Fields {
				if part := partAt(o.cell, path); part != nil {
					clear(seen)
					m.follow(part, &location{o, f}, seen, true)
				}
			}
		}
		for f, v := range m.watch.Subject.Vars {
			if c := m.globals[v]; c != nil && len(m.objects) > 0 {
				clear(seen)
				m.follow(c, &location{m.objects[0], f}, seen, true)
			}
		}
	}
	return m.reach[c]
}

// follow notes what a value in a cell leads to. It stops at other objects of the type,
// at what has a lock of its own and so may guard itself, at channels and at closures.
func (m *machine) follow(c *cell, at *location, seen map[any]bool, own bool) {
	if seen[c] || !own && (m.watch.isSubject(c.typ) || holdsLock(c.typ, 0)) {
		return
	}
	seen[c] = true
	if !own {
		m.reach[c] = append(m.reach[c], at)
	}
	for _, p := range c.parts {
		m.follow(p, at, seen, own)
	}
	m.followValue(c.val, at, seen)
}

func (m *machine) followValue(v value, at *location, seen map[any]bool) {
	switch v := v.(type) {
	case *cell:
		if v != nil && v.at == nil {
			m.follow(v, at, seen, false)
		}
	case slice:
		for _, e := range v.cells {
			m.follow(e, at, seen, false)
		}
	case *mapping:
		if v != nil && !seen[v] {
			seen[v] = true
			m.reach[v] = append(m.reach[v], at)
			for _, e := range v.order {
				m.followValue(e.val, at, seen)
			}
		}
	case iface:
		m.followValue(v.val, at, seen)
	case aggregate:
		for _, e := range v {
			m.followValue(e, at, seen)
		}
	}
}

// holdsLock tells whether a value of the type has a lock or an atomic in it.
func holdsLock(t types.Type, depth int) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok && depth > 0 {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		switch path, name := n.Obj().Pkg().Path(), n.Obj().Name(); {
		case path == "sync/atomic", path == "sync" &&
			(name == "Mutex" || name == "RWMutex" || name == "Locker" || name == "Map" || name == "Pool"):
			return true
		case path == "sync":
			return false
		}
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || depth > 4 {
		return false
	}
	for i := range s.NumFields() {
		if holdsLock(s.Field(i).Type(), depth+1) {
			return true
		}
	}
	return false
}
