package pointsto

import (
	"math/bits"
	"slices"
)

// A set is a sparse bit set: words of 64 bits, sorted by key, none of them zero.
// Points-to sets cluster (the cells of an object are numbered in a row), so
// most have one or two words, and a merge streams through memory.
type set []word

type word struct {
	key  uint32
	bits uint64
}

// seek returns the first index i >= from with s[i].key >= key.
func (s set) seek(from int, key uint32) int {
	step, low := 1, from
	for low+step <= len(s) && s[low+step-1].key < key {
		low += step
		step *= 2
	}
	high := min(low+step-1, len(s))
	for low < high {
		mid := int(uint(low+high) / 2)
		if s[mid].key < key {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// has reports whether x is in s.
func (s set) has(x uint32) bool {
	i := s.seek(0, x>>6)
	return i < len(s) && s[i].key == x>>6 && s[i].bits&(1<<(x&63)) != 0
}

// add inserts x and reports whether it was new.
func (s *set) add(x uint32) bool {
	key, bit := x>>6, uint64(1)<<(x&63)
	i := s.seek(0, key)
	if i < len(*s) && (*s)[i].key == key {
		if (*s)[i].bits&bit != 0 {
			return false
		}
		(*s)[i].bits |= bit
		return true
	}
	*s = append(*s, word{})
	copy((*s)[i+1:], (*s)[i:])
	(*s)[i] = word{key, bit}
	return true
}

// minus appends to buffer what is in s but not in t.
func (s set) minus(t set, buffer set) set {
	j := 0
	for _, w := range s {
		j = t.seek(j, w.key)
		if j < len(t) && t[j].key == w.key {
			w.bits &^= t[j].bits
		}
		if w.bits != 0 {
			buffer = append(buffer, w)
		}
	}
	return buffer
}

// union adds t to s, in place where the keys are there already.
func (s *set) union(t set) {
	if len(*s) == 0 {
		*s = append(*s, t...)
		return
	}
	missing, j := 0, 0
	for _, w := range t {
		j = s.seek(j, w.key)
		if j < len(*s) && (*s)[j].key == w.key {
			(*s)[j].bits |= w.bits
		} else {
			missing++
		}
	}
	if missing > 0 {
		s.merge(t, missing)
	}
}

// absorb adds t to s, and returns what was not there, in the buffer.
func (s *set) absorb(t set, buffer set) set {
	buffer = buffer[:0]
	missing, j := 0, 0
	for _, w := range t {
		j = s.seek(j, w.key)
		if j == len(*s) || (*s)[j].key != w.key {
			missing++
		} else {
			old := (*s)[j].bits
			(*s)[j].bits |= w.bits
			w.bits &^= old
		}
		if w.bits != 0 {
			buffer = append(buffer, w)
		}
	}
	if missing > 0 {
		s.merge(buffer, missing)
	}
	return buffer
}

// merge adds the words of t that s has no word with the key of, of which there are so
// many; of the others it has all bits.
func (s *set) merge(t set, missing int) {
	from := len(*s) - 1
	*s = slices.Grow(*s, missing)[:len(*s)+missing]
	to, k := len(*s)-1, len(t)-1
	for k >= 0 && to > from { // merge backwards; once to == from the rest is in place
		switch {
		case from >= 0 && (*s)[from].key > t[k].key:
			(*s)[to] = (*s)[from]
			from--
			to--
		case from >= 0 && (*s)[from].key == t[k].key:
			k--
		default:
			(*s)[to] = t[k]
			k--
			to--
		}
	}
}

// clone returns a copy that shares no memory with s.
func (s set) clone() set { return append(set(nil), s...) }

// len returns the number of elements.
func (s set) len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w.bits)
	}
	return n
}

// exceeds reports whether s has more than n elements.
func (s set) exceeds(n int) bool {
	if len(s) > n { // no word is zero
		return true
	}
	for _, w := range s {
		if n -= bits.OnesCount64(w.bits); n < 0 {
			return true
		}
	}
	return false
}

// all yields the elements in increasing order. The set may not change meanwhile.
func (s set) all(yield func(uint32) bool) {
	for _, w := range s {
		for b := w.bits; b != 0; b &= b - 1 {
			if !yield(w.key<<6 | uint32(bits.TrailingZeros64(b))) {
				return
			}
		}
	}
}

// hash returns a number that is the same for equal sets.
func (s set) hash() uint64 {
	h := uint64(len(s))
	for _, w := range s {
		h = (h ^ w.bits ^ uint64(w.key)<<32) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h
}

// equal reports whether the sets have the same members.
func (s set) equal(t set) bool { return slices.Equal(s, t) }
