package blocking

// An entry of a map that is made when it is first needed is there from then on, where nobody deletes it: once a
// goroutine has seen it, or has stored it, it needs not ask whether it is there. So what makes it does so once in each
// goroutine, however often it is needed.
//
// That nobody deletes it is taken for granted until somebody does: then another round begins.

// seen is the cell that tells that a goroutine has seen an entry in a cell.
func seen(c cell) cell { return cell{c.of, "seen " + c.path} }

// isMadeOnce tells whether a cell is one for an entry that is not there in the beginning, and that nobody deletes.
func (l *lowerer) isMadeOnce(c cell) bool {
	v := l.known.shared[c]
	if v == nil || len(v.values) == 0 || l.known.restored[c] {
		return false
	}
	_, isAbsent := v.values[0].(absent)
	return isAbsent
}

// hasSeen tells whether a goroutine knows that there is an entry in a cell.
func (l *lowerer) hasSeen(s *state, c cell) bool {
	x, ok := s.get(seen(c))
	return ok && x != nil && l.isMadeOnce(c)
}

// sees notes that a goroutine sees or stores a value in a cell.
func (l *lowerer) sees(s *state, c cell, number int) {
	if number > 0 && l.isMadeOnce(c) {
		s.put(seen(c), truth(true))
	}
}

// restores notes that somebody stores in a cell what it began with.
func (l *lowerer) restores(c cell) {
	if !l.known.restored[c] {
		l.known.restored[c], l.known.changed = true, true
	}
}
