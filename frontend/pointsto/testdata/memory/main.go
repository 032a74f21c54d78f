// Package main carries pointers through memory that is used at another type, by
// package unsafe.
package main

import "unsafe"

type item struct{ n int }

type plain struct {
	n int
	p *item
	q *item
}

// A view is laid out as a plain.
type view struct {
	n int
	p unsafe.Pointer
	q *int
}

// A nested is laid out as a plain, too.
type nested struct {
	head struct{ n int }
	tail [2]*item
}

type wrapper struct{ f first }
type first struct{ p *item }

type header struct {
	data     unsafe.Pointer
	len, cap int
}

type face struct{ typ, data unsafe.Pointer }

func use(all ...*item) {
	for _, i := range all {
		if i != nil {
			i.n++
		}
	}
}

func views() {
	p := &plain{p: &item{1}, q: &item{2}}
	v := (*view)(unsafe.Pointer(p))
	use((*item)(v.p), (*item)(unsafe.Pointer(v.q)))
	v.p = unsafe.Pointer(&item{3})
	use(p.p)
	n := (*nested)(unsafe.Pointer(p))
	use(n.tail[0], n.tail[1])
	n.tail[1] = &item{4}
	use(p.q)
	w := (*wrapper)(unsafe.Pointer(&first{&item{5}}))
	use(w.f.p)
	w.f = first{&item{6}}
	f := (*first)(unsafe.Pointer(w))
	use(f.p)
	i := (**item)(unsafe.Pointer(w))
	use(*i)
	array := [3]*item{{7}, {8}, {9}}
	use(*(**item)(unsafe.Pointer(&array)))
	part := (*[2]*item)(unsafe.Pointer(&array[1]))
	use(part[0], part[1])
	s := (*[1 << 20]*item)(unsafe.Pointer(&array[0]))[:3:3]
	use(s[0])
	s[1] = &item{10}
	use(array[1])
}

func arithmetic() {
	p := &plain{p: &item{11}, q: &item{12}}
	second := (**item)(unsafe.Pointer(uintptr(unsafe.Pointer(p)) + unsafe.Offsetof(p.q)))
	use(*second)
	*second = &item{13}
	use(p.q)
	use(*(**item)(unsafe.Add(unsafe.Pointer(p), unsafe.Offsetof(p.p))))
	n := (*int)(unsafe.Add(unsafe.Pointer(&p.p), -int(unsafe.Offsetof(p.p))))
	*n++
	whole := (*plain)(unsafe.Add(unsafe.Pointer(&p.q), -int(unsafe.Offsetof(p.q))))
	use(whole.p, whole.q)
	array := []*item{{14}, {15}}
	base := unsafe.Pointer(&array[0])
	for i := range array {
		use(*(**item)(unsafe.Add(base, uintptr(i)*unsafe.Sizeof(array[0]))))
		use(*(**item)(unsafe.Pointer(uintptr(base) + uintptr(i)*unsafe.Sizeof(base))))
	}
	structs := make([]plain, 2)
	structs[1].q = &item{16}
	last := (*plain)(unsafe.Add(unsafe.Pointer(&structs[0]), unsafe.Sizeof(plain{})))
	use(last.q)
	offset := uintptr(0)
	if len(array) > 1 {
		offset += unsafe.Offsetof(p.q)
	}
	use(*(**item)(unsafe.Pointer(uintptr(unsafe.Pointer(p)) + offset&^7)))
}

func headers() {
	s := []*item{{17}, {18}}
	h := (*header)(unsafe.Pointer(&s))
	use(*(**item)(h.data), unsafe.Slice((**item)(h.data), h.len)[1])
	var t []*item
	*(*header)(unsafe.Pointer(&t)) = header{h.data, 2, 2}
	use(t[1])
	t[0] = &item{19}
	use(s[0])
	use(*unsafe.SliceData(s), unsafe.Slice(unsafe.SliceData(s), 2)[1])
	one := &item{20}
	single := unsafe.Slice(&one, 1)
	single[0] = &item{21}
	use(one, single[0])
	var x any = &item{22}
	f := (*face)(unsafe.Pointer(&x))
	use((*item)(f.data))
	var y any = one
	(*face)(unsafe.Pointer(&y)).data = f.data
	use(y.(*item))
	var boxed any = plain{p: &item{23}}
	use((*plain)((*face)(unsafe.Pointer(&boxed)).data).p)
	m := map[string]*item{"a": {24}}
	reference := *(*unsafe.Pointer)(unsafe.Pointer(&m))
	use((*(*map[string]*item)(unsafe.Pointer(&reference)))["a"])
	c := make(chan *item, 1)
	channel := *(*unsafe.Pointer)(unsafe.Pointer(&c))
	(*(*chan *item)(unsafe.Pointer(&channel))) <- &item{25}
	use(<-c)
	function := func() *item { return one }
	code := *(*unsafe.Pointer)(unsafe.Pointer(&function))
	use((*(*func() *item)(unsafe.Pointer(&code)))())
	text := unsafe.String(unsafe.StringData("abc"), 2)
	bytes := unsafe.Slice(unsafe.StringData(text), len(text))
	println(bytes[0], text)
}

type builder struct {
	addr *builder
	i    *item
}

func (b *builder) check() {
	if b.addr == nil {
		b.addr = (*builder)(unsafe.Pointer(uintptr(unsafe.Pointer(b)) &^ 0))
	}
}

func generic[T, U any](x *T) *U { return (*U)(unsafe.Pointer(x)) }

func hidden() {
	b := &builder{i: &item{26}}
	b.check()
	use(b.addr.i)
	p := &plain{p: &item{27}}
	use(generic[plain, nested](p).tail[0])
	use((*item)(generic[plain, view](p).p))
	stored := map[string]unsafe.Pointer{"p": unsafe.Pointer(p)}
	use((*plain)(stored["p"]).p)
	through := make(chan unsafe.Pointer, 1)
	through <- unsafe.Pointer(&p.p)
	use(*(**item)(<-through))
	var a any = unsafe.Pointer(p.p)
	use((*item)(a.(unsafe.Pointer)))
	type list struct {
		next *list
		p    *item
	}
	type other struct {
		next *other
		p    *item
	}
	l := &list{&list{nil, &item{28}}, &item{29}}
	for o := (*other)(unsafe.Pointer(l)); o != nil; o = o.next {
		use(o.p)
	}
}

func main() {
	views()
	arithmetic()
	headers()
	hidden()
}
