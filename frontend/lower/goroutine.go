package lower

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/order"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/segments"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
)

// processKey says which goroutines are one process: those that one statement
// starts in one function with the same stars.
type processKey struct {
	node  *pointsto.Node // that starts it
	site  ssa.CallInstruction
	entry *pointsto.Node
	args  tag.Tag
	makes int // the star that the function makes, else -1
}

// process is a goroutine of the model.
type process struct {
	index  int // in the model; the initial process has 0
	key    processKey
	entry  *clone
	copies int
	pos    esl.Pos
	groups map[int]bool // the wait groups that wait for it
	alike  bool         // it stands for all that begin in the same way
}

// stepGo lowers a go statement.
func (l *lowerer) stepGo(c *clone, s state, v *ssa.Go) []outcome {
	return l.start(c, s, v, v.Call.Value, v.Common(), l.happensBefore.StartedBy(c.node, v))
}

// start lowers the start of a goroutine that runs function; common is the call that
// it makes, nil if it passes no arguments.
func (l *lowerer) start(c *clone, s state, at ssa.CallInstruction, function ssa.Value, common *ssa.CallCommon,
	group *order.JoinGroup) []outcome {
	if b, ok := function.(*ssa.Builtin); ok {
		// go delete(m, k) and the like
		for _, a := range common.Args {
			s.private &^= l.escaping(c, s, a)
		}
		p := l.operationProcess(processKey{node: c.node, site: at, makes: -1}, c, s, l.builtin(c, s, b, at, nil))
		return one([]esl.Stmt{{Op: esl.Start, Arg: p.index, Pos: l.position(at)}}, s)
	}
	isGroupGo := common == nil
	var targets []*pointsto.Node
	if isGroupGo {
		common = &ssa.CallCommon{Value: function}
		targets = l.NodesOfValue(c.node, function)
		if known := l.tagOf(c, s, function); known.Kind == tag.Closure {
			targets = slices.DeleteFunc(targets, func(n *pointsto.Node) bool { return n.Func != known.Fn })
		}
	} else {
		targets = l.calleesOf(c, s, at)
	}
	published := l.tags.Stars(l.tagOf(c, s, function))
	s.private &^= l.escaping(c, s, function)
	for _, a := range common.Args {
		published |= l.tags.Stars(l.tagOf(c, s, a))
		s.private &^= l.escaping(c, s, a)
	}
	s.private &^= published
	var all []outcome
	opaque := len(targets) == 0
	for _, target := range targets {
		started, ok := l.startOne(c, s, at, target, common, published, isGroupGo, group)
		if l.err != nil {
			return nil
		}
		opaque = opaque || !ok
		all = append(all, started...)
	}
	if opaque {
		all = append(all, outcome{nil, s})
	}
	return all
}

// startOne lowers the start of one target; ok is false if the model leaves it out.
func (l *lowerer) startOne(c *clone, s state, at ssa.CallInstruction, target *pointsto.Node, common *ssa.CallCommon,
	published uint, signals bool, group *order.JoinGroup) (all []outcome, ok bool) {
	key := processKey{node: c.node, site: at, entry: target, makes: -1}
	begin := func(p *process, before []esl.Stmt) {
		if group != nil && (!group.Own || l.isStartedFor(key.args, signals, group)) {
			p.groups[group.Index] = true
		}
		for _, g := range l.happensBefore.ChannelStarts[order.StartSite{Node: c.node, Site: at}] {
			p.groups[g.Index] = true
		}
		stmts := append(before[:len(before):len(before)],
			l.startsForGates(order.StartSite{Node: c.node, Site: at}, l.position(at))...)
		stmts = append(stmts, esl.Stmt{Op: esl.Start, Arg: p.index, Pos: l.position(at)})
		all = append(all, outcome{stmts, s})
	}
	key.args = l.calleeArguments(c, s, common, target)
	if passes := l.Passes(target); passes || !signals &&
		(knowledge.IsOperation(target.Func) || isLibraryAccess(target) || isFlight(target)) {
		// The goroutine is one operation, as in go mu.Unlock().
		var outcomes []outcome
		if passes && !isLibraryAccess(target) {
			outcomes = l.callBack(c, target, at, one(nil, s))
		} else {
			outcomes, _ = l.callOne(c, s, at, target, nil)
		}
		for i := range outcomes {
			if signals {
				outcomes[i].stmts = append(outcomes[i].stmts[:len(outcomes[i].stmts):len(outcomes[i].stmts)],
					esl.Stmt{Op: esl.Done})
			}
		}
		begin(l.operationProcess(key, c, s, outcomes), nil)
		return all, true
	}
	if outcomes, is := l.onceCall(c, s, target, at); is && !signals {
		begin(l.operationProcess(key, c, s, outcomes), nil)
		return all, true
	}
	if !l.Kept.Kept[target] {
		return nil, false
	}
	for _, made := range l.makers(c, s, target, at) {
		key.makes = made.makes
		begin(l.process(key, c, s, published, signals, group), made.stmts)
	}
	return all, true
}

// isLibraryAccess tells whether the node is modelled by a table.
func isLibraryAccess(n *pointsto.Node) bool {
	_, ok := knowledge.Accesses(n.Func)
	return ok
}

// operationProcess returns a process that does what one of the outcomes does.
func (l *lowerer) operationProcess(key processKey, c *clone, s state, outcomes []outcome) *process {
	if p, ok := l.processes[key]; ok {
		return p
	}
	name := key.site.Common().Value.Name()
	body := &clone{index: len(l.order), goName: name, name: l.uniqueName("go " + name), built: true}
	body.makes = -1
	entry := &segment{}
	body.segments = []*segment{entry}
	for _, o := range outcomes {
		entry.Next = append(entry.Next, len(body.segments))
		body.segments = append(body.segments, &segment{Segment: segments.Segment{Stmts: o.stmts, End: segments.Return}})
	}
	l.order = append(l.order, body)
	p := l.newProcess(key, c, s, 0)
	p.entry = body
	return p
}

