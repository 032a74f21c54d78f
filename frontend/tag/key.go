package tag

import "encoding/binary"

// AppendKey appends what identifies the tag; keys of different tags do not begin with each other.
func (g Tag) AppendKey(key []byte) []byte {
	key = append(key, byte(g.Kind))
	for _, n := range []int{g.Star, g.Field, g.parts} {
		key = binary.AppendVarint(key, int64(n))
	}
	name := ""
	if g.Fn != nil {
		name = g.Fn.String()
	}
	for _, text := range []string{g.Path, name} {
		key = append(binary.AppendUvarint(key, uint64(len(text))), text...)
	}
	return key
}
