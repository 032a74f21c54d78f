package lockset

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// A logger calls its writer with a lock of its own held. Where a star is the writer of one
// logger, and of no other one, what the logger runs of it is a critical section of that lock.

// LoggerOf returns the logger that star k is the writer of, nil if it is none, or may be that of
// several. Linear in the call graph at the first time.
func (l *Locks) LoggerOf(k int) *pointsto.Object {
	return ssaflow.Remember(l.loggers, k, func() *pointsto.Object { return l.findLogger(k) })
}

func (l *Locks) findLogger(k int) *pointsto.Object {
	isStar := func(o *pointsto.Object) bool { return l.Stars.Stars[k].Objects[o] }
	var loggers []*pointsto.Object
	given := 0
	for _, n := range l.Graph.Nodes() {
		if writer, ok := knowledge.SerialisesOutput(n.Func); ok {
			for _, logger := range l.Graph.PointsTo(n, n.Func.Params[0]).Objects() {
				if slices.Contains(loggers, logger) ||
					!slices.ContainsFunc(l.Graph.Contents(pointsto.Cell{Object: logger, Path: writer.Field}).Objects(), isStar) {
					continue
				}
				if len(loggers) > 0 && !writer.Shares {
					return nil
				}
				loggers = append(loggers, logger)
			}
		}
		argument, ok := knowledge.SetsOutput(n.Func)
		if !ok {
			continue
		}
		for _, e := range l.Graph.Callers(n) {
			if _, isPart := knowledge.SetsOutput(e.Caller.Func); isPart {
				continue
			}
			call, isCall := e.Site.(*ssa.Call)
			if !isCall || call.Call.StaticCallee() != n.Func || call.Parent() != e.Caller.Func {
				return nil
			}
			writer := call.Call.Args[argument]
			if !slices.ContainsFunc(l.Graph.PointsTo(e.Caller, writer).Objects(), isStar) {
				continue
			}
			if given++; given > 1 || !l.isGivenOnce(e.Caller, call, writer) {
				return nil
			}
		}
	}
	if given == 0 || len(loggers) == 0 {
		return nil
	}
	return loggers[0]
}

// isGivenOnce tells whether the call is executed at most once for each object that the argument
// is: at most once in all, or the object is made for it.
func (l *Locks) isGivenOnce(n *pointsto.Node, call *ssa.Call, argument ssa.Value) bool {
	if l.Multiplicity.OnceAt(n, call) {
		return true
	}
	for next := ssaflow.Unwrapped(argument); next != nil; next = ssaflow.Unwrapped(argument) {
		argument = next
	}
	argument = mustalias.BaseKey(argument)
	switch made := argument.(type) {
	case *ssa.Alloc:
		return made.Parent() == call.Parent() && !ssaflow.RepeatsWithout(call.Block(), made.Block())
	case *ssa.Call:
		return made.Parent() == call.Parent() && l.Unpublished.Returns(n, made, 0) &&
			!ssaflow.RepeatsWithout(call.Block(), made.Block())
	}
	return false
}
