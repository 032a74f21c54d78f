package lower

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/keys"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/rules"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
)

// accessOnce lowers an access through a pointer to memory, or to the contents of a
// slice or map: of a map that is told apart by keys, with a key that is known or that
// stays unknown.
func (l *lowerer) accessOnce(c *clone, s state, pointer ssa.Value, kind esl.AccessKind, at ssa.Instruction) []outcome {
	if l.Stars.OnlySynchronises(l.Graph.PointsTo(c.node, pointer).Cells()) || l.isUnshared(c, s, pointer, kind, at) ||
		l.Rules.Use(rules.CompletedResults, l.owners.IsCompleted(c.node, pointer)) ||
		l.Rules.Use(rules.OwnLocks, l.lockSets.IsInOwnSection(c.node, pointer, at)) {
		return one(nil, s)
	}
	kind, counts := l.owners.SettledRead(c.node, pointer, kind, at)
	if l.Rules.Use(rules.SettledFields, !counts) {
		return one(nil, s)
	}
	var locations []isolate.Location
	certain, own := true, false
	switch g := l.tagOf(c, s, pointer); g.Kind {
	case tag.Object:
		if kind == esl.Read && ssaflow.IsMapOrSlice(pointer) && !l.Races {
			return one(nil, s)
		}
		locations, own = l.keys.At(g.Path, l.Stars.FieldsAt(g.Star, l.ofAnyElement(g.Path))), true
	case tag.Contents:
		if !l.Races && kind == esl.Read && s.private&modref.ObjectBit(g.Star) == 0 && !l.isToldApart(g, at) &&
			l.continuesHeaderRead(c, s, pointer, at) && !l.MayBeApart(c.node, pointer) {
			return append(one(nil, s), l.accessEach(c, s, l.sharedBy(c, g.Star, pointer), kind, at)...)
		}
		return l.contentsAccess(c, s, g, pointer, kind, at)
	case tag.None:
		locations, certain = l.locationsOf(c.node, pointer), false
	}
	stmts := l.accessStmts(c, s, locations, own, kind, at)
	if len(stmts) == 0 {
		return one(nil, s)
	}
	if certain {
		return one(stmts, s)
	}
	return []outcome{{stmts, s}, {nil, s}}
}

// isUnshared tells whether the access interferes with nothing: to contents that no
// other goroutine can reach yet, or a read of contents that nobody writes once
// others can reach them, as of a snapshot that is replaced as a whole.
func (l *lowerer) isUnshared(c *clone, s state, pointer ssa.Value, kind esl.AccessKind, at ssa.Instruction) bool {
	if l.tagOf(c, s, pointer).Kind == tag.Object {
		return false // of stars it is known which are private
	}
	if l.Unpublished.IsGiven(c.node, pointer, at, c.fresh) {
		l.Rules.Use(rules.PrivateMemory, len(l.RegionsOf(c.node, pointer)) > 0)
		return true
	}
	if kind.Writes() || !ssaflow.IsPointerLike(pointer.Type()) {
		return false
	}
	for _, cell := range l.Graph.PointsTo(c.node, pointer).Cells() {
		if len(l.Stars.StarsAt(cell)) > 0 || len(l.Stars.RegionsAt(cell)) > 0 && l.Unpublished.IsCellWritten(cell) {
			return false
		}
	}
	l.Rules.Use(rules.FrozenContents, len(l.RegionsOf(c.node, pointer)) > 0)
	return true
}

// contentsAccess lowers an access to contents. It counts for the field that the
// pointer came from, or for another one that leads to the same memory: of another star,
// too, if they may share it.
func (l *lowerer) contentsAccess(c *clone, s state, g tag.Tag, pointer ssa.Value, kind esl.AccessKind,
	at ssa.Instruction) []outcome {
	locations := l.keys.At(g.Path, l.PartsOf(c.node, pointer, isolate.Location{Star: g.Star, Field: g.Field}))
	for _, other := range l.RegionsOf(c.node, pointer) {
		if other.Star == g.Star && other.Field != g.Field {
			locations = append(locations, l.PartsOf(c.node, pointer, other)...)
		}
	}
	all := l.accessEach(c, s, append(locations, l.sharedBy(c, g.Star, pointer)...), kind, at)
	if len(all) == 0 || l.keys.ElementClass(g.Path) == keys.Other {
		return append(all, outcome{nil, s})
	}
	return all
}

