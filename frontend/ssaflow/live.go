package ssaflow

import (
	"iter"
	"math/bits"

	"golang.org/x/tools/go/ssa"
)

// Values is a set of values of one function: bits, by numbers that the function's sets share.
type Values struct {
	*numbering
	bits []uint64
}

// numbering numbers values.
type numbering struct {
	number map[ssa.Value]int
	values []ssa.Value
}

// Has tells whether the value is in the set.
func (s Values) Has(v ssa.Value) bool {
	if s.numbering == nil {
		return false
	}
	i, ok := s.number[v]
	return ok && i/64 < len(s.bits) && s.bits[i/64]&(1<<(i%64)) != 0
}

// All returns the values, in a fixed order.
func (s Values) All() iter.Seq[ssa.Value] {
	return func(yield func(ssa.Value) bool) {
		for w, word := range s.bits {
			for ; word != 0; word &= word - 1 {
				if !yield(s.values[64*w+bits.TrailingZeros64(word)]) {
					return
				}
			}
		}
	}
}

// add adds a value.
func (s *Values) add(v ssa.Value) {
	i, ok := s.number[v]
	if !ok {
		i = len(s.values)
		s.number[v] = i
		s.values = append(s.values, v)
	}
	for i/64 >= len(s.bits) {
		s.bits = append(s.bits, 0)
	}
	s.bits[i/64] |= 1 << (i % 64)
}

// remove removes a value.
func (s *Values) remove(v ssa.Value) {
	if i, ok := s.number[v]; ok && i/64 < len(s.bits) {
		s.bits[i/64] &^= 1 << (i % 64)
	}
}

// addAll adds the values of another set.
func (s *Values) addAll(other Values) {
	for len(s.bits) < len(other.bits) {
		s.bits = append(s.bits, 0)
	}
	for w, word := range other.bits {
		s.bits[w] |= word
	}
}
