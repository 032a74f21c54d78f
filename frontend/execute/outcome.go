package execute

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// Line is a part of an outcome: what is at the end of a path, which begins at the object, at a
// result or at a package variable. Two outcomes are alike if their lines are equal: identity and
// sharing are in them, as what is met again is named by where it was met first.
type Line struct {
	Path, Text string
	Value      string // what is as good, where a number or string of a slice was met before, or there is no map
	Error      string // the path of the error that it is about; "": of none
	IsOutside  bool   // it is about what clients have handed over
	IsLibrarys bool   // it is about memory of a type of the standard library
	IsVariable bool   // the path begins at a package variable
}

// maxLines bounds an outcome. Of a package variable with more than maxUnfolded it is the sum of the lines that is told,
// as of a table; there may be maxFolded of them.
const (
	maxLines    = 4000
	maxUnfolded = 500
	maxFolded   = 200_000
)

// outliner follows values, and writes down what is there.
type outliner struct {
	m     *machine
	seen  map[any]string // where memory was met first
	lines []Line
	visit func(*cell)

	left int // lines that there may be beyond maxLines

	within   string // the path of the error that is followed; "": none
	outside  bool   // a value of the client is followed
	librarys bool   // a value of a type of the standard library is followed
	variable bool   // a package variable is followed
}

func (o *outliner) line(path, text string) {
	if o.left--; o.left < 0 && len(o.lines) >= maxLines {
		unsupported("an outcome with so many parts")
	}
	if path == "" {
		path = "it"
	}
	o.lines = append(o.lines, Line{Path: path, Text: text, Error: o.within, IsOutside: o.outside,
		IsLibrarys: o.librarys, IsVariable: o.variable})
}

// enters notes that the value at a path of a type is followed from now on, until leave is called.
func (o *outliner) enters(path string, t types.Type) (leave func()) {
	within, outside := o.within, o.outside
	if o.within == "" && path != "" && types.Implements(t, errorType) {
		o.within = path
	}
	o.outside = o.outside || packageOf(pointedTo(t)) == knowledge.ClientPath
	return func() { o.within, o.outside = within, outside }
}

// entersStruct is enters for a struct, with what it is made of. What lists and atomics hold is whose they are.
func (o *outliner) entersStruct(t types.Type) (leave func()) {
	librarys := o.librarys
	if pkg := packageOf(t); pkg != "" && !isSynchronisation(t) && !strings.HasPrefix(pkg, "container/") &&
		pkg != "sync/atomic" {
		o.librarys = knowledge.IsStandardPath(pkg)
	}
	return func() { o.librarys = librarys }
}

// errorType is the type error.
var errorType = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

