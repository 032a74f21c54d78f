package hook

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unsafe"
)

// span is memory from lo up to hi.
type span struct{ lo, hi uintptr }

// spans is memory in several places, in order.
type spans []span

func single(p unsafe.Pointer) spans { return spans{{uintptr(p), uintptr(p) + 1}} }

// touches tells whether some memory from lo up to hi is among the spans.
func (s spans) touches(lo, hi uintptr) bool {
	i, _ := slices.BinarySearchFunc(s, lo, func(x span, lo uintptr) int { return cmp.Compare(x.hi, lo+1) })
	return i < len(s) && s[i].lo < hi
}

// merged puts spans in order, those that overlap into one.
func merged(all []span) spans {
	slices.SortFunc(all, func(a, b span) int { return cmp.Compare(a.lo, b.lo) })
	var out spans
	for _, s := range all {
		if n := len(out); n > 0 && s.lo <= out[n-1].hi {
			out[n-1].hi = max(out[n-1].hi, s.hi)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// walker follows what a value leads to, by its type: pointers, slices, maps, interfaces. It
// allows nobody else to run meanwhile. Each of its steps is bounded, and their number is.
type walker struct {
	found func(t reflect.Type, p unsafe.Pointer, size uintptr) bool // there is memory; true: that is enough
	seen  map[visited]bool
	left  int
	done  bool
}

type visited struct {
	p uintptr
	t reflect.Type
}

// maxSteps bounds one walk, allSteps those of a run.
const maxSteps = 20_000

var allSteps = 20_000_000

// value follows the value of a type at p.
func (w *walker) value(t reflect.Type, p unsafe.Pointer) {
	if w.left--; w.done || w.left <= 0 || !hasPointers(t) {
		return
	}
	switch t.Kind() {
	case reflect.Pointer:
		w.memory(t.Elem(), *(*unsafe.Pointer)(p), 1, 1)
	case reflect.Slice:
		s := reflect.NewAt(t, p).Elem()
		w.memory(t.Elem(), s.UnsafePointer(), s.Len(), s.Cap())
	case reflect.Map:
		w.entries(t, p)
	case reflect.Interface:
		if v := reflect.NewAt(t, p).Elem().Elem(); v.IsValid() {
			w.copied(v)
		}
	case reflect.Array:
		for i := range t.Len() {
			w.value(t.Elem(), unsafe.Add(p, uintptr(i)*t.Elem().Size()))
		}
	case reflect.Struct:
		w.fields(t, p)
	}
}

// memory follows n values of a type at p, where there is room for capacity of them.
func (w *walker) memory(t reflect.Type, p unsafe.Pointer, n, capacity int) {
	if p == nil || w.done {
		return
	}
	if w.done = w.found(t, p, t.Size()*uintptr(capacity)); w.done || !hasPointers(t) || !w.isNew(t, p) {
		return
	}
	for i := range n {
		if w.left <= 0 {
			return
		}
		w.value(t, unsafe.Add(p, uintptr(i)*t.Size()))
	}
}

// isNew tells whether the walk comes to values of a type at p for the first time.
func (w *walker) isNew(t reflect.Type, p unsafe.Pointer) bool {
	this := visited{uintptr(p), t}
	if w.seen[this] {
		return false
	}
	if w.seen == nil {
		w.seen = map[visited]bool{}
	}
	w.seen[this] = true
	return true
}

// entries follows the keys and values of a map. The map itself stands for the memory they are in.
func (w *walker) entries(t reflect.Type, p unsafe.Pointer) {
	m := *(*unsafe.Pointer)(p)
	if m == nil {
		return
	}
	if w.done = w.found(t, m, 1); w.done || !hasPointers(t.Key()) && !hasPointers(t.Elem()) || !w.isNew(t, m) {
		return
	}
	for i := reflect.NewAt(t, p).Elem().MapRange(); !w.done && w.left > 0 && i.Next(); {
		w.copied(i.Key())
		w.copied(i.Value())
	}
}

// copied follows a value that has no address.
func (w *walker) copied(v reflect.Value) {
	if !hasPointers(v.Type()) {
		return
	}
	at := reflect.New(v.Type())
	at.Elem().Set(v)
	w.value(v.Type(), at.UnsafePointer())
}

// fields follows the fields of a struct.
func (w *walker) fields(t reflect.Type, p unsafe.Pointer) {
	switch {
	case t == reflect.TypeFor[sync.Map]():
		(*sync.Map)(p).Range(func(key, value any) bool {
			w.copied(reflect.ValueOf(&key).Elem())
			w.copied(reflect.ValueOf(&value).Elem())
			return !w.done
		})
	case isAtomicPointer(t):
		if v, ok := t.FieldByName("v"); ok {
			w.memory(t.Field(0).Type.Elem().Elem(), *(*unsafe.Pointer)(unsafe.Add(p, v.Offset)), 1, 1)
		}
	case !isOpaque(t):
		for i := range t.NumField() {
			f := t.Field(i)
			w.value(f.Type, unsafe.Add(p, f.Offset))
		}
	}
}

var leading sync.Map // what hasPointers has said of structs

// hasPointers tells whether values of a type lead to memory that can be followed.
func hasPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return true
	case reflect.Array:
		return t.Len() > 0 && hasPointers(t.Elem())
	case reflect.Struct:
		known, ok := leading.Load(t)
		if !ok {
			known = leadsSomewhere(t)
			leading.Store(t, known)
		}
		return known.(bool)
	}
	return false
}

func leadsSomewhere(t reflect.Type) bool {
	if t == reflect.TypeFor[sync.Map]() || isAtomicPointer(t) {
		return true
	}
	for i := range t.NumField() {
		if hasPointers(t.Field(i).Type) {
			return true
		}
	}
	return false
}

// isAtomicPointer tells whether a type is an atomic.Pointer[T].
func isAtomicPointer(t reflect.Type) bool {
	return t.PkgPath() == "sync/atomic" && strings.HasPrefix(t.Name(), "Pointer[")
}

// isOpaque tells whether a struct belongs to a package of the standard library whose objects have
// goroutines of their own, or change without a lock: nobody looks into them.
func isOpaque(t reflect.Type) bool {
	path := t.PkgPath()
	if containers[path] {
		return false
	}
	first, _, _ := strings.Cut(path, "/")
	return standard[first]
}

var containers = map[string]bool{
	"container/list": true, "container/ring": true, "sync": true, "sync/atomic": true, "bytes": true, "strings": true,
	"bufio": true, "math/big": true,
}

var standard = map[string]bool{
	"archive": true, "bufio": true, "bytes": true, "compress": true, "container": true, "context": true, "crypto": true,
	"database": true,
	"debug":    true, "embed": true, "encoding": true, "errors": true, "expvar": true, "flag": true, "fmt": true,
	"go":   true,
	"hash": true, "html": true,
	"image": true, "index": true, "internal": true, "io": true, "iter": true, "log": true, "math": true, "mime": true,
	"net": true, "os": true,
	"path": true, "plugin": true, "reflect": true, "regexp": true, "runtime": true, "strconv": true, "sync": true,
	"syscall": true,
	"testing": true, "text": true, "time": true, "unicode": true, "unique": true, "vendor": true, "weak": true,
}
