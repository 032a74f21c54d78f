package main

type item struct{ name, link *int }

var global *int
var table = map[*int]*item{}

func main() {
	x := new(int)        // #x
	y := new(int)        // #y
	s := make([]*int, 3) // #s
	s[1] = x
	println(s[0])         // want x y
	println(&s[2])        // want s[]
	t := append(s[:1], y) // #t
	println(t[0])         // want x y
	println(s[0])         // want x y
	println(&t[0])        // want s[] t[]
	u := make([]*int, 2)  // #u
	copy(u, []*int{y})
	println(u[1])              // want y
	items := []item{{name: x}} // #items
	for i := range items {
		println(items[i].name)  // want x
		println(&items[i].link) // want items[].link
	}
	more := append([]item(nil), items...) // #more
	println(more[0].name)                 // want x
	println(more[0].link)                 // want
	println(&more[0].link)                // want more[].link

	m := map[*int]item{} // #m
	m[x] = item{link: y}
	println(m[nil].link) // want y
	println(m[nil].name) // want
	for k, v := range m {
		println(k)      // want x
		println(v.link) // want y
	}
	v, ok := m[y]
	if ok {
		println(v.link) // want y
	}
	for k := range m {
		println(k) // want x
	}
	table[y] = &item{name: x} // #entry
	println(table[nil])       // want entry
	println(table[nil].name)  // want x

	c := make(chan *int, 1) // #c
	c <- x
	println(<-c) // want x y
	println(c)   // want c
	d := make(chan item)
	go func() { d <- item{name: y} }()
	select {
	case p := <-c:
		println(p) // want x y
	case i, ok := <-d:
		println(i.name, ok) // want y
	case c <- y:
	}
	for p := range c {
		println(p) // want x y
	}
	global = x
	println(global)  // want x
	println(&global) // want global

	var a [4]*int // #a
	a[2] = y
	b := a
	println(b[0]) // want y
	w := a[:]
	println(w[1])  // want y
	println(&w[1]) // want a[]
	z := (*[2]*int)(u)
	println(z[0])          // want y
	bytes := []byte("abc") // #bytes
	println(&bytes[0])     // want bytes[]
	clear(m)
	func() {
		defer func() {
			r := recover()
			println(r.(*int)) // want x
		}()
		panic(x)
	}()
}
