// Package directed looks for a run in which a pattern of accesses, or a data race, occurs, by making goroutines go to
// one access after the other on a shortest way. What is in the way, a lock that is held, a flag that is not set, others
// are brought to do away with. (Directed model checking: Edelkamp, Leue and Lluch-Lafuente, STTT 5, 2004. The distances
// are exact for one goroutine with its stack; there is no frontier to go back to, but a detour around a lock.)
//
// Most violations of large programs are found so, in about as many steps as their runs have. That none is found says
// nothing. A run that is found is one of the program, by the interpreter; whether it has the occurrence that was
// looked for is for the caller to check.
package directed

import (
	"context"
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/interp"
	"github.com/empire-go/empire-go/limit"
	"github.com/empire-go/empire-go/scenarios"
)

// maxSteps bounds a run.
const maxSteps = 4000

// Search looks for runs of one program. It is for one goroutine.
type Search struct {
	ctx        context.Context
	program    *esl.Program
	graph      *graph
	known      map[string]*goals
	begun      map[[2]esl.Instance]*walker // in which two instances, or one twice, are started; nil if they could not be
	starts     map[int][]int               // by function: the processes that what begins in it may start
	overlooked func(of scenarios.Unit, at esl.Place) bool
}

// New prepares the search. Overlooked tells which accesses match nothing, and avoid which statements no run is to have;
// nil: none. O(n log n) for n statements.
func New(ctx context.Context, p *esl.Program, overlooked func(of scenarios.Unit, at esl.Place) bool,
	avoid func(at esl.Place) bool) *Search {
	s := &Search{ctx: ctx, program: p, graph: newGraph(p, avoid), known: map[string]*goals{},
		begun: map[[2]esl.Instance]*walker{}, starts: map[int][]int{}, overlooked: overlooked}
	limit.Pay(ctx, limit.Simplified*limit.Work(len(s.graph.of)))
	return s
}

// Unit is a unit of work of an instance.
type Unit struct {
	esl.Instance
	esl.UnitName
}

// maxBeginnings is how many statements are tried at which a unit begins.
const maxBeginnings = 3

// Pattern looks for a run in which a pattern occurs between two units on locations l1 and, unless it is negative, l2.
// matched are the indices of the steps that are its events.
func (s *Search) Pattern(p scenarios.Pattern, units [2]Unit, locations [2]int) (
	steps []esl.Step, matched []int, ok bool) {
	first := p.Events[0].Unit
	var without [2][]int32 // the statements at which the units are not to begin, as that has been tried
	for range maxBeginnings {
		without[1-first] = nil
		var began [2]int32
		for range maxBeginnings {
			if steps, matched, began, ok = s.attempt(p, units, locations, without); ok {
				return steps, matched, true
			}
			if began[1-first] < 0 {
				break
			}
			without[1-first] = append(without[1-first], began[1-first])
		}
		if began[first] < 0 {
			break
		}
		without[first] = append(without[first], began[first])
	}
	return nil, nil, false
}

// attempt is Pattern where units do not begin at some statements. It tells where they have; -1: nowhere.
func (s *Search) attempt(p scenarios.Pattern, units [2]Unit, locations [2]int, without [2][]int32) (
	steps []esl.Step, matched []int, began [2]int32, ok bool) {
	began = [2]int32{-1, -1}
	w := s.begin(units[scenarios.U].Instance, units[scenarios.V].Instance)
	if w == nil {
		return nil, nil, began, false
	}
	for k, e := range p.Events {
		i := w.thread(units[e.Unit].Instance)
		next := s.accesses(e, locations)
		for _, later := range p.Events[k+1:] {
			if later.Unit == e.Unit {
				next = s.accessesBefore(e, later, locations)
				break
			}
		}
		if w.bound[i] == nil {
			if began[e.Unit], ok = w.beginUnit(i, units[e.Unit], next, without[e.Unit]); !ok {
				return nil, nil, began, false
			}
		}
		if !w.drive(i, next, maxHelp) {
			return nil, nil, began, false
		}
		top := w.state.Threads[i].Stack[len(w.state.Threads[i].Stack)-1]
		st := s.graph.statement(w.node(top.Function, top.Next))
		if st.Op == esl.Access && st.Key != "" && e.Kind == scenarios.Read {
			frame := len(w.state.Threads[i].Stack) - 1
			w.bound[i].keys[frame] = append(w.bound[i].keys[frame], st.Key)
		}
		if !w.execute(i) {
			return nil, nil, began, false
		}
		matched = append(matched, len(w.steps)-1)
	}
	return w.steps, matched, began, true
}

