package refine

import (
	"encoding/binary"
	"slices"

	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/limit"
)

// Many systems become the same automata: those of guesses about goroutines that run the
// same code, or about fields that are used in the same way. What a search of their product
// has found is kept, too.

// exploredLimit bounds the bytes of automata for which that is kept.
const exploredLimit = 1 << 26

// explored is what the search of a product has found.
type explored struct {
	hits          []hit
	late          []int // labels that have no word as short as is of interest; they may have others
	states, moves int
	cost          limit.Work
}

// hit is a shortest word of a product with some labels.
type hit struct {
	labels []int
	word   []int32
	cost   limit.Work // of finding it
}

// within is what the search finds that may take so much work: what is remembered costs what it would
// cost to find it.
func (e explored) within(left limit.Work) explored {
	e.hits = slices.DeleteFunc(slices.Clone(e.hits), func(h hit) bool { return h.cost > left })
	return e
}

// explore searches the product of the automata for the labels that are open. Those that
// are in no hit and not late have no word. With an error it returns what was found
// before.
func (d *decision) explore(most int) (explored, error) {
	key := d.productKey(most)
	e, ok := d.memo.explored.get(key)
	var err error
	if left, limited := limit.Left(d.ctx); ok && limited && e.cost > left {
		e, err = e.within(left), limit.Pay(d.ctx, e.cost)
	} else if ok {
		err = limit.Pay(d.ctx, e.cost)
	} else {
		if e, err = d.searchProduct(most); err == nil {
			d.memo.explored.put(key, e, len(key))
		}
	}
	d.work.States += e.states
	d.work.Transitions += e.moves
	return e, err
}

func (d *decision) searchProduct(most int) (explored, error) {
	var e explored
	before := limit.Spent(d.ctx)
	p := d.newProduct(d.automata())
	_, err := p.search(d.ctx, d.open, most, func(found automaton.Set, word []int32) (automaton.Set, error) {
		e.hits = append(e.hits, hit{d.labels.List(found), word, limit.Spent(d.ctx) - before})
		return found, nil
	}, func(length int, open automaton.Set) automaton.Set {
		late := automaton.None
		for _, label := range d.labels.List(open) {
			if longest, limited := d.limits.Longest(label); limited && length > longest {
				late = d.labels.Union(late, d.labels.Of(label))
				e.late = append(e.late, label)
			}
		}
		return late
	})
	e.states, e.moves, e.cost = len(p.parent), p.moves, limit.Spent(d.ctx)-before
	d.release(p)
	return e, err
}

// productKey is equal for products with the same states and words.
func (d *decision) productKey(limit int) string {
	b := make([]byte, 0, 1024)
	ints := func(all ...int) {
		for _, i := range all {
			b = binary.AppendVarint(b, int64(i))
		}
	}
	sets := d.labels.Lists()
	ints(limit, len(sets[d.open]))
	ints(sets[d.open]...)
	ints(len(d.limits.Words))
	ints(d.limits.Words...)
	for _, p := range d.processes {
		a := p.automaton
		ints(len(p.pds.Letters))
		for _, letter := range p.pds.Letters {
			ints(int(letter))
		}
		ints(int(a.Start), a.States())
		for s, edges := range a.Edges {
			if set := a.Accept[s]; set == d.labels.All() {
				ints(-1)
			} else {
				ints(len(sets[set]))
				ints(sets[set]...)
			}
			ints(len(edges))
			for _, e := range edges {
				ints(int(e.Letter), int(e.To))
			}
		}
	}
	return string(b)
}
