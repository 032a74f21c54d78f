package execute

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// The kinds of accesses.
const (
	Read = iota
	Write
	ReadModifyWrite
)

// object is one of those that the query is about.
type object struct {
	id   int
	cell *cell
}

// location is a field of the atomic set of an object.
type location struct {
	object *object
	field  int
}

// unit is one unit of work.
type unit struct {
	id     int
	object *object
	g      *goroutine
	name   string
	begin  int
	end    int // 0: it is open
	events []*Event
}

// Event is an access to a location by a unit of work.
type Event struct {
	at       int // its number among events and uses of values
	access   int // its number: one may touch several fields
	kind     int
	loc      *location
	unit     *unit
	part     any // the element, the map or the cell
	entry    any // what of a map: see entries.go
	elem     bool
	clock    []int
	instr    ssa.Instruction
	g        int
	used     int      // when the value was last used
	kept     bool     // the value was stored, sent or handed to a goroutine
	keptAt   int      // when that was done last
	open     bool     // a branch on it stays open to the end of the unit
	decided  []string // the predicates that were branched on
	absorbed bool     // see isSameRead
	failed   bool     // a compare-and-swap that failed
	section  int
	swap     int  // when it ceased to be the expected value of a compare-and-swap
	adds     bool // it is half of an increment whose result is dropped
}

// taint is the reads that a value comes from: numbers of events in the trace.
type taint []*Event

func (t taint) union(u taint) taint {
	if len(u) == 0 || len(t) > 0 && &t[0] == &u[0] && len(t) == len(u) {
		return t
	}
	if len(t) == 0 {
		return u
	}
	joined := slices.Clone(t)
	for _, e := range u {
		if !slices.Contains(joined, e) {
			joined = append(joined, e)
		}
	}
	return joined
}

// use notes that values read are used.
func (g *goroutine) use(t taint) {
	for _, e := range t {
		g.m.now++
		e.used = g.m.now
	}
}

// keep notes that they are stored where others may find them.
func (g *goroutine) keep(t taint) {
	g.use(t)
	for _, e := range t {
		e.kept, e.keptAt = true, g.m.now
	}
}

// decides notes that they decide a branch.
func (g *goroutine) decides(t taint, predicate string) {
	for _, e := range t {
		if !slices.Contains(e.decided, predicate) {
			e.decided = append(e.decided, predicate)
		}
	}
}

func (g *goroutine) keepOpen(t taint) {
	for _, e := range t {
		e.open = true
	}
}

// watch is what stays the same from run to run.
type watch struct {
	*Subject
	loops   map[*function][]bool
	returns map[*ssa.Function]bool
}

func newWatch(s *Subject) *watch {
	return &watch{Subject: s, loops: map[*function][]bool{}, returns: map[*ssa.Function]bool{}}
}

