package pointsto

// distinct is different sets, each once, by number. The first is empty.
type distinct struct {
	sets   []set
	byHash map[uint64][]uint32 // numbers
}

func newDistinct() *distinct { return &distinct{sets: []set{nil}, byHash: map[uint64][]uint32{}} }

// number returns the number of the set that is equal, and gives it one if it is new.
func (d *distinct) number(labels set) uint32 {
	if len(labels) == 0 {
		return 0
	}
	h := labels.hash()
	for _, number := range d.byHash[h] {
		if labels.equal(d.sets[number]) {
			return number
		}
	}
	number := uint32(len(d.sets))
	d.sets = append(d.sets, labels)
	d.byHash[h] = append(d.byHash[h], number)
	return number
}
