package blocking

import (
	"go/constant"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// value is what is known of a value. nil: nothing.
type value interface {
	// write writes a text that is the same for equal values only.
	write(b *strings.Builder)
}

// number is a constant: a number, a text or a truth value.
type number struct{ constant.Value }

// nothing is the zero value of pointers, functions, maps and the like. It may be known that it was received from a
// channel as that was closed; in memory it is not.
type nothing struct{ received bool }

// pointer leads to a cell of an object, or to an object that is no memory: a channel, a map.
type pointer struct {
	to   *object
	path string
}

// slice is some of the elements of an array.
type slice struct {
	pointer
	from, len int // len -1: not known; notEmpty: nor that, but it is none
}

// closure is a function with what it has captured.
type closure struct {
	fn       *ssa.Function
	name     string // of the function, which is long in the making
	bindings []value
}

// native is a function of the model: the one that ends a context.
type native struct {
	name string
	on   *object
}

// boxed is a value in an interface.
type boxed struct {
	dynamic types.Type
	name    string // of the type
	value   value
}

// several is a tuple, or the fields of a struct.
type several []value

// copied is a copy of a lock, a wait group and the like in an object. If something operates on that, at any time, it is
// not known what state the copy has.
type copied struct{ from *object }

func (v copied) write(b *strings.Builder) { b.WriteString("copy " + v.from.id + ";") }

// isPrimitive tells whether a type is one of package sync whose values have a state that the model has.
func isPrimitive(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "sync" {
		return false
	}
	switch named.Obj().Name() {
	case "Mutex", "RWMutex", "WaitGroup", "Once", "Cond":
		return true
	}
	return false
}

func (v number) write(b *strings.Builder) { b.WriteString("#" + v.ExactString() + ";") }
func (v nothing) write(b *strings.Builder) {
	if v.received {
		b.WriteString("received ")
	}
	b.WriteString("nil;")
}
func (v bounded) write(b *strings.Builder) {
	b.WriteString("+" + strconv.Itoa(v.low) + ":" + strconv.Itoa(v.high) + ";")
}
func (v pointer) write(b *strings.Builder) {
	b.WriteString("&" + v.to.id + "." + v.path + ";")
}
func (v slice) write(b *strings.Builder) {
	v.pointer.write(b)
	b.WriteString("[" + strconv.Itoa(v.from) + ":" + strconv.Itoa(v.len) + "];")
}
func (v closure) write(b *strings.Builder) {
	b.WriteString("f" + v.name + "(")
	for _, w := range v.bindings {
		writeValue(b, w)
	}
	b.WriteString(")")
}
func (v native) write(b *strings.Builder) { b.WriteString(v.name + v.on.id + ";") }
func (v boxed) write(b *strings.Builder) {
	b.WriteString("i" + v.name + " ")
	writeValue(b, v.value)
}
func (v several) write(b *strings.Builder) {
	b.WriteString("{")
	for _, w := range v {
		writeValue(b, w)
	}
	b.WriteString("}")
}

func writeValue(b *strings.Builder, v value) {
	if v == nil {
		b.WriteString("?;")
		return
	}
	v.write(b)
}

func keyOf(v value) string {
	var b strings.Builder
	writeValue(&b, v)
	return b.String()
}

func same(v, w value) bool { return keyOf(v) == keyOf(w) }

// truth returns a truth value.
func truth(is bool) value { return number{constant.MakeBool(is)} }

func integer(n int) value { return number{constant.MakeInt64(int64(n))} }

// isDetermined tells whether it is known in all parts of a value what they are: two that are the same are equal then.
func isDetermined(v value) bool {
	is := true
	eachPart(v, func(w value) {
		_, isSome := w.(bounded)
		p, isPointer := w.(pointer)
		is = is && w != nil && !isSome && !(isPointer && p.to.isMany)
	})
	return is
}

// asInt returns a small integer.
func asInt(v value) (int, bool) {
	n, ok := v.(number)
	if !ok || n.Kind() != constant.Int {
		return 0, false
	}
	i, ok := constant.Int64Val(n.Value)
	return int(i), ok
}

// asBool returns a truth value.
func asBool(v value) (is, ok bool) {
	n, ok := v.(number)
	if !ok || n.Kind() != constant.Bool {
		return false, false
	}
	return constant.BoolVal(n.Value), true
}

// zero returns the zero value of a type.
func zero(t types.Type) value {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return truth(false)
		case u.Info()&types.IsInteger != 0:
			return integer(0)
		case u.Info()&types.IsFloat != 0:
			return number{constant.ToFloat(constant.MakeInt64(0))}
		case u.Info()&types.IsString != 0:
			return number{constant.MakeString("")}
		case u.Kind() == types.UntypedNil || u.Kind() == types.UnsafePointer:
			return nothing{}
		}
		return nil
	case *types.Struct:
		all := make(several, u.NumFields())
		for i := range all {
			all[i] = zero(u.Field(i).Type())
		}
		return all
	case *types.Array:
		return nil
	case *types.Slice:
		return nothing{}
	case *types.Tuple:
		all := make(several, u.Len())
		for i := range all {
			all[i] = zero(u.At(i).Type())
		}
		return all
	}
	return nothing{}
}

// eachPart calls do for a value, and for what it is made of: what is in an interface, and the parts of a struct.
func eachPart(v value, do func(value)) {
	do(v)
	switch v := v.(type) {
	case boxed:
		eachPart(v.value, do)
	case several:
		for _, w := range v {
			eachPart(w, do)
		}
	}
}

// each calls do for each object that a value leads to directly.
func each(v value, do func(*object)) {
	switch v := v.(type) {
	case pointer:
		do(v.to)
	case slice:
		do(v.to)
	case closure:
		for _, w := range v.bindings {
			each(w, do)
		}
	case native:
		do(v.on)
	case iteration:
		if v.over.to != nil {
			do(v.over.to)
		}
	case boxed:
		each(v.value, do)
	case several:
		for _, w := range v {
			each(w, do)
		}
	}
}
