package order

import (
	"go/constant"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/multiplicity"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// joins is the wait groups whose Wait is evidently a join: it returns only when
// every goroutine started for the group is done. (The one false alarm of the
// Empire report came from an imprecise join.)
type joins struct {
	graph  *pointsto.Result
	groups map[pointsto.Cell]*JoinGroup
	starts map[StartSite]*JoinGroup
	Gates  map[StartSite][]*Gate

	Channels      map[*pointsto.Object]*ChannelJoin
	ChannelStarts map[StartSite][]*JoinGroup // the groups of channels
	Edges         map[*pointsto.Node]map[ssaflow.Edge]*JoinGroup
}

// JoinGroup is a wait group with evident joins.
type JoinGroup struct {
	Index  int
	Cell   pointsto.Cell
	Serial bool  // of its goroutines one runs at a time
	Gate   *Gate // if it has flags
	Own    bool  // there are many: that of the watched memory is meant, its companion
}

// StartSite is a statement that starts a goroutine, in a node.
type StartSite struct {
	Node *pointsto.Node
	Site ssa.CallInstruction
}

// groupUses is all operations on one wait group.
type groupUses struct {
	cell                    pointsto.Cell
	adds, dones, waits, gos []StartSite
	vague                   bool // some operation may be on another wait group

	acts   []StartSite // of the functions of goroutines: each calls Done, or what calls it: see lastActs
	nested bool        // some of them the latter
}

// findJoins finds the wait groups with evident joins, and the channels, for which one of
// the kept nodes waits. Of groups that there are many of at a time, companions of memory that a function makes do.
func findJoins(graph *pointsto.Result, often *multiplicity.Analysis, kept *reduce.Reduction,
	stars *isolate.Isolation) *joins {
	j := &joins{graph: graph, groups: map[pointsto.Cell]*JoinGroup{}, starts: map[StartSite]*JoinGroup{},
		Gates: map[StartSite][]*Gate{}, ChannelStarts: map[StartSite][]*JoinGroup{}}
	var groups []*countedGroup
	for _, u := range collectUses(graph, kept.Kept) {
		starts, ok := u.evidentStarts(graph, kept.Kept)
		isOwn := stars.Subject.Local != nil && u.cell.Path == "" && stars.IsCompanion(u.cell.Object)
		if isOne := ok && u.isOneGroup(graph, often, starts); isOne || ok && isOwn {
			groups = append(groups, &countedGroup{groupUses: u, starts: starts, own: !isOne})
		}
	}
	for _, c := range settleGates(graph, often, groups) {
		g := &JoinGroup{len(j.groups), c.cell, !c.own && c.isSerial(graph), c.gate, c.own}
		j.groups[c.cell] = g
		for _, s := range c.starts {
			if c.gate != nil {
				j.Gates[s] = append(j.Gates[s], c.gate)
			} else {
				j.starts[s] = g
			}
		}
	}
	j.findChannelJoins(often, kept)
	return j
}

// GroupOf returns the group of an operation; nil if it is not evident.
func (j *joins) GroupOf(n *pointsto.Node, common *ssa.CallCommon) *JoinGroup {
	cells := j.graph.PointsTo(n, reduce.Receiver(common)).Cells()
	if len(cells) != 1 {
		return nil
	}
	return j.groups[cells[0]]
}

// StartedBy returns the group that waits for the goroutines of a go statement.
func (j *joins) StartedBy(n *pointsto.Node, site ssa.CallInstruction) *JoinGroup {
	return j.starts[StartSite{n, site}]
}

// collectUses returns the operations on each wait group for which a kept node waits, in
// order of discovery.
func collectUses(graph *pointsto.Result, kept map[*pointsto.Node]bool) []*groupUses {
	byCell := map[pointsto.Cell]*groupUses{}
	var all []*groupUses
	for _, e := range graph.CallsTo(knowledge.WaitGroups) {
		n := e.Caller
		if knowledge.IsSynchronisation(n.Func) {
			continue
		}
		op, _ := knowledge.WaitGroupOperation(e.Callee.Func)
		cells := graph.PointsTo(n, reduce.Receiver(e.Site.Common())).Cells()
		for _, cell := range cells {
			u := byCell[cell]
			if u == nil {
				u = &groupUses{cell: cell}
				byCell[cell] = u
				all = append(all, u)
			}
			u.vague = u.vague || len(cells) > 1
			at := StartSite{n, e.Site}
			switch op {
			case knowledge.Add:
				u.adds = append(u.adds, at)
				if _, isCall := e.Site.(*ssa.Call); !isCall {
					u.vague = true // deferred or started: not before the go statement
				}
			case knowledge.Done:
				u.dones = append(u.dones, at)
			case knowledge.Wait:
				u.waits = append(u.waits, at)
			case knowledge.Go, knowledge.TryGo:
				u.gos = append(u.gos, at)
			}
		}
	}
	all = slices.DeleteFunc(all, func(u *groupUses) bool {
		return !slices.ContainsFunc(u.waits, func(w StartSite) bool { return kept[w.Node] })
	})
	var objects []*pointsto.Object
	for _, u := range all {
		objects = append(objects, u.cell.Object)
	}
	for _, cell := range modref.Overwritten(graph, objects) {
		for _, u := range all {
			u.vague = u.vague || u.cell.Object == cell.Object && pointsto.IsWithin(u.cell.Path, cell.Path)
		}
	}
	sort.SliceStable(all, func(a, b int) bool { return all[a].cell.Object.ID < all[b].cell.Object.ID })
	return all
}

// evidentStarts returns the statements that start the goroutines that the group
// counts: calls of Go, and go statements whose function calls Done once, as its
// last act, and for which an Add has been executed before. ok is false if that is
// not so for every Done.
func (u *groupUses) evidentStarts(graph *pointsto.Result, kept map[*pointsto.Node]bool) (starts []StartSite, ok bool) {
	if u.vague {
		return nil, false
	}
	statements, ok := u.lastActs(graph, kept)
	if !ok || !u.areCounted(statements) {
		return nil, false
	}
	return append(slices.Clone(u.gos), statements...), true
}

// lastActs finds what calls Done in the functions of goroutines, and returns the statements
// that start these. A function that calls Done as its last act may be called by another
// one as its own last act, as in defer func() { ...; wg.Done() }(): then every activation
// of that calls Done once as well. What is called between must be in the model, as Done is.
func (u *groupUses) lastActs(graph *pointsto.Result, kept map[*pointsto.Node]bool) (statements []StartSite, ok bool) {
	seen := map[StartSite]bool{}
	signals := map[*pointsto.Node]bool{}
	work := slices.Clone(u.dones)
	for i := 0; i < len(work); i++ {
		act := work[i]
		callers := graph.Callers(act.Node)
		if !isLastAct(act.Site) || signals[act.Node] || len(callers) == 0 {
			return nil, false
		}
		signals[act.Node] = true
		for _, e := range callers {
			at := StartSite{e.Caller, e.Site}
			if _, isGo := e.Site.(*ssa.Go); !isGo {
				if e.IsStart() || !kept[act.Node] || e.Site.Common().StaticCallee() != act.Node.Func ||
					len(graph.Callees(e.Caller, e.Site)) != 1 {
					return nil, false
				}
				work = append(work, at)
				u.nested = true
				continue
			}
			if !seen[at] {
				seen[at] = true
				statements = append(statements, at)
			}
			if !slices.Contains(u.acts, act) {
				u.acts = append(u.acts, act)
			}
		}
	}
	return statements, true
}

// isLastAct tells whether an instruction, such as a call of Done, happens exactly once in its activation,
// at the end: it is deferred in the entry block, or it is in the one block that
// returns.
func isLastAct(site ssa.Instruction) bool {
	fn := site.Parent()
	if _, isGo := site.(*ssa.Go); isGo {
		return false
	}
	if _, isDefer := site.(*ssa.Defer); isDefer {
		return site.Block() == fn.Blocks[0]
	}
	returns := 0
	for _, b := range fn.Blocks {
		if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && b != fn.Recover {
			returns++
			if b != site.Block() {
				return false
			}
		}
	}
	return returns == 1
}

// areCounted tells whether for every execution of one of the go statements an Add
// has been executed before it in the same function.
func (u *groupUses) areCounted(statements []StartSite) bool {
	type counted struct{ straight, capacity int64 }
	functions := map[*pointsto.Node]*counted{}
	usedAdds := map[StartSite]int64{} // how many statements they count for
	for _, s := range statements {
		if u.hasOwnAdd(s, usedAdds) {
			continue
		}
		if add, ok := u.loopAdd(s); ok && usedAdds[add] == 0 {
			usedAdds[add]++
			continue
		}
		if ssaflow.IsInCycle(s.Site.Block()) {
			return false
		}
		if functions[s.Node] == nil {
			functions[s.Node] = &counted{}
		}
		functions[s.Node].straight++
	}
	for _, add := range u.adds {
		delta, ok := constantDelta(add.Site)
		if usedAdds[add] == 0 && (!ok || delta < 0) {
			return false // it may take away what another one has added
		}
		if f := functions[add.Node]; ok && f != nil && usedAdds[add] == 0 && !ssaflow.IsInCycle(add.Site.Block()) &&
			dominatesAll(add, statements) {
			f.capacity += delta
		}
	}
	for _, f := range functions {
		if f.capacity < f.straight {
			return false
		}
	}
	return true
}

// hasOwnAdd tells whether an Add that does not count for as many other statements
// precedes the go statement in its block. (Outside loops, an Add of more than one may
// count for statements in other blocks, too: see areCounted.)
func (u *groupUses) hasOwnAdd(s StartSite, used map[StartSite]int64) bool {
	for _, add := range u.adds {
		delta, ok := constantDelta(add.Site)
		if !ok || used[add] >= delta || delta > 1 && !ssaflow.IsInCycle(s.Site.Block()) || add.Node != s.Node ||
			add.Site.Block() != s.Site.Block() {
			continue
		}
		for _, instr := range s.Site.Block().Instrs {
			if instr == ssa.Instruction(add.Site) {
				used[add]++
				return true
			}
			if instr == ssa.Instruction(s.Site) {
				break
			}
		}
	}
	return false
}

// loopAdd returns an Add before the innermost loop around the go statement whose
// argument is the number of iterations.
func (u *groupUses) loopAdd(s StartSite) (StartSite, bool) {
	inner := ssaflow.Innermost(ssaflow.NaturalLoops(s.Site.Parent()), s.Site.Block())
	if inner == nil {
		return StartSite{}, false
	}
	header := ssaflow.LoopHeader(inner)
	bound := ssaflow.LoopBound(header)
	if bound == nil {
		counted := ssaflow.CountLoop(inner)
		if counted == nil {
			return StartSite{}, false
		}
		bound = counted.Bound
	}
	for _, add := range u.adds {
		if add.Node == s.Node && !inner[add.Site.Block()] && add.Site.Block().Dominates(header) &&
			ssaflow.SameCount(add.Site.Common().Args[1], bound) && ssaflow.OnceAround(add.Site.Block(), header) {
			return add, true
		}
	}
	return StartSite{}, false
}

// constantDelta returns the argument of an Add if it is constant.
func constantDelta(site ssa.CallInstruction) (int64, bool) {
	args := site.Common().Args
	if len(args) != 2 {
		return 0, false
	}
	k, ok := args[1].(*ssa.Const)
	if !ok || k.Value == nil {
		return 0, false
	}
	return constant.Int64Val(constant.ToInt(k.Value))
}

// dominatesAll tells whether the Add comes before each of the statements of its
// own function.
func dominatesAll(add StartSite, statements []StartSite) bool {
	for _, s := range statements {
		if s.Node != add.Node {
			continue
		}
		if s.Site.Block() == add.Site.Block() {
			for _, instr := range s.Site.Block().Instrs {
				if instr == ssa.Instruction(s.Site) {
					return false
				}
				if instr == ssa.Instruction(add.Site) {
					break
				}
			}
		} else if !add.Site.Block().Dominates(s.Site.Block()) {
			return false
		}
	}
	return true
}

// isOneGroup tells whether a Wait on the group waits for the goroutines of one
// group at run time only: there is one group, or each is waited for before the
// next one is used, by one goroutine.
func (u *groupUses) isOneGroup(graph *pointsto.Result, often *multiplicity.Analysis, starts []StartSite) bool {
	if strings.Contains(u.cell.Path, "[") {
		return false // one of an array of groups
	}
	if isolate.SingleObject(often, graph, u.cell.Object) {
		return true
	}
	made := groupMaker(graph, u.cell.Object)
	if made == nil {
		return false
	}
	for _, s := range starts {
		if s.Site.Parent() != made.Parent() || !often.Sequential(s.Node) || callsItself(graph, s.Node) ||
			u.escapesWait(s, made.Block()) {
			return false
		}
	}
	return true
}

// callsItself tells whether an activation of n can be inside another one.
func callsItself(graph *pointsto.Result, n *pointsto.Node) bool {
	seen := map[*pointsto.Node]bool{}
	work := []*pointsto.Node{n}
	for len(work) > 0 {
		m := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range graph.Calls(m) {
			if e.IsStart() {
				continue
			}
			if e.Callee == n {
				return true
			}
			if !seen[e.Callee] {
				seen[e.Callee] = true
				work = append(work, e.Callee)
			}
		}
	}
	return false
}

// escapesWait tells whether control can leave the function after the statement, or
// come to the block that makes the next group, without passing a Wait.
func (u *groupUses) escapesWait(s StartSite, next *ssa.BasicBlock) bool {
	waits := map[*ssa.BasicBlock]bool{}
	for _, w := range u.waits {
		if w.Node != s.Node {
			continue
		}
		if _, isCall := w.Site.(*ssa.Call); isCall {
			waits[w.Site.Block()] = true
		}
	}
	if waits[s.Site.Block()] && !s.isAfterWait(u) {
		return false
	}
	seen := map[*ssa.BasicBlock]bool{}
	work := append([]*ssa.BasicBlock(nil), s.Site.Block().Succs...)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] || waits[b] {
			continue
		}
		seen[b] = true
		if len(b.Succs) == 0 || b == next {
			return true
		}
		work = append(work, b.Succs...)
	}
	return false
}

// isAfterWait tells whether a Wait precedes the statement in its block and none
// follows.
func (s StartSite) isAfterWait(u *groupUses) bool {
	after := false
	for _, instr := range s.Site.Block().Instrs {
		if instr == ssa.Instruction(s.Site) {
			after = true
		}
		for _, w := range u.waits {
			if after && instr == ssa.Instruction(w.Site) {
				return false
			}
		}
	}
	return true
}