// sharedBy returns the locations of other stars that lead to the memory of a star.
func (l *lowerer) sharedBy(c *clone, star int, pointer ssa.Value) (locations []isolate.Location) {
	for _, other := range l.RegionsOf(c.node, pointer) {
		if other.Star != star && !l.LeadsOnlyToOwned(c.node, pointer) {
			locations = append(locations, l.PartsOf(c.node, pointer, other)...)
		}
	}
	return locations
}

// accessEach returns an outcome for each of the locations that is one.
func (l *lowerer) accessEach(c *clone, s state, locations []isolate.Location, kind esl.AccessKind, at ssa.Instruction) (
	all []outcome) {
	for i := range locations {
		locations[i].Held = l.Races
		if stmts := l.accessStmts(c, s, locations[i:i+1], false, kind, at); len(stmts) > 0 {
			all = append(all, outcome{stmts, s})
		}
	}
	return all
}

// continuesHeaderRead tells whether the read of contents belongs to the read of the
// field just before it, as in m[k] or len(x.f): one event, not two. Nothing that
// could let another goroutine in by order lies between them.
func (l *lowerer) continuesHeaderRead(c *clone, s state, pointer ssa.Value, at ssa.Instruction) bool {
	header, ok := ssaflow.ContainerOf(pointer).(*ssa.UnOp)
	if !ok || header.Op != token.MUL || header.Block() != at.Block() ||
		l.lockSets.IsInOwnSection(c.node, header.X, header) {
		return false
	}
	if _, counts := l.owners.SettledRead(c.node, header.X, esl.Read, header); !counts ||
		l.isUnshared(c, s, header.X, esl.Read, header) {
		return false
	}
	if g := l.tagOf(c, s, header.X); g.Kind != tag.Object {
		if _, isField := header.X.(*ssa.FieldAddr); !isField {
			return false
		}
	}
	between := false
	for _, instr := range at.Block().Instrs {
		switch {
		case instr == ssa.Instruction(header):
			between = true
		case instr == at:
			return between
		case between && (ssaflow.MayYield(instr) || fresh.MayPublish(instr)):
			return false
		}
	}
	return false
}

// accessStmts returns the accesses to the locations, except to stars that no other
// goroutine can reach yet; own says that it is an access to the object itself, not to
// what its fields lead to. (What the contents of a private star lead to in turn
// may have been there before, in the hands of others.)
func (l *lowerer) accessStmts(c *clone, s state, locations []isolate.Location, own bool, kind esl.AccessKind,
	at ssa.Instruction) []esl.Stmt {
	var stmts []esl.Stmt
	for _, loc := range locations {
		if s.private&modref.ObjectBit(loc.Star) != 0 &&
			(own || s.private&modref.ContentsBit(loc.Star) != 0 && l.Stars.IsShallow(loc)) {
			l.Rules.Use(rules.PrivateMemory, true)
			continue
		}
		if l.Races && loc.Apart {
			continue // it is asked about by itself, or left to its library
		}
		if c.isImpossible(s, loc.Star, at) {
			return []esl.Stmt{{Op: esl.Choice}}
		}
		c.touched |= 1 << loc.Star
		for _, class := range l.classesAt(c, s, loc, own, at) {
			loc.Key = class
			st := esl.Stmt{Op: esl.Access, Access: kind, Arg: l.locationIndex(loc), Pos: l.position(at)}
			if kind.Reads() {
				st.Key = c.look
			}
			if !own {
				l.noteMemory(st.Pos, at)
			}
			stmts = append(stmts, st)
		}
	}
	return stmts
}

// locationsOf returns the locations that an access through a pointer of unknown
// origin may touch, without repetition.
func (l *lowerer) locationsOf(n *pointsto.Node, pointer ssa.Value) []isolate.Location {
	if !l.Races {
		return l.Collect(n, pointer, l.LocationsAt)
	}
	return l.Collect(n, pointer, func(cell pointsto.Cell) []isolate.Location {
		all := l.LocationsAt(cell)
		if len(l.Stars.StarsAt(cell)) == 0 {
			for i := range all {
				all[i].Held = true
			}
		}
		return all
	})
}
