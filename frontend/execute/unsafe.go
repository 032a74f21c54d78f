package execute

import (
	"go/types"
	"math"
	"strings"
)

// What package unsafe does is followed where it is plain what it comes to: memory seen as another type of the
// same kind, numbers by their bits, bytes as text, parts of arrays.

// addresses are the numbers of memory, which a program sees as uintptrs.
type addresses struct {
	of map[any]int64
	at map[int64]value
}

// address returns the number of what a pointer leads to; 0 for nil.
func (m *machine) address(v value) int64 {
	if v == nil || (Value{v}).IsNil() {
		return 0
	}
	a := &m.addresses
	if a.of == nil {
		a.of, a.at = map[any]int64{}, map[int64]value{}
	}
	if n, ok := a.of[v]; ok {
		return n
	}
	n := 0xc000000000 + 64*int64(len(a.of))
	a.of[v], a.at[n] = n, v
	return n
}

// pointerAt returns the pointer with a number.
func (m *machine) pointerAt(n int64) value {
	if n == 0 {
		return (*cell)(nil)
	}
	v, ok := m.addresses.at[n]
	if !ok {
		unsupported("an address that is computed")
	}
	return v
}

// asPointer returns an unsafe.Pointer as a pointer to another type.
func (g *goroutine) asPointer(v value, to types.Type) value {
	c, ok := v.(*cell)
	if !ok { // of a map, a channel or a function
		unsupported("a pointer to what is no variable")
	}
	if c == nil || isLike(c.typ, to) {
		return c
	}
	if c.view != nil && isLike(c.view.typ, to) {
		return c.view
	}
	for first := c; len(first.parts) > 0; {
		if first = first.parts[0]; isLike(first.typ, to) {
			return first
		}
	}
	if array, ok := to.Underlying().(*types.Array); ok && isLike(c.typ, array.Elem()) {
		if row := c.row(); int64(len(row)) >= array.Len() {
			return &cell{typ: to, parts: row[:array.Len()], mem: c.mem, elem: c.elem, at: c.at}
		}
	}
	if h := g.header(c, to); h != nil {
		return h
	}
	if !canView(c.typ, to) {
		unsupported("memory of type %s seen as %s", c.typ, to)
	}
	return &cell{typ: to, mem: c.mem, at: c.at, elem: c.elem, view: c}
}

// headerPart is that a cell is one of the numbers that make up a text or a slice.
type headerPart struct {
	m   *machine
	of  *cell // the text or the slice
	all []*cell
	at  int
}

// set changes a number, and what it makes up.
func (h *headerPart) set(v value) {
	h.all[h.at].val = v
	at := h.all[0].val
	if n, isNumber := at.(int64); isNumber {
		at = h.m.pointerAt(n)
	}
	first, ok := at.(*cell)
	if !ok {
		unsupported("writing the address of a %s", h.of.typ)
	}
	n, limit := h.all[1].val.(int64), int64(-1)
	if len(h.all) == 3 {
		limit = h.all[2].val.(int64)
	}
	var row []*cell
	if first != nil {
		row = first.row()
	}
	if isTextType(h.of.typ) {
		h.of.set(text(row[:min(max(n, 0), int64(len(row)))]))
		return
	}
	limit = min(max(limit, n), int64(len(row))) // they are written one after the other
	if n = min(n, limit); n < 0 || first == nil {
		h.of.set(slice{})
		return
	}
	h.of.set(slice{row[:n:limit]})
}

// readOnly is the view of what is a copy.
var readOnly = &cell{}

