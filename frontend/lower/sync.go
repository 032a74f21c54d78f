package lower

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/keys"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/order"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/frontend/rules"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
)

// lockKey identifies a modelled lock: inside a star, or a cell that is one lock at
// run time.
type lockKey struct {
	star int           // -1 if none
	path string        // of a lock in the star's own memory
	cell pointsto.Cell // of a lock outside, in what the star leads to if there is one
}

// lockCall lowers an operation on a lock.
func (l *lowerer) lockCall(c *clone, s state, op knowledge.LockOp, callee *ssa.Function, receiver ssa.Value,
	at ssa.CallInstruction, result ssa.Value) []outcome {
	lock, ok := l.lockFor(c, s, callee, receiver, at)
	if !ok {
		return l.withResult(c, s, nil, result)
	}
	stmt := func(op esl.Op) []esl.Stmt { return []esl.Stmt{{Op: op, Arg: lock, Pos: l.position(at)}} }
	switch op {
	case knowledge.Lock:
		return one(stmt(esl.LockOp), s)
	case knowledge.Unlock:
		return one(stmt(esl.Unlock), s)
	case knowledge.RLock:
		return one(stmt(esl.RLock), s)
	case knowledge.RUnlock:
		return one(stmt(esl.RUnlock), s)
	}
	// A try may fail at any time.
	try := esl.LockOp
	if op == knowledge.TryRLock {
		try = esl.RLock
	}
	taken, failed := s, s
	if result != nil {
		taken, failed = s.with(result, tag.TruthTag(true)), s.with(result, tag.TruthTag(false))
	}
	return []outcome{{stmt(try), taken}, {nil, failed}}
}

// spinCall lowers an operation on a variable that is a lock: see package spinlock. Zero may be
// stored where it is free, too. What it does to the atomic set, if the variable is a field of
// that, it does while the lock is held.
func (l *lowerer) spinCall(c *clone, s state, op knowledge.LockOp, at ssa.CallInstruction, result ssa.Value) []outcome {
	receiver := reduce.Receiver(at.Common())
	var take, release []esl.Stmt
	if lock, ok := l.lockOf(c, s, esl.Mutex, receiver, at); ok {
		pos := l.position(at)
		take, release = []esl.Stmt{{Op: esl.LockOp, Arg: lock, Pos: pos}}, []esl.Stmt{{Op: esl.Unlock, Arg: lock, Pos: pos}}
	}
	with := func(held bool) state {
		switch {
		case result == nil:
			return s
		case ssaflow.IsBool(result.Type()):
			return s.with(result, tag.TruthTag(held))
		case !held:
			return s.with(result, tag.NumberTag(0))
		}
		if k, isConst := at.Common().Args[1].(*ssa.Const); isConst && op == knowledge.SwapLock {
			return s.with(result, tag.NumberTag(int(k.Int64()))) // what is held is the same for all
		}
		return s
	}
	way := func(before []esl.Stmt, kind esl.AccessKind, after []esl.Stmt, s state) []outcome {
		all := l.also(one(before, s), func(s state) []outcome { return l.access(c, s, receiver, kind, at) })
		return l.also(all, func(s state) []outcome { return one(after, s) })
	}
	wrote := esl.RMW
	if effect, _ := knowledge.Accesses(at.Common().StaticCallee()); !effect.Reads {
		wrote = esl.AtomicWrite
	}
	switch op {
	case knowledge.TryLock:
		return append(way(take, wrote, nil, with(true)), way(nil, esl.AtomicRead, nil, with(false))...)
	case knowledge.SwapLock:
		return append(way(take, wrote, nil, with(false)), way(nil, wrote, nil, with(true))...)
	case knowledge.TryUnlock:
		return append(way(nil, wrote, release, with(true)), way(nil, esl.AtomicRead, nil, with(false))...)
	}
	if take == nil {
		return l.thenResult(c, way(nil, wrote, nil, s), result)
	}
	return append(way(nil, wrote, release, with(true)), way(take, wrote, release, with(false))...)
}

// lockFor returns the modelled lock that receiver points to; ok is false if it is
// another one, or one that is not modelled.
func (l *lowerer) lockFor(c *clone, s state, callee *ssa.Function, receiver ssa.Value, at ssa.CallInstruction) (
	index int, ok bool) {
	kind := esl.Mutex
	if strings.Contains(callee.String(), "RWMutex") || strings.Contains(callee.String(), "rlocker") {
		kind = esl.RW
	}
	return l.lockOf(c, s, kind, receiver, at)
}

