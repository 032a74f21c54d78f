package atomicity

import (
	"cmp"
	"context"
	"go/token"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// Program is what is known of a program for all its units.
type Program struct {
	numbers
	graph       *pointsto.Result
	unpublished *fresh.Analysis
	holding     *holding
	disciplines map[class]*discipline
	collected   map[class][]access // which are not yet in them
	inPlace     map[*ssa.Function]bool
	loops       map[*ssa.Function]map[*ssa.BasicBlock]map[*ssa.BasicBlock]bool
	ids         map[any]int
	proofs      map[*ssa.Function]*Proof
	sections    map[*ssa.BasicBlock]*sections
}

// New looks at a whole program.
func New(ctx context.Context, graph *pointsto.Result) *Program {
	p := &Program{graph: graph, unpublished: fresh.New(ctx, graph), inPlace: map[*ssa.Function]bool{},
		loops: map[*ssa.Function]map[*ssa.BasicBlock]map[*ssa.BasicBlock]bool{}, ids: map[any]int{},
		proofs: map[*ssa.Function]*Proof{}, sections: map[*ssa.BasicBlock]*sections{}}
	p.holding = newHolding(p)
	p.findDisciplines()
	return p
}

// id numbers functions and instructions.
func (p *Program) id(v any) int {
	if n, ok := p.ids[v]; ok {
		return n
	}
	p.ids[v] = len(p.ids) + 1
	return len(p.ids)
}

// Proof says whether a unit of work is effectively atomic, and why.
type Proof struct {
	IsAtomic bool
	// of a unit that is: where it does what others can see; not valid if it does nothing that they can see
	Point    token.Pos
	OnlyAdds bool // it only adds to numbers that nobody reads
	// of one that is not known to be: where the proof ends, and why
	At  token.Pos
	Why string

	orders map[order]bool
}

// Unit tells whether a call of a function is effectively atomic.
func (p *Program) Unit(fn *ssa.Function) *Proof {
	if p.proofs[fn] == nil {
		p.proofs[fn] = p.prove(fn)
	}
	return p.proofs[fn]
}

func (p *Program) prove(fn *ssa.Function) *Proof {
	if len(fn.Blocks) == 0 {
		return &Proof{At: fn.Pos(), Why: "has no body"}
	}
	red, ok := p.whole(fn)
	if ok {
		proof := &Proof{IsAtomic: true, orders: red.orders}
		if red.commit != nil {
			proof.Point = position(red.commit)
		}
		return proof
	}
	u := &unit{fn: fn, budget: maxSteps, run: run{Program: p, pool: newPool(), orders: map[order]bool{}}}
	u.reduction, u.steps, u.havocs = p.newReduction(), &u.budget, &u.rounds
	return u.prove()
}

// ShortName is the name of a function without the paths of packages.
func ShortName(fn *ssa.Function) string {
	return fn.RelString(fn.Package().Pkg)
}

// position returns where an instruction is, or one near it.
func position(at ssa.Instruction) token.Pos {
	if at.Pos().IsValid() {
		return at.Pos()
	}
	for _, instr := range at.Block().Instrs {
		if instr.Pos().IsValid() {
			return instr.Pos()
		}
	}
	return at.Parent().Pos()
}

// AreHarmless tells whether two units that are effectively atomic always come to an end, whatever the
// interleaving of the two: they do not take locks in different orders.
func AreHarmless(a, b *Proof) bool {
	if !a.IsAtomic || !b.IsAtomic {
		return false
	}
	next := map[rune][]rune{}
	for _, orders := range []map[order]bool{a.orders, b.orders} {
		for o := range orders {
			if o.first <= 0 || o.second <= 0 {
				return false // it is not known which locks they are
			}
			next[o.first] = append(next[o.first], o.second)
		}
	}
	for lock := range next {
		seen := map[rune]bool{}
		for work := slices.Clone(next[lock]); len(work) > 0; {
			to := work[len(work)-1]
			work = work[:len(work)-1]
			if to == lock {
				return false
			}
			if !seen[to] {
				seen[to] = true
				work = append(work, next[to]...)
			}
		}
	}
	return true
}

// unit is one of which the proof is looked for.
type unit struct {
	run    // what all its runs share
	fn     *ssa.Function
	budget int
	rounds int
	last   *notReduced
}

func (u *unit) newRun() *run {
	return &run{Program: u.Program, pool: u.pool, reduction: u.reduction, steps: u.steps, havocs: u.havocs,
		orders: u.orders}
}

// entry is the state in which the unit begins.
func (u *unit) entry() *state {
	f := newFrame(u.fn)
	s := &state{frames: []*frame{f}, locals: map[term]term{}, made: map[term]bool{}, count: map[ssa.Instruction]int{}}
	for i, p := range u.fn.Params {
		f.env[p] = u.apply("arg " + strconv.Itoa(i))
	}
	locks := u.holding.entry[u.fn]
	var all []place
	for p := range locks {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.root.Name(), b.root.Name()), cmp.Compare(a.path, b.path))
	})
	r := u.newRun()
	for _, p := range all {
		address := r.value(s, p.root)
		for _, n := range p.path {
			address = u.apply("&"+strconv.Itoa(int(n)), address)
		}
		if r.why == nil {
			s.held = append(s.held, hold{address, locks[p], 0})
		}
	}
	return s
}

// prove follows all paths, and looks for the moment of each.
func (u *unit) prove() *Proof {
	between := u.newRun()
	between.explore(u.entry())
	if between.why != nil {
		return &Proof{At: position(between.why.at), Why: between.why.what}
	}
	proof := &Proof{IsAtomic: true, orders: u.orders}
	for _, o := range between.outcomes {
		if u.close(o.conds).contradiction {
			continue
		}
		m := u.momentOf(o)
		if m == nil {
			return &Proof{At: position(u.last.at), Why: u.last.what}
		}
		proof.OnlyAdds = proof.OnlyAdds || len(o.sums) > 0
		if m.at != nil && (len(o.writes) > 0 || !proof.Point.IsValid()) {
			proof.Point = position(m.at)
		}
	}
	return proof
}

// momentOf returns a moment at which a path can be seen as done, nil if none is found.
func (u *unit) momentOf(o *outcome) *moment {
	u.last = &notReduced{o.at, "does several things that others see"}
	if held := u.entry().held; o.kind == returns && !slices.Equal(o.held, held) {
		u.last = &notReduced{o.at, "leaves a lock that it has taken"}
		return nil
	}
	all := slices.Clone(o.moments)
	if o.kind == rests {
		all = all[len(all)-1:]
	}
	if len(all) == 0 {
		all = []moment{{held: u.entry().held}}
	}
	writes := func(m moment) int {
		for _, w := range o.writes {
			if w.time == m.time {
				return 0
			}
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b moment) int {
		return cmp.Or(cmp.Compare(writes(a), writes(b)), cmp.Compare(b.time, a.time))
	})
	for i := range all {
		if u.isAsAt(o, &all[i]) {
			return &all[i]
		}
	}
	return nil
}
