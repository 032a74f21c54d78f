package tag

import "slices"

// An object may say that it is finished by a flag that only ever becomes true, as a
// transaction that was committed:
//
//	defer tx.Rollback() // does nothing after Commit
//	...
//	return tx.Commit()
//
// That such a flag is true stays known of a pointer once it was seen or made true, whoever else
// has the object.

// Growing returns the number of the flag whose address is loaded from, or stored to, and that
// only ever becomes true.
func (l *Holders) Growing(address Tag) (number int, ok bool) {
	if address.Kind != Holder {
		return 0, false
	}
	for i, flag := range l.Flags(address.Field) {
		if flag.Grows && flag.Path == address.Path {
			return i, true
		}
	}
	return 0, false
}

// IsGrown tells whether it is known that a flag is true of the object that the tag is of.
func (l *Holders) IsGrown(g Tag, number int) bool {
	return g.Kind == Holder && l.Flags(g.Field)[number].Grows && l.tags.Part(g, number) == TruthTag(true)
}

// Grown returns the tag of an object of which the flag is true.
func (l *Holders) Grown(g Tag, number int) Tag {
	parts := slices.Clone(l.tags.Parts(g))
	parts[number] = TruthTag(true)
	return l.tags.With(g, parts)
}

// Ungrown returns the tag without what has become known of it.
func (l *Holders) Ungrown(g Tag) Tag {
	if g.Kind != Holder || !g.HasParts() {
		return g
	}
	parts := slices.Clone(l.tags.Parts(g))
	for i, flag := range l.Flags(g.Field) {
		if flag.Grows {
			parts[i] = Tag{}
		}
	}
	return l.tags.With(g, parts)
}