// header returns the numbers that make up a text or a slice, or what is made up of them: both to be read
// only. It is nil where the types are none of such.
func (g *goroutine) header(c *cell, to types.Type) *cell {
	copied := func(t types.Type, v value) *cell {
		h := g.reflect(t, v, 0).at
		h.freeze()
		return h
	}
	if n := headerLength(to); n > 0 {
		var cells []*cell
		switch v := c.get().(type) {
		case string:
			cells = viewed(c.typ, types.NewSlice(types.Typ[types.Byte]), v).(slice).cells
		case slice:
			cells = v.cells
		default:
			return nil
		}
		numbers := aggregate{int64(0), int64(len(cells)), int64(cap(cells))}
		var first value = (*cell)(nil)
		if cap(cells) > 0 {
			first = cells[:1][0]
		}
		if numbers[0] = first; !hasPointer(to) {
			numbers[0] = g.m.address(first)
		}
		h := copied(to, numbers[:n])
		for i, p := range h.parts {
			p.header = &headerPart{g.m, c, h.parts, i}
		}
		return h
	}
	numbers, ok := c.get().(aggregate)
	if ok && isTextWithCapacity(c.typ) && isBytes(to) {
		return copied(to, g.bytesOf(numbers[0].(string)))
	}
	if !ok || headerLength(c.typ) == 0 || !isTextType(to) && !isBytes(to) {
		return nil
	}
	v := slice{}
	at := numbers[0]
	if n, ok := at.(int64); ok {
		at = g.m.pointerAt(n)
	}
	if first, ok := at.(*cell); ok && first != nil {
		v.cells = g.rowOf(first, int(numbers[1].(int64)))
	}
	if isTextType(to) {
		return copied(to, text(v.cells))
	}
	return copied(to, v)
}

// headerLength is of how many numbers a type is that can stand for a text or a slice; 0 for others. The first one
// may be a pointer.
func headerLength(t types.Type) int {
	switch u := t.Underlying().(type) {
	case *types.Array:
		if n := int(u.Len()); (n == 2 || n == 3) && isIntegerType(u.Elem()) && sizes.Sizeof(u.Elem()) == 8 {
			return n
		}
	case *types.Struct:
		n := u.NumFields()
		if n != 2 && n != 3 ||
			!isIntegerType(u.Field(0).Type()) && !isLike(u.Field(0).Type(), types.Typ[types.UnsafePointer]) {
			return 0
		}
		for i := 1; i < n; i++ {
			if !isIntegerType(u.Field(i).Type()) || sizes.Sizeof(u.Field(i).Type()) != 8 {
				return 0
			}
		}
		if isIntegerType(u.Field(0).Type()) && u.Field(0).Name() != "Data" {
			return 0
		}
		return n
	}
	return 0
}

// isTextWithCapacity tells whether a type is a text, and behind it what makes it one of bytes: the capacity.
func isTextWithCapacity(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	return ok && s.NumFields() == 2 && isTextType(s.Field(0).Type()) && isIntegerType(s.Field(1).Type()) &&
		sizes.Sizeof(s.Field(1).Type()) == 8
}

// hasPointer tells whether the first of such numbers is a pointer.
func hasPointer(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	return ok && !isIntegerType(s.Field(0).Type())
}

// freeze has it noticed that a copy is written to.
func (c *cell) freeze() {
	c.view = readOnly
	for _, p := range c.parts {
		p.freeze()
	}
}