func pointedTo(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// isValue tells whether memory only stands for a value, as of a type, and is the same in all runs.
func (o *outliner) isValue(c *cell) bool {
	_, isType := c.state.(*typeState)
	return isType || len(c.parts) == 0 && o.m.program.initially.fixed[c]
}

// again tells whether memory was met before, and writes down where.
func (o *outliner) again(path string, key any) bool {
	where, ok := o.seen[key]
	if ok {
		if where == "" {
			where = "the object"
		}
		o.line(path, "the same as "+where)
	} else {
		o.seen[key] = path
	}
	return ok
}

// dot adds a field to a path.
func dot(path, field string) string {
	if path == "" {
		return field
	}
	return path + "." + field
}

// value follows a value of a type.
func (o *outliner) value(path string, t types.Type, v value) {
	switch v.(type) {
	case *cell, *mapping, *channel, *closure:
		v = o.m.here(v)
	}
	switch v := v.(type) {
	case nil:
	case string:
		o.line(path, strconv.Quote(v))
	case *cell:
		if v == nil {
			o.line(path, "nil")
		} else if o.isValue(v) {
			o.line(path, fmt.Sprint(v.val))
		} else if !o.again(path, v) {
			o.cell(path, v)
		}
	case slice:
		o.slice(path, v)
	case *mapping:
		key, element := types.Type(nil), types.Type(nil)
		if of, ok := t.Underlying().(*types.Map); ok {
			key, element = of.Key(), of.Elem()
		}
		o.mapping(path, key, element, v)
	case *channel:
		if v == nil {
			o.line(path, "nil")
		} else if !o.again(path, v) {
			text := fmt.Sprintf("a channel with %d values", len(v.buffer))
			if v.closed {
				text += ", closed"
			}
			o.line(path, text)
			for i, e := range v.buffer {
				o.value(fmt.Sprintf("%s[%d]", path, i), v.element, e)
			}
		}
	case *closure:
		switch {
		case v == nil:
			o.line(path, "nil")
		case v.fn == nil:
			o.line(path, "a function")
		case len(v.env) == 0: // nothing tells it from another one
			o.line(path, "the function "+v.fn.Name())
		case !o.again(path, v):
			o.line(path, "the function "+v.fn.Name())
			for i, e := range v.env {
				o.value(dot(path, v.fn.FreeVars[i].Name()), v.fn.FreeVars[i].Type(), e)
			}
		}
	case iface:
		if v.typ == nil {
			o.line(path, "nil")
			return
		}
		defer o.enters(path, v.typ)()
		if text, ok := o.errorText(v); ok {
			o.line(path, text)
			return
		}
		if c, ok := v.val.(*cell); ok && c != nil && isStandardError(v.typ) {
			o.cell(path, c)
			return
		}
		o.value(path, v.typ, v.val)
	case aggregate:
		o.aggregate(path, t, v)
	default:
		o.line(path, fmt.Sprint(v))
	}
}

// aggregate follows the parts of a struct or an array that is in no memory.
func (o *outliner) aggregate(path string, t types.Type, all aggregate) {
	if o.instant(path, t, all) {
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i, v := range all {
			if f := u.Field(i); f.Name() != "_" {
				o.value(dot(path, f.Name()), f.Type(), v)
			}
		}
	case *types.Array:
		for i, v := range all {
			o.value(fmt.Sprintf("%s[%d]", path, i), u.Elem(), v)
		}
	default:
		for i, v := range all {
			o.value(fmt.Sprintf("%s[%d]", path, i), anything, v)
		}
	}
}

// instant writes down a time.Time, of which one that is equal may have other fields.
func (o *outliner) instant(path string, t types.Type, all aggregate) bool {
	if packageOf(t) != "time" || len(all) != 3 || types.Unalias(t).(*types.Named).Obj().Name() != "Time" {
		return false
	}
	wall, isWall := all[0].(int64)
	ext, isExt := all[1].(int64)
	if !isWall || !isExt {
		return false
	}
	const (
		monotonic = 1 << 63 // of wall: it has the seconds since 1885, and ext another clock's time
		sinceOne  = 62135596800
		since1885 = 2682288000
	)
	seconds := ext - sinceOne
	if uint64(wall)&monotonic != 0 {
		seconds = int64(uint64(wall)<<1>>31) - since1885
	}
	o.line(path, time.Unix(seconds, wall&(1<<30-1)).UTC().Format(time.RFC3339Nano))
	return true
}

// errorText is the text of an error that has nothing else to it.
func (o *outliner) errorText(v iface) (string, bool) {
	c, ok := v.val.(*cell)
	if !ok || c == nil || len(c.parts) != 1 || v.typ.String() != "*errors.errorString" {
		return "", false
	}
	text, ok := c.parts[0].val.(string)
	return "the error " + strconv.Quote(text), ok
}

// isStandardError tells whether values of the type are errors that the standard library makes: nobody changes one, and
// which of two equal ones it is tells nobody anything.
func isStandardError(t types.Type) bool {
	pointer, ok := t.(*types.Pointer)
	return ok && knowledge.IsStandardPath(packageOf(pointer.Elem())) && types.Implements(t, errorType)
}

// cell follows what is in memory.
func (o *outliner) cell(path string, c *cell) {
	o.seen[c] = path
	if o.visit != nil {
		o.visit(c)
	}
	o.state(path, c)
	switch u := c.typ.Underlying().(type) {
	case *types.Struct:
		if len(c.parts) == 3 && o.instant(path, c.typ, aggregate{c.parts[0].val, c.parts[1].val, c.parts[2].val}) {
			return
		}
		defer o.entersStruct(c.typ)()
		if isSynchronisation(c.typ) && !hasFieldsOfValues(c.typ) {
			return
		}
		if o.emptyList(path, c) {
			return
		}
		isAtomic := packageOf(c.typ) == "sync/atomic"
		for i, p := range c.parts {
			name := u.Field(i).Name()
			switch {
			case name == "_" || u.Tag(i) == knowledge.Supply:
			case isAtomic:
				o.cell(path, p)
			default:
				o.cell(dot(path, name), p)
			}
		}
	case *types.Array:
		o.row(path, c.parts)
	default:
		o.value(path, c.typ, c.val)
	}
}

// emptyList writes down a list without elements: whether it has been used before makes no difference.
func (o *outliner) emptyList(path string, c *cell) bool {
	if packageOf(c.typ) != "container/list" || types.Unalias(c.typ).(*types.Named).Obj().Name() != "List" {
		return false
	}
	n := partAt(c, "len")
	if n == nil || n.val != int64(0) {
		return false
	}
	o.line(path, "an empty list")
	return true
}

// hasFieldsOfValues tells whether a type of package sync has fields that lead to values.
func hasFieldsOfValues(t types.Type) bool {
	name := types.Unalias(t).(*types.Named).Obj().Name()
	return name == "Cond" || name == "Once"
}

func packageOf(t types.Type) string {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		return n.Obj().Pkg().Path()
	}
	return ""
}