// lockOf is lockFor for a lock of some kind.
func (l *lowerer) lockOf(c *clone, s state, kind esl.LockKind, receiver ssa.Value, at ssa.CallInstruction) (
	index int, ok bool) {
	g := l.tagOf(c, s, receiver)
	var key lockKey
	switch g.Kind {
	case tag.Object:
		if key, ok = l.starLock(g.Star, g.Path, at); !ok {
			return 0, false
		}
	case tag.Foreign:
		return 0, false
	case tag.Companion:
		if l.choices.IsOfOwner(g) {
			l.Rules.Use(rules.Parents, true)
		} else {
			l.Rules.Use(rules.Companions, true)
		}
		if key, ok = l.companionLock(c, g, receiver); !ok || l.ambiguous[key] {
			return l.mergedLock(l.Graph.PointsTo(c.node, receiver).Cells(), at)
		}
	case tag.Contents:
		cells := l.Graph.PointsTo(c.node, receiver).Cells()
		if len(cells) != 1 {
			return l.mergedLock(cells, at)
		}
		switch o := cells[0].Object; {
		case l.Kept.Locks[cells[0]]:
			key = lockKey{star: -1, cell: cells[0]}
		case l.Stars.Owns(o) && l.Stars.IsWrittenOnce(g.Field) && !strings.Contains(cells[0].Path, "[]"):
			// The lock of the one object that the field holds for ever.
			key = lockKey{star: g.Star, cell: cells[0]}
			if l.ambiguous[key] {
				l.assumeUnmodelled(at, "some operation on it may be on the lock of another object, or it is assigned anew")
				return 0, false
			}
		default:
			return l.mergedLock(cells, at)
		}
	default:
		cells := l.choices.CellsOf(c.node, receiver, g)
		l.setAmbiguous(cells)
		if len(cells) != 1 || !l.Kept.Locks[cells[0]] {
			return l.mergedLock(cells, at)
		}
		key = lockKey{star: -1, cell: cells[0]}
	}
	return l.lockIndex(key, kind), true
}

// lockIndex returns the index of the lock in the model.
func (l *lowerer) lockIndex(key lockKey, kind esl.LockKind) int {
	index, known := l.locks[key]
	if !known {
		index = len(l.lockList)
		l.locks[key] = index
		l.lockList = append(l.lockList, esl.Lock{Name: l.lockName(key), Kind: kind, Pos: l.lockPosition(key)})
	}
	if kind == esl.RW { // of a part that may be one of objects of several types, whose lock has one name
		l.lockList[index].Kind = kind
	}
	return index
}

// starLock returns the key of a lock in the memory of a star; ok is false if it is
// not modelled.
func (l *lowerer) starLock(star int, path string, at ssa.CallInstruction) (key lockKey, ok bool) {
	key = lockKey{star: star, path: path}
	if l.ambiguous[key] || l.ambiguous[lockKey{star: star, path: l.ofAnyElement(path)}] {
		l.assumeUnmodelled(at, "some operation on it may be on the lock of another object, or it is assigned anew")
		return key, false
	}
	if l.keys.ElementClass(path) == keys.Other {
		return key, false
	}
	if strings.Contains(strings.TrimPrefix(path, l.Stars.Stars[star].Path), "[]") {
		l.assumeUnmodelled(at, "it is one of an array of locks")
		l.ambiguous[key] = true // which it may be is that of the star, too: see stepIndexAddr
		return key, false
	}
	return key, true
}

// setAmbiguous notes that an operation may or may not be on the locks: those of
// stars are then not modelled.
func (l *lowerer) setAmbiguous(cells []pointsto.Cell) {
	for _, cell := range cells {
		for _, k := range l.Stars.StarsAt(cell) {
			l.ambiguous[lockKey{star: k, path: l.Stars.PathOf(k, cell)}] = true
		}
		for _, at := range l.keys.LockSlicesAt(cell.Object) {
			l.ambiguous[lockKey{star: at.Star, path: pointsto.JoinPath(at.Path, "[]")}] = true
		}
		for _, at := range l.Stars.Regions(cell.Object) {
			l.ambiguous[lockKey{star: at.Star, cell: cell}] = true
		}
		if l.Stars.IsCompanion(cell.Object) || l.Stars.OwnerOf(cell.Object) != nil {
			for k := range l.Stars.Stars {
				l.ambiguous[lockKey{star: k, cell: cell}] = true
			}
		}
	}
}

