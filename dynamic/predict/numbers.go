package predict

import "github.com/empire-go/empire-go/dynamic/events"

// place is what is done where in the code; the text is for events of which that is not known.
type place struct {
	op     events.Op
	number uint32
	text   string
}

// numbers gives numbers without gaps to objects.
type numbers struct {
	count int
	small []uint32 // by object: its number and 1
	large map[uint64]uint32
}

// smallObjects is how many objects have a place in a slice.
const smallObjects = 1 << 20

func (n *numbers) of(object uint64) uint32 {
	if object < smallObjects {
		for uint64(len(n.small)) <= object {
			n.small = append(n.small, make([]uint32, max(64, len(n.small)))...)
		}
		i := &n.small[object]
		if *i == 0 {
			n.count++
			*i = uint32(n.count)
		}
		return *i - 1
	}
	i, ok := n.large[object]
	if !ok {
		if n.large == nil {
			n.large = map[uint64]uint32{}
		}
		i = uint32(n.count)
		n.count++
		n.large[object] = i
	}
	return i
}

// ref is the number of the place in the code where an access is, if patterns are looked for; it notes the field.
func (p *predictor) ref(e events.Event, variable uint32) uint32 {
	if p.pairs == nil || e.Op.Kind() != events.Variable {
		return 0
	}
	for int(variable) >= len(p.fields) {
		p.fields = append(p.fields, 0)
	}
	p.fields[variable] = uint32(e.Object & (1<<events.FieldBits - 1))
	if e.Place > 0 {
		return 2 * p.codes.of(uint64(e.Place)<<8|uint64(e.Op))
	}
	text := p.src.Text(e)
	n, ok := p.texts[text]
	if !ok {
		n = uint32(len(p.texts))
		p.texts[text] = n
	}
	return 2*n + 1
}

// field is the field that a variable is, of some object.
func (p *predictor) field(variable uint32) uint32 { return p.fields[variable] }
