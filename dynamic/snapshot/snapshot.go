// Package snapshot writes down what values lead to: one graph, as lines of text. Two graphs
// have the same lines if, and mostly only if, they have the same shape and the same values:
// memory goes by the path on which it is first come to, so that addresses do not count, but
// identity and sharing do.
//
// It reads all fields, with reflection and package unsafe, and must not run beside anything
// that writes them. Like package hook it is compiled into other people's programs: it uses the
// standard library only.
package snapshot

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

// Root is a value from which a snapshot is taken.
type Root struct {
	Name  string
	Value any
}

// Line is what is at the end of a path.
type Line struct{ Path, Value string }

// Take returns the lines of what the roots lead to, in one graph, and whether that was all:
// it stops at a number of lines.
func Take(roots []Root, limit int) ([]Line, bool) {
	w := &walker{at: map[location]string{}, arrays: map[location]array{}, limit: limit}
	for _, r := range roots {
		if r.Value == nil {
			w.line(r.Name, "nil")
			continue
		}
		w.copied(r.Name, reflect.ValueOf(r.Value))
	}
	return w.lines, len(w.lines) < limit
}

// walker takes a snapshot.
type walker struct {
	lines  []Line
	limit  int
	at     map[location]string // the paths of memory that was come to
	arrays map[location]array  // by their first elements that a slice has
	kept   []any               // copies: their memory is not used again meanwhile
	depth  int
}

// location is memory of a type.
type location struct {
	p unsafe.Pointer
	t reflect.Type
}

// array is what is known of the array behind a slice.
type array struct {
	path   string
	length int
}

// maxDepth bounds chains of pointers.
const maxDepth = 200

func (w *walker) line(path, value string) {
	if len(w.lines) < w.limit {
		w.lines = append(w.lines, Line{path, value})
	}
}

// copied walks a value that has no address.
func (w *walker) copied(path string, v reflect.Value) {
	c := reflect.New(v.Type())
	c.Elem().Set(v)
	w.kept = append(w.kept, c.Interface())
	w.walk(path, v.Type(), c.UnsafePointer())
}

// walk walks what is at an address.
func (w *walker) walk(path string, t reflect.Type, p unsafe.Pointer) {
	if len(w.lines) >= w.limit || t.Size() == 0 {
		return
	}
	if w.depth++; w.depth > maxDepth {
		w.limit = 0
	}
	defer func() { w.depth-- }()
	here := location{p, t}
	if first, ok := w.at[here]; ok {
		w.line(path, "the same as "+first)
		return
	}
	w.at[here] = path
	v := reflect.NewAt(t, p).Elem()
	if w.known(path, t, v) {
		return
	}
	switch t.Kind() {
	case reflect.Pointer:
		w.pointer(path, t.Elem(), *(*unsafe.Pointer)(p))
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Name != "_" {
				w.walk(path+"."+f.Name, f.Type, unsafe.Add(p, f.Offset))
			}
		}
	case reflect.Array:
		for i := range t.Len() {
			w.walk(indexed(path, i), t.Elem(), unsafe.Add(p, uintptr(i)*t.Elem().Size()))
		}
	case reflect.Slice:
		w.slice(path, t.Elem(), v)
	case reflect.Map:
		w.mapped(path, v)
	case reflect.Interface:
		if v.IsNil() {
			w.line(path, "nil")
			return
		}
		w.line(path, "of type "+v.Elem().Type().String())
		w.copied(path, v.Elem())
	case reflect.Chan:
		w.channel(path, t, v)
	case reflect.Func:
		w.function(path, t, v)
	case reflect.UnsafePointer:
		w.pointer(path, reflect.TypeFor[byte](), nil)
	default:
		w.line(path, basic(v))
	}
}

