package lower

import (
	"fmt"
	"maps"
	"slices"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/notes"
	"github.com/empire-go/empire-go/frontend/rules"
	"github.com/empire-go/empire-go/frontend/segments"
)

// ServiceLoop is the kind of the assumption that iterations of a loop are units of work.
const ServiceLoop = "service loop"

// finish turns the clones into an ESL program: joins get their processes, what has
// no effect is left out, segments become statements.
func (l *lowerer) finish(entry *clone) (*Result, error) {
	l.expandJoins()
	l.joinAlike()
	l.asSegments().Prune()
	r := &Result{Program: &esl.Program{Name: l.Program.Module}, Memory: l.memory, Keys: l.keyTexts,
		Inlined:  map[esl.Pos]string{},
		Removals: map[esl.Pos]bool{}, Rules: l.Rules, Loose: l.loose, Entrances: l.entrances, Busy: l.busy}
	for _, instr := range l.reads.Removals() {
		r.Removals[l.position(instr)] = true
	}
	p := r.Program
	for _, star := range l.Stars.Stars {
		p.Objects = append(p.Objects, esl.Object{Name: star.Name, Site: star.Site})
		for _, f := range l.Stars.Subject.Fields {
			p.Locations = append(p.Locations, esl.Location{Object: len(p.Objects) - 1, Name: f})
		}
	}
	p.Locks = l.lockList
	p.Channels = l.channelList
	for _, name := range l.flagNames {
		p.Flags = append(p.Flags, esl.Flag{Name: name})
	}

	all := l.asSegments()
	from := map[esl.Pos]int{}
	// The activation that forgets what a look has read has to have read it.
	all.Inline(func(f int) bool { return l.order[f].look != "" }, from)
	all.MergeLoops(l.loops, from)
	for pos, f := range from {
		r.Inlined[pos] = l.order[f].goName
	}
	live := all.Reachable(entry.index)
	functions := map[int]int{} // clone to ESL function
	for _, c := range l.order {
		if live.Functions[c.index] {
			functions[c.index] = len(p.Functions)
			p.Functions = append(p.Functions, esl.Function{Name: c.name, Pos: l.clonePosition(c)})
			r.GoFunctions = append(r.GoFunctions, c.goName)
		}
	}
	processes := map[int]int{0: 0}
	p.Processes = []esl.Process{{Name: "main", Entry: functions[entry.index], Copies: 1, Initial: true}}
	for i, q := range l.processList {
		if live.Processes[i+1] {
			processes[i+1] = len(p.Processes)
			p.Processes = append(p.Processes, esl.Process{
				Name: fmt.Sprintf("g%d", len(p.Processes)), Entry: functions[q.entry.index], Copies: q.copies,
				Disjoint: l.disjoint(q), Pos: q.pos})
		}
	}
	for _, at := range l.parts { // a process may have added some
		p.Locations = append(p.Locations, esl.Location{Object: at.Star, Name: l.partName(at)})
	}
	for _, c := range l.order {
		if !live.Functions[c.index] {
			continue
		}
		body := segments.Linearise(all.Functions[c.index], functions, processes)
		p.Functions[functions[c.index]].Body = body
	}
	notes.AddSetters(p, l.valueFlags)
	l.settleTokens(r)
	channels := slices.Collect(maps.Values(l.channels))
	l.Rules.Use(rules.ChannelLocks, notes.SettleChannels(p, channels, slices.Sorted(maps.Keys(l.signals))))
	for _, at := range notes.SettlePassedLocks(p, l.weighted) {
		r.PassesLocks = true
		if at.InModule() {
			l.assumptions[Assumption{"lock", at, "the lock used here excludes nobody: goroutines of which only some " +
				"are modelled pass it on to each other"}] = true
		}
	}
	if len(l.services) > 0 {
		for _, service := range notes.SettleServices(p) {
			l.assume(ServiceLoop, l.services[service-1],
				"each iteration of this loop is a unit of work of its own, because it begins with waiting here")
		}
	}
	l.Rules.Use(rules.Counters, notes.SettleCounters(p, l.Strict))
	for _, a := range l.Stars.Assumed() {
		l.assume(a.Kind, a.Pos, "%s", a.Text)
	}
	l.assumeLeftOut()
	r.Assumptions = l.sortedAssumptions()
	return r, nil
}

func (l *lowerer) clonePosition(c *clone) esl.Pos {
	if c.node == nil {
		return esl.Pos{}
	}
	return l.Program.Position(c.node.Func.Pos())
}

// asSegments returns the clones without what only their translation needs.
func (l *lowerer) asSegments() *segments.Program {
	p := &segments.Program{Entries: []int{0}}
	for _, c := range l.order {
		var all []*segments.Segment
		for _, seg := range c.segments {
			all = append(all, &seg.Segment)
		}
		p.Functions = append(p.Functions, all)
	}
	for _, q := range l.processList {
		p.Entries = append(p.Entries, q.entry.index)
	}
	return p
}

// expandJoins replaces the joins on wait groups by joins on their processes.
func (l *lowerer) expandJoins() {
	for _, c := range l.order {
		for _, seg := range c.segments {
			var stmts []esl.Stmt
			for _, st := range seg.Stmts {
				if st.Op != esl.Join {
					stmts = append(stmts, st)
					continue
				}
				for i, q := range l.processList {
					if q.groups[-1-st.Arg] {
						stmts = append(stmts, esl.Stmt{Op: esl.Join, Arg: i + 1, Pos: st.Pos})
					}
				}
			}
			seg.Stmts = stmts
		}
	}
}
