package lower

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// step lowers one instruction that is no control flow. It returns the ways in
// which it can go.
func (l *lowerer) step(c *clone, s state, instr ssa.Instruction) []outcome {
	switch v := instr.(type) {
	case *ssa.Alloc:
		return l.stepAlloc(c, s, v)
	case *ssa.IndexAddr:
		return l.stepIndexAddr(c, s, v)
	case *ssa.Store:
		return l.stepStore(c, s, v)
	case *ssa.UnOp:
		return l.stepUnOp(c, s, v)
	case *ssa.Field:
		return one(nil, s.with(v, l.fieldOf(c, s, v)))
	case *ssa.Lookup:
		return l.stepLookup(c, s, v)
	case *ssa.MapUpdate:
		into := l.tagOf(c, s, v.Map)
		s.private &^= l.publishedBy(s, into, l.tagOf(c, s, v.Key), l.tagOf(c, s, v.Value))
		if into.kind == contents && (isolate.HoldsPointers(v.Value.Type()) || isolate.HoldsPointers(v.Key.Type())) {
			s.private &^= 1 << into.star
		}
		return l.access(c, s, v.Map, esl.Write, v)
	case *ssa.Range:
		if _, isMap := v.X.Type().Underlying().(*types.Map); isMap {
			return l.access(c, s.with(v, l.tagOf(c, s, v.X)), v.X, esl.Read, v)
		}
	case *ssa.Next:
		return l.stepNext(c, s, v)
	case *ssa.Extract:
		if g := l.tagOf(c, s, v.Tuple); g.kind == tuple {
			return l.results(s, v, l.known(c, v, l.tags.part(g, v.Index)))
		}
		return l.results(s, v, l.unknown(c.node, v))
	case *ssa.TypeAssert:
		g := l.tagOf(c, s, v.X)
		if v.CommaOk {
			g = l.tags.compose(tuple, []tag{g, {}})
		}
		return one(nil, s.with(v, g))
	case *ssa.MakeClosure:
		var parts []tag
		for _, b := range v.Bindings {
			parts = append(parts, l.tagOf(c, s, b))
		}
		return one(nil, s.with(v, l.tags.closure(v.Fn.(*ssa.Function), parts)))
	case *ssa.Send:
		l.assume("channel", v.Pos(), "sends and receives never wait")
		s.private &^= l.tags.stars(l.tagOf(c, s, v.X))
		return one(nil, s)
	case *ssa.Select:
		l.assume("channel", v.Pos(), "every case of a select is always possible")
		for _, st := range v.States {
			if st.Send != nil {
				s.private &^= l.tags.stars(l.tagOf(c, s, st.Send))
			}
		}
		return one(nil, s)
	case *ssa.Call:
		return l.stepCall(c, s, v)
	case *ssa.Go:
		return l.stepGo(c, s, v)
	case *ssa.Defer:
		var args []tag
		for _, a := range append([]ssa.Value{v.Call.Value}, v.Call.Args...) {
			args = append(args, l.tagOf(c, s, a))
		}
		return one(nil, s.push(v, args))
	case ssa.Value:
		return one(nil, s.with(v, l.derived(c, s, v)))
	}
	return one(nil, s)
}

// one returns the single outcome.
func one(stmts []esl.Stmt, s state) []outcome { return []outcome{{stmts, s}} }

// results returns one outcome for each tag that v can have.
func (l *lowerer) results(s state, v ssa.Value, tags []tag) []outcome {
	var all []outcome
	for _, g := range tags {
		all = append(all, outcome{nil, s.with(v, g)})
	}
	return all
}

// known returns the tag, or what the points-to set says if it is none.
func (l *lowerer) known(c *clone, v ssa.Value, g tag) []tag {
	if g.kind != none {
		return []tag{g}
	}
	return l.unknown(c.node, v)
}

