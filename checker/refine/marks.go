package refine

// marks is a set of hashes, up to some that are taken for others: a bit for each, at the place that its last bits say
// (a filter of Bloom with one function). It is a fraction of the table of the hashes, and stays in the processor's
// cache: most of what is looked up there to see whether a tuple is subsumed has not been visited.
type marks []uint64

// marksPerSlot is how many bits there are for a slot of the table. At most every second slot is taken, so that of what
// was not added one in eight is taken for something that was.
const marksPerSlot = 4

// marksFor returns an empty set for a table of so many slots, a power of two from 16 on.
func marksFor(slots int) marks { return make(marks, slots*marksPerSlot/64) }

// bytesOfMarks returns how many bytes marksFor takes.
func bytesOfMarks(slots int) int { return slots * marksPerSlot / 8 }

// emptied returns an empty set for a table of so many slots, which has the memory of the set if that is enough.
func (m marks) emptied(slots int) marks {
	n := slots * marksPerSlot / 64
	if n > cap(m) {
		return marksFor(slots)
	}
	m = m[:n]
	clear(m)
	return m
}

func (m marks) add(hash uint32) {
	at := hash & uint32(64*len(m)-1)
	m[at/64] |= 1 << (at % 64)
}

// has tells whether the hash may be in the set; if not, it is not.
func (m marks) has(hash uint32) bool {
	at := hash & uint32(64*len(m)-1)
	return m[at/64]&(1<<(at%64)) != 0
}
