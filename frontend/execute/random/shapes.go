package random

import "math/rand"

// Shape returns the text of a program that is made around one idiom of locks, of who owns an object,
// of objects that guard themselves (seeds 6, 22, ...), of looks that are taken again, of keys of
// maps (seeds 4, 12, ...), or of locks in arrays (seeds 14, 30, ...): with a mistake, or without. Its
// checked type is T.
func Shape(seed int64) string {
	g := &generator{r: rand.New(rand.NewSource(seed)), imports: map[string]bool{}, again: map[string]string{}}
	g.careful = !g.chance(3)
	switch {
	case seed%16 == 6:
		g.guarded()
		return g.text()
	case seed%8 == 4:
		g.entries()
		return g.text()
	case seed%16 == 14:
		g.shards()
		return g.text()
	}
	looks, owners := g.chance(4), g.chance(3)
	switch {
	case looks:
		g.atomics = g.chance(3)
	case owners:
		g.rw = g.chance(4)
	default:
		g.form = striped + 1 + form(g.r.Intn(int(forms-striped-1)))
		g.rw = g.form == flagged
	}
	g.types()
	g.helpers()
	if owners && !looks {
		g.cloneHelpers()
	}
	for i := range 2 + g.r.Intn(2) {
		switch {
		case looks:
			g.lookMethod(i)
		case owners && g.chance(2):
			g.cloneMethod(i)
		case !owners && g.chance(3):
			g.lockMethod(i)
		default:
			g.method(i)
		}
	}
	g.escaped()
	if owners && !looks {
		g.owners()
	} else {
		g.main()
	}
	if g.atomics {
		g.imports["sync/atomic"] = true
	}
	return g.text()
}

// begin begins a method of a shape, and makes it known.
func (g *generator) begin(i int, name string) {
	m := method{name: name + string(rune('0'+i)), args: g.pick("1", "2", "3")}
	g.methods = append(g.methods, m)
	g.line("func (x *T) %s(n int) int {", m.name)
}
