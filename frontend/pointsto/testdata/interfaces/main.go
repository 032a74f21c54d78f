package main

type shape interface{ part() *int }
type square struct{ p *int }
type circle struct{ p *int }
type handler func() *int
type list []*int

func (s *square) part() *int { return s.p }
func (c circle) part() *int  { return c.p }
func (h handler) part() *int { return h() }
func (l list) part() *int    { return l[0] }

type embedded struct {
	*square
	other int
}

type wrapped struct{ shape }

type defined *int

func main() {
	x := new(int)   // #x
	y := new(int)   // #y
	z := new(int)   // #z
	v := new(int)   // #v
	s := &square{x} // #s
	c := circle{y}
	var a shape = s
	var b shape = c   // #box
	println(a.part()) // want x
	println(b.part()) // want y
	println(a)        // want s
	println(b)        // want box
	var h shape = handler(func() *int { return z })
	println(h.part()) // want z
	var l shape = list{v}
	println(l.part()) // want v
	all := []shape{a, b, h, l}
	println(all[0].part()) // want x y z v
	switch t := all[1].(type) {
	case *square:
		println(t) // want s
	case circle:
		println(t.p) // want y
	case handler:
		println(t()) // want z
	case list:
		println(t[0]) // want v
	}
	var e shape = embedded{square: s}
	println(e.part()) // want x
	w := &wrapped{b}
	println(w.part())                      // want y
	println((&embedded{square: s}).part()) // want x
	bound := a.part
	println(bound()) // want x

	var i any = x
	i = y
	if q, ok := i.(*int); ok {
		println(q) // want y
	}
	var j any = defined(z)
	if all == nil {
		j = v
	}
	println(j)                   // want v z
	println((*int)(j.(defined))) // want z
	println(j.(*int))            // want v
	if _, ok := j.(shape); ok {
		println(j.(shape)) // want
	}
	var k any = 3
	println(k) // want box:int
	var err error
	println(err) // want
}
