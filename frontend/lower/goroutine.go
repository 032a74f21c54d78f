package lower

import (
	"fmt"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// processKey says which goroutines are one process: those that one statement
// starts in one function with the same stars.
type processKey struct {
	node  *pointsto.Node // that starts it
	site  ssa.CallInstruction
	entry *pointsto.Node
	args  tag
}

// process is a goroutine of the model.
type process struct {
	name   string
	entry  *clone
	copies int
	pos    esl.Pos
	groups map[int]bool // the wait groups that wait for it
}

// stepGo lowers a go statement.
func (l *lowerer) stepGo(c *clone, s state, v *ssa.Go) []outcome {
	return l.start(c, s, v, v.Call.Value, v.Common(), l.joins.startedBy(c.node, v))
}

// start lowers the start of a goroutine that runs function; common is the call that
// it makes, nil if it passes no arguments.
func (l *lowerer) start(c *clone, s state, at ssa.CallInstruction, function ssa.Value, common *ssa.CallCommon, group *joinGroup) []outcome {
	isGroupGo := common == nil
	var targets []*pointsto.Node
	if common != nil {
		targets = l.Graph.Callees(c.node, at)
	} else {
		common = &ssa.CallCommon{Value: function}
		targets = l.nodesOfValue(c.node, function)
	}
	published := l.tags.stars(l.tagOf(c, s, function))
	for _, a := range common.Args {
		published |= l.tags.stars(l.tagOf(c, s, a))
	}
	s.private &^= published
	var all []outcome
	for _, target := range targets {
		if !l.Kept.Kept[target] {
			continue
		}
		args := l.calleeArguments(c, s, common, target)
		p := l.process(processKey{c.node, at, target, args}, c, published, isGroupGo)
		if l.err != nil {
			return nil
		}
		if group != nil {
			p.groups[group.index] = true
		}
		all = append(all, outcome{[]esl.Stmt{{Op: esl.Start, Arg: l.processIndex(p), Pos: l.position(at)}}, s})
	}
	if len(all) < len(targets) || len(targets) == 0 {
		all = append(all, outcome{nil, s})
	}
	return all
}

// nodesOfValue returns the call-graph nodes of the functions that a value can be.
func (l *lowerer) nodesOfValue(n *pointsto.Node, v ssa.Value) []*pointsto.Node {
	var all []*pointsto.Node
	for _, o := range l.Graph.PointsTo(n, v).Objects() {
		var fn *ssa.Function
		switch site := o.Site.(type) {
		case *ssa.Function:
			fn = site
		case *ssa.MakeClosure:
			fn = site.Fn.(*ssa.Function)
		default:
			continue
		}
		nodes := l.Graph.NodesOf(fn)
		for _, node := range nodes {
			if node.Context == o.Context || len(nodes) == 1 {
				all = append(all, node)
			}
		}
	}
	return all
}

// process returns the process for a key, lowering its body when it is new.
// With signals, the goroutine counts as done when the function has returned.
func (l *lowerer) process(key processKey, c *clone, stars uint, signals bool) *process {
	if p, ok := l.processes[key]; ok {
		return p
	}
	p := &process{
		name:   fmt.Sprintf("g%d", len(l.processList)+1),
		copies: l.copiesOf(key, c, stars),
		pos:    l.position(key.site),
		groups: map[int]bool{},
	}
	l.processes[key] = p
	l.processList = append(l.processList, p)
	// Its entry may start further processes; this one has its number already.
	p.entry = l.clone(cloneKey{node: key.entry, args: key.args, makes: -1})
	if signals {
		p.entry = l.thenDone(p.entry)
	}
	return p
}

// thenDone returns a function that calls body and then signals that the goroutine
// is done, as the one that WaitGroup.Go starts does.
func (l *lowerer) thenDone(body *clone) *clone {
	key := body.cloneKey
	key.makes = doneMarker
	if c, ok := l.clones[key]; ok {
		return c
	}
	c := &clone{cloneKey: key, index: len(l.order), goName: "(*sync.WaitGroup).Go", name: l.uniqueName("(*sync.WaitGroup).Go of " + body.name), built: true}
	c.segments = []*segment{{stmts: []esl.Stmt{{Op: esl.Call, Arg: body.index}, {Op: esl.Done}}, end: endReturn}}
	l.clones[key] = c
	l.order = append(l.order, c)
	return c
}

// doneMarker is the makes of the key of a clone made by thenDone.
const doneMarker = -3

// processIndex returns the index of the process in the model; the initial one is 0.
func (l *lowerer) processIndex(p *process) int {
	for i, q := range l.processList {
		if p == q {
			return i + 1
		}
	}
	return -1
}

// copiesOf returns how many instances of a process the model has: one if its go
// statement is executed at most once, or at most once for the star that it hands
// over.
func (l *lowerer) copiesOf(key processKey, c *clone, stars uint) int {
	if l.Multiplicity.OnceAt(key.node, key.site) {
		return 1
	}
	copies := l.Copies
	if l.reachesItself(key) {
		copies++ // a goroutine that starts its like: see the design of copies
	}
	for k, star := range l.Stars.Stars {
		if stars&(1<<k) != 0 && !star.Single && l.madeOncePerStart(k, star, c, key.site) {
			return 1
		}
	}
	return copies
}

// reachesItself tells whether a goroutine started by the statement can execute the
// statement again.
func (l *lowerer) reachesItself(key processKey) bool {
	seen := map[*pointsto.Node]bool{key.entry: true}
	work := []*pointsto.Node{key.entry}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if n == key.node {
			return true
		}
		for _, e := range l.Graph.Calls(n) {
			if !seen[e.Callee] {
				seen[e.Callee] = true
				work = append(work, e.Callee)
			}
		}
	}
	return false
}

// madeOncePerStart tells whether the function makes a new object for each
// execution of the go statement: every way back to the statement passes the
// allocation.
func (l *lowerer) madeOncePerStart(k int, star *isolate.Star, c *clone, site ssa.CallInstruction) bool {
	var anchor *ssa.BasicBlock
	for o := range star.Objects {
		if alloc, ok := o.Site.(*ssa.Alloc); ok && alloc.Parent() == site.Parent() {
			anchor = alloc.Block()
		}
	}
	for _, e := range l.Graph.Calls(c.node) {
		if call, ok := e.Site.(*ssa.Call); ok && l.Stars.Constructs(e.Callee, k) {
			anchor = call.Block()
		}
	}
	if anchor == nil {
		return false
	}
	if anchor == site.Block() {
		return true
	}
	seen := map[*ssa.BasicBlock]bool{anchor: true}
	work := append([]*ssa.BasicBlock(nil), site.Block().Succs...)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == site.Block() {
			return false
		}
		if !seen[b] {
			seen[b] = true
			work = append(work, b.Succs...)
		}
	}
	return true
}
