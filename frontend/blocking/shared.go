package blocking

import (
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
)

// learned is what rounds of evaluation have found out about the program.
type learned struct {
	shared   map[cell]*variable
	zeros    map[cell]value        // what is in a cell that nothing was stored to
	matters  map[cell]bool         // a branch or an operation depends on the values
	sent     map[*object]*variable // what is sent on channels
	operated map[*object]bool      // something operates on their locks and wait groups
	told     map[*object]bool      // channels of which what is sent is told apart
	objects  map[string]*object
	spoilt   map[cell]bool      // it is not known what state the lock or wait group in them has
	copies   map[*object][]cell // where locks and wait groups of an object are copied to
	escaped  map[*object]bool   // several goroutines may know of them
	handed   map[*object]bool   // channels that functions have which are not followed: see lowerer.handOut
	// what functions that are not followed write to while several goroutines run
	rewritten map[*object]bool
	soles     map[cell]*sole               // of the cells of tables
	restored  map[cell]bool                // what they began with is stored in them again: see once.go
	together  map[ssa.CallInstruction]bool // what starts goroutines that are not apart
	tables    map[pointer]*table
	// what is stored in objects that stand for many, and which of them were changed in a way that is not known
	many       map[*object]map[string]*variable
	manySpoilt map[*object]bool
	late       map[ssa.CallInstruction]bool // what starts goroutines that are not run at once: see atonce.go
	// the objects that have a shared cell
	sharedObjects map[*object]bool
	keys          map[string]value // of maps, by the paths of their entries
	names         map[*ssa.Function]string
	typeNames     map[types.Type]string
	changed       bool              // by the round
	memories      *numbers[stored]  // of the memory of states
	tallies       *numbers[int]     // of what they count
	counted       map[string]int    // the numbers of what is counted
	most          int               // see lowerer.most
	visits        int               // of a place: how many states are told apart
	joined        map[string]*state // by places of goroutines, once there is one state of each: see learned.join
	joinedKeys    map[string]string // of them
	isJoining     bool              // a round has changed one of them
	again         int               // rounds that began with these
	isSplit       bool              // places are told apart by truth values, too: see builder.placeOf
	isGathered    bool              // goroutines that are started alike are one: see gather
	begun         map[string]*state // what those have in common that are started alike
}

// variable is a cell whose values other goroutines see.
type variable struct {
	values []value // that it can have; the first one is its value at the beginning, nil stands for all others
}

// maxValues bounds the values of a variable that are told apart, maxSlices those of one for slices.
const (
	maxValues = 14
	maxSlices = 4
)

func newLearned() *learned {
	return &learned{most: 12, visits: maxVisits, isSplit: true,
		shared: map[cell]*variable{}, zeros: map[cell]value{}, matters: map[cell]bool{},
		sent: map[*object]*variable{}, told: map[*object]bool{}, operated: map[*object]bool{},
		sharedObjects: map[*object]bool{}, escaped: map[*object]bool{},
		handed: map[*object]bool{}, rewritten: map[*object]bool{},
		late: map[ssa.CallInstruction]bool{}, many: map[*object]map[string]*variable{},
		manySpoilt: map[*object]bool{}, tables: map[pointer]*table{},
		soles: map[cell]*sole{}, restored: map[cell]bool{}, together: map[ssa.CallInstruction]bool{},
		spoilt: map[cell]bool{}, copies: map[*object][]cell{}, keys: map[string]value{},
		names: map[*ssa.Function]string{}, typeNames: map[types.Type]string{}, joined: map[string]*state{},
		joinedKeys: map[string]string{}, begun: map[string]*state{},
		memories: newNumbers(func(x stored, b *strings.Builder) { writeValue(b, x.value) }),
		tallies:  newNumbers(func(n int, b *strings.Builder) { b.WriteString(strconv.Itoa(n)) }),
		counted:  map[string]int{}}
}

// countOf numbers what is counted.
func (k *learned) countOf(what string) uint64 {
	n, ok := k.counted[what]
	if !ok {
		n = len(k.counted)
		k.counted[what] = n
	}
	return uint64(n)
}

// add adds a value, and returns its number: once there are too many, that of nil.
func (k *learned) add(v *variable, x value) int {
	number := func(x value) int {
		return slices.IndexFunc(v.values, func(y value) bool { return same(x, y) })
	}
	i := number(x)
	if i < 0 && len(v.values) >= mostValues(x) {
		x = nil
		i = number(x)
	}
	if i < 0 {
		k.changed = true
		i = len(v.values)
		v.values = append(v.values, x)
	}
	return i
}

// mostValues is how many values a variable may have, if another one is added: fewer where it grows, as by append.
func mostValues(x value) int {
	if _, isSlice := x.(slice); isSlice {
		return maxSlices
	}
	return maxValues
}

// access is that a process uses a cell, after it has started others.
type access struct {
	process int
	write   bool
	after   int // a process that was started before; -1: none was
}

// note notes an access of a cell.
func (l *lowerer) note(s *state, c cell, write bool) {
	if once := s.atOnce(); once != nil {
		l.noteAtOnce(once, c, write)
		return
	}
	add := func(after int) {
		a := access{l.process.index, write, after}
		if l.accesses[c] == nil {
			l.accesses[c] = map[access]bool{}
		}
		l.accesses[c][a] = true
	}
	add(-1)
	for _, p := range s.started {
		add(p)
	}
}

