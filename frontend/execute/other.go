package execute

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Other returns another value that a register could have, not ok if the package makes none, as of
// channels and functions. Which one depends on the number; some numbers give none. What leads to
// memory leads to a copy of it with other values in it, so far as those are numbers and the like.
func (a Activation) Other(v ssa.Value, n int) (x Value, c *Copies, ok bool) {
	now, ok := a.Value(v)
	if !ok {
		return Value{}, nil, false
	}
	o := &otherwise{a.fr.g, &Copies{}}
	y, ok := o.value(v.Type(), now.v, n)
	return Value{y}, o.copies, ok
}

// Copies is the memory that another value leads to in place of the memory that it is a copy of.
type Copies struct {
	cells []copied
	maps  []copiedMap
}

type copied struct {
	cell, of *cell // of is nil if there is none
	val      value // at first, or when it was written back
}

type copiedMap struct {
	m, of *mapping
	vals  map[any]value // likewise
}

// WriteBack writes to the memory itself what has been written to the copy. It fails if
// that has no place there.
func (c *Copies) WriteBack() bool {
	for i, k := range c.cells {
		if same(k.cell.val, k.val) {
			continue
		}
		if k.of == nil {
			return false
		}
		k.of.val, c.cells[i].val = k.cell.val, k.cell.val
	}
	for _, k := range c.maps {
		for h, e := range k.m.index {
			if val, known := k.vals[h]; known && same(val, e.val) {
				continue
			}
			if k.of == nil {
				return false
			}
			k.of.put(e.key, e.val)
			k.vals[h] = e.val
		}
		for h := range k.vals {
			if k.of == nil || k.m.index[h] != nil {
				continue
			}
			if e := k.of.index[h]; e != nil {
				k.of.remove(e.key)
			}
			delete(k.vals, h)
		}
	}
	return true
}

// otherwise makes other values.
type otherwise struct {
	*goroutine
	copies *Copies
}

func (g *otherwise) value(t types.Type, v value, n int) (value, bool) {
	switch x := v.(type) {
	case bool:
		return !x, n == 0
	case int64:
		y := wrap(t, []int64{x + 1, x - 1, x + 7, 0, -x, 1000 - x}[n%6])
		return y, y != x && (y >= 0 || !isUnsigned(t))
	case float64:
		return x + float64(n+1), true
	case string:
		if n > 0 {
			return "", n == 1 && x != ""
		}
		return x + "'", true
	case aggregate:
		return g.parts(t, x, n)
	case iface:
		if x.typ == nil {
			return nil, false
		}
		if n == 1 && types.IsInterface(t) {
			return iface{}, true
		}
		y, ok := g.value(x.typ, x.val, n)
		return iface{x.typ, y}, ok
	case *cell:
		return g.pointer(t, x, n)
	case slice:
		return g.slice(t, x, n)
	case *mapping:
		return g.mapping(t, x, n)
	}
	return nil, false
}

// parts changes what it can of a struct, an array or a tuple.
func (g *otherwise) parts(t types.Type, x aggregate, n int) (value, bool) {
	all, changed := append(aggregate(nil), x...), false
	for i := range all {
		var of types.Type
		switch u := t.Underlying().(type) {
		case *types.Struct:
			of = u.Field(i).Type()
		case *types.Array:
			of = u.Elem()
		case *types.Tuple:
			of = u.At(i).Type()
		}
		if isSynchronisation(of) {
			continue
		}
		if y, ok := g.value(of, all[i], n); ok {
			all[i], changed = y, true
		}
	}
	return all, changed
}

// pointer returns the address of a copy; of a new object, if there is none.
func (g *otherwise) pointer(t types.Type, x *cell, n int) (value, bool) {
	p, ok := t.Underlying().(*types.Pointer)
	switch {
	case !ok || isSynchronisation(p.Elem()):
		return nil, false
	case x == nil:
		c := g.allocate(p.Elem())
		g.note(c, nil)
		return c, n == 0
	case n > 1:
		return nil, false
	}
	c := g.allocate(x.typ)
	g.fill(c, x, n)
	return c, true
}

// slice returns a slice that is shorter, or one of a copy of the elements.
func (g *otherwise) slice(t types.Type, x slice, n int) (value, bool) {
	s, ok := t.Underlying().(*types.Slice)
	count := len(x.cells)
	switch {
	case !ok:
		return nil, false
	case n == 0:
		return slice{x.cells[:max(count-1, 0)]}, count > 0
	case n == 1:
		count++
	case n > 2 || count == 0:
		return nil, false
	}
	cells := g.array(s.Elem(), count)
	for i, c := range cells {
		if i < len(x.cells) {
			g.fill(c, x.cells[i], n)
		} else {
			g.note(c, nil)
		}
	}
	return slice{cells}, true
}

// mapping returns a map with other values for the same keys, and one more key. (What is deleted from it
// is seen: see WriteBack.)
func (g *otherwise) mapping(t types.Type, x *mapping, n int) (value, bool) {
	m, ok := t.Underlying().(*types.Map)
	if !ok || n > 0 {
		return nil, false
	}
	y := newMapping()
	y.mem.origin = g.origin()
	y.put(zero(m.Key()), zero(m.Elem()))
	if x != nil {
		for _, e := range x.order {
			if !e.gone {
				y.put(e.key, g.in(m.Elem(), e.val, n))
			}
		}
	}
	vals := map[any]value{}
	for h, e := range y.index {
		vals[h] = e.val
	}
	g.copies.maps = append(g.copies.maps, copiedMap{y, x, vals})
	return y, true
}

// fill puts into memory what other memory has, with other numbers and the like.
func (g *otherwise) fill(c, from *cell, n int) {
	for i, p := range c.parts {
		g.fill(p, from.parts[i], n)
	}
	if len(c.parts) > 0 || isSynchronisation(c.typ) {
		return
	}
	c.val = g.in(c.typ, from.val, n)
	g.note(c, from)
}

// note notes what a cell is a copy of.
func (g *otherwise) note(c, of *cell) {
	for _, p := range c.parts {
		g.note(p, nil)
	}
	g.copies.cells = append(g.copies.cells, copied{c, of, c.val})
}

// in is the value in memory that is a copy: another number or string, which the program hardly
// writes there itself, so that what it writes is seen.
func (g *otherwise) in(t types.Type, v value, n int) value {
	switch x := v.(type) {
	case int64:
		return wrap(t, x+1_000_003*int64(n+1))
	case string:
		return x + "'"
	}
	return v
}
