package automaton

import (
	"cmp"
	"slices"
)

// sorter puts edges in order, by letter and then by state, without duplicates. Sorting is a large part of a search:
// pairs are taken as one number each, in memory that is used again, and many of them are sorted digit by digit.
type sorter struct{ keys, spare []uint64 }

// Up to so many edges are sorted by comparing them, and up to so many numbers.
const fewEdges, fewKeys = 32, 128

// sorted returns the edges in order, in their memory.
func (s *sorter) sorted(edges []Edge) []Edge {
	if len(edges) < fewEdges {
		slices.SortFunc(edges, compare)
		return slices.Compact(edges)
	}
	s.keys = s.keys[:0]
	for _, e := range edges {
		s.keys = append(s.keys, e.key())
	}
	s.sort()
	edges = edges[:0]
	for i, k := range s.keys {
		if i == 0 || k != s.keys[i-1] {
			edges = append(edges, edgeOf(k))
		}
	}
	return edges
}

// sort sorts the keys: many of them by one byte after another, so far as these are not equal in all.
func (s *sorter) sort() {
	if len(s.keys) < fewKeys {
		slices.Sort(s.keys)
		return
	}
	differ := uint64(0)
	for _, k := range s.keys {
		differ |= k ^ s.keys[0]
	}
	s.spare = slices.Grow(s.spare[:0], len(s.keys))[:len(s.keys)]
	for shift := 0; shift < 64; shift += 8 {
		if differ>>shift&0xff == 0 {
			continue
		}
		var at [256]int // by byte: where the next key with it goes
		for _, k := range s.keys {
			at[k>>shift&0xff]++
		}
		next := 0
		for b, count := range at {
			at[b] = next
			next += count
		}
		for _, k := range s.keys {
			s.spare[at[k>>shift&0xff]] = k
			at[k>>shift&0xff]++
		}
		s.keys, s.spare = s.spare, s.keys
	}
}

func compare(x, y Edge) int { return cmp.Compare(x.key(), y.key()) }

// key is a number in the order of the edges.
func (e Edge) key() uint64 { return uint64(uint32(e.Letter)^1<<31)<<32 | uint64(uint32(e.To)) }

func edgeOf(key uint64) Edge {
	return Edge{Letter: int32(uint32(key>>32) ^ 1<<31), To: int32(uint32(key))}
}
