package waits

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/polling"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// within is what may happen in a node, with or without its callees.
type within struct {
	events []Event
	panics bool // by the statement
	leaves bool // it may end the goroutine
	counts bool // it closes a channel, or counts for a wait group, which may end the program
}

// withinReached returns what may happen in a node and its callees, on the same goroutine. What the standard library
// does is left out, but for what it calls.
func (s *settler) withinReached(n *pointsto.Node) *within {
	return ssaflow.Remember(s.reaching, n, func() *within {
		r := &within{}
		seen, known := map[*pointsto.Node]bool{n: true}, map[Event]bool{}
		for queue := []*pointsto.Node{n}; len(queue) > 0; queue = queue[1:] {
			s.poll.Step(0)
			own := s.ownWithin(queue[0])
			r.panics, r.leaves = r.panics || own.panics, r.leaves || own.leaves
			for _, e := range own.events {
				if !known[e] {
					known[e] = true
					r.events = append(r.events, e)
				}
			}
			for _, e := range s.graph.Calls(queue[0]) {
				if !e.IsStart() && !seen[e.Callee] && s.isFollowed(e.Site, e.Callee) {
					seen[e.Callee] = true
					queue = append(queue, e.Callee)
				}
			}
		}
		return r
	})
}

// isFollowed tells whether it is looked at what a call does. Values that a client hands over do what the standard
// library's interfaces promise, and nothing to the object.
func (s *settler) isFollowed(site ssa.CallInstruction, callee *pointsto.Node) bool {
	if isPrimitive(callee.Func) {
		return false
	}
	if s.originOf(callee.Func) != Foreign || !site.Common().IsInvoke() {
		return true
	}
	method := site.Common().Method
	if method.Pkg() != nil && !knowledge.IsStandardPath(method.Pkg().Path()) {
		return true
	}
	s.promised[method.FullName()] = true
	return false
}

// ownWithin returns what may happen in a node itself.
func (s *settler) ownWithin(n *pointsto.Node) *within {
	return ssaflow.Remember(s.inside, n, func() *within {
		w := &within{}
		switch origin := s.originOf(n.Func); {
		case isPrimitive(n.Func):
			return w
		case origin == Standard:
			if s.mayCallBack(n) {
				for _, name := range s.takenIn(n) {
					w.events = append(w.events, Event{Lock: Lock{Name: name}, Function: s.name(n.Func), isStandard: true})
				}
			}
			for _, b := range n.Func.Blocks {
				for _, instr := range b.Instrs {
					for _, e := range s.eventsAt(n, instr) {
						switch {
						case !isForOthers[e.What]:
						case waitsForItself(n.Func):
							w.events = append(w.events, waitInLibrary(n.Func))
						default:
							w.events = append(w.events, Event{What: e.What, Function: e.Function})
						}
					}
				}
			}
			return w
		case origin == Foreign || knowledge.IsC(n.Func):
			w.events = s.ownOf(n).events
			return w
		}
		for _, what := range s.endless(n) {
			w.events = append(w.events, Event{What: what, Function: s.name(n.Func)})
		}
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				w.events = append(w.events, s.waitsAt(n, instr)...)
				switch x := instr.(type) {
				case *ssa.Panic:
					w.panics = true
				case *ssa.Call:
					fn := x.Call.StaticCallee()
					w.leaves = w.leaves || fn != nil && knowledge.EndsGoroutine(fn)
				}
				w.counts = w.counts || s.counts(instr)
			}
		}
		return w
	})
}

// counts tells whether an instruction closes a channel, or counts for a wait group.
func (s *settler) counts(instr ssa.Instruction) bool {
	site, ok := instr.(ssa.CallInstruction)
	if !ok {
		return false
	}
	if b, ok := site.Common().Value.(*ssa.Builtin); ok {
		return b.Name() == "close"
	}
	fn := site.Common().StaticCallee()
	return fn != nil && knowledge.Of(fn).Group != knowledge.NoGroup && !s.isForOwn(site)
}

// isForOthers is what functions of the standard library wait for that other goroutines have to do, as those of io.Pipe.
var isForOthers = map[string]bool{"sends on a channel": true, "receives from a channel": true,
	"waits in a select statement": true, "waits for a signal": true, waitsForGroup: true}

// endless returns the headers of loops that may not end, and what they do.
func (s *settler) endless(n *pointsto.Node) map[*ssa.BasicBlock]string {
	headers := map[*ssa.BasicBlock]string{}
	for _, header := range waitingLoops(n.Func) {
		headers[header] = s.loopEvent(n).What
	}
	for _, loop := range ssaflow.NaturalLoops(n.Func) {
		if polling.Exit(loop) == nil {
			headers[ssaflow.LoopHeader(loop)] = goesForEver
		}
	}
	return headers
}

