package refine

import (
	"encoding/binary"
	"slices"

	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/limit"
)

// Most fragments are made again and again: a procedure of which nothing is shown that was hidden before is the same
// in all components of all guesses, but for the numbers of the actions. So what a fragment is reduced to is kept under
// the fragment itself. It costs what it has cost to reduce it, each time, so that no answer depends on what was asked
// before.

// reduction is what an automaton was reduced to, its letters being ranks.
type reduction struct {
	kept
	cost limit.Work
}

// reduce returns a small automaton with the same words: see automaton.Reduce.
func (b *builder) reduce(a *automaton.Automaton) (*automaton.Automaton, error) {
	if b.reduced == nil {
		return b.reduceAnew(a)
	}
	letters := shownLetters(a)
	key := b.keyOf(a, letters)
	if e, ok := b.reduced.get(key); ok {
		if err := limit.Pay(b.ctx, e.value.cost); err != nil {
			return nil, err
		}
		out := e.value.automaton.Renamed(func(letter int32) int32 { return named(letters, letter) })
		for s, set := range out.Accept {
			if int(set) >= len(b.lists) { // the others are as they were when it was reduced: they are part of the key
				out.Accept[s] = b.labels.SetOf(e.value.labels[set])
			}
		}
		return out, nil
	}
	before := *b
	counted, meter := limit.WithWork(b.ctx, limit.Unlimited, limit.ErrWork)
	defer meter.Stop()
	before.ctx = counted
	out, err := before.reduceAnew(a)
	if err != nil {
		return nil, err
	}
	small := out.Renamed(func(letter int32) int32 { return ranked(letters, letter) })
	b.reduced.put(key, entry[reduction]{value: reduction{kept{small, b.setsOfLabels(), true}, meter.Spent()},
		size: 1 + out.States()})
	return out, nil
}

func (b *builder) reduceAnew(a *automaton.Automaton) (*automaton.Automaton, error) {
	out, ok := a.Reduce(b.ctx, b.labels, edgesPerState*b.limit)
	switch {
	case ok:
		return out, nil
	case b.ctx.Err() != nil:
		return nil, b.ctx.Err()
	}
	return nil, errStates
}

// setsOfLabels returns for each set of labels that is in use its labels.
func (b *builder) setsOfLabels() [][]int {
	if len(b.lists) != b.labels.Sets() {
		b.lists = b.labels.Lists()
	}
	return b.lists
}

// shownLetters returns the letters of an automaton that are no ways out, ascending.
func shownLetters(a *automaton.Automaton) (letters []int32) {
	for _, edges := range a.Edges {
		for _, e := range edges {
			if e.Letter > automaton.Epsilon {
				letters = append(letters, e.Letter)
			}
		}
	}
	slices.Sort(letters)
	return slices.Compact(letters)
}

// ranked returns the place of a letter among the letters; ways out, and what is silent, stay what they are.
func ranked(letters []int32, letter int32) int32 {
	if letter <= automaton.Epsilon {
		return letter
	}
	i, _ := slices.BinarySearch(letters, letter)
	return int32(i)
}

// named is the inverse of ranked.
func named(letters []int32, rank int32) int32 {
	if rank <= automaton.Epsilon {
		return rank
	}
	return letters[rank]
}

// keyOf is equal for automata that are reduced alike, but for the names of the letters, and for no others.
func (b *builder) keyOf(a *automaton.Automaton, letters []int32) limit.Key {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	text := (*buffer)[:0]
	number := func(n int) { text = binary.AppendVarint(text, int64(n)) }
	number(b.limit)
	lists := b.setsOfLabels()
	number(len(lists))
	for _, list := range lists {
		number(len(list))
		for _, label := range list {
			number(label)
		}
	}
	number(int(a.Start))
	number(a.States())
	for s, edges := range a.Edges {
		number(int(a.Accept[s]))
		number(len(edges))
		for _, e := range edges {
			number(int(ranked(letters, e.Letter)))
			number(int(e.To))
		}
	}
	*buffer = text
	return limit.KeyOf(text)
}
