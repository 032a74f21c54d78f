package dynamic

import (
	"cmp"
	"fmt"
	"slices"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/automata"
	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/units"
)

// timed is a step of a run, at the index of its record.
type timed struct {
	index uint64
	empire.Step
}

// steps renders how the two goroutines were started, where the two units begin, the events,
// and what the two goroutines do in between to locks and channels, as far as that is known.
func (m *matcher) steps(found *automata.Match) []empire.Step {
	var all []timed
	add := func(index uint64, s empire.Step) {
		s.Instance = 1
		all = append(all, timed{index, s})
	}
	last := found.Events[len(found.Events)-1].Index
	for _, u := range found.Units {
		if start := m.tracker.Started(u.Goroutine); start.By != 0 {
			at := m.report.Header.Site(start.Site)
			add(start.Index, empire.Step{Goroutine: goroutineName(start.By), Function: at.Function, Action: "start",
				Target: goroutineName(u.Goroutine), Pos: at.Pos})
		}
		of := unitOf(u)
		site := m.report.Header.Site(of.Frame.Site)
		add(of.Begin, empire.Step{
			Goroutine: goroutineName(u.Goroutine), Function: site.Function, Stack: m.stack(of.Frame.Parent),
			Action: "unit-begin", Unit: site.Function, Pos: site.Pos,
		})
		for _, s := range relevantSyncs(m.tracker.Synced(u.Goroutine), of.Begin, last) {
			add(s.Index, m.sync(u.Goroutine, s, syncActions[s.Op]))
		}
	}
	for n, e := range found.Events {
		add(e.Index, m.event(found, n, e))
	}
	slices.SortStableFunc(all, func(a, b timed) int { return cmp.Compare(a.index, b.index) })
	var steps []empire.Step
	for i, s := range all {
		s.Step.Step = i + 1
		steps = append(steps, s.Step)
	}
	return steps
}

// event renders an event of a match.
func (m *matcher) event(found *automata.Match, n int, e automata.Matched) empire.Step {
	site := m.report.Header.Site(e.Ref.Site)
	step := empire.Step{
		Goroutine: goroutineName(found.Units[e.Unit].Goroutine), Function: site.Function,
		Action: [...]string{"read", "write", "rmw", "rmw"}[e.Kind], Location: site.Field, Pos: site.Pos, Event: n + 1,
	}
	if l := found.Locations; len(l) > 1 && l[0].Object != l[1].Object {
		step.Object = objectName(l[found.Pattern.Pattern.Events[n].Loc-1].Object)
	}
	if f, ok := e.Ref.Stack.(*units.Frame); ok && f != nil {
		if m.report.Header.Site(f.Site).Function == site.Function {
			f = f.Parent
		}
		step.Stack = m.stack(f)
	}
	return step
}

// syncActions are what operations on synchronisation objects are called in a step.
var syncActions = map[trace.Op]string{
	trace.Lock: "lock", trace.Unlock: "unlock", trace.RLock: "rlock", trace.RUnlock: "runlock",
	trace.Send: "send", trace.Recv: "recv", trace.Close: "close",
}

// relevantSyncs returns the operations that are shown for a unit: those while it runs, up
// to the last event, and how it came to the locks that it holds at its beginning.
func relevantSyncs(all []units.Sync, begin, last uint64) []units.Sync {
	var shown []units.Sync
	for _, s := range all {
		switch {
		case syncActions[s.Op] == "" || s.Index >= last:
		case s.Index >= begin || s.Op == trace.Lock || s.Op == trace.RLock:
			shown = append(shown, s)
		case s.Op == trace.Unlock || s.Op == trace.RUnlock:
			if i := slices.IndexFunc(shown, func(l units.Sync) bool { return l.Object == s.Object }); i >= 0 {
				shown = slices.Delete(shown, i, i+1)
			}
		}
	}
	return shown
}

// sync renders an operation on a synchronisation object. Locks are the same where they
// have the same name and object.
func (m *matcher) sync(goroutine uint32, s units.Sync, action string) empire.Step {
	site := m.report.Header.Site(s.Site)
	step := empire.Step{Goroutine: goroutineName(goroutine), Function: site.Function, Action: action, Pos: site.Pos}
	if m.syncNames[s.Object] == "" {
		m.syncNames[s.Object] = cmp.Or(site.Field, objectName(s.Object))
	}
	switch name := m.syncNames[s.Object]; s.Op {
	case trace.Send, trace.Recv, trace.Close:
		step.Channel = name
	default:
		step.Lock, step.Object = name, objectName(s.Object)
	}
	return step
}

func objectName(number uint32) string { return fmt.Sprintf("object %d of the run", number) }

// stack names the functions of frames, outermost first.
func (m *matcher) stack(f *units.Frame) []string {
	names := []string{}
	for ; f != nil; f = f.Parent {
		if name := m.report.Header.Site(f.Site).Function; len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	slices.Reverse(names)
	return names
}

// goroutineName is "main" for the first goroutine of a run.
func goroutineName(number uint32) string {
	if number == 1 {
		return "main"
	}
	return fmt.Sprintf("g%d", number)
}
