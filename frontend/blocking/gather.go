package blocking

// A goroutine that is started at one place, as often, by one other goroutine is several processes of the model where
// the memory is not the same each time: after a branch that is not known, as in what initialises packages, and mostly
// of something that the goroutine has nothing to do with. Where there are too many processes so, it is one, and what
// is not the same each time it does not know, as where states of a place are joined: see merge. A run starts it one of
// these times, and does with that memory what may be done with memory that is not known.

// canGather tells whether there would be fewer processes if goroutines that are started alike were one.
func (l *lowerer) canGather() bool { return l.isTwice && !l.known.isGathered }

// apartBy returns what tells a goroutine that is started at a place from others that are. It notes whether there are.
func (l *lowerer) apartBy(place string, begin *state) string {
	key := "\n" + l.key(begin)
	was, isKnown := l.places[place]
	l.isTwice = l.isTwice || isKnown && was != key
	l.places[place] = key
	return key
}

// gather returns what a goroutine begins with that is started at a place: what all have in common that are, in this
// round and in former ones. It tells whether that is less than it was.
func (l *lowerer) gather(place string, begin *state) (all *state, isLess bool) {
	all = l.known.begun[place]
	if all == nil {
		l.known.begun[place] = begin.clone()
		return begin, false
	}
	if was := l.key(all); was != l.key(begin) {
		all.joinWith(begin)
		for i := range all.stack { // nothing was guessed of what it does itself
			all.own(i).guessed = false
		}
		l.collect(all)
		isLess = l.key(all) != was
	}
	return all.clone(), isLess
}

// place names what a goroutine runs.
func (c callee) place() string {
	if c.native != nil {
		return c.native.name + " " + c.native.on.id
	}
	return c.fn.String()
}
