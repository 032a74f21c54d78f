package waits

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// operation is what a call does to a lock.
type operation struct {
	op    knowledge.LockOp
	locks []string // that it may be
	key   string   // which of them, as the function writes it
}

// isShared tells whether the operation is one of readers.
func (o operation) isShared() bool {
	return o.op == knowledge.RLock || o.op == knowledge.RUnlock || o.op == knowledge.TryRLock
}

// waits tells whether the operation may wait.
func (o operation) waits() bool { return o.op == knowledge.Lock || o.op == knowledge.RLock }

// operationsAt returns what a call or defer statement may do to locks by itself.
func (w *walker) operationsAt(n *pointsto.Node, instr ssa.Instruction) (all []operation) {
	site, ok := instr.(ssa.CallInstruction)
	if !ok {
		return nil
	}
	if _, starts := instr.(*ssa.Go); starts {
		return nil
	}
	return w.operationsOf(n, site, w.graph.Callees(n, site))
}

// operationsOf returns what a statement that calls something does to locks.
func (w *walker) operationsOf(n *pointsto.Node, site ssa.CallInstruction, callees []*pointsto.Node) (all []operation) {
	for _, callee := range callees {
		op, ok := knowledge.LockOperation(callee.Func)
		if !ok {
			continue
		}
		lock := site.Common().Value
		if !site.Common().IsInvoke() {
			if len(site.Common().Args) == 0 {
				continue
			}
			lock = site.Common().Args[0]
		}
		all = append(all, operation{op, locksOf(w.graph.PointsTo(n, lock)), keyOf(lock)})
	}
	return all
}

// locksOf names the locks of a set of cells.
func locksOf(cells pointsto.Set) (all []string) {
	known := map[string]bool{}
	for _, c := range cells.Cells() {
		if name := lockName(c); !known[name] {
			known[name] = true
			all = append(all, name)
		}
	}
	return all
}

// lockName names a lock by the object that it is part of.
func lockName(c pointsto.Cell) string {
	of := ""
	if global, ok := c.Object.Site.(*ssa.Global); ok {
		of = global.String()
	} else if c.Object.Type != nil {
		of = c.Object.Type.String()
	}
	return strings.TrimSuffix(of+"."+c.Path, ".")
}

// keyOf writes a pointer as the function comes by it; two that are written alike are one, unless a variable on the
// way has been assigned.
func keyOf(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return keyOf(v.X) + "." + string(rune('0'+v.Field))
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return "*" + keyOf(v.X)
		}
	case *ssa.ChangeType:
		return keyOf(v.X)
	case *ssa.MakeInterface:
		return keyOf(v.X)
	}
	return v.Name()
}

// eventsAt returns what an instruction may wait for by itself; what its callees wait for is theirs.
func (w *walker) eventsAt(n *pointsto.Node, instr ssa.Instruction) (all []Event) {
	wait := func(what string) { all = append(all, Event{What: what, Function: w.name(n.Func)}) }
	switch x := instr.(type) {
	case *ssa.Send:
		wait("sends on a channel")
	case *ssa.UnOp:
		if x.Op == token.ARROW {
			wait("receives from a channel")
		}
	case *ssa.Select:
		if x.Blocking {
			wait("waits in a select statement")
		}
	case *ssa.Go:
		return nil
	case ssa.CallInstruction:
		return w.eventsOfCall(n, x)
	}
	return all
}

// eventsOfCall returns what a call of an operation may wait for.
func (w *walker) eventsOfCall(n *pointsto.Node, site ssa.CallInstruction) (all []Event) {
	at := w.name(n.Func)
	if _, isBuiltin := site.Common().Value.(*ssa.Builtin); isBuiltin {
		return nil
	}
	for _, op := range w.operationsAt(n, site) {
		if !op.waits() {
			continue
		}
		for _, lock := range op.locks {
			all = append(all, Event{Lock: Lock{lock, op.isShared()}, Function: at})
		}
		if len(op.locks) == 0 {
			all = append(all, Event{What: "takes a lock that is not known", Function: at})
		}
	}
	callees := w.graph.Callees(n, site)
	isOwn := w.originOf(n.Func) == Own
	if isOwn && len(callees) == 0 && len(w.graph.Starts(n, site)) == 0 && !knowledge.LooksAtType(site.Common()) {
		return append(all, Event{What: callsUnknown, Function: at})
	}
	for _, callee := range callees {
		if isOwn && w.originOf(callee.Func) == Standard && !knowledge.IsOutput(site.Common()) && w.asksSystem(callee) {
			all = append(all, Event{What: "may wait for the operating system", Function: at})
		}
		if what := waiting(callee.Func); what != "" {
			all = append(all, Event{What: what, Function: at})
		}
		if knowledge.IsCondWait(callee.Func) {
			all = append(all, Event{What: "waits for a signal", Function: at, unlessHeld: w.lockOfCond(n, site)})
		}
	}
	return all
}

// asksSystem tells whether a function of the standard library may call the operating system, as for input or output.
func (w *walker) asksSystem(n *pointsto.Node) bool {
	if asks, known := w.system[n]; known {
		return asks
	}
	w.system[n] = false
	seen := map[*pointsto.Node]bool{n: true}
	for queue := []*pointsto.Node{n}; len(queue) > 0; queue = queue[1:] {
		if knowledge.IsSystemCall(queue[0].Func) || w.system[queue[0]] {
			w.system[n] = true
			break
		}
		for _, e := range w.graph.Calls(queue[0]) {
			if !e.IsStart() && !seen[e.Callee] && w.originOf(e.Callee.Func) == Standard {
				seen[e.Callee] = true
				queue = append(queue, e.Callee)
			}
		}
	}
	return w.system[n]
}

// isPrimitive tells whether a function is itself an operation that is told of where it is called: what its body
// does is not looked into.
func isPrimitive(fn *ssa.Function) bool {
	return knowledge.IsOperation(fn) || knowledge.Of(fn).Cond != knowledge.NoCond
}

const (
	waitsForOnce  = "may wait for what runs once"
	waitsForGroup = "waits for goroutines"
)

// waiting tells in words what a library function waits for; "" for nothing but locks.
func waiting(fn *ssa.Function) string {
	row := knowledge.Of(fn)
	switch {
	case row.Group == knowledge.Wait || row.Parallel:
		return waitsForGroup
	case row.Group == knowledge.Go && knowledge.PackagePath(fn) != "sync":
		return "may wait for a place in a group"
	case row.Semaphore == knowledge.Lock:
		return "waits for a semaphore"
	case row.Once:
		return waitsForOnce
	case row.Flight == knowledge.Do:
		return "waits for another call"
	case row.Channel:
		return "may wait for a channel"
	case row.Input:
		return "waits for input"
	case row.Time == knowledge.Sleep:
		return letsTimePass
	}
	return ""
}

// lockOfCond names the lock that a wait for a condition variable releases; "" if it may be several.
func (w *walker) lockOfCond(n *pointsto.Node, site ssa.CallInstruction) string {
	if all := w.locksOfCond(n, site); len(all) == 1 {
		return all[0]
	}
	return ""
}

// locksOfCond names the locks that an operation on a condition variable may release.
func (w *walker) locksOfCond(n *pointsto.Node, site ssa.CallInstruction) (all []string) {
	for _, c := range w.graph.PointsTo(n, site.Common().Args[0]).Cells() {
		for _, part := range w.graph.Under(c.Object, c.Path) {
			all = append(all, locksOf(w.graph.Contents(part))...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