func (w *watch) isSubject(t types.Type) bool {
	if w.Type == nil {
		return false
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj() == w.Type.Obj()
}

// returnsSubject tells whether the function may be a constructor: it returns the type,
// or a pointer to it.
func (w *watch) returnsSubject(fn *ssa.Function) bool {
	if r, ok := w.returns[fn]; ok {
		return r
	}
	results := fn.Signature.Results()
	for i := range results.Len() {
		t := results.At(i).Type()
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		if w.isSubject(t) || types.IsInterface(t) && t.String() != "error" && t.String() != "any" {
			w.returns[fn] = true
		}
	}
	return w.returns[fn]
}

// accessLoops tells for each loop of a function whether it has a direct access to the
// atomic set.
func (w *watch) accessLoops(f *function) []bool {
	if l, ok := w.loops[f]; ok {
		return l
	}
	accesses := make([]bool, len(f.loops))
	for k, l := range f.loops {
		for b := range l.blocks {
			for _, op := range f.blocks[b].ops {
				accesses[k] = accesses[k] || w.accesses(op)
			}
		}
	}
	w.loops[f] = accesses
	return accesses
}

func (w *watch) accesses(op operation) bool {
	for _, a := range op.args {
		if a.global != nil && slices.Contains(w.Vars, a.global) {
			return true
		}
	}
	switch op.instr.(type) {
	case *ssa.FieldAddr, *ssa.UnOp, *ssa.Store, *ssa.IndexAddr, *ssa.MapUpdate, *ssa.Lookup, *ssa.Next:
		return true // generous: it may be to memory of the set
	}
	return false
}

// access notes an access to a cell: an event for each field that it touches, if other
// goroutines can reach the object. The result is the reads among them.
func (g *goroutine) access(c *cell, kind int) taint {
	g.observe(c, kind)
	if c.mem.shared && g.m.nesting != nil {
		g.m.nesting.note(g, c, kind)
	}
	if !c.mem.shared || len(g.m.objects) == 0 {
		return nil
	}
	at := g.m.locations(c)
	if c.at != nil || len(c.parts) == 0 {
		return g.events(at, kind, c, c.elem)
	}
	var reads taint
	for k := range at { // a whole struct: its fields one by one
		reads = reads.union(g.events(at[k:k+1], kind, c, c.elem))
	}
	return reads
}

func (g *goroutine) accessMap(m *mapping, kind int) taint { return g.accessEntry(m, kind, wholeMap) }

// accessEntry is accessMap for one entry.
func (g *goroutine) accessEntry(m *mapping, kind int, entry any) taint {
	if m == nil {
		return nil
	}
	if g.m.observer != nil {
		g.m.observer.Access(Goroutine{g}, Place{m}, kind)
	}
	if m.mem.shared && g.m.nesting != nil {
		g.m.nesting.note(g, m, kind)
	}
	if !m.mem.shared || len(g.m.objects) == 0 {
		return nil
	}
	return g.eventsOf(g.m.reached(m), kind, m, false, entry)
}

func (g *goroutine) events(at []*location, kind int, part any, elem bool) taint {
	if c, ok := part.(*cell); ok && kind != Read && isMap(c.typ) {
		return g.eventsOf(at, kind, part, elem, wholeMap) // all entries are replaced
	}
	return g.eventsOf(at, kind, part, elem, noEntry)
}

// eventsOf is events for an entry of a map.
func (g *goroutine) eventsOf(at []*location, kind int, part any, elem bool, entry any) taint {
	var reads taint
	g.m.accesses++
	for _, l := range at {
		u := g.unitFor(l.object)
		if u == nil {
			continue
		}
		g.m.now++
		if g.isSameRead(u, l, kind, part) {
			last := u.events[len(u.events)-1]
			last.at, last.part, last.elem, last.instr, last.entry = g.m.now, part, elem, g.top.instr, entry
			reads = append(reads, last)
			continue
		}
		g.tick()
		e := &Event{at: g.m.now, access: g.m.accesses, kind: kind, loc: l, unit: u, part: part, elem: elem, entry: entry,
			clock: slices.Clone(g.clock), g: g.id, section: g.section}
		if g.top != nil {
			e.instr = g.top.instr
		}
		u.events = append(u.events, e)
		if len(u.events) > 400 {
			unsupported("more than 400 events in a unit")
		}
		if kind != Write {
			reads = append(reads, e)
		}
	}
	return reads
}

// isSameRead tells whether the access reads contents of a field, where the unit has just
// read the field itself in the same line: x.f[i] is one read. The unit's last event
// stands for both then.
func (g *goroutine) isSameRead(u *unit, l *location, kind int, part any) bool {
	if kind != Read || len(u.events) == 0 || g.top == nil {
		return false
	}
	last := u.events[len(u.events)-1]
	if last.kind == Read && last.loc.field == l.field && last.instr == g.top.instr && readsElements(last.instr) {
		return true
	}
	if last.absorbed || last.kind != Read || last.loc.field != l.field || last.part == part {
		return false
	}
	c, ok := last.part.(*cell)
	fset := g.m.program.ssa.Fset
	last.absorbed = ok && c.at != nil && last.instr != nil &&
		fset.Position(last.instr.Pos()).Line == fset.Position(g.top.instr.Pos()).Line
	return last.absorbed
}

// readsElements tells whether the instruction reads the elements of a slice one after the other:
// as it is written, that is one read.
func readsElements(instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok {
		return false
	}
	b, ok := call.Call.Value.(*ssa.Builtin)
	return ok && (b.Name() == "append" || b.Name() == "copy")
}

// increments notes that the two events of a statement such as x.n++ add to x.n, and
// nothing else is done with the value.
func (g *goroutine) increments(i *ssa.Store) {
	sum, ok := i.Val.(*ssa.BinOp)
	if !ok || sum.Referrers() == nil || len(*sum.Referrers()) != 1 {
		return
	}
	read, ok := sum.X.(*ssa.UnOp)
	if !ok || read.Referrers() == nil || len(*read.Referrers()) != 1 {
		return
	}
	for _, u := range g.open {
		markIncrement(u, i, read)
	}
	for _, u := range g.top.direct {
		markIncrement(u, i, read)
	}
}

func markIncrement(u *unit, write, read ssa.Instruction) {
	n := len(u.events)
	if n >= 2 && u.events[n-1].instr == write && u.events[n-2].instr == read &&
		u.events[n-1].loc.field == u.events[n-2].loc.field {
		u.events[n-1].adds, u.events[n-2].adds = true, true
	}
}

// unitFor returns the unit of work that an access to the object is part of, nil if the
// function says that it is none.
func (g *goroutine) unitFor(o *object) *unit {
	if g.m.meeting != nil {
		g.m.meeting.accesses(g, o)
	}
	if u := g.open[o]; u != nil {
		return u
	}
	// A function that was marked as a unit.
	var outermost *frame
	for fr := g.top; fr != nil; fr = fr.caller {
		if fr.fn.directive == "unit" {
			outermost = fr
		}
	}
	if outermost != nil {
		return g.openUnit(outermost, o)
	}
	fr := g.top
	if fr == nil || fr.fn.directive == "nounit" {
		return nil
	}
	if fr.direct == nil {
		fr.direct = map[*object]*unit{}
	}
	if fr.direct[o] == nil {
		fr.direct[o] = g.newUnit(o, fr)
	}
	return fr.direct[o]
}

func (g *goroutine) newUnit(o *object, fr *frame) *unit {
	g.m.now++
	u := &unit{id: len(g.m.trace.units), object: o, g: g, begin: g.m.now, name: fr.fn.ssa.String()}
	g.m.trace.units = append(g.m.trace.units, u)
	if g.m.meeting != nil {
		g.m.meeting.begins(g, u, fr)
	}
	return u
}

// openUnit opens a unit that ends with the activation.
func (g *goroutine) openUnit(fr *frame, o *object) *unit {
	u := g.newUnit(o, fr)
	g.open[o] = u
	fr.opened = append(fr.opened, u)
	return u
}

// enter opens the unit of a method on its receiver.
func (g *goroutine) enter(fr *frame, args []value) {
	if g.m.meeting != nil {
		g.m.meeting.enters(fr)
	}
	if (g.m.idle || g.m.meeting != nil) && fr.fn.directive != "nounit" {
		g.enterForArguments(fr, args)
	}
	if !fr.fn.isMethod || len(args) == 0 || fr.fn.directive == "nounit" {
		return
	}
	c, ok := args[0].(*cell)
	if !ok || c == nil || c.self == nil || g.open[c.self] != nil {
		return
	}
	if fn := fr.fn.ssa; fn.Synthetic != "" && fn.Syntax() == nil && fn.Origin() == nil {
		return // it only calls another one
	}
	g.openUnit(fr, c.self)
}

// enterForArguments opens units on objects that a function is handed, as the policy unitfor says by
// default, and as a directive says that makes it a unit. Only runs that look for harm do: elsewhere the
// package leaves out what can be argued away.
func (g *goroutine) enterForArguments(fr *frame, args []value) {
	if fr.fn.ssa.Synthetic != "" && fr.fn.ssa.Origin() == nil || fr.fn.ssa.Parent() != nil {
		return
	}
	for i, a := range args {
		c, ok := a.(*cell)
		if ok && c != nil && c.self != nil && c.self.cell == c && g.open[c.self] == nil && (i > 0 || !fr.fn.isMethod) {
			g.openUnit(fr, c.self)
		}
	}
}

// openConstructor opens the unit of the outermost function that returns the object
// which has just been made.
func (g *goroutine) openConstructor(o *object) {
	var outermost *frame
	for fr := g.top; fr != nil && g.m.watch.returnsSubject(fr.fn.ssa); fr = fr.caller {
		outermost = fr
	}
	if outermost != nil && outermost.fn.directive != "nounit" {
		g.openUnit(outermost, o)
	}
}

// leave ends the units of an activation.
func (g *goroutine) leave(fr *frame) {
	for _, b := range fr.branches {
		g.use(b.reads)
	}
	g.endDirect(fr)
	for _, u := range fr.opened {
		g.endUnit(u)
	}
	fr.opened = nil
	if g.m.meeting != nil {
		g.m.meeting.leaves(fr)
	}
}

func (g *goroutine) endUnit(u *unit) {
	g.m.now++
	u.end = g.m.now
	if g.open[u.object] == u {
		delete(g.open, u.object)
	}
	if g.m.meeting != nil {
		g.m.meeting.ends(u)
	}
}

func (g *goroutine) endDirect(fr *frame) {
	for _, u := range g.m.trace.units {
		if u.end == 0 && fr.direct[u.object] == u {
			g.endUnit(u)
		}
	}
	fr.direct = nil
}

// endUnits ends all units that are open.
func (g *goroutine) endUnits() {
	for _, u := range g.m.trace.units {
		if u.g == g && u.end == 0 {
			g.endUnit(u)
		}
	}
}

// iterate begins new units where a loop begins, ends or goes round.
func (fr *frame) iterate(from, to int) {
	if len(fr.fn.loops) == 0 {
		return
	}
	g := fr.g
	accesses := g.m.watch.accessLoops(fr.fn)
	for k, l := range fr.fn.loops {
		if accesses[k] && (l.header == to && l.blocks[from] || l.blocks[from] != l.blocks[to]) {
			g.endDirect(fr)
		}
		if l.service && l.header == to && fr.isRoot() {
			g.endDirect(fr)
			fr.splitService()
		}
	}
}

// isRoot tells whether the activation is the first one of the goroutine, but for
// closures and functions of libraries that only call it.
func (fr *frame) isRoot() bool {
	for c := fr.caller; c != nil; c = c.caller {
		if fn := c.fn.ssa; fn.Parent() == nil && fn.Synthetic == "" &&
			(fn.Pkg == nil || !knowledge.IsStandardPath(fn.Pkg.Pkg.Path())) {
			return false
		}
	}
	return true
}

// splitService begins new units in place of those that the goroutine's first function
// has opened, unless it holds a lock of the object.
func (fr *frame) splitService() {
	g := fr.g
	for k, u := range fr.opened {
		if g.open[u.object] != u || g.holdsLockOf(u.object) {
			continue
		}
		g.endUnit(u)
		next := g.newUnit(u.object, fr)
		g.open[u.object] = next
		fr.opened[k] = next
	}
}

func (g *goroutine) holdsLockOf(o *object) bool {
	for c, n := range g.held {
		if n > 0 && c.mem == o.cell.mem {
			return true
		}
	}
	return false
}