func indexed(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// basic writes a number, a string or a truth value. What is kept as an address or made of one
// is left out.
func basic(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.String:
		return strconv.Quote(v.String())
	case reflect.Float32, reflect.Float64:
		if math.IsNaN(v.Float()) {
			return "NaN"
		}
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case reflect.Complex64, reflect.Complex128:
		return strconv.FormatComplex(v.Complex(), 'g', -1, 128)
	case reflect.Uintptr:
		return "an address"
	}
	if v.CanInt() {
		return strconv.FormatInt(v.Int(), 10)
	}
	return strconv.FormatUint(v.Uint(), 10)
}

// errorString is what errors.New makes: a string.
var errorString = reflect.TypeOf(errors.New("")).Elem()

// pointer walks what a pointer leads to, under the same path.
func (w *walker) pointer(path string, elem reflect.Type, p unsafe.Pointer) {
	if p == nil {
		w.line(path, "nil")
		return
	}
	if first, ok := w.at[location{p, elem}]; ok && elem.Size() > 0 {
		w.line(path, "the same as "+first)
		return
	}
	if elem == errorString {
		w.at[location{p, elem}] = path
		w.line(path, "the error "+strconv.Quote(*(*string)(p)))
		return
	}
	w.line(path, "not nil")
	w.walk(path, elem, p)
}

// slice walks the elements of a slice. Two that share their array say so.
func (w *walker) slice(path string, elem reflect.Type, v reflect.Value) {
	n, first := v.Len(), location{v.UnsafePointer(), elem}
	switch {
	case v.IsNil():
		w.line(path, "nil")
		return
	case n == 0 || elem.Size() == 0:
		w.line(path, count(n, "element"))
		return
	}
	old, isKnown := w.arrays[first]
	text := count(n, "element")
	if elem.Kind() == reflect.Uint8 {
		text = strconv.Quote(string(unsafe.Slice((*byte)(first.p), n)))
	}
	if isKnown {
		text += ", the array of " + old.path
	} else if at, ok := w.at[first]; ok {
		text += ", the array at " + at
	}
	w.line(path, text)
	if isKnown && old.length >= n {
		return
	}
	if !isKnown {
		w.arrays[first] = array{path, n}
	} else {
		w.arrays[first] = array{old.path, n}
	}
	if elem.Kind() == reflect.Uint8 {
		return
	}
	for i := old.length; i < n; i++ {
		w.walk(indexed(path, i), elem, unsafe.Add(first.p, uintptr(i)*elem.Size()))
	}
}

func count(n int, what string) string {
	switch n {
	case 0:
		return "empty"
	case 1:
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + plural(what)
}

// mapped walks a map, in the order of what its entries look like by themselves.
func (w *walker) mapped(path string, v reflect.Value) {
	if v.IsNil() {
		w.line(path, "nil")
		return
	}
	here := location{v.UnsafePointer(), v.Type()}
	if first, ok := w.at[here]; ok {
		w.line(path, "the same as "+first)
		return
	}
	w.at[here] = path
	entries := make([]entry, 0, v.Len())
	for i := v.MapRange(); i.Next(); {
		entries = append(entries, entry{key: i.Key(), value: i.Value()})
	}
	w.entries(path, entries)
}

// entry is one of a map; name is how its key looks.
type entry struct {
	key, value  reflect.Value
	name, looks string
}

// entries walks the entries of a map.
func (w *walker) entries(path string, all []entry) {
	w.line(path, count(len(all), "entry"))
	for i := range all {
		e := &all[i]
		if e.name = keyName(e.key); e.name == "" {
			e.looks = alone(e.key, w.limit-len(w.lines)) + " " + alone(e.value, w.limit-len(w.lines))
		}
	}
	slices.SortStableFunc(all, func(a, b entry) int {
		return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.looks, b.looks))
	})
	for i, e := range all {
		at := path + "[" + e.name + "]"
		if e.name == "" {
			at = path + "[key " + strconv.Itoa(i+1) + "]"
			w.copied(path+" key "+strconv.Itoa(i+1), e.key)
		}
		if e.value.Type().Size() == 0 {
			w.line(at, "there")
			continue
		}
		w.copied(at, e.value)
	}
}

