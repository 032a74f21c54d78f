package main

type inner struct{ p, q *int }
type outer struct {
	n    int
	a, b inner
	next *outer
}

func main() {
	x := new(int) // #x
	y := new(int) // #y
	o := &outer{} // #o
	o.a.p = x
	o.b.q = y
	println(o.a.p)  // want x
	println(o.b.q)  // want y
	println(o.a.q)  // want
	println(o)      // want o
	println(&o.n)   // want o.n
	println(&o.a)   // want o.a
	println(&o.a.p) // want o.a.p
	in := &o.b
	println(in.q)  // want y
	println(&in.p) // want o.b.p

	c := *o        // #c
	println(c.a.p) // want x
	println(c.b.q) // want x y
	d := &c.b
	d.q = x
	println(c.b.q) // want x y
	println(o.b.q) // want y

	o.next = &outer{} // #o2
	o.next.next = o
	println(o.next.next) // want o
	pp := &o.next.a.p
	*pp = y
	println(o.next.a.p) // want y
	println(pp)         // want o2.a.p
}