// beginUnit makes a thread begin a unit from which it can come to one of the goals, and tells where.
func (w *walker) beginUnit(i int, u Unit, next *goals, without []int32) (at int32, ok bool) {
	for _, object := range []int{u.Object, -1} {
		g := w.beginnings(u, next, object, without)
		try := w.copy()
		if !try.drive(i, g, maxHelp) || !try.execute(i) {
			continue
		}
		last := try.steps[len(try.steps)-1]
		try.bound[i] = &bound{object: u.Object, frame: len(try.state.Threads[i].Stack) - 1, keys: map[int][]string{}}
		*w = *try
		return w.node(last.Function, last.Index), true
	}
	return -1, false
}

// Race looks for a run after which two instances can access a location at the same time, one of them by a plain write
// or both by plain accesses one of which writes.
func (s *Search) Race(a, b esl.Instance, location int) (steps []esl.Step, accesses [2]esl.Step, ok bool) {
	isPlain := func(k esl.AccessKind) bool { return !k.Atomic() }
	isAny := func(esl.AccessKind) bool { return true }
	ways := [][2]func(esl.AccessKind) bool{
		{func(k esl.AccessKind) bool { return isPlain(k) && k.Writes() }, isAny},
		{isAny, func(k esl.AccessKind) bool { return isPlain(k) && k.Writes() }},
		{esl.AccessKind.Writes, isPlain},
		{isPlain, esl.AccessKind.Writes},
	}
	for n, way := range ways {
		if steps, accesses, ok = s.raceOf([2]esl.Instance{a, b}, location, n, way); ok {
			return steps, accesses, true
		}
	}
	return nil, accesses, false
}

// raceOf is Race for one way, of some number, in which the two accesses can be of kinds.
func (s *Search) raceOf(instances [2]esl.Instance, location, number int, way [2]func(esl.AccessKind) bool) (
	steps []esl.Step, accesses [2]esl.Step, ok bool) {
	w := s.begin(instances[0], instances[1])
	if w == nil {
		return nil, accesses, false
	}
	var at [2]*goals
	for k := range instances {
		i := w.thread(instances[k])
		at[k] = s.remembered(fmt.Sprint("race ", number, k, location), func() goals {
			return goals{walls: anything, at: s.nodes(func(st esl.Stmt) bool {
				return st.Op == esl.Access && st.Arg == location && way[k](st.Access)
			})}
		})
		if !w.drive(i, at[k], maxHelp) {
			return nil, accesses, false
		}
		w.bound[i] = &bound{object: -1, frame: len(w.state.Threads[i].Stack) - 1, keys: map[int][]string{}}
	}
	for k := range instances {
		enabled := interp.EnabledBy(w.state, w.thread(instances[k]))
		if len(enabled) != 1 || !at[k].at[w.node(enabled[0].Function, enabled[0].Index)] {
			return nil, accesses, false
		}
		accesses[k] = enabled[0]
	}
	return w.steps, accesses, true
}

// begin returns a walker that has started two instances, or one that is given twice; nil if that did not come about.
func (s *Search) begin(u, v esl.Instance) *walker {
	pair := [2]esl.Instance{u, v}
	w, known := s.begun[pair]
	if !known {
		if u != v {
			w = s.begin(u, u)
		} else {
			w = &walker{Search: s, state: interp.Initial(s.program), bound: map[int]*bound{}, left: maxSteps}
			w.held = make([]map[int]int, len(w.state.Threads))
		}
		if w != nil && !w.start(v, maxHelp) {
			w = nil
		}
		s.begun[pair] = w
	}
	return w.copy()
}

