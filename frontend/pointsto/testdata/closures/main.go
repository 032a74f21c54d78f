package main

type counter struct{ n int }

//pointsto:receiver
func (c *counter) add(d *int) *counter { return c }

func (c counter) value(d *int) *int { return d }

func apply(f func(*int) *int, x *int) *int {
	return f(x) // calls main.main$1 main.main$2
}

func maker(x *int) func() *int {
	return func() *int { return x }
}

func main() {
	x := new(int) // #x
	y := new(int) // #y
	z := x
	one := func(p *int) *int { return p }
	two := func(p *int) *int { z = p; return y }
	println(apply(one, x)) // want x y
	apply(two, x)
	println(z)   // want x y
	println(two) // want main.main$2
	f, g := maker(x), maker(y)
	println(f(), g()) // want x y; x y

	c := &counter{} // #c
	d := &counter{} // #d
	add := c.add
	other := d.add
	println(add(x))   // want c
	println(other(x)) // want d
	method := (*counter).add
	println(method(c, x)) // want c
	value := c.value
	println(value(y)) // want y
	defer two(y)
	go apply(one, x)
	func() { println(z) }() // want x y
}
