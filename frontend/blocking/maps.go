package blocking

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
)

// A map has a cell for each known key, and one for each value that was stored under a key that is not known. What
// is looked up is one of those that it may be: one way on for each of them. One more cell stands for which entries
// there are: who changes that changes what all others find, also those that find nothing.

// maxEntries bounds the entries that are told apart where it is not known which one is meant.
const maxEntries = 5

// entry is an entry of a map that may be meant, or that there is none.
type entry struct {
	cell  cell
	key   value
	value value
	found bool
}

// iteration is a range over a map. Entries are named by the paths of their cells.
type iteration struct {
	over pointer
	all  []string // that there were at the beginning
	left []string
}

func (v iteration) write(b *strings.Builder) {
	if v.over.to != nil { // else it is over a map that is nil
		v.over.write(b)
	}
	b.WriteString("range " + strings.Join(v.all, " ") + " left " + strings.Join(v.left, " ") + ";")
}

// isUnknown tells whether an entry stands for those with a value of which the keys are not known, nor how many there
// are.
func (v iteration) isUnknown(path string) bool {
	return strings.HasPrefix(path, v.over.path+unknownKey)
}

const unknownKey = "[?"

func entryOf(m pointer, key value) cell { return cell{m.to, m.path + "[" + keyOf(key) + "]"} }

// update stores a value in a map.
func (l *lowerer) update(s *state, x *ssa.MapUpdate, m, key, v value) effect {
	p, ok := m.(pointer)
	if !ok {
		l.changesAnywhere(s, x, x.Map.Type(), v)
		return effect{outcomes: []outcome{{state: s}}}
	}
	c := entryOf(p, key)
	if !isDetermined(key) {
		c = cell{p.to, p.path + unknownKey + keyOf(v) + "]"}
	} else {
		l.known.keys[c.path] = key
	}
	l.addKey(p, c, isDetermined(key))
	l.note(s, entriesOf(p), true)
	if l.isTable(s, p) {
		return effect{outcomes: []outcome{{stmts: l.enterInto(s, c, v), state: s}}}
	}
	return effect{outcomes: []outcome{{stmts: l.save(s, c, absent{}, v), state: s}}}
}

// entriesOf returns the cell that stands for which entries there are.
func entriesOf(m pointer) cell { return cell{m.to, m.path + "[]"} }

// remove deletes a key from a map.
func (l *lowerer) remove(s *state, m, key value) []esl.Stmt {
	p, ok := m.(pointer)
	if !ok {
		return nil
	}
	l.note(s, entriesOf(p), true)
	if isDetermined(key) && l.isTable(s, p) {
		return l.enterInto(s, entryOf(p, key), absent{})
	}
	if !isDetermined(key) || len(l.entries(s, p, true)) > 0 {
		l.spoil(s, p)
		return nil
	}
	c := entryOf(p, key)
	l.note(s, c, true)
	s.remove(c)
	return nil
}

// forget forgets all that the object of a slice or a map holds.
func (l *lowerer) forget(s *state, v value) {
	l.spoil(s, v)
	if p, ok := v.(pointer); ok {
		l.note(s, entriesOf(p), true)
	}
	each(v, func(o *object) {
		for c := range s.contents(o) {
			if c.path != spoilt {
				l.note(s, c, true)
				s.put(c, nil)
			}
		}
	})
}

// entries returns the cells of a map, in a fixed order; of keys that are not known alone, if that is asked for.
func (l *lowerer) entries(s *state, m pointer, isUnknown bool) (all []cell) {
	prefix := m.path + "["
	if isUnknown {
		prefix = m.path + unknownKey
	}
	for c := range s.contents(m.to) {
		if strings.HasPrefix(c.path, prefix) {
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b cell) int { return strings.Compare(a.path, b.path) })
	return all
}

// isOpen tells whether it is not known what a map holds: others change it, or something that is not followed.
func (l *lowerer) isOpen(s *state, m pointer) bool {
	isSpoilt, _ := s.get(cell{m.to, spoilt})
	return m.to.isMany || m.to.isForeign || l.known.sharedObjects[m.to] && !l.isAlone(s) || isSpoilt != nil
}

// meant returns the entries that may be looked up; ok is false if that is not known.
func (l *lowerer) meant(s *state, x *ssa.Lookup, m, key value) (all []entry, ok bool) {
	p, isKnown := m.(pointer)
	if _, isMap := x.X.Type().Underlying().(*types.Map); !isMap || !isKnown || l.isOpen(s, p) {
		return nil, false
	}
	absent := entry{value: zero(x.X.Type().Underlying().(*types.Map).Elem())}
	isKeyKnown := isDetermined(key)
	if isKeyKnown {
		absent.cell = entryOf(p, key)
		if v, found := s.get(absent.cell); found {
			all = append(all, entry{absent.cell, key, v, true})
		} else {
			all = append(all, absent)
		}
	} else {
		all = append(all, absent)
	}
	for _, c := range l.entries(s, p, isKeyKnown) {
		v, _ := s.get(c)
		all = append(all, entry{c, l.known.keys[c.path], v, true})
	}
	return all, len(all) <= maxEntries
}