// keyName returns how a key is written, "" for one that is written as what it leads to.
func keyName(key reflect.Value) string {
	for key.Kind() == reflect.Interface && !key.IsNil() {
		key = key.Elem()
	}
	switch key.Kind() {
	case reflect.Struct, reflect.Array:
		text := ""
		switch {
		case key.Kind() == reflect.Struct:
			for i := range key.NumField() {
				part := keyName(key.Field(i))
				if part == "" {
					return ""
				}
				text += " " + part
			}
		default:
			for i := range key.Len() {
				part := keyName(key.Index(i))
				if part == "" {
					return ""
				}
				text += " " + part
			}
		}
		return "{" + strings.TrimPrefix(text, " ") + "}"
	case reflect.Pointer, reflect.Interface, reflect.Chan, reflect.UnsafePointer, reflect.Uintptr, reflect.Invalid:
		return ""
	}
	return basic(key)
}

// alone returns what a value looks like by itself.
func alone(v reflect.Value, limit int) string {
	w := &walker{at: map[location]string{}, arrays: map[location]array{}, limit: min(limit, 100)}
	w.copied("", v)
	var b strings.Builder
	for _, l := range w.lines {
		b.WriteString(l.Path + " " + l.Value + "\n")
	}
	return b.String()
}

// function names a function. What a closure has captured is not seen, but which closure it is.
func (w *walker) function(path string, t reflect.Type, v reflect.Value) {
	if v.IsNil() {
		w.line(path, "nil")
		return
	}
	closure := location{*(*unsafe.Pointer)(v.Addr().UnsafePointer()), t}
	if first, ok := w.at[closure]; ok {
		w.line(path, "the same as "+first)
		return
	}
	w.at[closure] = path
	name := "a function"
	if f := runtime.FuncForPC(v.Pointer()); f != nil {
		name = "func " + f.Name()
	}
	w.line(path, name)
}

// channelHeader is how the runtime keeps a channel, since Go 1.23.
type channelHeader struct {
	count, size uint
	buffer      unsafe.Pointer
	elemSize    uint16
	closed      uint32
	timer       unsafe.Pointer
	elem        unsafe.Pointer
	send, recv  uint
}

// headerHolds tells whether channels are kept like that.
var headerHolds = func() bool {
	c := make(chan int32, 3)
	c <- 5
	<-c
	c <- 6
	c <- 7
	h := *(**channelHeader)(unsafe.Pointer(&c))
	if h.count != 2 || h.size != 3 || h.elemSize != 4 || h.closed != 0 || h.send != 0 || h.recv != 1 ||
		*(*int32)(unsafe.Add(h.buffer, 4)) != 6 {
		return false
	}
	close(c)
	return h.closed == 1
}()

// channel walks what is in a channel.
func (w *walker) channel(path string, t reflect.Type, v reflect.Value) {
	if v.IsNil() {
		w.line(path, "nil")
		return
	}
	here := location{v.UnsafePointer(), reflect.TypeFor[channelHeader]()}
	if first, ok := w.at[here]; ok {
		w.line(path, "the same as "+first)
		return
	}
	w.at[here] = path
	text, h := count(v.Len(), "element"), (*channelHeader)(v.UnsafePointer())
	if !headerHolds {
		w.line(path, text)
		return
	}
	if h.closed != 0 {
		text += ", closed"
	}
	w.line(path, text)
	for i := range h.count {
		at := unsafe.Add(h.buffer, uintptr((h.recv+i)%h.size)*uintptr(h.elemSize))
		w.walk(indexed(path, int(i)), t.Elem(), at)
	}
}

// String returns the lines as text.
func String(lines []Line) string {
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "%s: %s\n", l.Path, l.Value)
	}
	return b.String()
}

func plural(what string) string {
	if stem, ok := strings.CutSuffix(what, "y"); ok {
		return stem + "ies"
	}
	return what + "s"
}
