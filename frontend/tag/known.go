package tag

import (
	"cmp"
	"encoding/binary"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Known is what is known of values: the tags of those that have one. It is never changed: With and
// Only return another one.
type Known []entry

type entry struct {
	value ssa.Value
	tag   Tag
}

// Of returns the tag of a value.
func (k Known) Of(v ssa.Value) Tag {
	for i := range k {
		if k[i].value == v {
			return k[i].tag
		}
	}
	return Tag{}
}

// With returns what is known if v has tag g.
func (k Known) With(v ssa.Value, g Tag) Known {
	at := slices.IndexFunc(k, func(e entry) bool { return e.value == v })
	switch {
	case at < 0 && g.Kind == None || at >= 0 && k[at].tag == g:
		return k
	case at < 0:
		return append(k[:len(k):len(k)], entry{v, g})
	case g.Kind == None:
		return slices.Delete(slices.Clone(k), at, at+1)
	}
	changed := slices.Clone(k)
	changed[at].tag = g
	return changed
}

// Only returns what is known of those values that the function says.
func (k Known) Only(keeps func(v ssa.Value, g Tag) bool) Known {
	for i, e := range k {
		if keeps(e.value, e.tag) {
			continue
		}
		kept := slices.Clone(k[:i])
		for _, e := range k[i+1:] {
			if keeps(e.value, e.tag) {
				kept = append(kept, e)
			}
		}
		return kept
	}
	return k
}

// Map returns what is known if each value has the tag that the function gives for it and its tag.
func (k Known) Map(change func(v ssa.Value, g Tag) Tag) Known {
	changed := k
	for _, e := range k {
		changed = changed.With(e.value, change(e.value, e.tag))
	}
	return changed
}

// AppendKey appends what identifies it among what is known of the values of a function, whose
// numbers are given.
func (k Known) AppendKey(key []byte, number map[ssa.Value]int, table *Table) []byte {
	type numbered struct{ value, tag int }
	var room [32]numbered
	all := room[:0]
	for _, e := range k {
		all = append(all, numbered{number[e.value], table.Number(e.tag)})
	}
	slices.SortFunc(all, func(a, b numbered) int { return cmp.Or(a.value-b.value, a.tag-b.tag) })
	key = binary.AppendUvarint(key, uint64(len(all)))
	for _, n := range all {
		key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(n.value)), uint64(n.tag))
	}
	return key
}

// Bits returns a number with a bit for each flag.
func Bits(flags ...bool) (bits uint64) {
	for i, flag := range flags {
		if flag {
			bits |= 1 << i
		}
	}
	return bits
}

// Combine returns each of the lists with each of the options behind it.
func Combine(lists [][]Tag, options []Tag) (all [][]Tag) {
	for _, list := range lists {
		for _, g := range options {
			all = append(all, append(list[:len(list):len(list)], g))
		}
	}
	return all
}