// tagOf returns the tag of an operand.
func (l *lowerer) tagOf(c *clone, s state, v ssa.Value) tag {
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value != nil && v.Value.Kind() == constant.Bool {
			return truthTag(constant.BoolVal(v.Value))
		}
		return tag{}
	case *ssa.Function:
		return l.tags.closure(v, nil)
	case *ssa.Global:
		for k, star := range l.Stars.Stars {
			for o := range star.Objects {
				if o.Site == v {
					return tag{kind: object, star: k}
				}
			}
		}
		return tag{}
	}
	return s.tags[v]
}

// truthTag is the tag of a known boolean.
func truthTag(b bool) tag {
	if b {
		return tag{kind: truth, field: 1}
	}
	return tag{kind: truth}
}

// derived returns the tag of a value computed from one operand without a choice.
func (l *lowerer) derived(c *clone, s state, v ssa.Value) tag {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		g := l.tagOf(c, s, v.X)
		if g.kind == object {
			g.path = pointsto.JoinPath(g.path, fieldName(v.X.Type(), v.Field))
		}
		return g
	case *ssa.Slice:
		g := l.tagOf(c, s, v.X)
		if g.kind == object && !l.isAround(g) { // of an array inside the star
			if fields := l.Stars.FieldsAt(g.star, g.path); len(fields) > 0 {
				return tag{kind: contents, star: g.star, field: fields[0].Field}
			}
			return tag{}
		}
		return g
	case *ssa.ChangeType:
		return l.tagOf(c, s, v.X)
	case *ssa.ChangeInterface:
		return l.tagOf(c, s, v.X)
	case *ssa.MakeInterface:
		return l.tagOf(c, s, v.X)
	case *ssa.Convert:
		return l.tagOf(c, s, v.X)
	case *ssa.SliceToArrayPointer:
		return l.tagOf(c, s, v.X)
	}
	return tag{}
}

// isAround tells whether the tag is of memory around the star, of which the star is
// a part.
func (l *lowerer) isAround(g tag) bool {
	path := l.Stars.Stars[g.star].Path
	return g.path != path && pointsto.IsWithin(path, g.path)
}

// stepIndexAddr lowers the address of an element. Where stars are elements of an
// array, it may be the star or another element.
func (l *lowerer) stepIndexAddr(c *clone, s state, v *ssa.IndexAddr) []outcome {
	g := l.tagOf(c, s, v.X)
	switch g.kind {
	case object:
		around := l.isAround(g)
		g.path = pointsto.JoinPath(g.path, "[]")
		if around {
			return []outcome{{nil, s.with(v, g)}, {nil, s.with(v, tag{kind: foreign})}}
		}
		return one(nil, s.with(v, g))
	case none:
		return l.results(s, v, l.unknown(c.node, v))
	}
	return one(nil, s.with(v, g))
}

// fieldName returns the name of a field of a struct or of the struct that t points
// to.
func fieldName(t types.Type, field int) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return t.Underlying().(*types.Struct).Field(field).Name()
}

// fieldOf returns the tag of a field of a struct value.
func (l *lowerer) fieldOf(c *clone, s state, v *ssa.Field) tag {
	g := l.tagOf(c, s, v.X)
	if g.kind != value {
		return tag{}
	}
	g.path = pointsto.JoinPath(g.path, fieldName(v.X.Type(), v.Field))
	if _, isStruct := v.Type().Underlying().(*types.Struct); isStruct {
		return g
	}
	if fields := l.Stars.FieldsAt(g.star, g.path); len(fields) > 0 && l.leadsTo(c.node, v, isolate.Location{Star: g.star, Field: fields[0].Field}) {
		return tag{kind: contents, star: g.star, field: fields[0].Field}
	}
	return tag{}
}