// process returns the process for a key, lowering its body when it is new.
// With signals, the goroutine counts as done when the function has returned.
func (l *lowerer) process(key processKey, c *clone, s state, stars uint, signals bool,
	group *order.JoinGroup) *process {
	if p, ok := l.processes[key]; ok {
		return p
	}
	p := l.newProcess(key, c, s, stars)
	// Its entry may start further processes; this one has its number already.
	p.entry = l.clone(cloneKey{node: key.entry, args: key.args, makes: key.makes, root: true})
	if signals {
		p.entry = l.thenDone(p.entry, group)
	}
	return p
}

// newProcess numbers a new process.
func (l *lowerer) newProcess(key processKey, c *clone, s state, stars uint) *process {
	p := &process{
		index:  len(l.processList) + 1,
		key:    key,
		copies: l.copiesOf(key, c, s, stars),
		pos:    l.position(key.site),
		groups: map[int]bool{},
	}
	l.processes[key] = p
	l.processList = append(l.processList, p)
	return p
}

// thenDone returns a function that calls body and then signals that the goroutine
// is done, as the one that WaitGroup.Go starts does.
func (l *lowerer) thenDone(body *clone, group *order.JoinGroup) *clone {
	key := body.cloneKey
	key.makes = doneMarker
	stmts := []esl.Stmt{{Op: esl.Call, Arg: body.index}}
	if group != nil && group.Serial {
		lock := l.lockIndex(lockKey{star: -1, cell: group.Cell}, esl.Mutex)
		key.makes -= 1 + lock
		stmts = []esl.Stmt{{Op: esl.LockOp, Arg: lock}, stmts[0], {Op: esl.Unlock, Arg: lock}}
	}
	if c, ok := l.clones[key]; ok {
		return c
	}
	c := &clone{cloneKey: key, index: len(l.order), goName: knowledge.WaitGroupGo,
		name: l.uniqueName(knowledge.WaitGroupGo + " of " + body.name), built: true}
	c.segments = []*segment{
		{Segment: segments.Segment{Stmts: append(stmts, esl.Stmt{Op: esl.Done}), End: segments.Return}}}
	l.clones[key] = c
	l.order = append(l.order, c)
	return c
}

// doneMarker is the makes of the key of a clone made by thenDone.
const doneMarker = -3

// copiesOf returns how many instances of a process the model has: one if its go
// statement is executed at most once, or at most once for the star that it hands
// over.
func (l *lowerer) copiesOf(key processKey, c *clone, s state, stars uint) int {
	if l.Multiplicity.OnceAt(key.node, key.site) {
		return 1
	}
	copies := l.Copies
	if l.reachesItself(key) {
		copies++ // a goroutine that starts its like: see the design of copies
	}
	for k, star := range l.Stars.Stars {
		if stars&modref.ObjectBit(k) != 0 && !star.Single && l.madeOncePerStart(k, star, c, s, key.site) {
			return 1
		}
	}
	return copies
}

// reachesItself tells whether a goroutine started by the statement can execute the
// statement again.
func (l *lowerer) reachesItself(key processKey) bool {
	if key.entry == nil {
		return false // a built-in function
	}
	// The statement calls the entry, so that a way back closes a cycle.
	return l.Graph.Recursive(key.entry, key.node)
}

// madeOncePerStart tells whether the go statement hands over a star that was made
// since it was last executed: an argument or a captured variable is that object,
// and every way back to the statement passes where it is made.
func (l *lowerer) madeOncePerStart(k int, star *isolate.Star, c *clone, s state, site ssa.CallInstruction) bool {
	handed := append([]ssa.Value{site.Common().Value}, site.Common().Args...)
	for _, v := range handed {
		if l.tags.Stars(l.tagOf(c, s, v))&modref.ObjectBit(k) == 0 {
			continue // it is another object of the site
		}
		if made := l.makerOf(k, star, c.node, v); made != nil && !ssaflow.RepeatsWithout(site.Block(), made.Block()) {
			return true
		}
	}
	return false
}

// makerOf returns the instruction that made the star that v is or captures, as far
// as v itself shows it.
func (l *lowerer) makerOf(k int, star *isolate.Star, n *pointsto.Node, v ssa.Value) ssa.Instruction {
	switch v := v.(type) {
	case *ssa.Alloc:
		if star.Objects[l.Graph.ObjectAt(n, v)] {
			return v
		}
		if l.values.Function(n.Func).OnceCells[v] {
			for _, r := range *v.Referrers() {
				if store, ok := r.(*ssa.Store); ok && store.Addr == v {
					return l.makerOf(k, star, n, store.Val)
				}
			}
		}
	case *ssa.Call:
		callees := l.Graph.Callees(n, v)
		if len(callees) == 0 {
			return nil
		}
		for _, callee := range callees {
			// A constructor that may also return an older object is none here.
			if !l.Stars.Constructs(callee, k) || len(l.holders.Returnable(callee, 0)) > 2 || ssaflow.ReturnsLoaded(callee.Func) {
				return nil
			}
		}
		return v
	case *ssa.MakeClosure:
		for _, b := range v.Bindings {
			if made := l.makerOf(k, star, n, b); made != nil {
				return made
			}
		}
	case *ssa.MakeInterface:
		return l.makerOf(k, star, n, v.X)
	case *ssa.ChangeInterface:
		return l.makerOf(k, star, n, v.X)
	}
	return nil
}