// waitsAt returns what an instruction may wait for by itself. A sync.Once is a lock of which who runs the function
// holds it.
func (s *settler) waitsAt(n *pointsto.Node, instr ssa.Instruction) (all []Event) {
	site, isCall := instr.(ssa.CallInstruction)
	for _, e := range s.eventsAt(n, instr) {
		if isCall && e.What == waitsForOnce {
			if names := s.onceNames(n, site); len(names) > 0 {
				for _, name := range names {
					all = append(all, Event{Lock: Lock{Name: name}, Function: e.Function})
				}
				continue
			}
		}
		switch {
		case isCall && e.What == callsUnknown && s.mayBeUnseen(site):
			e.What = callsUnseen
		case isCall && e.What == waitsForGroup && s.isForOwn(site):
			e.What = waitsForOwn
		case !isCall && endsInTime(instr):
			e.What = letsTimePass
		}
		all = append(all, e)
	}
	if _, isGo := instr.(*ssa.Go); !isCall || isGo {
		return all
	}
	for _, callee := range s.graph.Callees(n, site) {
		outer := knowledge.Outermost(callee.Func)
		switch path := knowledge.PackagePath(outer); {
		case path == "sync" && outer != callee.Func: // made by sync.OnceFunc
			all = append(all, Event{What: waitsForOnce, Function: s.name(n.Func)})
		case path == "iter" && outer != callee.Func: // made by iter.Pull
			all = append(all, Event{What: "waits until an iteration goes on", Function: s.name(n.Func)})
		}
	}
	return all
}

// onceNames returns the names of the sync.Once on which a call runs a function, if it does.
func (s *settler) onceNames(n *pointsto.Node, site ssa.CallInstruction) []string {
	fn := site.Common().StaticCallee()
	if fn == nil || !knowledge.IsOnce(fn) || fn.Name() != "Do" || len(site.Common().Args) == 0 {
		return nil
	}
	return locksOf(s.graph.PointsTo(n, site.Common().Args[0]))
}

// takenIn returns the locks that a node takes itself.
func (s *settler) takenIn(n *pointsto.Node) (names []string) {
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			for _, op := range s.operationsAt(n, instr) {
				if op.waits() {
					names = append(names, op.locks...)
				}
			}
		}
	}
	return names
}

// mayCallBack tells whether a node of the standard library takes a lock, and calls what is not of that library. Package
// sync does that only in what is an operation itself.
func (s *settler) mayCallBack(n *pointsto.Node) bool {
	switch knowledge.PackagePath(n.Func) {
	case "sync":
		return false
	case "context": // but for contexts of others that say themselves when they have ended
		if !s.hasOtherContexts() {
			return false
		}
	}
	isTaking := false
	for _, e := range s.graph.Calls(n) {
		op, ok := knowledge.LockOperation(e.Callee.Func)
		isTaking = isTaking || ok && op.IsTaking()
	}
	if !isTaking {
		return false
	}
	seen := map[*pointsto.Node]bool{n: true}
	for queue := []*pointsto.Node{n}; len(queue) > 0; queue = queue[1:] {
		if s.originOf(queue[0].Func) != Standard {
			return true
		}
		for _, e := range s.graph.Calls(queue[0]) {
			if !e.IsStart() && !seen[e.Callee] && !isPrimitive(e.Callee.Func) {
				seen[e.Callee] = true
				queue = append(queue, e.Callee)
			}
		}
	}
	return false
}

// callsBack notes what a node of the standard library may wait for while it calls back under a lock of its own.
func (s *settler) callsBack(n *pointsto.Node) {
	if isPrimitive(n.Func) || !s.mayCallBack(n) {
		return
	}
	held := map[address]grip{{}: gripOf(s.takenIn(n), false)}
	for name := range held[address{}].each() {
		s.lock(name, nil)
	}
	seen := map[*pointsto.Node]bool{n: true}
	for queue := []*pointsto.Node{n}; len(queue) > 0; queue = queue[1:] {
		for _, e := range s.graph.Calls(queue[0]) {
			if e.IsStart() || isPrimitive(e.Callee.Func) || seen[e.Callee] || !s.isFollowed(e.Site, e.Callee) {
				continue
			}
			seen[e.Callee] = true
			if s.originOf(e.Callee.Func) != Standard {
				s.noteBelow(held, s.withinReached(e.Callee).events)
				continue
			}
			for _, event := range s.ownWithin(e.Callee).events {
				if !event.isStandard {
					s.noteBelow(held, []Event{event})
				}
			}
			queue = append(queue, e.Callee)
		}
	}
}

// noteBelow notes what is waited for while the standard library holds locks of its own. In which order it takes these
// on its own, that is its own matter.
func (s *settler) noteBelow(held map[address]grip, events []Event) {
	for _, event := range events {
		if event.What != waitsForLibrary {
			s.note(held, event)
			continue
		}
		for _, event := range s.startedByLibrary(event.Function) {
			if !event.isStandard {
				s.note(held, event)
			}
		}
	}
}