// state writes down the state of a synchronisation object, where it is not that of a new one.
func (o *outliner) state(path string, c *cell) {
	switch s := c.state.(type) {
	case *lockState:
		if s.writer {
			o.line(path, "locked")
		} else if s.readers > 0 {
			o.line(path, fmt.Sprintf("locked by %d readers", s.readers))
		}
	case *groupState:
		if s.count != 0 {
			o.line(path, fmt.Sprintf("waits for %d", s.count))
		}
	case *condState:
		if len(s.waiters) > 0 {
			o.line(path, fmt.Sprintf("%d wait", len(s.waiters)))
		}
	case *poolState: // what it holds may be dropped at any time, but two must not get the same
		held := map[*cell]bool{}
		for _, v := range s.values {
			item, _ := v.(iface)
			if c, ok := item.val.(*cell); ok && held[c] {
				o.line(path, "holds the same item twice")
			} else if ok {
				held[c] = true
			}
		}
	case *mapping: // of a sync.Map
		o.mapping(path, anything, anything, s)
	}
}

func (o *outliner) slice(path string, s slice) {
	if s.cells == nil {
		o.line(path, "nil")
		return
	}
	if len(s.cells) > 0 && o.m.here(s.cells[0]) != value(s.cells[0]) {
		s.cells = slices.Clone(s.cells)
		for i, c := range s.cells {
			s.cells[i] = o.m.here(c).(*cell)
		}
	}
	if text, ok := bytesOf(s); ok && len(s.cells) > 0 {
		if where, again := o.seen[s.cells[0]]; again {
			o.line(path, "the same as "+where)
			o.lines[len(o.lines)-1].Value = text
			return
		}
		for i, c := range s.cells {
			o.seen[c] = fmt.Sprintf("%s[%d]", path, i)
		}
		o.line(path, text)
		return
	}
	o.line(path, counted(len(s.cells), "element"))
	o.row(path, s.cells)
}

// many is from how many elements on those are left out that are zero.
const many = 64

// row follows the elements of an array or a slice.
func (o *outliner) row(path string, all []*cell) {
	for i, c := range all {
		if len(all) >= many && isZero(c) {
			o.visitAll(c)
		} else if at := fmt.Sprintf("%s[%d]", path, i); !o.again(at, c) {
			o.cell(at, c)
		} else if _, isPlain := c.typ.Underlying().(*types.Basic); isPlain && len(c.parts) == 0 {
			o.lines[len(o.lines)-1].Value = o.textOf(c)
		}
	}
}

// textOf returns what would be written of a number or a string that was not met before.
func (o *outliner) textOf(c *cell) string {
	inner := &outliner{m: o.m, seen: map[any]string{}}
	inner.cell("", c)
	return inner.lines[0].Text
}