// learn finds out which cells are shared that were not known to be, and tells whether anything is new.
func (l *lowerer) learn() bool {
	l.learnSoles()
	for c, all := range l.accesses {
		if l.known.shared[c] == nil && l.isShared(c, all) {
			l.known.shared[c] = &variable{}
			l.known.sharedObjects[c.of] = true
			l.known.changed = true
		}
	}
	if !l.known.changed { // what is called may not have been known before
		l.learnTogether()
	}
	return l.known.changed
}

// copies notes that a lock, wait group or the like is copied from an object, nil if that is not known.
func (l *lowerer) copies(from *object, to cell, isFresh bool) {
	if from == nil || !isFresh || from.isMany || from.isForeign || l.known.operated[from] {
		l.spoilLock(to)
	} else if !slices.Contains(l.known.copies[from], to) {
		l.known.copies[from] = append(l.known.copies[from], to)
	}
}

// operates notes that something operates on what is in an object: copies of it may be in any state.
func (l *lowerer) operates(o *object) {
	if !l.known.operated[o] {
		l.known.operated[o] = true
		for _, to := range l.known.copies[o] {
			l.spoilLock(to)
		}
	}
}

// spoilLock notes that it is not known what state a lock or the like has.
func (l *lowerer) spoilLock(c cell) {
	if !l.known.spoilt[c] {
		l.known.spoilt[c], l.known.changed = true, true
		l.operates(c.of)
	}
}

// isShared tells whether two goroutines use a cell, one of which writes it, without the start of one of them being
// between the uses.
func (l *lowerer) isShared(c cell, all map[access]bool) bool {
	for a := range all {
		for b := range all {
			if a.process == b.process || !a.write && !b.write {
				continue
			}
			switch {
			case l.isWithin(b.process, a.process):
				if a.after >= 0 && l.isWithin(b.process, a.after) {
					return true
				}
			case l.isWithin(a.process, b.process): // the other way round
			default:
				return true
			}
		}
	}
	return false
}

// isWithin tells whether process p is q, or was started by it or by what it has started.
func (l *lowerer) isWithin(p, q int) bool {
	for ; p >= 0; p = l.processes[p].parent {
		if p == q {
			return true
		}
	}
	return false
}

// isAlone tells whether there is no other goroutine yet.
func (l *lowerer) isAlone(s *state) bool { return l.process.parent < 0 && len(s.started) == 0 }

// share makes the memory that others will see variables of the model, before the first of them is started: also that
// to which nothing was stored on this way, as something may have been on others.
func (l *lowerer) share(s *state) (stmts []esl.Stmt) {
	if !l.isAlone(s) {
		return nil
	}
	for _, c := range slices.SortedFunc(maps.Keys(l.known.shared), cell.before) {
		v := l.known.shared[c]
		x, ok := s.get(c)
		if !ok {
			if x, ok = l.known.zeros[c]; !ok {
				continue
			}
			if isSpoilt(s, c) {
				x = nil
			}
		}
		s.remove(c)
		l.keeps(s, c, x)
		if len(v.values) == 0 {
			l.known.add(v, x) // it begins with that
		}
		if i := l.known.add(v, x); i > 0 && l.known.matters[c] {
			stmts = append(stmts, esl.Stmt{Op: esl.Assign, Arg: l.variableIndex(c), Value: i})
		}
	}
	return stmts
}

// load loads a cell of a type.
func (l *lowerer) load(s *state, c cell, t types.Type, zero value, matters bool) []outcome {
	if c.of.isMany {
		return []outcome{{state: s, value: l.inMany(c)}}
	}
	l.note(s, c, false)
	l.known.zeros[c] = zero
	if matters && !l.known.matters[c] {
		l.known.matters[c] = true
		l.known.changed = l.known.changed || l.known.shared[c] != nil
	}
	v := l.known.shared[c]
	if l.isRewritten(s, c.of, t) {
		return []outcome{{state: s, value: nil}}
	}
	if v == nil || l.isAlone(s) {
		if x, ok := s.get(c); ok {
			return []outcome{{state: s, value: x}}
		}
		return []outcome{{state: s, value: zero}}
	}
	if len(v.values) == 0 {
		l.known.add(v, zero)
	}
	if !l.known.matters[c] {
		return []outcome{{state: s, value: nil}}
	}
	if len(v.values) == 1 {
		return []outcome{{state: s, value: v.values[0]}}
	}
	first := 0
	if l.hasSeen(s, c) {
		if first = 1; len(v.values) == 2 {
			return []outcome{{state: s, value: v.values[1]}}
		}
	}
	index := l.variableIndex(c)
	var all []outcome
	for i, x := range v.values[first:] {
		t := s.clone()
		l.sees(t, c, first+i)
		all = append(all, outcome{stmts: []esl.Stmt{{Op: esl.Test, Arg: index, Count: first + i}}, state: t, value: x})
	}
	return all
}

// save stores to a cell.
func (l *lowerer) save(s *state, c cell, zero, x value) []esl.Stmt {
	if c.of.isMany {
		l.storeInMany(s, c, x)
		return nil
	}
	l.note(s, c, true)
	l.known.zeros[c] = zero
	v := l.known.shared[c]
	if v == nil || l.isAlone(s) {
		s.put(c, x)
		return nil
	}
	s.remove(c)
	l.escapes(s, x)
	if len(v.values) == 0 {
		l.known.add(v, zero)
	}
	if !l.known.matters[c] {
		return nil
	}
	i := l.known.add(v, x)
	if len(v.values) == 1 {
		return nil
	}
	if i == 0 {
		l.restores(c)
	}
	l.sees(s, c, i)
	return []esl.Stmt{{Op: esl.Assign, Arg: l.variableIndex(c), Value: i}}
}