// accesses returns the accesses that match an event.
func (s *Search) accesses(e scenarios.Event, locations [2]int) *goals {
	return s.remembered(fmt.Sprint("access ", e.Unit, e.Kind, locations[e.Loc-1]), func() goals {
		return goals{at: s.matching(e, locations), walls: anything}
	})
}

// accessesBefore returns the accesses that match an event and after which one comes that matches another one of the
// unit.
func (s *Search) accessesBefore(e, later scenarios.Event, locations [2]int) *goals {
	name := fmt.Sprint("access ", e.Unit, e.Kind, locations[e.Loc-1], " then ", later.Kind, locations[later.Loc-1])
	return s.remembered(name, func() goals {
		return goals{at: s.matching(e, locations), then: s.accesses(later, locations), walls: anything}
	})
}

// matching returns the nodes of the accesses that match an event.
func (s *Search) matching(e scenarios.Event, locations [2]int) map[int32]bool {
	all := s.nodes(func(st esl.Stmt) bool {
		return st.Op == esl.Access && st.Arg == locations[e.Loc-1] &&
			(e.Kind == scenarios.Read && st.Access.Reads() || e.Kind == scenarios.Write && st.Access.Writes())
	})
	for n := range all {
		f := s.graph.of[n]
		if s.overlooked != nil && s.overlooked(e.Unit, esl.Place{Function: int(f), Index: int(n - s.graph.first[f])}) {
			delete(all, n)
		}
	}
	return all
}

// beginnings returns where a unit begins from which goals can be reached before it ends. On the way there no unit on
// the object may begin, unless that is -1. Some statements do not count.
func (s *Search) beginnings(u Unit, next *goals, object int, without []int32) *goals {
	return s.remembered(fmt.Sprintf("begin %v %d for %s but %d", u.UnitName, object, next.name, without), func() goals {
		g := goals{at: map[int32]bool{}, costs: map[int32]int32{}, walls: walls{object: object, label: u.Label}}
		b := &bound{object: u.Object}
		for n := range s.nodes(func(st esl.Stmt) bool {
			return st.Op == esl.UnitBegin && st.Arg == u.Object && st.Unit == u.Label
		}) {
			f := int(s.graph.of[n])
			if d := s.inside(next, b, b.frame, f)[n+1-s.graph.first[f]]; d < never && !slices.Contains(without, n) {
				g.at[n], g.costs[n] = true, d
			}
		}
		return g
	})
}

// statements returns the statements with an operation on something.
func (s *Search) statements(op esl.Op, arg int) *goals {
	return s.remembered(fmt.Sprint("op ", op, arg), func() goals {
		return goals{at: s.nodes(func(st esl.Stmt) bool { return st.Op == op && st.Arg == arg }), walls: anything}
	})
}

// nodes returns the nodes of some statements.
func (s *Search) nodes(is func(esl.Stmt) bool) map[int32]bool {
	all := map[int32]bool{}
	for f, fn := range s.program.Functions {
		for i, st := range fn.Body {
			if n := s.graph.first[f] + int32(i); !s.graph.isShut[n] && is(st) {
				all[n] = true
			}
		}
	}
	return all
}

// remembered returns goals by their name.
func (s *Search) remembered(name string, find func() goals) *goals {
	if s.known[name] == nil {
		g := find()
		g.name = name
		s.known[name] = s.goalsOf(g, g.walls)
	}
	return s.known[name]
}

// goalsOf returns goals with the ways to them.
func (s *Search) goalsOf(g goals, behind walls) *goals {
	limit.Pay(s.ctx, limit.Simplified*limit.Work(len(s.graph.of)))
	g.walls, g.inner = behind, map[inner][]int32{}
	after := func(int32) int32 { return never }
	if g.then != nil {
		g.passed = s.graph.passing(g.at)
		after = func(n int32) int32 { return g.then.dist[n] }
	}
	g.dist = s.graph.toward(s.begins(&g, 0, int32(len(s.graph.of))-1, after), behind.isWall)
	return &g
}
