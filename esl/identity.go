package esl

import "encoding/binary"

// AppendIdentity appends to key what is equal for statements that are equal but for where in a
// body they stand: everything except the targets. No identity is the beginning of another one.
func (s Stmt) AppendIdentity(key []byte) []byte {
	key = append(key, byte(s.Op), byte(s.Access))
	key = binary.AppendVarint(key, int64(s.Arg))
	key = binary.AppendVarint(key, int64(s.Count))
	key = binary.AppendVarint(key, int64(s.Value))
	key = binary.AppendUvarint(key, uint64(s.Pos.Line))
	key = binary.AppendUvarint(key, uint64(s.Pos.Col))
	for _, text := range []string{s.Pos.File, s.Unit, s.Key} {
		key = append(binary.AppendUvarint(key, uint64(len(text))), text...)
	}
	key = binary.AppendUvarint(key, uint64(len(s.With)))
	for _, object := range s.With {
		key = binary.AppendUvarint(key, uint64(object))
	}
	return key
}
