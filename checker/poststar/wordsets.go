package poststar

import "math/bits"

// wordSets is many sparse bit sets: each has a first word in place, and further ones in a
// table with open addressing.
type wordSets struct {
	words  []setWord // word i < count is the first of set i
	count  int
	owners []uint32 // of the words after those
	table  []uint32 // of those: number + 1
}

// setWord is 64 members of a set, from 64*key on. It is used if it has a bit.
type setWord struct {
	bits, pending uint64
	key           uint32
	next          uint32 // the set's next word; 0 if there is none
}

// reset makes count empty sets.
func (s *wordSets) reset(count int) {
	s.words, s.count = make([]setWord, count), count
}

// owner returns the set of a word.
func (s *wordSets) owner(word uint32) uint32 {
	if int(word) < s.count {
		return word
	}
	return s.owners[int(word)-s.count]
}

// word returns the word of a set with the key, and makes it if there is none.
func (s *wordSets) word(set, key uint32) uint32 {
	first := &s.words[set]
	if first.bits == 0 {
		first.key = key
		return set
	}
	if first.key == key {
		return set
	}
	if 2*len(s.owners) >= len(s.table) {
		s.grow()
	}
	slot := s.slot(set, key)
	if s.table[slot] != 0 {
		return s.table[slot] - 1
	}
	w := uint32(len(s.words))
	s.words = append(s.words, setWord{key: key, next: s.words[set].next})
	s.words[set].next = w
	s.owners = append(s.owners, set)
	s.table[slot] = w + 1
	return w
}

// find returns the word of a set with the key, if it has a bit.
func (s *wordSets) find(set, key uint32) (word uint32, ok bool) {
	first := &s.words[set]
	switch {
	case first.bits == 0:
		return 0, false
	case first.key == key:
		return set, true
	case len(s.table) == 0:
		return 0, false
	}
	slot := s.slot(set, key)
	return s.table[slot] - 1, s.table[slot] != 0
}

// has tells whether a set has a member.
func (s *wordSets) has(set, member uint32) (found bool) {
	s.forWords(set, func(key uint32, bits uint64) {
		found = found || key == member>>6 && bits>>(member&63)&1 != 0
	})
	return found
}

// forWords calls do for each word of a set that has a bit. Words that do adds to the set
// are left out.
func (s *wordSets) forWords(set uint32, do func(key uint32, bits uint64)) {
	if w := s.words[set]; w.bits != 0 {
		do(w.key, w.bits)
	}
	for w := s.words[set].next; w != 0; {
		at := s.words[w]
		do(at.key, at.bits)
		w = at.next
	}
}

// members calls do for each member of a set, ascending within a word.
func members(s *wordSets, set uint32, do func(member uint32)) {
	s.forWords(set, func(key uint32, found uint64) {
		for ; found != 0; found &= found - 1 {
			do(key<<6 | uint32(bits.TrailingZeros64(found)))
		}
	})
}

func (s *wordSets) slot(set, key uint32) uint32 {
	mask := uint32(len(s.table) - 1)
	h := (uint64(set)<<32 | uint64(key)) * 0x9E3779B97F4A7C15
	h ^= h >> 29
	i := uint32(h) & mask
	for s.table[i] != 0 {
		w := s.table[i] - 1
		if s.words[w].key == key && s.owners[int(w)-s.count] == set {
			break
		}
		i = (i + 1) & mask
	}
	return i
}

func (s *wordSets) grow() {
	s.table = make([]uint32, max(64, 2*len(s.table)))
	for i := range s.owners {
		w := s.count + i
		s.table[s.slot(s.owners[i], s.words[w].key)] = uint32(w) + 1
	}
}
