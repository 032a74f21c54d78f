package prefix

// memo is a table of results of an operation on two languages, neither of which is
// nothing. Its zero value is empty.
type memo struct {
	keys    []uint64 // by open addressing; 0 is free
	results []language
	count   int
}

// reset removes all results. It keeps the memory.
func (m *memo) reset() {
	if m.count > 0 {
		clear(m.keys)
		m.count = 0
	}
}

func (m *memo) get(a, b language) (language, bool) {
	if m.count == 0 {
		return nothing, false
	}
	i := m.slot(pack(a, b))
	return m.results[i], m.keys[i] != 0
}

// put adds a result that is not there yet.
func (m *memo) put(a, b, result language) {
	if 2*m.count >= len(m.keys) {
		m.grow()
	}
	i := m.slot(pack(a, b))
	m.keys[i], m.results[i] = pack(a, b), result
	m.count++
}

func (m *memo) slot(key uint64) int {
	mask := len(m.keys) - 1
	i := int(hash(key)>>32) & mask
	for m.keys[i] != 0 && m.keys[i] != key {
		i = (i + 1) & mask
	}
	return i
}

func (m *memo) grow() {
	old := *m
	size := max(64, 4*len(old.keys))
	m.keys, m.results = make([]uint64, size), make([]language, size)
	for i, key := range old.keys {
		if key != 0 {
			at := m.slot(key)
			m.keys[at], m.results[at] = key, old.results[i]
		}
	}
}

func pack(a, b language) uint64 { return uint64(uint32(a))<<32 | uint64(uint32(b)) }

// hash mixes the bits; the upper half is the better one.
func hash(x uint64) uint64 {
	x *= 0x9E3779B97F4A7C15
	x ^= x >> 29
	return x * 0xBF58476D1CE4E5B9
}

func flag(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}
