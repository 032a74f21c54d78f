package refine

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/limit"
)

// Many systems become the same automata: those of guesses about goroutines that run the
// same code, or about fields that are used in the same way. What a search of their product
// has found is kept, too.

// exploredLimit bounds about how many bytes of that are kept in a generation.
const exploredLimit = 1 << 25

// explored is what the search of a product has found.
type explored struct {
	hits          []hit
	late          []int // labels that have no word as short as is of interest; they may have others
	states, moves int
	cost          limit.Work
	err           error // errStates: it was not searched to the end
}

// hit is a shortest word of a product with some labels.
type hit struct {
	labels []int
	word   []int32
	cost   limit.Work // of finding it
}

// size is about how many bytes it takes to keep it.
func (e explored) size() int {
	n := 128
	for _, h := range e.hits {
		n += 128 + 4*len(h.word)
	}
	return n
}

// explore searches the product of automata, of up to so many states, for the labels that are open, and hands each
// hit to found as soon as it has it. Labels that are in no hit and not late have no word, unless there is an
// error. What is remembered costs what it would cost to find it, once (limit.Ledger), and up to each hit what it
// costs to find that.
func (d *decision) explore(parts []*automaton.Automaton, most int, words []int, found func(hit) error) (
	explored, error) {
	key := limit.KeyOf(d.productKey(parts, most, words))
	cost, isPaid := limit.Paid(d.ctx, key)
	e, ok := d.memo.explored.get(key)
	if !ok {
		ctx := d.ctx
		if isPaid {
			ctx = limit.Free(ctx)
		}
		var err error
		e.cost = cost
		e.value, err = d.searchProduct(ctx, parts, most, words, found)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return d.explored(e.value, err)
		}
		if !isPaid {
			e.cost = e.value.cost
		}
		e.size = e.value.size()
		d.memo.explored.put(key, e)
	} else if err := e.value.again(d.ctx, isPaid, found); err != nil {
		return d.explored(e.value, err)
	}
	if !isPaid {
		limit.NotePaid(d.ctx, key, e.cost)
	}
	return d.explored(e.value, e.value.err)
}

// explored counts what was done, if it was done to the end: how much of it was depends on what is remembered.
func (d *decision) explored(e explored, err error) (explored, error) {
	if d.ctx.Err() != nil {
		return e, err
	}
	d.work.States += e.states
	d.work.Transitions += e.moves
	return e, err
}

// again hands out the hits that are remembered.
func (e explored) again(ctx context.Context, isPaid bool, found func(hit) error) error {
	last := limit.Work(0)
	pay := func(upTo limit.Work) error {
		w := upTo - last
		last = upTo
		if isPaid {
			w = 0
		}
		return limit.Pay(ctx, w)
	}
	for _, h := range e.hits {
		if err := pay(h.cost); err != nil {
			return err
		}
		if err := found(h); err != nil {
			return err
		}
	}
	return pay(e.cost)
}

// searchProduct is explore where nothing is remembered. The error is one that another search would not have.
func (d *decision) searchProduct(ctx context.Context, parts []*automaton.Automaton, most int, words []int,
	found func(hit) error) (e explored, err error) {
	limits := d.limits
	limits.Words = words
	before := limit.Spent(ctx)
	p := d.newProduct(parts)
	_, err = p.search(ctx, d.open, most, func(labels automaton.Set, word []int32) (automaton.Set, error) {
		h := hit{d.labels.List(labels), slices.Clone(word), limit.Spent(ctx) - before}
		e.hits = append(e.hits, h)
		err := ctx.Err() // as in again: what is found with the last of the work does not count
		if err == nil {
			err = found(h)
		}
		before += limit.Spent(ctx) - before - h.cost // what found does is none of it
		return labels, err
	}, func(length int, open automaton.Set) automaton.Set {
		late := automaton.None
		for _, label := range d.labels.List(open) {
			if longest, limited := limits.Longest(label); limited && length > longest {
				late = d.labels.Union(late, d.labels.Of(label))
				e.late = append(e.late, label)
			}
		}
		return late
	})
	e.states, e.moves, e.cost = len(p.parent), p.moves, limit.Spent(ctx)-before
	if errors.Is(err, errStates) && ctx.Err() == nil {
		e.err, err = err, nil
	}
	d.release(p)
	return e, err
}

// productKey is equal for products with the same states and words.
func (d *decision) productKey(parts []*automaton.Automaton, limit int, words []int) []byte {
	b := make([]byte, 0, 1024)
	ints := func(all ...int) {
		for _, i := range all {
			b = binary.AppendVarint(b, int64(i))
		}
	}
	sets := d.labels.Lists()
	ints(limit, len(sets[d.open]))
	ints(sets[d.open]...)
	ints(len(words))
	ints(words...)
	for i, p := range d.processes {
		a := parts[i]
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
	return b
}