// stepAlloc lowers the allocation of a variable or object.
func (l *lowerer) stepAlloc(c *clone, s state, v *ssa.Alloc) []outcome {
	if c.fn.onceCells[v] {
		return one(nil, s.with(v, l.tags.compose(cell, []tag{{}})))
	}
	made := l.Graph.ObjectAt(c.node, v)
	var all []outcome
	for k, star := range l.Stars.Stars {
		if !star.Objects[made] {
			continue
		}
		yes := s.with(v, tag{kind: object, star: k})
		yes.private |= 1 << k
		switch {
		case star.Single:
			return one(nil, yes)
		case c.makes == k:
			if !s.made {
				yes.made = true
				all = append(all, outcome{nil, yes})
			}
		case !l.Stars.Constructs(c.node, k):
			all = append(all, outcome{[]esl.Stmt{l.takeToken(k, v)}, yes})
		default: // the constructor decided on entry not to make this star
			all = append(all, outcome{nil, s.with(v, tag{kind: foreign})})
		}
	}
	if len(all) == 0 {
		return one(nil, s.with(v, tag{}))
	}
	return distinct(append(all, outcome{nil, s.with(v, tag{kind: foreign})}), c)
}

// distinct drops outcomes without statements that lead to the same state.
func distinct(all []outcome, c *clone) []outcome {
	var kept []outcome
	seen := map[string]bool{}
	for _, o := range all {
		if len(o.stmts) == 0 {
			key := o.state.key(c.fn.number)
			if seen[key] {
				continue
			}
			seen[key] = true
		}
		kept = append(kept, o)
	}
	return kept
}

// takeToken returns the statement that makes this allocation the one of star k.
func (l *lowerer) takeToken(k int, at ssa.Instruction) esl.Stmt {
	flag, ok := l.tokens[k]
	if !ok {
		flag = len(l.tokens)
		l.tokens[k] = flag
	}
	return esl.Stmt{Op: esl.Set, Arg: flag, Pos: l.position(at)}
}

// stepStore lowers a store.
func (l *lowerer) stepStore(c *clone, s state, v *ssa.Store) []outcome {
	stored := l.tagOf(c, s, v.Val)
	if a, ok := v.Addr.(*ssa.Alloc); ok && c.fn.onceCells[a] {
		return one(nil, s.with(a, l.tags.compose(cell, []tag{stored})))
	}
	addr := l.tagOf(c, s, v.Addr)
	s.private &^= l.publishedBy(s, addr, stored)
	if (addr.kind == object || addr.kind == contents) && stored.kind == none && isolate.HoldsPointers(v.Val.Type()) && !isEvidentlyNew(v) {
		// Others may have the contents already.
		s.private &^= 1 << addr.star
	}
	if addr.kind == none && stored.kind == none {
		s.private &^= l.aliased(c, v.Val)
	}
	return l.access(c, s, v.Addr, esl.Write, v)
}

// aliased returns the stars whose contents a value without a tag may be.
func (l *lowerer) aliased(c *clone, v ssa.Value) uint {
	var all uint
	for _, at := range l.regionsOf(c.node, v) {
		all |= 1 << at.Star
	}
	return all
}

// isEvidentlyNew tells whether the stored value leads to nothing, or to memory
// made in this function and kept nowhere else.
func isEvidentlyNew(store *ssa.Store) bool {
	switch v := store.Val.(type) {
	case *ssa.Const:
		return true
	case *ssa.MakeSlice, *ssa.MakeMap, *ssa.Alloc:
		return isolate.IsKeptOnlyBy(v, store)
	case *ssa.Slice:
		if a, ok := v.X.(*ssa.Alloc); ok {
			return isolate.IsKeptOnlyBy(a, store)
		}
	}
	return false
}

// publishedBy returns the stars that others may reach once the values are stored
// where the address says. What only a private star leads to stays private.
func (l *lowerer) publishedBy(s state, addr tag, stored ...tag) uint {
	held := (addr.kind == object || addr.kind == contents) && s.private&(1<<addr.star) != 0
	var all uint
	for _, g := range stored {
		// A function value loaded again says nothing about its bindings.
		if !held || g.kind == closure {
			all |= l.tags.stars(g)
		}
	}
	return all
}

