package report

import (
	"fmt"
	"slices"
	"strings"
)

// state.go follows what the fields hold along an interleaving, as far as a model without values tells: who has
// written them last, what each unit has read, and whether that is still so; and who holds the locks.

// htmlState is the state before the first step. Its cells are numbered from 0, row by row: of a field what it
// holds and what each of the units has read; of a lock who holds it.
type htmlState struct {
	Heads  []string // of the cells of a field
	Fields []htmlStateRow
	Locks  []htmlStateRow
}

// Width is how many cells a field has.
func (s *htmlState) Width() int { return len(s.Heads) }

type htmlStateRow struct {
	Name  string
	Cells []htmlStateCell
}

type htmlStateCell struct{ Head, Text string }

// stateChange is a cell and the text that it has from now on, as a JSON array.
type stateChange [2]any

// The texts of cells that nobody has changed.
const (
	asAtStart = "as at the start"
	notRead   = "not read"
	isFree    = "free"
	outdated  = ", no longer so"
)

// stateOf returns the state before the first step, and how each step that has a row changes it, with what
// happens without a row before the next one.
func stateOf(st *story) (*htmlState, map[int][]stateChange) {
	f := &stateFollower{story: st, content: map[string]string{}, readBy: map[[2]string]string{},
		held: make([][]heldLock, len(st.lanes))}
	initial := f.initial()
	if len(initial.Fields)+len(initial.Locks) == 0 {
		return nil, nil
	}
	changes := map[int][]stateChange{}
	before, at := f.texts(), -1
	flush := func() {
		if at < 0 {
			return
		}
		now := f.texts()
		for c := range now {
			if now[c] != before[c] {
				changes[at] = append(changes[at], stateChange{c, now[c]})
			}
		}
		before = now
	}
	for i, s := range st.steps {
		if s.shown {
			flush()
			at = i
		}
		f.step(i)
	}
	flush()
	return initial, changes
}

// stateFollower has the state after some steps.
type stateFollower struct {
	*story
	fields, locks []string
	objects       []heldLock // the locks, in the order of their names
	content       map[string]string
	readBy        map[[2]string]string // of a field and a unit's goroutine: the content that was read
	held          [][]heldLock         // by each goroutine
}

// initial finds the fields and the locks, and gives the state at the start.
func (f *stateFollower) initial() *htmlState {
	state := &htmlState{Heads: []string{"is"}}
	for _, a := range f.actors {
		state.Heads = append(state.Heads, a.name+" has read")
	}
	for _, s := range f.steps {
		switch s.Action {
		case "read", "write", "rmw":
			if name := plainSpaces(f.entry(s)); s.Location != "" && !slices.Contains(f.fields, name) {
				f.fields = append(f.fields, name)
			}
		case "lock", "rlock":
			if l := (heldLock{s.Lock, s.Object}); s.Lock != "" && !slices.Contains(f.objects, l) {
				f.objects, f.locks = append(f.objects, l), append(f.locks, s.Lock)
			}
		}
	}
	texts := f.texts()
	for _, name := range f.fields {
		row := htmlStateRow{Name: name}
		for _, head := range state.Heads {
			row.Cells = append(row.Cells, htmlStateCell{head, texts[0]})
			texts = texts[1:]
		}
		state.Fields = append(state.Fields, row)
	}
	for i, name := range f.locks {
		state.Locks = append(state.Locks, htmlStateRow{name, []htmlStateCell{{Text: texts[i]}}})
	}
	return state
}

// step takes step i.
func (f *stateFollower) step(i int) {
	s := f.steps[i]
	l, name := heldLock{s.Lock, s.Object}, plainSpaces(f.entry(s))
	switch s.Action {
	case "lock", "rlock":
		f.held[s.lane] = append(f.held[s.lane], l)
	case "unlock", "runlock":
		release(f.held, s.lane, l)
	case "read":
		f.readBy[[2]string{name, f.lanes[s.lane].name}] = f.holds(name)
	case "rmw":
		f.readBy[[2]string{name, f.lanes[s.lane].name}] = f.holds(name)
		f.write(i, name)
	case "write":
		f.write(i, name)
	}
}

// write records that step i writes a field. What the writer has read of it before is what it goes on from.
func (f *stateFollower) write(i int, name string) {
	lane := f.steps[i].lane
	by := f.lanes[lane].name
	if a := f.actorOf(lane); a >= 0 {
		by = f.actors[a].name
	}
	f.content[name] = fmt.Sprintf("written by %s%s", by, f.when(i))
}

// when says at which step something happened: by the event, or by the row.
func (f *stateFollower) when(i int) string {
	s := f.steps[i]
	switch {
	case s.Event > 0:
		return fmt.Sprintf(" (%d)", s.Event)
	case s.number > 0:
		return fmt.Sprintf(", step %d", s.number)
	}
	return ""
}

func (f *stateFollower) holds(field string) string {
	if text, ok := f.content[field]; ok {
		return text
	}
	return asAtStart
}

// texts are the texts of all cells.
func (f *stateFollower) texts() (all []string) {
	for _, field := range f.fields {
		all = append(all, f.holds(field))
		for _, a := range f.actors {
			text, ok := f.readBy[[2]string{field, f.lanes[a.lane].name}]
			switch {
			case !ok:
				text = notRead
			case text != f.holds(field):
				text += outdated
			}
			all = append(all, text)
		}
	}
	for _, lock := range f.objects {
		var holders []string
		for lane, held := range f.held {
			if slices.Contains(held, lock) && !slices.Contains(holders, f.lanes[lane].name) {
				holders = append(holders, f.lanes[lane].name)
			}
		}
		if len(holders) == 0 {
			all = append(all, isFree)
		} else {
			all = append(all, "held by "+strings.Join(holders, ", "))
		}
	}
	return all
}
