package blocking

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
)

// A map that several goroutines use, one of which changes it, is a table: each key under which something is ever stored
// has a variable of the model, of the values that are stored under it and of absent. So who looks a key up finds what
// others have stored there by then, and a range comes to each key once, in any order, and to those that are there at
// that time. That all keys are known, and few, is taken for granted until it is not; from then on nothing is known of
// the map.

// maxKeys bounds the keys of a table.
const maxKeys = 6

// table is what is known of a map for all goroutines.
type table struct {
	cells  []cell // of the keys under which something is stored
	isOpen bool   // it is not known what it holds
}

// absent is in the cell of a key under which there is nothing.
type absent struct{}

func (absent) write(b *strings.Builder) { b.WriteString("absent;") }

// tableOf returns the table of a map.
func (l *lowerer) tableOf(m pointer) *table {
	t := l.known.tables[m]
	if t == nil {
		t = &table{}
		l.known.tables[m] = t
	}
	return t
}

// openTable notes that it is not known what a map holds.
func (l *lowerer) openTable(m pointer) {
	if t := l.tableOf(m); !t.isOpen {
		t.isOpen, l.known.changed = true, true
	}
}

// openTables does so for all maps that an object is.
func (l *lowerer) openTables(o *object) {
	l.openTable(pointer{o, ""})
	for m := range l.known.tables {
		if m.to == o {
			l.openTable(m)
		}
	}
}

// addKey notes that something is stored in a map under the key of a cell, or under one that is not known.
func (l *lowerer) addKey(m pointer, c cell, isKnown bool) {
	switch t := l.tableOf(m); {
	case t.isOpen || slices.Contains(t.cells, c):
	case !isKnown || len(t.cells) == maxKeys:
		l.openTable(m)
	default:
		t.cells = append(t.cells, c)
		slices.SortFunc(t.cells, func(a, b cell) int { return strings.Compare(a.path, b.path) })
		l.known.changed = true
	}
}

// isTable tells whether a map is a table, of which it is known what it holds.
func (l *lowerer) isTable(s *state, m pointer) bool {
	return l.known.shared[entriesOf(m)] != nil && !l.isAlone(s) && !m.to.isMany && !m.to.isForeign &&
		!l.tableOf(m).isOpen
}

// look looks up what is under the key of a cell of a table.
func (l *lowerer) look(s *state, c cell, element types.Type) []outcome {
	l.shareEntry(c)
	if x, ok := l.ownValue(s, c, absent{}); ok {
		l.note(s, c, false)
		return []outcome{{state: s, value: x}}
	}
	return l.load(s, c, element, absent{}, true)
}

// shareEntry makes the cell of a key a variable of the model.
func (l *lowerer) shareEntry(c cell) {
	if l.known.shared[c] == nil {
		l.known.shared[c], l.known.changed = &variable{}, true
		l.known.sharedObjects[c.of] = true
	}
}

// addAbsent adds absent to the values of an entry, however many there are: values that are not told apart are some that
// are there.
func (k *learned) addAbsent(v *variable) {
	if len(v.values) > 0 && !slices.Contains(v.values, value(absent{})) {
		k.changed = true
		v.values = append(v.values, absent{})
	}
}

// enterInto stores a value in a table, or absent.
func (l *lowerer) enterInto(s *state, c cell, v value) []esl.Stmt {
	l.shareEntry(c)
	if _, isAbsent := v.(absent); isAbsent {
		l.known.addAbsent(l.known.shared[c])
	}
	l.keeps(s, c, v)
	return l.save(s, c, absent{}, v)
}

// lookUp looks a key up in a table.
func (l *lowerer) lookUp(s *state, x *ssa.Lookup, m pointer, key value) effect {
	element := x.X.Type().Underlying().(*types.Map).Elem()
	all := l.look(s, entryOf(m, key), element)
	for _, o := range all {
		v, found := o.value, truth(true)
		if _, isAbsent := v.(absent); isAbsent {
			v, found = zero(element), truth(false)
		}
		if x.CommaOk {
			v = several{v, found}
		}
		o.state.set(x, v)
	}
	return oneOf(all)
}

// oneOf is the effect of ways on of which the first statements exclude each other.
func oneOf(all []outcome) effect {
	if len(all) > 1 {
		return effect{branching: waiting, outcomes: all}
	}
	return effect{outcomes: all}
}

// comeTo goes on with a range over a table: to any key that is left. If there is nothing under that by now, the range
// goes on from there.
func (l *lowerer) comeTo(s *state, x *ssa.Next, it iteration) effect {
	if len(it.left) == 0 {
		return plain(s, x, several{truth(false), nil, nil})
	}
	element := x.Iter.(*ssa.Range).X.Type().Underlying().(*types.Map).Elem()
	var all []outcome
	for _, path := range it.left {
		next := it
		next.left = slices.DeleteFunc(slices.Clone(it.left), func(other string) bool { return other == path })
		for _, o := range l.look(s.clone(), cell{it.over.to, path}, element) {
			o.state.set(x.Iter, next)
			if _, isAbsent := o.value.(absent); isAbsent {
				o.state.top().at-- // to the next key
			} else {
				o.state.set(x, several{truth(true), l.known.keys[path], o.value})
			}
			if len(o.stmts) == 0 {
				o.stmts = []esl.Stmt{{Op: esl.Skip, Pos: l.position(x)}}
			}
			all = append(all, o)
		}
	}
	return oneOf(all)
}

// isOnTable tells whether an instruction looks into a table.
func (l *lowerer) isOnTable(s *state, instr ssa.Instruction) bool {
	switch x := instr.(type) {
	case *ssa.Lookup:
		m, ok := l.valueOf(s.top(), x.X).(pointer)
		_, isMap := x.X.Type().Underlying().(*types.Map)
		return isMap && ok && l.isTable(s, m)
	case *ssa.Next:
		it, ok := l.valueOf(s.top(), x.Iter).(iteration)
		return ok && it.over.to != nil && l.isTable(s, it.over)
	}
	return false
}

// size returns how many entries a map has.
func (l *lowerer) size(s *state, m pointer) value {
	l.note(s, entriesOf(m), false)
	if l.isTable(s, m) {
		n := 0
		for _, c := range l.tableOf(m).cells {
			x, ok := l.ownValue(s, c, absent{})
			if !ok {
				return nil
			}
			if _, isAbsent := x.(absent); !isAbsent {
				n++
			}
		}
		return integer(n)
	}
	if l.isOpen(s, m) || len(l.entries(s, m, true)) > 0 {
		return nil
	}
	return integer(len(l.entries(s, m, false)))
}