// stepUnOp lowers a load, a receive or an operator.
func (l *lowerer) stepUnOp(c *clone, s state, v *ssa.UnOp) []outcome {
	switch v.Op {
	case token.MUL:
		tags := l.loaded(c, v, l.tagOf(c, s, v.X))
		var all []outcome
		for _, o := range l.access(c, s, v.X, esl.Read, v) {
			for _, g := range tags {
				all = append(all, outcome{o.stmts, o.state.with(v, g)})
			}
		}
		return all
	case token.ARROW:
		l.assume("channel", v.Pos(), "sends and receives never wait")
		if v.CommaOk {
			return one(nil, s.with(v, tag{}))
		}
		return l.results(s, v, l.unknown(c.node, v))
	case token.NOT:
		if g := l.tagOf(c, s, v.X); g.kind == truth {
			return one(nil, s.with(v, truthTag(g.field == 0)))
		}
	}
	return one(nil, s.with(v, tag{}))
}

// loaded returns the tags that a value loaded through an address with tag g can
// have.
func (l *lowerer) loaded(c *clone, v ssa.Value, g tag) []tag {
	if g.kind == cell {
		return l.known(c, v, l.tags.part(g, 0))
	}
	if _, isStruct := v.Type().Underlying().(*types.Struct); isStruct {
		if g.kind == object {
			return []tag{{kind: value, star: g.star, path: g.path}}
		}
		return []tag{{}}
	}
	tags := l.unknown(c.node, v)
	if len(tags) != 1 || tags[0].kind != none {
		return tags // it can be a star itself
	}
	switch g.kind {
	case object:
		for _, at := range l.Stars.FieldsAt(g.star, g.path) {
			if l.leadsTo(c.node, v, at) {
				return []tag{{kind: contents, star: at.Star, field: at.Field}}
			}
		}
	case contents:
		if l.leadsTo(c.node, v, isolate.Location{Star: g.star, Field: g.field}) {
			return []tag{g}
		}
	case foreign:
		if l.leadsOnlyToOwned(c.node, v) {
			return []tag{g} // contents of an object that is not the star
		}
	}
	return tags
}

// leadsTo tells whether v may point to memory that the location leads to.
func (l *lowerer) leadsTo(n *pointsto.Node, v ssa.Value, at isolate.Location) bool {
	if !isPointerLike(v.Type()) {
		return false
	}
	for _, cell := range l.Graph.PointsTo(n, v).Cells() {
		for _, r := range l.Stars.Regions(cell.Object) {
			if r == at {
				return true
			}
		}
	}
	return false
}

// leadsOnlyToOwned tells whether v may point to contents of stars, and only to
// those that no two objects share.
func (l *lowerer) leadsOnlyToOwned(n *pointsto.Node, v ssa.Value) bool {
	regions := l.regionsOf(n, v)
	if len(regions) == 0 {
		return false
	}
	for _, o := range l.Graph.PointsTo(n, v).Objects() {
		if len(l.Stars.Regions(o)) > 0 && !l.Stars.Owns(o) {
			return false
		}
	}
	return true
}

// isPointerLike tells whether values of the type hold an address themselves.
func isPointerLike(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Interface, *types.Signature:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	}
	return false
}

// unknown returns the tags that a value of unknown origin can have: each star that
// its points-to set allows, and none of them unless the set holds nothing else.
func (l *lowerer) unknown(n *pointsto.Node, v ssa.Value) []tag {
	if !isPointerLike(v.Type()) {
		return []tag{{}}
	}
	if _, isFunc := v.Type().Underlying().(*types.Signature); isFunc {
		return []tag{{}}
	}
	return l.starsIn(l.Graph.PointsTo(n, v).Cells())
}