// lookup looks a key up in a map.
func (l *lowerer) lookup(s *state, x *ssa.Lookup, m, key value) effect {
	if p, ok := m.(pointer); ok { // whether it is shared is found out by what is done
		l.note(s, entriesOf(p), false)
		if isDetermined(key) && l.isTable(s, p) {
			return l.lookUp(s, x, p, key)
		}
	}
	all, ok := l.meant(s, x, m, key)
	if !ok {
		if x.CommaOk {
			return plain(s, x, several{nil, nil})
		}
		return plain(s, x, nil)
	}
	return l.choice(s, x, all, nil, func(t *state, e entry) {
		if x.CommaOk {
			t.set(x, several{e.value, truth(e.found)})
		} else {
			t.set(x, e.value)
		}
	})
}

// choice goes on with each entry. It is a guess, unless it can be any of them whatever else there is: then there is
// something that the model does.
func (l *lowerer) choice(s *state, at ssa.Instruction, all []entry, does []esl.Stmt,
	set func(t *state, e entry)) effect {
	if len(all) == 1 {
		set(s, all[0])
		return effect{outcomes: []outcome{{state: s}}}
	}
	e := effect{branching: guessed, pos: l.position(at)}
	isGuess := len(does) == 0
	if isGuess {
		l.guesses[Guess{Pos: e.pos, What: "which entry of a map it is", IsBranch: true}] = true
	} else {
		e.branching = waiting
	}
	for _, entry := range all {
		t := s.clone()
		t.top().guessed = t.top().guessed || isGuess
		set(t, entry)
		e.outcomes = append(e.outcomes, outcome{stmts: does, state: t})
	}
	return e
}

// iterate begins a range over a map.
func (l *lowerer) iterate(s *state, m value) value {
	if _, isNil := m.(nothing); isNil {
		return iteration{}
	}
	p, ok := m.(pointer)
	if !ok {
		return nil
	}
	l.note(s, entriesOf(p), false)
	all := l.entries(s, p, false)
	if l.isTable(s, p) {
		all = l.tableOf(p).cells
	} else if l.isOpen(s, p) || len(all) > maxEntries {
		return nil
	}
	it := iteration{over: p}
	for _, c := range all {
		it.all = append(it.all, c.path)
	}
	it.left = it.all
	return it
}

// rest returns the entries of which one comes next; ok is false if that is not known. Where keys are not known, the
// range may end at any time: entries may have replaced one another.
func (l *lowerer) rest(s *state, it value) (all []entry, ok bool) {
	i, ok := it.(iteration)
	if !ok {
		return nil, false
	}
	if i.over.to == nil {
		return []entry{{}}, true
	}
	for _, c := range l.entries(s, i.over, false) {
		if !slices.Contains(i.all, c.path) { // it may come in this range, or not
			return nil, false
		}
	}
	if l.isOpen(s, i.over) {
		return nil, false
	}
	for _, path := range i.left {
		c := cell{i.over.to, path}
		if v, ok := s.get(c); ok { // else it was deleted
			all = append(all, entry{c, l.known.keys[path], v, true})
		}
	}
	if len(all) == 0 || slices.ContainsFunc(i.left, i.isUnknown) {
		all = append(all, entry{})
	}
	return all, true
}

// next goes on with a range over a map.
func (l *lowerer) next(s *state, x *ssa.Next, it value) effect {
	if i, isKnown := it.(iteration); isKnown && i.over.to != nil && l.isTable(s, i.over) {
		return l.comeTo(s, x, i)
	}
	all, ok := l.rest(s, it)
	if !ok {
		return plain(s, x, nil)
	}
	var any []esl.Stmt
	if i, _ := it.(iteration); !slices.ContainsFunc(i.left, i.isUnknown) { // any order is one of the program
		any = []esl.Stmt{{Op: esl.Skip, Pos: l.position(x)}}
	}
	return l.choice(s, x, all, any, func(t *state, e entry) {
		i := it.(iteration)
		i.left = slices.DeleteFunc(slices.Clone(i.left), func(path string) bool {
			return path == e.cell.path && !i.isUnknown(path)
		})
		t.set(x.Iter, i)
		t.set(x, several{truth(e.found), e.key, e.value})
	})
}

// isChoice tells whether it is not known which entry of a map an instruction comes to.
func (l *lowerer) isChoice(s *state, instr ssa.Instruction) bool {
	get := func(v ssa.Value) value { return l.valueOf(s.top(), v) }
	var all []entry
	switch x := instr.(type) {
	case *ssa.Lookup:
		all, _ = l.meant(s, x, get(x.X), get(x.Index))
	case *ssa.Next:
		all, _ = l.rest(s, get(x.Iter))
	}
	return len(all) > 1
}