func (l *lowerer) assumeUnmodelled(at ssa.CallInstruction, why string) {
	l.assume("lock", at.Pos(), "the lock used here excludes nobody: %s", why)
}

// lockName returns a readable name that no other lock has.
func (l *lowerer) lockName(key lockKey) string {
	var name string
	if key.star >= 0 && key.cell.Object == nil {
		star := l.Stars.Stars[key.star]
		path, isPart := strings.CutPrefix(key.path, star.Path)
		if name = star.Name; !isPart || path != "" && star.Path != "" && !strings.ContainsAny(path[:1], ".[") {
			name, path = "parent("+name+")", key.path // of what the object is a part of
		}
		if path = strings.TrimPrefix(path, "."); path != "" {
			name += "." + path
		}
	} else {
		name = order.VariableName(key.cell.Object)
		if c := l.Stars.CompanionOf(key.cell.Object); key.star >= 0 && c != nil {
			name = l.Stars.Stars[key.star].Name + "." + c.Path
		} else if w := l.Stars.OwnerOf(key.cell.Object); key.star >= 0 && w != nil {
			name = l.Stars.Stars[key.star].Name + "." + w.Path
		}
		if key.cell.Path != "" {
			name += "." + key.cell.Path
		}
	}
	name = load.WithoutStated(name)
	taken := map[string]bool{}
	for _, other := range l.lockList {
		taken[other.Name] = true
	}
	base := name
	for i := 2; taken[name]; i++ {
		name = fmt.Sprintf("%s_%d", base, i)
	}
	return name
}

func (l *lowerer) lockPosition(key lockKey) esl.Pos {
	if key.star < 0 && key.cell.Object.Site != nil {
		return l.Program.Position(key.cell.Object.Site.Pos())
	}
	return esl.Pos{}
}

// waitGroupCall lowers an operation on a wait group.
func (l *lowerer) waitGroupCall(c *clone, s state, op knowledge.WaitGroupOp, common *ssa.CallCommon,
	at ssa.CallInstruction, result ssa.Value) []outcome {
	group := l.happensBefore.GroupOf(c.node, common)
	if group != nil && group.Own && l.tagOf(c, s, reduce.Receiver(common)).Kind != tag.Companion {
		group = nil // that of others
	}
	switch op {
	case knowledge.TryGo:
		return l.tryGo(c, s, at, group, result)
	case knowledge.Go:
		return l.start(c, s, at, ssaflow.Arguments(common)[1], nil, group)
	case knowledge.Wait:
		if group == nil {
			l.assume("join", at.Pos(), "this Wait never waits: which goroutines it waits for is not evident")
			return one(nil, s)
		}
		if group.Gate != nil {
			l.Rules.Use(rules.Gates, true)
			return l.waitAtGate(s, group.Gate, at.Pos())
		}
		l.Rules.Use(rules.Joins, true)
		// Which processes those are is known when all are lowered.
		return one([]esl.Stmt{{Op: esl.Join, Arg: -1 - group.Index, Pos: l.position(at)}}, s)
	case knowledge.Done:
		if group != nil && group.Gate != nil {
			return one([]esl.Stmt{{Op: esl.Set, Arg: l.doneFlag(group.Gate, group.Gate.Entries[c.node]), Pos: l.position(at)}},
				s)
		}
		if group != nil {
			return one([]esl.Stmt{{Op: esl.Done, Pos: l.position(at)}}, s)
		}
	}
	return one(nil, s)
}

// leaveOut leaves locks out of the model that are assigned anew.
func (l *lowerer) leaveOut() {
	for cell := range l.resets {
		l.setAmbiguous([]pointsto.Cell{cell})
	}
}

// isReset tells whether part of the synchronisation object may be assigned anew.
func (l *lowerer) isReset(cell pointsto.Cell) bool {
	return slices.ContainsFunc(l.Graph.Under(cell.Object, cell.Path), func(c pointsto.Cell) bool { return l.resets[c] })
}
