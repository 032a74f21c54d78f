// Package facts reads off the models of a type what holds of positions of its source in
// any run: how long the value of a read matters, which accesses are increments, which
// goroutines access parts of a field that are different from each other's.
//
// A model decides that a read is forgotten (scenarios.md, "Reads that are checked again") for each
// path on its own; a run is not told which path of the model it is on, but sees by the
// position of each access how far it has come. So for a read at one position the value may
// still matter at another one if it does on some path of some model that leads from one
// to the other within a unit of work. A path is over-approximated: calls return to every
// caller. What is over-approximated only keeps reads from being forgotten.
package facts

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/dynamic/watch"
	"github.com/empire-go/empire-go/esl"
)

// Naming says how names of a model are those of a plan.
type Naming struct {
	Set    int
	Field  map[string]string // by the name of the location in the model
	Output string            // key of reads that flow only into output
}

// Collector collects the facts of several models.
type Collector struct {
	accesses map[place]*access
	apart    map[watch.Apart]bool
}

// place is where a field of a set is accessed.
type place struct {
	set        int
	field, pos string
}

// access is what is known of a place.
type access struct {
	until       map[string]bool // positions at which a read here may still matter
	reads       bool
	writes      bool
	isAtomic    bool // some access reads and writes in one step
	isRead      bool
	isPlain     bool // some access is no increment
	isForgotten bool // some read is forgotten somewhere
	isUsed      bool // some read is for more than output
}

// NewCollector returns a collector without facts.
func NewCollector() *Collector {
	return &Collector{accesses: map[place]*access{}, apart: map[watch.Apart]bool{}}
}

// add adds an access of a kind.
func (a *access) add(kind esl.AccessKind) {
	a.reads, a.writes = a.reads || kind.Reads(), a.writes || kind.Writes()
	a.isAtomic = a.isAtomic || kind == esl.RMW || kind == esl.Increment
	a.isPlain = a.isPlain || kind != esl.Increment
}

// maxSteps bounds the statements that are looked at for one model.
const maxSteps = 50_000_000

// ErrTooLarge means that a model is too large to look at all of its paths.
var ErrTooLarge = errors.New("the model is too large to see how long reads matter")

// Add adds the facts of a valid model. After an error the facts are not to be used: it is
// ErrTooLarge, or the context's.
func (c *Collector) Add(ctx context.Context, p *esl.Program, names Naming) error {
	m := newModel(c, p, names)
	for f := range p.Functions {
		for i, st := range p.Functions[f].Body {
			if st.Op != esl.Access || m.place(st).field == "" {
				continue
			}
			a := m.collector.at(m.place(st))
			a.add(st.Access)
			if !st.Access.Reads() || st.Access == esl.Increment {
				continue
			}
			a.isRead = true
			a.isUsed = a.isUsed || st.Key != names.Output || names.Output == ""
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if m.steps > maxSteps {
				return ErrTooLarge
			}
			m.follow(a, f, i)
		}
	}
	m.addHidden()
	c.addApart(p, names)
	return nil
}

// addApart adds the goroutines that access different parts of a field.
func (c *Collector) addApart(p *esl.Program, names Naming) {
	for _, process := range p.Processes {
		for _, l := range process.Disjoint {
			if field := names.field(p.Locations[l].Name); field != "" && process.Pos.File != "" {
				c.apart[watch.Apart{Set: names.Set, Field: field, Start: process.Pos.String()}] = true
			}
		}
	}
}

// field returns the name of a location's field; what it leads to counts for it.
func (n Naming) field(location string) string {
	return n.Field[strings.TrimSuffix(location, ".*")]
}

func (c *Collector) at(p place) *access {
	a := c.accesses[p]
	if a == nil {
		a = &access{until: map[string]bool{}}
		c.accesses[p] = a
	}
	return a
}

// Write puts the facts into a plan, in order.
func (c *Collector) Write(plan *watch.Plan) {
	for p, a := range c.accesses {
		out := watch.Access{Set: p.set, Field: p.field, Pos: p.pos, Reads: a.reads, Writes: a.writes, Atomic: a.isAtomic,
			Counts: !a.isPlain, Note: a.isRead && !a.isUsed, Passing: a.isForgotten}
		if a.isForgotten {
			out.Until = slices.Sorted(maps.Keys(a.until))
		}
		plan.Accesses = append(plan.Accesses, out)
	}
	slices.SortFunc(plan.Accesses, func(a, b watch.Access) int {
		return cmp.Or(strings.Compare(a.Pos, b.Pos), a.Set-b.Set, strings.Compare(a.Field, b.Field))
	})
	plan.Apart = slices.SortedFunc(maps.Keys(c.apart), func(a, b watch.Apart) int {
		return cmp.Or(strings.Compare(a.Start, b.Start), a.Set-b.Set, strings.Compare(a.Field, b.Field))
	})
}
