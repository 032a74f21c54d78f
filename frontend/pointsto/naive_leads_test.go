package pointsto

import (
	"go/types"
	"slices"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// TestLeads compares what memory leads to with a plain search for each question, in
// solutions and in refinements, for some objects as regions, and for all of them.
func TestLeads(t *testing.T) {
	forAll(t, func(t *testing.T, p *program) {
		refined := p.analyze(t, false)
		for _, r := range []*Result{refined, p.analyze(t, true)} {
			regions := []*Region{r.Region(r.Objects()...)}
			lists := [][]*Object{r.Objects()}
			for i, o := range r.Objects() {
				if i%16 == 0 {
					regions, lists = append(regions, r.Region(o)), append(lists, []*Object{o})
				}
			}
			together := r.Regions(lists)
			for i, g := range regions {
				listed, searched := make([]bool, len(r.s.order)), make([]bool, len(r.s.order))
				if !r.addKnownHolders(listed, lists[i]) {
					t.Fatal("it is not listed which sets point into an object")
				}
				for _, s := range []*solver{r.s, r.s.baseOrSelf()} {
					s.addHolders(searched, g)
				}
				if !slices.Equal(listed, searched) {
					t.Fatalf("%v: listed and searched holders differ", lists[i])
				}
			}
			for _, n := range r.Nodes() {
				if packagePath(n.Func) != p.pkg.Pkg.Path() {
					continue
				}
				for i, v := range valuesOf(n.Func) {
					if i%4 != 0 {
						continue
					}
					for _, exported := range []bool{false, true} {
						compareLeads(t, r, n, v, regions, exported)
					}
					led, pointed := r.LedTo(n, v, together), r.PointedTo(n, v, together)
					for number, g := range regions {
						if led.Has(number) != (len(r.ReachedWithin(n, v, g)) > 0) || pointed.Has(number) != r.MayPointInto(n, v, g) {
							t.Fatalf("%s: %s leads to the region %d of several, or not, unlike to that one by itself", n, v, number)
						}
					}
				}
			}
		}
	})
}

func compareLeads(t *testing.T, r *Result, n *Node, v ssa.Value, regions []*Region, exported bool) {
	reached := (&naiveLeads{r: r, exported: exported, met: map[Cell]bool{}}).from(r.PointsTo(n, v))
	for _, g := range regions {
		got := r.ReachedWithin(n, v, g)
		if exported {
			got = r.EncodedWithin(n, v, g)
		}
		want := slices.DeleteFunc(slices.Clone(reached), func(c Cell) bool { return !g.objects[c.Object.ID] })
		if !slices.Equal(got, want) {
			t.Fatalf("%s: %s leads to %v, not %v", n, v, want, got)
		}
	}
}

// naiveLeads follows memory by what Result says of cells.
type naiveLeads struct {
	r        *Result
	exported bool
	met      map[Cell]bool
	all      []Cell
}

// from returns the cells that are neither structs nor arrays, in order.
func (s *naiveLeads) from(pointed Set) []Cell {
	s.visitAll(pointed)
	slices.SortFunc(s.all, func(a, b Cell) int {
		if a.Object != b.Object {
			return a.Object.ID - b.Object.ID
		}
		i, _ := a.Object.layout.offset(a.Path)
		j, _ := b.Object.layout.offset(b.Path)
		return int(i - j)
	})
	return s.all
}

func (s *naiveLeads) visitAll(pointed Set) {
	for _, c := range pointed.Cells() {
		switch c.Object.kind {
		case function:
		case reference:
			for _, part := range s.r.Cells(c.Object) {
				s.visit(part)
			}
		default:
			s.visit(c)
		}
	}
}

func (s *naiveLeads) visit(c Cell) {
	if s.met[c] {
		return
	}
	s.met[c] = true
	t := c.Type()
	if t == nil {
		t = types.Typ[types.Invalid]
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if !s.exported || f.Exported() || f.Embedded() {
				s.visit(Cell{c.Object, JoinPath(c.Path, f.Name())})
			}
		}
	case *types.Array:
		s.visit(Cell{c.Object, c.Path + "[]"})
	default:
		s.all = append(s.all, c)
		s.visitAll(s.r.Contents(c))
	}
}

// baseOrSelf returns the solver that a refinement builds on, or itself.
func (s *solver) baseOrSelf() *solver {
	if s.refinement != nil {
		return s.base
	}
	return s
}
