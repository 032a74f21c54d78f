package facttest_test

import (
	"fmt"
	"slices"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/execute/judge"
	"github.com/empire-go/empire-go/frontend/facttest"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/order"
	"github.com/empire-go/empire-go/frontend/ownership"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// newOwners returns the facts of package ownership; who has made a star is known where it is made.
func newOwners(q *modref.Facts) *ownership.Owners {
	owners := ownership.New(mustalias.New(q))
	owners.Maker = func(_ int, star *isolate.Star, n *pointsto.Node, v ssa.Value) ssa.Instruction {
		made, ok := mustalias.BaseKey(v).(ssa.Instruction)
		if !ok || made.Parent() != n.Func {
			return nil
		}
		switch site := made.(type) {
		case *ssa.Alloc:
			if star.Objects[q.Graph.ObjectAt(n, site)] {
				return made
			}
		case *ssa.Call:
			if q.Unpublished.Returns(n, site, 0) {
				return made
			}
		}
		return nil
	}
	return owners
}

// isStar tells whether an object is one of star k.
func isStar(q *modref.Facts, nodes *facttest.Nodes, k int) func(execute.Object) bool {
	return func(o execute.Object) bool {
		all := nodes.Objects(o)
		for _, known := range all {
			if !q.Stars.Stars[k].Objects[known] {
				return false
			}
		}
		return len(all) > 0
	}
}

// handOverFacts are what is put into channels and pools: by who has it for itself.
func handOverFacts(t *testing.T, p *facttest.Program) []judge.Fact {
	var facts []judge.Fact
	for _, q := range queries(t, p) {
		owners := newOwners(q)
		nodes := facttest.NewNodes(q.Graph)
		for k := range q.Stars.Stars {
			carriers := owners.CarriersOf(k)
			f := judge.HandedOver{Is: isStar(q, nodes, k), Name: fmt.Sprintf("star %d", k)}
			p.Instructions(q.Graph, func(n *pointsto.Node, i ssa.Instruction) {
				event := judge.Event{At: i, In: nodes.In(n)}
				for _, put := range ownership.TransfersOf(n, i) {
					switch i.(type) {
					case *ssa.Defer, *ssa.Select: // they put it in later, or not
						continue
					}
					cells := owners.TransferCells(put)
					mayBe := func(o *pointsto.Object) bool { return q.Stars.Stars[k].Objects[o] }
					if put.Put && len(cells) > 0 && !carriers.Excluded[carriers.Find(cells[0])] &&
						slices.ContainsFunc(q.Graph.PointsTo(n, put.Value).Objects(), mayBe) {
						f.Puts = append(f.Puts, judge.Put{Event: event, Value: put.Value})
					}
				}
				if takes(n, i) {
					f.Takes = append(f.Takes, event)
				}
			})
			if len(f.Puts) > 0 {
				facts = append(facts, f)
			}
		}
	}
	return facts
}

// takes tells whether an instruction takes something out of a channel or a pool.
func takes(n *pointsto.Node, i ssa.Instruction) bool {
	if _, isSelect := i.(*ssa.Select); isSelect || ssaflow.IsReceive(i) {
		return true
	}
	_, ok := ownership.Taken(n, i)
	return ok && ssaflow.AsValue(i) != nil
}

// takenFacts are fields that nothing else leads to what they hold.
func takenFacts(t *testing.T, p *facttest.Program) []judge.Fact {
	var facts []judge.Fact
	for _, q := range queries(t, p) {
		owners := newOwners(q)
		nodes := facttest.NewNodes(q.Graph)
		for field, name := range q.Stars.Subject.Fields {
			at := isolate.Location{Star: 0, Field: field}
			if !holdsMemory(q, at) || !owners.CanBeTaken(at) {
				continue
			}
			facts = append(facts, judge.HeldAlone{Name: name, Field: func(place execute.Place) bool {
				return nodes.IsCell(place, func(c pointsto.Cell) bool {
					return len(q.Stars.StarsAt(c)) > 0 && c.Path == name
				})
			}})
		}
	}
	return facts
}

// holdsMemory tells whether the field leads to memory.
func holdsMemory(q *modref.Facts, at isolate.Location) bool {
	for o := range q.Stars.Stars[at.Star].Objects {
		cell := pointsto.Cell{Object: o, Path: q.Stars.Subject.Fields[at.Field]}
		if len(q.Graph.Contents(cell).Objects()) > 0 {
			return true
		}
	}
	return false
}

// elementFacts are the elements that each goroutine has for itself, and loops that come to an object
// once.
func elementFacts(t *testing.T, p *facttest.Program) []judge.Fact {
	var facts []judge.Fact
	for _, q := range queries(t, p) {
		owners := newOwners(q)
		nodes := facttest.NewNodes(q.Graph)
		p.Instructions(q.Graph, func(n *pointsto.Node, i ssa.Instruction) {
			for k := range q.Stars.Stars {
				if header := owners.VisitedOnce(i, k); header != nil {
					is := isStar(q, nodes, k)
					facts = append(facts, judge.VisitedOnce{At: i, In: nodes.In(n), Header: header, Is: is})
				}
			}
			site, ok := i.(ssa.CallInstruction)
			if !ok || !q.Multiplicity.Once(n) {
				return
			}
			for _, e := range q.Graph.Calls(n) {
				if e.Site == site && e.IsStart() {
					for _, at := range owners.OwnElementsOf(ownership.GoroutineStart{Node: n, Site: site, Entry: e.Callee}) {
						facts = append(facts, judge.OwnElements{
							Start: judge.Event{At: i, In: nodes.In(n)},
							Of:    isOfSet(q, nodes, func(l isolate.Location) bool { return l == at }),
						})
					}
				}
			}
		})
	}
	return facts
}

// newFacts are stores of memory that nobody else has.
func newFacts(t *testing.T, p *facttest.Program) []judge.Fact {
	var facts []judge.Fact
	for _, q := range queries(t, p) {
		nodes := facttest.NewNodes(q.Graph)
		p.Instructions(q.Graph, func(n *pointsto.Node, i ssa.Instruction) {
			store, ok := i.(*ssa.Store)
			if _, isConst := valueOf(store).(*ssa.Const); ok && !isConst && ownership.IsEvidentlyNew(store) {
				facts = append(facts, judge.Private{At: i, In: nodes.In(n), Value: path(store.Val)})
			}
		})
	}
	return facts
}

func valueOf(store *ssa.Store) ssa.Value {
	if store == nil {
		return nil
	}
	return store.Val
}

// runsOnceFacts are functions that run once for each object, and flags that only become true.
func runsOnceFacts(t *testing.T, p *facttest.Program) []judge.Fact {
	var facts []judge.Fact
	for _, q := range queries(t, p) {
		happens := order.New(mustalias.New(q))
		nodes := facttest.NewNodes(q.Graph)
		for field, name := range q.Stars.Subject.Fields {
			at := isolate.Location{Star: 0, Field: field}
			if q.Stars.Stars[0].Path != "" || !happens.OnlyBecomesTrue(at) {
				continue
			}
			facts = append(facts, judge.StaysTrue{Name: name, Is: func(place execute.Place) bool {
				all := nodes.Objects(place.Object())
				return len(all) == 1 && q.Stars.Stars[0].Objects[all[0]] && facttest.CellPath(place) == name
			}})
		}
	}
	seen := map[*ssa.Function]bool{}
	for _, n := range p.Graph(t).Nodes() {
		if !p.IsOwn(n.Func) || seen[n.Func] {
			continue
		}
		seen[n.Func] = true
		for outer := n.Func.Parent(); outer != nil; outer = outer.Parent() {
			for _, b := range outer.Blocks {
				for _, i := range b.Instrs {
					if site, ok := i.(*ssa.Alloc); ok && order.RunsOnceFor(n.Func, site) {
						facts = append(facts, judge.OncePer{Function: n.Func, Site: site})
					}
				}
			}
		}
	}
	return facts
}