// starsIn returns the tags of a pointer that points to one of the cells.
func (l *lowerer) starsIn(cells []pointsto.Cell) []tag {
	var tags []tag
	others := false
	for _, cell := range cells {
		stars := l.Stars.StarsAt(cell)
		if len(stars) == 0 {
			others = true
		}
		for _, k := range stars {
			tags = append(tags, tag{kind: object, star: k, path: cell.Path})
			others = others || !l.Stars.Stars[k].Single
		}
	}
	switch {
	case len(tags) == 0:
		return []tag{{}}
	case others:
		return append(tags, tag{kind: foreign})
	}
	return tags
}

// unknownInput is unknown for a parameter or captured variable: for the address of
// a variable it asks what the variable holds.
func (l *lowerer) unknownInput(n *pointsto.Node, v ssa.Value) []tag {
	captured, ok := v.(*ssa.FreeVar)
	if !ok {
		return l.unknown(n, v)
	}
	pointer, ok := captured.Type().Underlying().(*types.Pointer)
	stores := 0
	if !ok || !isPointerLike(pointer.Elem()) || !onlyLoaded(captured, &stores) {
		return l.unknown(n, v)
	}
	var held []pointsto.Cell
	for _, cell := range l.Graph.PointsTo(n, v).Cells() {
		alloc, ok := cell.Object.Site.(*ssa.Alloc)
		if !ok || !l.function(alloc.Parent()).onceCells[alloc] {
			return l.unknown(n, v)
		}
		held = append(held, l.Graph.Contents(cell).Cells()...)
	}
	var tags []tag
	for _, g := range l.starsIn(held) {
		if g.kind == none {
			return []tag{{}}
		}
		tags = append(tags, l.tags.compose(cell, []tag{g}))
	}
	return tags
}

// stepLookup lowers m[k].
func (l *lowerer) stepLookup(c *clone, s state, v *ssa.Lookup) []outcome {
	if _, isMap := v.X.Type().Underlying().(*types.Map); !isMap {
		return one(nil, s.with(v, tag{}))
	}
	var tags []tag
	if v.CommaOk {
		tags = []tag{l.tags.compose(tuple, []tag{l.elementOf(c, l.tagOf(c, s, v.X), v.Type().(*types.Tuple).At(0).Type()), {}})}
	} else {
		tags = l.loaded(c, v, l.tagOf(c, s, v.X))
	}
	var all []outcome
	for _, o := range l.access(c, s, v.X, esl.Read, v) {
		for _, g := range tags {
			all = append(all, outcome{o.stmts, o.state.with(v, g)})
		}
	}
	return all
}

// elementOf returns the tag of an element of type t of a container with tag g: a
// part of the same contents if its type allows that; nothing is known otherwise.
func (l *lowerer) elementOf(c *clone, g tag, t types.Type) tag {
	if g.kind != contents {
		return tag{}
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if l.Stars.IsContentsType(u.Elem()) {
			return g
		}
	case *types.Slice, *types.Map:
		return g
	}
	return tag{}
}

// stepNext lowers one step of a range over a map.
func (l *lowerer) stepNext(c *clone, s state, v *ssa.Next) []outcome {
	if v.IsString {
		return one(nil, s)
	}
	iterator := v.Iter.(*ssa.Range)
	g := l.tagOf(c, s, iterator)
	types := v.Type().(*types.Tuple)
	parts := []tag{{}, l.elementOf(c, g, types.At(1).Type()), l.elementOf(c, g, types.At(2).Type())}
	return l.access(c, s.with(v, l.tags.compose(tuple, parts)), iterator.X, esl.Read, v)
}

// access lowers an access through a pointer to memory, or to the contents of a
// slice or map.
func (l *lowerer) access(c *clone, s state, pointer ssa.Value, kind esl.AccessKind, at ssa.Instruction) []outcome {
	var locations []isolate.Location
	certain := true
	switch g := l.tagOf(c, s, pointer); g.kind {
	case object:
		if kind == esl.Read && isMapOrSlice(pointer) {
			return one(nil, s)
		}
		locations = l.Stars.FieldsAt(g.star, g.path)
	case contents:
		if kind == esl.Read && l.continuesHeaderRead(c, s, pointer, at) {
			return one(nil, s)
		}
		locations = []isolate.Location{{Star: g.star, Field: g.field}}
	case none:
		locations, certain = l.locationsOf(c.node, pointer), false
	}
	stmts := l.accessStmts(c, s, locations, kind, at)
	if len(stmts) == 0 {
		return one(nil, s)
	}
	if certain {
		return one(stmts, s)
	}
	return []outcome{{stmts, s}, {nil, s}}
}

