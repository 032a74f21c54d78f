package std

// Names numbers names that are not empty, from 0 and without gaps as long as none is forgotten.
type Names struct {
	numbers map[string]uint32
	names   []string
	free    []uint32
	plain   plain
}

// plain is a shortcut for names such as V123: one letter, the same for all, and digits.
type plain struct {
	letter byte
	known  []uint32 // by the number that the digits are: the number of the name and 1, or 0
}

// plainNames bounds the digits.
const plainNames = 1 << 20

// index is what the digits of a name are, or -1 if it is not plain.
func (p *plain) index(name []byte) int {
	if len(name) < 2 || len(name) > 8 || name[0] != p.letter || name[1] == '0' && len(name) > 2 {
		return -1
	}
	n := 0
	for _, c := range name[1:] {
		if c -= '0'; c > 9 {
			return -1
		}
		n = n*10 + int(c)
	}
	if n >= plainNames {
		return -1
	}
	return n
}

// Number is the number of a name; a new one gets the next.
func (n *Names) Number(name []byte) uint32 {
	at := n.plain.index(name)
	if at >= 0 && at < len(n.plain.known) {
		if i := n.plain.known[at]; i != 0 {
			return i - 1
		}
	}
	i, ok := n.numbers[string(name)]
	if !ok {
		i = n.add(string(name))
	}
	if at >= 0 {
		for at >= len(n.plain.known) {
			n.plain.known = append(n.plain.known, make([]uint32, at+1)...)
		}
		n.plain.known[at] = i + 1
	}
	return i
}

func (n *Names) add(name string) uint32 {
	if n.numbers == nil {
		n.numbers = map[string]uint32{}
		n.plain.letter = name[0]
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
			if at := n.plain.index([]byte(name)); at >= 0 && at < len(n.plain.known) {
				n.plain.known[at] = 0
			}
			n.names[i] = ""
			n.free = append(n.free, uint32(i))
		}
	}
}