// isLike tells whether memory of a type can be used as that of another one without a change.
func isLike(t, u types.Type) bool {
	t, u = t.Underlying(), u.Underlying()
	switch t := t.(type) {
	case *types.Basic:
		b, ok := u.(*types.Basic)
		return ok && (t.Kind() == b.Kind() || isIntegerType(t) && isIntegerType(b) && sizes.Sizeof(t) == sizes.Sizeof(b) &&
			isUnsigned(t) == isUnsigned(b) || t.Kind() == types.UnsafePointer) || t.Kind() == types.UnsafePointer && isPointer(u)
	case *types.Struct:
		s, ok := u.(*types.Struct)
		if !ok || s.NumFields() != t.NumFields() {
			return false
		}
		for i := range s.NumFields() {
			if !isLike(t.Field(i).Type(), s.Field(i).Type()) {
				return false
			}
		}
		return true
	case *types.Array:
		a, ok := u.(*types.Array)
		return ok && t.Len() == a.Len() && isLike(t.Elem(), a.Elem())
	case *types.Pointer:
		b, ok := u.(*types.Basic)
		return isPointer(u) || ok && b.Kind() == types.UnsafePointer
	}
	return types.IdenticalIgnoreTags(t, u)
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

func isIntegerType(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

func isTextType(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

func isFloatType(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsFloat != 0
}

func isBytes(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && isByte(s.Elem())
}

// canView tells whether values of one type can be read as those of another one, by view.
func canView(t, u types.Type) bool {
	isNumber := func(t types.Type) bool { return isIntegerType(t) || isFloatType(t) }
	switch {
	case isNumber(t) && isNumber(u):
		return sizes.Sizeof(t) == sizes.Sizeof(u)
	case isBytes(t) && isTextType(u), isTextType(t) && isBytes(u):
		return true
	}
	return false
}

// viewed returns the value of memory of one type as that of another one.
func viewed(t, u types.Type, v value) value {
	switch x := v.(type) {
	case int64:
		switch {
		case !isFloatType(u):
			return wrap(u, x)
		case sizes.Sizeof(u) == 4:
			return float64(math.Float32frombits(uint32(x)))
		}
		return math.Float64frombits(uint64(x))
	case float64:
		bits := int64(math.Float64bits(x))
		if sizes.Sizeof(t) == 4 {
			bits = int64(math.Float32bits(float32(x)))
		}
		return viewed(u, u, bits)
	case slice:
		return text(x.cells)
	case string:
		cells := make([]*cell, len(x))
		mem := &memory{root: cells}
		for i := range cells {
			cells[i] = &cell{typ: types.Typ[types.Byte], val: int64(x[i]), mem: mem, elem: true}
		}
		return slice{cells}
	}
	unsupported("memory of type %s seen as %s", t, u)
	return nil
}

// text returns the bytes in cells as a text.
func text(cells []*cell) string {
	var b strings.Builder
	for _, c := range cells {
		n, ok := c.val.(int64)
		if !ok {
			unsupported("bytes of memory of type %s", c.typ)
		}
		b.WriteByte(byte(n))
	}
	return b.String()
}

// row returns the cells of an array or a slice from one of them on; the cell alone, if it is of none.
func (c *cell) row() []*cell {
	var find func(all []*cell) []*cell
	find = func(all []*cell) []*cell {
		for i, other := range all {
			if other == c {
				return all[i:]
			}
			if row := find(other.parts); row != nil {
				if s, ok := other.typ.Underlying().(*types.Struct); ok && s != nil && row[0] == c {
					return row[:1]
				}
				return row
			}
		}
		return nil
	}
	if row := find(c.mem.root); row != nil {
		return row
	}
	return []*cell{c}
}

// pointers is the functions of package unsafe.
func (g *goroutine) pointers(name string, t types.Type, args []value) value {
	switch name {
	case "String":
		n := int(args[1].(int64))
		if n == 0 {
			return ""
		}
		return string(g.bytes(slice{g.rowOf(args[0], n)}))
	case "StringData":
		if cells := g.bytesOf(args[0].(string)).(slice).cells; len(cells) > 0 {
			return cells[0]
		}
		return (*cell)(nil)
	case "Slice":
		c, n := args[0].(*cell), int(args[1].(int64))
		if c == nil {
			return slice{}
		}
		return slice{g.rowOf(c, n)}
	case "SliceData":
		cells := args[0].(slice).cells
		switch {
		case cap(cells) > 0:
			return cells[:1][0]
		case cells == nil:
			return (*cell)(nil)
		}
		return g.allocate(elementOf(t))
	case "Sizeof":
		return sizes.Sizeof(t)
	case "Alignof":
		return sizes.Alignof(t)
	}
	unsupported("unsafe.%s", name)
	return nil
}

// rowOf returns so many cells from the one that a pointer leads to.
func (g *goroutine) rowOf(v value, n int) []*cell {
	c := v.(*cell)
	g.nonNil(c)
	row := c.row()
	if n < 0 || n > len(row) {
		unsupported("%d elements from the address of what has %d", n, len(row))
	}
	return row[:n:n]
}
