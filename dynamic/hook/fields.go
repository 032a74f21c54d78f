package hook

import (
	"reflect"
	"strings"
	"unsafe"
)

// watchedField is a field of the objects of a class, or a package variable, that is followed.
type watchedField struct {
	class    uint16
	path     []string
	typ      reflect.Type            // of the objects; nil if each has its own: the type is generic
	places   map[reflect.Type]member // where it is, by type
	variable unsafe.Pointer
	of       reflect.Type // of the variable
}

// member is where a field is in an object.
type member struct {
	offset uintptr
	of     reflect.Type // nil if there is none
}

// The initialisation of the program's packages fills these; only generic types come later.
var (
	watchedFields [reachedClass]*watchedField // by number
	classes       = map[reflect.Type]uint16{}
)

// Field says which field of the objects of type T, of a class, has a number: the dotted path leads to
// it. Of a generic type, T is None.
func Field[T any](class, number uint16, path string) None {
	if steering != nil {
		f := &watchedField{class: class, path: strings.Split(path, "."), places: map[reflect.Type]member{}}
		if t := reflect.TypeFor[T](); t != reflect.TypeFor[None]() {
			f.typ = t
			classes[t] = class
		}
		watchedFields[number] = f
	}
	return None{}
}

// VariableField is Field for the package variable at p.
func VariableField[V any](p *V, class, number uint16) None {
	watchedFields[number] = &watchedField{class: class, variable: unsafe.Pointer(p), of: reflect.TypeFor[V]()}
	return None{}
}

// typed notes the type of an object of a generic type.
func typed[T any](o *object) {
	if o != nil && o.typ == nil {
		o.typ = new(reflect.TypeFor[T]())
	}
}

func typeOf[V any](*V) reflect.Type { return reflect.TypeFor[V]() }

// owners returns the objects that have the field.
func (f *watchedField) owners(g *Goroutine) []*object {
	if f.variable != nil {
		return []*object{objects.variables(g, f.class)}
	}
	return objects.ofClass(f.class)
}

// cell returns where the field is in an object, and its type; nil if that is not known.
func (f *watchedField) cell(o *object) (unsafe.Pointer, reflect.Type) {
	if f.variable != nil {
		return f.variable, f.of
	}
	t := f.typ
	if t == nil && o.typ != nil {
		t = *o.typ
	}
	p := o.pointer()
	if t == nil || p == nil {
		return nil, nil
	}
	m, ok := f.places[t]
	if !ok {
		m = memberAt(t, f.path)
		f.places[t] = m
	}
	if m.of == nil {
		return nil, nil
	}
	return unsafe.Add(p, m.offset), m.of
}

func memberAt(t reflect.Type, path []string) member {
	m := member{of: t}
	for _, name := range path {
		if m.of.Kind() != reflect.Struct {
			return member{}
		}
		f, ok := m.of.FieldByName(name)
		if !ok || len(f.Index) != 1 {
			return member{}
		}
		m = member{m.offset + f.Offset, f.Type}
	}
	return m
}

// variableAt returns the object of the package variable of ref if p is in it.
func variableAt(g *Goroutine, p unsafe.Pointer, ref Ref) *object {
	f := watchedFields[ref.field()]
	if f == nil || f.variable == nil || uintptr(p)-uintptr(f.variable) >= f.of.Size() {
		return nil
	}
	return objects.variables(g, f.class)
}
