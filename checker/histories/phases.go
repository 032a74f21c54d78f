package histories

import (
	"encoding/binary"
	"slices"

	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/limit"
)

// maxRest bounds the states of the product of the rest.
const maxRest = 1 << 13

// phases are the strongly connected components of the product of what is neither a thread
// nor a mutex, as far as the label can still be reached.
type phases struct {
	inside []map[int32]bool // by phase: the letters that happen without leaving it
	out    [][]change       // by phase
	accept []bool           // by phase: everything of the rest can accept in it
	start  int32

	members [][]int32 // by letter: those of the rest that take part in it
}

// change is a letter that leads to another phase.
type change struct{ letter, to int32 }

// newPhases returns the phases of the rest for a label, nil if it alone cannot reach it.
func (s *System) newPhases(rest []other, label int) (*phases, error) {
	r := &restProduct{System: s, rest: rest, members: make([][]int32, len(s.locks)), graph: &automaton.Automaton{},
		index: map[string]int32{}}
	for i, o := range rest {
		for _, a := range o.letters {
			r.members[a] = append(r.members[a], int32(i))
		}
	}
	if err := r.explore(label); err != nil {
		return nil, err
	}
	r.end()
	reach := r.graph.CanReach(s.labels)
	if reach[0] == automaton.None {
		return nil, nil
	}
	// The same graph with silent edges, of what can reach the label.
	useful := &automaton.Automaton{}
	for from := range r.graph.Edges {
		useful.Add(automaton.None)
		for _, e := range r.graph.Edges[from] {
			if reach[e.To] != automaton.None {
				useful.Connect(int32(from), automaton.Epsilon, e.To)
			}
		}
	}
	group, count := useful.SilentComponents()
	p := &phases{inside: make([]map[int32]bool, count), out: make([][]change, count), accept: make([]bool, count),
		start: group[0], members: r.members}
	for g := range p.inside {
		p.inside[g] = map[int32]bool{}
	}
	for from, edges := range r.graph.Edges {
		g := group[from]
		p.accept[g] = p.accept[g] || r.graph.Accept[from] != automaton.None
		for _, e := range edges {
			switch to := group[e.To]; {
			case reach[e.To] == automaton.None || reach[from] == automaton.None:
			case to == g:
				p.inside[g][e.Letter] = true
			case !slices.Contains(p.out[g], change{e.Letter, to}):
				p.out[g] = append(p.out[g], change{e.Letter, to})
			}
		}
	}
	return p, nil
}

// restProduct is the synchronised product of the rest being explored.
type restProduct struct {
	*System
	rest    []other
	members [][]int32 // by letter: those of the rest that take part in it
	graph   *automaton.Automaton
	index   map[string]int32
	tuples  [][]int32
}

// explore makes the graph of all reachable tuples; state 0 is the initial one.
func (r *restProduct) explore(label int) error {
	initial := make([]int32, len(r.rest))
	for i, a := range r.rest {
		initial[i] = a.automaton.Start
	}
	r.state(initial, label)
	for from := 0; from < len(r.tuples); from++ {
		if err := limit.Pay(r.ctx, limit.State); err != nil {
			return err
		}
		if len(r.tuples) > maxRest {
			return errLimit
		}
		for i, q := range r.tuples[from] {
			last := int32(-1)
			for _, e := range r.rest[i].automaton.Edges[q] {
				if members := r.members[e.Letter]; e.Letter != last && members[0] == int32(i) {
					r.step(int32(from), e.Letter, slices.Clone(r.tuples[from]), members, label)
				}
				last = e.Letter
			}
		}
	}
	return nil
}

// end adds a state for the end of the word, in which the rest takes no letter any more, so
// that the last one is not lost in a phase that it does not leave. Only that state accepts,
// and the initial one if it does.
func (r *restProduct) end() {
	end := r.graph.Add(r.labels.All())
	for from := range r.tuples {
		for _, e := range r.graph.Edges[from] {
			if r.graph.Accept[e.To] != automaton.None {
				r.graph.Connect(int32(from), e.Letter, end)
			}
		}
	}
	for from := range r.tuples[1:] {
		r.graph.Accept[from+1] = automaton.None
	}
}

// step lets the members take a letter in all ways.
func (r *restProduct) step(from, letter int32, tuple, members []int32, label int) {
	if len(members) == 0 {
		r.graph.Connect(from, letter, r.state(slices.Clone(tuple), label))
		return
	}
	m := members[0]
	q := tuple[m]
	for _, e := range r.rest[m].automaton.On(q, letter) {
		tuple[m] = e.To
		r.step(from, letter, tuple, members[1:], label)
	}
	tuple[m] = q
}

func (r *restProduct) state(tuple []int32, label int) int32 {
	key := tupleKey(tuple)
	i, ok := r.index[key]
	if !ok {
		accept := r.labels.Of(label)
		for part, q := range tuple {
			accept = r.labels.Intersect(accept, r.rest[part].automaton.Accept[q])
		}
		i = r.graph.Add(accept)
		r.index[key] = i
		r.tuples = append(r.tuples, tuple)
	}
	return i
}

func tupleKey(tuple []int32) string {
	var b []byte
	for _, q := range tuple {
		b = binary.LittleEndian.AppendUint32(b, uint32(q))
	}
	return string(b)
}
