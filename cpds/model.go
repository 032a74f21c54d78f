package cpds

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/scenarios"
)

// Model is an ESL program lowered to pushdown systems, from which the systems of
// single guesses are put together. It is not changed after Lower, so that systems
// may be built concurrently.
type Model struct {
	Program *esl.Program
	Notes   []string // where the model has more runs than the program

	// Overlooked tells which accesses of one of the two units of a guess match nothing; nil: all may.
	Overlooked func(of scenarios.Unit, at esl.Place) bool

	codes    []*code // by process; those that begin in one function have one
	facts    []facts // by process
	holds    *holds
	spans    []spans        // by process
	waits    [][]wait       // by process
	needs    []map[int]bool // by process: see helpersOfAll
	accesses *esl.UnitAccesses
	origins  []origin             // ascending
	origin   map[esl.Instance]int // the first of the instance
	monitors *monitors
}

// Lower translates a valid program (Empire report, sections 4 and 5.3). A function
// is cloned for each combination of units that its callers can have open, of which
// there are at most O((units x objects) ^ objects), few in practice. The error says
// that there are too many.
//
// The step of a Start (see Steps) names the copy that it starts. Where that copy is
// running already because systems leave processes out that cannot matter, the
// statement passes without effect.
func Lower(p *esl.Program) (*Model, error) { return LowerContext(context.Background(), p) }

// LowerContext is Lower that ends early, with the context's error, when the context
// is done.
func LowerContext(ctx context.Context, p *esl.Program) (*Model, error) {
	if p.HasBlocking() {
		return nil, errors.New("it has operations that only questions about blocking need: the pushdown model has none; " +
			"ask whether it blocks: empire-go esl check --class")
	}
	m := &Model{Program: p, accesses: esl.AccessesOf(p), origin: map[esl.Instance]int{}, monitors: newMonitors()}
	for i := range p.Processes {
		if k := m.twin(i); k < i {
			m.codes, m.facts = append(m.codes, m.codes[k]), append(m.facts, m.facts[k])
			continue
		}
		c, err := newCode(ctx, p, i)
		if err != nil {
			return nil, err
		}
		m.codes = append(m.codes, c)
		m.facts = append(m.facts, newFacts(p, c))
	}
	next := 0
	for _, in := range p.Instances() {
		m.origins = append(m.origins, origin{next, in})
		m.origin[in] = next
		next += len(m.codes[in.Process].edges)
	}
	holds, err := newHolds(ctx, p)
	if err != nil {
		return nil, err
	}
	m.holds = holds
	for p := range m.codes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m.waits = append(m.waits, m.waitsOf(p))
	}
	m.needs = m.helpersOfAll()
	m.note()
	return m, nil
}

// origin says that the rules of an instance have the numbers from first on (see Rule.Origin), in the order of the edges
// of its code.
type origin struct {
	first    int
	instance esl.Instance
}

// edgeOf returns the edge that has a number, and the instance.
func (m *Model) edgeOf(number int) (esl.Instance, *edge) {
	i, isFirst := slices.BinarySearchFunc(m.origins, number, func(o origin, n int) int { return o.first - n })
	if !isFirst {
		i--
	}
	for i+1 < len(m.origins) && m.origins[i+1].first == number { // the code of the others has no edges
		i++
	}
	o := m.origins[i]
	return o.instance, &m.codes[o.instance.Process].edges[number-o.first]
}

// twin returns the first process with the code of process p.
func (m *Model) twin(p int) int {
	entry := m.Program.Processes[p].Entry
	return slices.IndexFunc(m.Program.Processes, func(q esl.Process) bool { return q.Entry == entry })
}

// note lists what the model over-approximates.
func (m *Model) note() {
	for l, lock := range m.Program.Locks {
		for p, process := range m.Program.Processes {
			if m.facts[p].locks[l] && m.holds.most(l, p) == maxHolds {
				m.Notes = append(m.Notes, fmt.Sprintf("process %s may hold lock %s shared %d times or more; from there on its "+
					"holds are not counted", process.Name, lock.Name, maxHolds))
			}
		}
	}
}

// facts are what the code of a process does at all.
type facts struct {
	starts, joins map[int]bool // processes
	locks         map[int]bool // locks that it operates on
	sets, awaits  map[int]bool // flags
	channels      map[channelOp]bool
	units         map[esl.UnitName]map[int]kinds
	accesses      map[int]kinds  // by location, in units and outside
	unitNames     []esl.UnitName // the keys of units, in the order of their first access
}

// kinds is a set of access kinds.
type kinds uint8

func (k kinds) has(a esl.AccessKind) bool { return k>>a&1 != 0 }

// any tells whether a kind in the set satisfies the predicate.
func (k kinds) any(is func(esl.AccessKind) bool) bool {
	for a := esl.Read; a <= esl.Increment; a++ {
		if k.has(a) && is(a) {
			return true
		}
	}
	return false
}

func newFacts(p *esl.Program, c *code) facts {
	f := facts{
		starts: map[int]bool{}, joins: map[int]bool{}, locks: map[int]bool{}, sets: map[int]bool{}, awaits: map[int]bool{},
		channels: map[channelOp]bool{},
		units:    map[esl.UnitName]map[int]kinds{}, accesses: map[int]kinds{},
	}
	for _, e := range c.edges {
		switch e.op {
		case esl.Start:
			f.starts[e.arg] = true
		case esl.Join:
			f.joins[e.arg] = true
		case esl.LockOp, esl.Unlock, esl.RLock, esl.RUnlock:
			f.locks[e.arg] = true
		case esl.Set:
			f.sets[e.arg] = true
		case esl.Await:
			f.awaits[e.arg] = true
		case esl.Send, esl.Receive, esl.ReceiveClosed, esl.CloseChannel:
			f.channels[channelOp{e.op, e.arg}] = true
		case esl.Access:
			f.access(*e.label)
		}
	}
	return f
}

func (f *facts) access(l label) {
	f.accesses[l.arg] |= 1 << l.access
	for _, u := range l.tags {
		if f.units[u] == nil {
			f.units[u] = map[int]kinds{}
			f.unitNames = append(f.unitNames, u)
		}
		f.units[u][l.arg] |= 1 << l.access
	}
}