// visitAll visits memory of which nothing is written down.
func (o *outliner) visitAll(c *cell) {
	if o.visit == nil {
		return
	}
	o.visit(c)
	for _, p := range c.parts {
		o.visitAll(p)
	}
}

// isZero tells whether memory is as it was made.
func isZero(c *cell) bool {
	if c.state != nil || c.view != nil {
		return false
	}
	for _, p := range c.parts {
		if !isZero(p) {
			return false
		}
	}
	switch c.typ.Underlying().(type) {
	case *types.Struct, *types.Array: // one without parts, too
		return true
	}
	switch v := c.val.(type) {
	case slice:
		return v.cells == nil
	case iface:
		return v.typ == nil
	case string:
		return v == ""
	}
	return (Value{c.val}).IsNil() || c.val == zero(c.typ)
}

// bytesOf returns the text of a slice of bytes.
func bytesOf(s slice) (string, bool) {
	var b strings.Builder
	for _, c := range s.cells {
		u, ok := c.typ.Underlying().(*types.Basic)
		n, isInt := c.val.(int64)
		if !ok || u.Kind() != types.Byte || !isInt {
			return "", false
		}
		b.WriteByte(byte(n))
	}
	return strconv.Quote(b.String()), true
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// anything is the type of what is in interfaces.
var anything = types.Universe.Lookup("any").Type()

func (o *outliner) mapping(path string, key, element types.Type, m *mapping) {
	if m == nil {
		o.line(path, "nil")
		o.lines[len(o.lines)-1].Value = counted(0, "key") // who writes to no map panics; to an empty one, nobody does
		return
	}
	if o.again(path, m) {
		return
	}
	type keyed struct {
		name string
		e    *entry
	}
	var all []keyed
	for _, e := range m.order {
		if !e.gone {
			all = append(all, keyed{o.key(e.key), e})
		}
	}
	slices.SortStableFunc(all, func(a, b keyed) int { return strings.Compare(a.name, b.name) })
	o.line(path, counted(len(all), "key"))
	for _, k := range all {
		at := path + "[" + k.name + "]"
		o.keyMemory(at+" (key)", key, k.e.key)
		o.value(at, element, k.e.val)
	}
}

// key names a key.
func (o *outliner) key(v value) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case *cell:
		if where, ok := o.seen[v]; ok {
			return "&" + where
		}
		return "pointer"
	case *channel:
		if where, ok := o.seen[v]; ok {
			return where
		}
		return "channel"
	case iface:
		return o.key(v.val)
	case aggregate:
		var parts []string
		for _, e := range v {
			parts = append(parts, o.key(e))
		}
		return "{" + strings.Join(parts, " ") + "}"
	}
	return fmt.Sprint(v)
}

// keyMemory follows what a key leads to.
func (o *outliner) keyMemory(path string, t types.Type, v value) {
	switch v := v.(type) {
	case *cell:
		if _, again := o.seen[v]; v != nil && !again {
			o.value(path, t, v)
		}
	case iface:
		if v.typ != nil {
			o.keyMemory(path, v.typ, v.val)
		}
	case *channel:
		if v != nil {
			o.seen[v] = path
		}
	}
}

// result writes down what a call has returned.
func (o *outliner) result(path string, call *called, step *ssa.Function) {
	switch {
	case !call.done:
		o.line(path, "does not return")
	case call.panic != "":
		o.line(path, call.panic)
	case step.Signature.Results().Len() == 1:
		o.value(path+"#1", step.Signature.Results().At(0).Type(), call.result)
	default:
		if all, ok := call.result.(aggregate); ok {
			for i, v := range all {
				o.value(fmt.Sprintf("%s#%d", path, i+1), step.Signature.Results().At(i).Type(), v)
			}
		}
	}
}

// printed writes down what a goroutine has printed: each by itself, as lines of several come in any
// order.
func (o *outliner) printed(path string, g *goroutine) {
	for i, text := range g.printed {
		o.line(fmt.Sprintf("%s, line %d of its output", path, i+1), strconv.Quote(text))
	}
}
