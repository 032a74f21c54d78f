package std

// Names numbers names that are not empty, from 0 and without gaps as long as none is forgotten.
type Names struct {
	numbers map[string]uint32
	names   []string
	free    []uint32
}

// Number is the number of a name; a new one gets the next.
func (n *Names) Number(name []byte) uint32 {
	if i, ok := n.numbers[string(name)]; ok {
		return i
	}
	return n.add(string(name))
}

func (n *Names) add(name string) uint32 {
	if n.numbers == nil {
		n.numbers = map[string]uint32{}
	}
	i := uint32(len(n.names))
	if last := len(n.free) - 1; last >= 0 {
		i, n.free = n.free[last], n.free[:last]
		n.names[i] = name
	} else {
		n.names = append(n.names, name)
	}
	n.numbers[name] = i
	return i
}

// Name is the name with a number.
func (n *Names) Name(i uint32) string { return n.names[i] }

// Len is the number of names that are not forgotten.
func (n *Names) Len() int { return len(n.names) - len(n.free) }

// Forget frees the numbers of the names that are to be forgotten, for others. A forgotten name
// gets a new number if it comes again.
func (n *Names) Forget(forget func(number uint32) bool) {
	for i, name := range n.names {
		if name != "" && forget(uint32(i)) {
			delete(n.numbers, name)
			n.names[i] = ""
			n.free = append(n.free, uint32(i))
		}
	}
}
