package waits

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Some packages of the standard library wait for goroutines that they have started themselves, or for the network and
// the system: the client of package http for those that write the request and read the answer. Such a wait ends if what
// these goroutines call back ends. So it is nothing to wait for by itself, but under a lock it waits for all that code
// of the program waits for on goroutines of the library.
//
// It is otherwise where the program has both ends: of a pipe of package io or net, of an iteration that is pulled.

// waitsForLibrary is what is waited for in one of these packages.
const waitsForLibrary = "waits for goroutines of the standard library"

var selfSufficient = map[string]bool{"context": true, "crypto/tls": true, "internal/poll": true,
	"internal/singleflight": true, "net": true, "net/http": true, "os": true, "os/exec": true}

// waitsForItself tells whether a function of the standard library waits for nothing but goroutines of that, the network
// or the system.
func waitsForItself(fn *ssa.Function) bool {
	outer := knowledge.Outermost(fn)
	return selfSufficient[knowledge.PackagePath(outer)] && receiverName(outer) != "pipe"
}

// receiverName returns the name of the type that a function is a method of; "" if it is none.
func receiverName(fn *ssa.Function) string {
	recv := fn.Signature.Recv()
	if recv == nil {
		return ""
	}
	t := types.Unalias(recv.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if named, ok := t.(*types.Named); ok {
		return named.Obj().Name()
	}
	return ""
}

// waitInLibrary is that a function waits for that. Those of package exec wait for goroutines of that package; of the
// others the goroutines of all of the standard library are looked at.
func waitInLibrary(fn *ssa.Function) Event {
	path := knowledge.PackagePath(knowledge.Outermost(fn))
	if path != "os/exec" {
		path = ""
	}
	return Event{What: waitsForLibrary, Function: path}
}

// startedByLibrary returns what is waited for by what a package of the standard library, or all of it, calls on
// goroutines that it starts.
func (s *settler) startedByLibrary(path string) []Event {
	return ssaflow.Remember(s.library, path, func() (all []Event) {
		known := map[Event]bool{}
		for _, n := range s.graph.Nodes() {
			if s.originOf(n.Func) != Standard || path != "" && knowledge.PackagePath(knowledge.Outermost(n.Func)) != path {
				continue
			}
			for _, e := range s.graph.Calls(n) {
				if !e.IsStart() {
					continue
				}
				for _, event := range s.withinReached(e.Callee).events {
					isNew := event.What != waitsForLibrary || event.Function != path && event.Function == ""
					if isNew && !known[event] {
						known[event] = true
						all = append(all, event)
					}
				}
			}
		}
		return all
	})
}

// hasOtherContexts tells whether package context may call a method AfterFunc of a context of the program, or of a
// client: that is the only call back under a lock of its own.
func (s *settler) hasOtherContexts() bool {
	if s.otherContexts == nil {
		has := false
		for _, n := range s.graph.Nodes() {
			has = has || n.Func.Name() == "AfterFunc" && n.Func.Signature.Recv() != nil && s.originOf(n.Func) != Standard
		}
		s.otherContexts = &has
	}
	return *s.otherContexts
}
