package main

// T is the checked type.
type T struct {
	parts []*T
	n     int
}

// The element at an index is one.
func same(parts []*T, i int) {
	p := &parts[i]
	q := &parts[i]
	*p, *q = nil, nil // want "&parts\\[i\\] and &parts\\[i\\] are equal"
}

// That at another index is another one.
func other(parts []*T, i, j int) {
	p := &parts[i]
	q := &parts[j]
	*p, *q = nil, nil // not "are equal"
}

// A variable that is assigned once holds one value.
func (t *T) captured() func() {
	p := t.parts[0] // want "once"
	return func() { p.n++ }
}

// One that is assigned again does not.
func (t *T) assigned() func() {
	p := t.parts[0] // not "once"
	f := func() { p.n++ }
	p = t.parts[1]
	return f
}

func main() {
	t := &T{parts: []*T{{}, {}}}
	same(t.parts, 0)
	other(t.parts, 0, 1)
	t.captured()()
	t.assigned()()
}
