// Command reflect uses types and values.
package main

import (
	"fmt"
	"io"
	"reflect"
	"strings"
)

type Inner struct{ Deep int }

type S struct {
	A int `key:"a" other:"b"`
	B string
	c float64
	*Inner
	F  func(int, ...string) error
	M  map[string]int
	Ch chan<- int
}

func (s S) Sum(xs ...int) int {
	n := s.A
	for _, x := range xs {
		n += x
	}
	return n
}
func (s *S) SetA(a int) { s.A = a }

type G[T any] struct{ V T }

func (G[T]) Get() (t T) { return t }

func try(name string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(name, "panics:", r)
		}
	}()
	f()
}

func main() {
	s := &S{A: 1, B: "b", c: 2.5, Inner: &Inner{9}, M: map[string]int{"x": 1}}
	t := reflect.TypeOf(s).Elem()
	fmt.Println(t, t.Name(), t.PkgPath(), t.Kind(), t.NumField(), t.NumMethod(), reflect.TypeOf(s).NumMethod(), t.Size())
	for i := range t.NumField() {
		f := t.Field(i)
		fmt.Println(f.Name, f.Type, f.Tag.Get("key"), f.Offset, f.Index, f.Anonymous, f.PkgPath, f.IsExported())
	}
	f, ok := t.FieldByName("Deep")
	fmt.Println(f.Name, f.Index, ok)
	_, ok = t.FieldByName("None")
	fmt.Println(ok, len(reflect.VisibleFields(t)))

	v := reflect.ValueOf(s).Elem()
	v.Field(0).SetInt(5)
	v.FieldByName("B").SetString("new")
	v.FieldByName("Deep").SetInt(10)
	v.FieldByName("M").SetMapIndex(reflect.ValueOf("y"), reflect.ValueOf(2))
	fmt.Println(s.A, s.B, s.Deep, s.M, v.Field(0).CanSet(), v.Field(2).CanSet(), v.Field(2).CanInterface(), v.Field(2).Float())
	v.Addr().MethodByName("SetA").Call([]reflect.Value{reflect.ValueOf(20)})
	out := v.MethodByName("Sum").Call([]reflect.Value{reflect.ValueOf(1), reflect.ValueOf(2)})
	fmt.Println(out[0].Int(), v.Method(0).Type(), t.Method(0).Name, t.Method(0).Type)
	fmt.Println(v.MethodByName("Sum").CallSlice([]reflect.Value{reflect.ValueOf([]int{3, 4})})[0].Interface())

	list := reflect.MakeSlice(reflect.TypeOf([]string{}), 0, 1)
	list = reflect.Append(list, reflect.ValueOf("p"), reflect.ValueOf("q"))
	list.Index(0).SetString("r")
	fmt.Println(list.Interface(), list.Len(), list.Slice(1, 2))
	m := reflect.MakeMap(reflect.MapOf(reflect.TypeOf(""), reflect.TypeOf(0)))
	m.SetMapIndex(reflect.ValueOf("k"), reflect.ValueOf(3))
	for it := m.MapRange(); it.Next(); {
		fmt.Println(it.Key(), it.Value())
	}
	m.SetMapIndex(reflect.ValueOf("k"), reflect.Value{})
	fmt.Println(m.Len(), m.MapIndex(reflect.ValueOf("k")).IsValid(), m.MapKeys())

	swap := reflect.MakeFunc(reflect.TypeOf(func(a int, b string) (string, int) { return "", 0 }),
		func(in []reflect.Value) []reflect.Value { return []reflect.Value{in[1], in[0]} })
	x, y := swap.Interface().(func(int, string) (string, int))(1, "one")
	fmt.Println(x, y)

	p := reflect.New(reflect.TypeOf(0))
	p.Elem().Set(reflect.ValueOf(77))
	fmt.Println(*p.Interface().(*int), reflect.Zero(t).Field(1).String() == "", reflect.Indirect(p).Int())
	fmt.Println(reflect.ValueOf(3).Convert(reflect.TypeFor[float64]()), reflect.ValueOf(65).Convert(reflect.TypeFor[string]()),
		reflect.ValueOf("ab").Convert(reflect.TypeFor[[]byte]()).Bytes())
	reader := reflect.TypeFor[io.Reader]()
	fmt.Println(reflect.TypeOf(&strings.Reader{}).Implements(reader), reflect.TypeOf(s).Implements(reader), reader, reader.Kind(),
		reader.NumMethod(), reader.Method(0).Name)
	for _, x := range []any{G[map[string]int]{}, G[Inner]{}, [3]*S{}, make(<-chan int), func(...int) {}, struct {
		A int `t:"x"`
		b any
	}{}, map[[2]int]interface{ M() }{}, new(any), uint8(1), 'a'} {
		t := reflect.TypeOf(x)
		fmt.Println(t, t.Name(), t.Kind(), t.Comparable(), t.String() == fmt.Sprintf("%T", x))
	}
	ch := make(chan int, 2)
	c := reflect.ValueOf(ch)
	c.Send(reflect.ValueOf(1))
	fmt.Println(c.TrySend(reflect.ValueOf(2)), c.TrySend(reflect.ValueOf(3)), c.Len(), c.Cap())
	r, ok := c.Recv()
	fmt.Println(r, ok)
	c.Close()
	c.Recv()
	r, ok = c.TryRecv()
	fmt.Println(r, ok)
	for i, e := range reflect.ValueOf([]string{"i", "j"}).Seq2() {
		fmt.Print(i, e, " ")
	}
	for i := range reflect.ValueOf(3).Seq() {
		fmt.Print(i, " ")
	}
	fmt.Println()
	var any1 any = 5
	e := reflect.ValueOf(&any1).Elem()
	e.Set(reflect.ValueOf("text"))
	fmt.Println(any1, e.Kind(), e.Elem().Kind(), e.IsNil(), e.IsZero())
	n, ok := reflect.TypeAssert[int](reflect.ValueOf(4))
	fmt.Println(n, ok)
	a, b := []int{1, 2, 3}, []int{7, 8}
	fmt.Println(reflect.Copy(reflect.ValueOf(a), reflect.ValueOf(b)), a)
	reflect.Swapper(a)(0, 2)
	fmt.Println(a, reflect.ValueOf(a).Equal(reflect.ValueOf(1)), reflect.ValueOf(a).Comparable())
	fmt.Println(reflect.TypeOf(1) == reflect.TypeFor[int](), reflect.PointerTo(t) == reflect.TypeOf(s))
	types := map[reflect.Type]string{reflect.TypeOf(s): "S", reflect.TypeOf(1): "int"}
	fmt.Println(types[reflect.TypeFor[*S]()], types[reflect.TypeFor[string]()] == "")
	try("set", func() { reflect.ValueOf(1).SetInt(2) })
	try("hidden", func() { v.Field(2).SetFloat(2) })
	try("kind", func() { reflect.ValueOf("x").Int() })
	try("zero", func() { reflect.Value{}.Type() })
	try("few", func() { reflect.ValueOf(try).Call(nil) })
	try("assign", func() { v.Field(0).Set(reflect.ValueOf("x")) })
	try("index", func() { reflect.ValueOf(a).Index(5) })
}