// continuesHeaderRead tells whether the read of contents belongs to the read of the
// field just before it, as in m[k] or len(x.f): one event, not two. Nothing that
// could let another goroutine in by order lies between them.
func (l *lowerer) continuesHeaderRead(c *clone, s state, pointer ssa.Value, at ssa.Instruction) bool {
	for {
		switch v := pointer.(type) {
		case *ssa.IndexAddr:
			pointer = v.X
			continue
		case *ssa.Slice:
			pointer = v.X
			continue
		}
		break
	}
	header, ok := pointer.(*ssa.UnOp)
	if !ok || header.Op != token.MUL || header.Block() != at.Block() {
		return false
	}
	if g := l.tagOf(c, s, header.X); g.kind != object {
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
		case between && mayYield(instr):
			return false
		}
	}
	return false
}

// mayYield tells whether the instruction may synchronise, or run other code.
func mayYield(instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case ssa.CallInstruction:
		_, isBuiltin := v.Common().Value.(*ssa.Builtin)
		return !isBuiltin
	case *ssa.UnOp:
		return v.Op == token.ARROW
	case *ssa.Send, *ssa.Select, *ssa.RunDefers:
		return true
	}
	return false
}

func isMapOrSlice(v ssa.Value) bool {
	switch v.Type().Underlying().(type) {
	case *types.Map, *types.Slice:
		return true
	}
	return false
}

// accessStmts returns the accesses to the locations, except to stars that no other
// goroutine can reach yet. (What the contents of a private star lead to in turn
// may have been there before, in the hands of others.)
func (l *lowerer) accessStmts(c *clone, s state, locations []isolate.Location, kind esl.AccessKind, at ssa.Instruction) []esl.Stmt {
	var stmts []esl.Stmt
	for _, loc := range locations {
		if s.private&(1<<loc.Star) != 0 && l.Stars.IsShallow(loc) {
			continue
		}
		c.touched |= 1 << loc.Star
		stmts = append(stmts, esl.Stmt{Op: esl.Access, Access: kind, Arg: l.locationIndex(loc), Pos: l.position(at)})
	}
	return stmts
}

// locationIndex returns the index of the location in the model.
func (l *lowerer) locationIndex(at isolate.Location) int {
	return at.Star*len(l.Stars.Subject.Fields) + at.Field
}

// regionsOf returns the locations whose contents a pointer may be, without
// repetition.
func (l *lowerer) regionsOf(n *pointsto.Node, pointer ssa.Value) []isolate.Location {
	return l.collect(n, pointer, func(c pointsto.Cell) []isolate.Location { return l.Stars.Regions(c.Object) })
}

// locationsOf returns the locations that an access through a pointer of unknown
// origin may touch, without repetition.
func (l *lowerer) locationsOf(n *pointsto.Node, pointer ssa.Value) []isolate.Location {
	return l.collect(n, pointer, l.Stars.LocationsAt)
}

func (l *lowerer) collect(n *pointsto.Node, pointer ssa.Value, at func(pointsto.Cell) []isolate.Location) []isolate.Location {
	if !isPointerLike(pointer.Type()) {
		return nil
	}
	var all []isolate.Location
	seen := map[isolate.Location]bool{}
	for _, cell := range l.Graph.PointsTo(n, pointer).Cells() {
		for _, loc := range at(cell) {
			if !seen[loc] {
				seen[loc] = true
				all = append(all, loc)
			}
		}
	}
	return all
}
