package main

type stack[T any] struct{ items []T }

func (s *stack[T]) push(t T) { s.items = append(s.items, t) }
func (s *stack[T]) pop() T   { return s.items[0] }

type pair[A, B any] struct {
	a A
	b B
}

func swap[A, B any](p pair[A, B]) pair[B, A] { return pair[B, A]{p.b, p.a} }

func each[T any](s []T) func(func(int, T) bool) {
	return func(yield func(int, T) bool) {
		for i, t := range s {
			if !yield(i, t) {
				return
			}
		}
	}
}

type getter interface{ get() *int }
type box struct{ p *int }

func (b *box) get() *int { return b.p }

func use[G getter](g G) *int { return g.get() }

func first(s []*int) *int {
	for _, p := range each(s) {
		return p
	}
	return nil
}

func main() {
	x := new(int)    // #x
	y := new(string) // #y
	var s stack[*int]
	var t stack[*string]
	s.push(x)
	t.push(y)
	println(s.pop()) // want x
	println(t.pop()) // want y
	p := swap(pair[*int, *string]{x, y})
	println(p.a) // want y
	println(p.b) // want x
	for i, v := range each([]*int{x}) {
		println(v, i) // want x
	}
	println(first([]*int{x})) // want x
	println(use(&box{x}))     // want x
}
