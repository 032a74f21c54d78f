package relevance

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// decision is whether what a unit has decided on a first look is decided again from place q on.
//
// What the first looks have said where control comes to q is a formula over the questions that
// the branches before ask. From q on, along each way, the same questions are answered by the
// second looks. Before anything else is done to the set, these answers have to imply the same
// formula (then the unit would have come to q, had it looked only now), or answer each question
// that the first look decided, be it otherwise.
type decision struct {
	r       *Function
	l       *Reads
	read, q ssaflow.Place
	inside  ssaflow.PlaceSet // what is executed between the first looks and q
	derived map[ssa.Value]bool

	asked   []first
	vars    int
	tooMany bool
	reached truths // what the first looks have said at q
	open    []open // what the branches on the read ask

	matched        []answer // to questions that are asked again
	loose, useless bool     // see match
	again          map[*ssa.If]answer
	forgets        map[ssaflow.Place][]answer // by place: answers that are another one after it
	decides        map[ssaflow.Place][]answer // by place: what a helper decides that is called there
}

// first is a question that was asked of the first looks.
type first struct {
	mustalias.Question
	answer
}

// open is what a branch on the read asks, and whether control comes to q by one of its ways only.
type open struct {
	answer
	oneWay bool
}

// isDecidedAgain tells whether what the branches decide on a read is decided on second looks from
// place q on, before anything else is done to the atomic set than to look again at what was
// looked at before.
func (r *Function) isDecidedAgain(l *Reads, branches []*ssa.If, read, q ssaflow.Place, inside ssaflow.PlaceSet,
	derived map[ssa.Value]bool, f *forget) bool {
	at := r.Instrs[q]
	_, isCall := at.(*ssa.Call)
	if r.touches[q] && !isCall && !modref.IsRead(at) || ssaflow.IsCompareAndSwap(at) {
		return false
	}
	d := &decision{r: r, l: l, read: read, q: q, inside: inside, derived: derived,
		again: map[*ssa.If]answer{}, forgets: map[ssaflow.Place][]answer{}, decides: map[ssaflow.Place][]answer{}}
	if !d.decideFirst(branches) {
		return false
	}
	d.matchSecond()
	if d.useless || !d.asksAgain() || !d.holds() {
		return false
	}
	f.Exact = f.Exact && !d.loose
	return true
}

// decideFirst finds what the first looks have said at q; ok is false if that does not show.
func (d *decision) decideFirst(branches []*ssa.If) bool {
	r := d.r
	start, region := d.begin()
	relevant := make(ssaflow.PlaceSet, len(r.Instrs))
	for _, branch := range branches {
		at := r.At[branch]
		relevant[at] = true
		stops := func(p ssaflow.Place) bool { return p == d.q || p == d.read || !region[p] }
		if ssaflow.Reach(at, r.Succs, stops)[at] {
			return false // it is asked several times
		}
		for p, leads := range ssaflow.Reach(at, r.Preds, func(p ssaflow.Place) bool { return !region[p] }) {
			if _, isBranch := r.Instrs[p].(*ssa.If); leads && isBranch && region[p] {
				relevant[p] = true
			}
		}
	}
	k := d.asker()
	for _, branch := range branches {
		k.entered = d.enteredFrom(start, r.At[branch], region)
		d.open = append(d.open, open{k.ask(branch.Cond, nil), r.comesByOneWay(branch, d.q, d.inside)})
	}
	known := map[ssaflow.Place]truths{}
	work := []ssaflow.Place{start}
	known[start] = all()
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		for i, next := range r.Succs[p] {
			if next != d.q && !region[next] {
				continue
			}
			says := known[p]
			if branch, ok := r.Instrs[p].(*ssa.If); ok && relevant[p] {
				k.entered = d.enteredFrom(start, p, region)
				a := k.ask(branch.Cond, nil)
				says = says.and([]truths{a.yes, a.no}[i])
			}
			if sum := known[next].or(says); sum != known[next] {
				known[next] = sum
				if next != d.q {
					work = append(work, next)
				}
			}
		}
	}
	d.reached = known[d.q]
	return !d.tooMany
}

// comesByOneWay tells whether only one way of a branch leads to q.
func (r *Function) comesByOneWay(branch *ssa.If, q ssaflow.Place, inside ssaflow.PlaceSet) bool {
	return slices.ContainsFunc(r.Succs[r.At[branch]], func(next ssaflow.Place) bool { return next != q && !inside[next] })
}

// begin returns where the condition begins that the read is a part of, and what is executed
// from there to q: a later part says nothing of its own where an earlier one decides.
func (d *decision) begin() (ssaflow.Place, ssaflow.PlaceSet) {
	r := d.r
	start, region := d.read, slices.Clone(d.inside)
	region[d.read] = true
	end := d.read
	for b := r.Instrs[d.read].Block(); ; b = b.Idom() {
		outer := b.Idom()
		if outer == nil || len(b.Preds) != 1 || !d.onlyLooks(r.At[b.Instrs[0]], end) {
			return start, region
		}
		end = r.At[outer.Instrs[len(outer.Instrs)-1]]
		inside, ok := r.Between(end, d.q)
		if _, isBranch := r.Instrs[end].(*ssa.If); !isBranch || !ok || r.actsDiffer(end, d.q, inside, nothing) {
			return start, region
		}
		start, region = end, inside
		region[end] = true
	}
}

// onlyLooks tells whether what is executed from one place up to another one, in one block, only
// computes and looks.
func (d *decision) onlyLooks(from, to ssaflow.Place) bool {
	for p := from; p < to; p++ {
		if instr := d.r.Instrs[p]; !ssaflow.Computes(instr) && !d.r.IsLook(ssaflow.AsValue(instr)) {
			return false
		}
	}
	return true
}

// asker returns what finds the questions of the first looks.
func (d *decision) asker() *asker {
	return &asker{
		r: d.r,
		known: func(q mustalias.Question) (answer, bool) {
			for _, f := range d.asked {
				if f.Question == q {
					return f.answer, true
				}
			}
			return answer{}, false
		},
		leaf: func(q mustalias.Question) answer {
			if d.vars == maxQuestions {
				d.tooMany = true
				return unknown()
			}
			a := answer{yes(d.vars), yes(d.vars).complement()}
			d.vars++
			d.asked = append(d.asked, first{q, a})
			return a
		},
		note: func(q mustalias.Question, a answer) { d.asked = append(d.asked, first{q, a}) },
	}
}

// matchSecond finds out what the branches ask that follow q, of the same.
func (d *decision) matchSecond() {
	k := &asker{
		r:     d.r,
		known: d.match,
		leaf:  func(mustalias.Question) answer { return unknown() },
		note:  func(mustalias.Question, answer) {},
	}
	after := ssaflow.Reach(d.q, d.r.Succs, func(ssaflow.Place) bool { return false })
	for p, in := range after {
		if branch, ok := d.r.Instrs[p].(*ssa.If); in && ok {
			k.entered = d.enteredFrom(d.q, ssaflow.Place(p), after)
			d.again[branch] = k.ask(branch.Cond, nil)
		}
	}
}

// asksAgain tells whether each branch on the read is decided somewhere, be it on one way: else the
// read at q does something.
func (d *decision) asksAgain() bool {
	return !slices.ContainsFunc(d.open, func(a open) bool {
		return !slices.ContainsFunc(d.matched, func(b answer) bool { return a.isDecided(b.yes) || a.isDecided(b.no) })
	})
}

// enteredFrom returns by which ways the head of a loop was entered when control has come from one
// place to another one; nil for one that was not passed in all cases.
func (d *decision) enteredFrom(from, to ssaflow.Place, inside ssaflow.PlaceSet) func(head *ssa.BasicBlock) []int {
	return func(head *ssa.BasicBlock) (ways []int) {
		at := d.r.At[head.Instrs[0]]
		if from == to || ssaflow.Reach(from, d.r.Succs, func(p ssaflow.Place) bool { return p == at })[to] {
			return nil
		}
		for i, pred := range head.Preds {
			if end := d.r.At[pred.Instrs[len(pred.Instrs)-1]]; end == from || inside[end] {
				ways = append(ways, i)
			}
		}
		return ways
	}
}

// match returns the answer to a question that was asked of the first looks, too.
func (d *decision) match(second mustalias.Question) (answer, bool) {
	for _, f := range d.asked {
		m := &mustalias.Matcher{Flow: d.r.Flow, Node: d.r.node, L: d.l.values, Read: d.r.Instrs[d.read].(ssa.Value), Q: d.q,
			Inside: d.inside}
		if !m.SameQuestion(f.Question, second) {
			continue
		}
		isOfRead := f.In == nil && (d.derived[f.X] || d.derived[f.Y])
		switch {
		case isOfRead && !m.Paired, !isOfRead && !m.Strict:
			continue
		case !m.Strict && !m.AtQ:
			d.useless = true
		}
		d.loose = d.loose || !m.Strict
		d.matched = append(d.matched, f.answer)
		d.settle(m, second, f.answer)
		return f.answer, true
	}
	return answer{}, false
}

// settle notes where the second question is asked anew, and where it is answered by a helper.
func (d *decision) settle(m *mustalias.Matcher, second mustalias.Question, a answer) {
	if helper := m.DecidesInside(second); helper != nil {
		d.decides[d.r.At[helper]] = append(d.decides[d.r.At[helper]], a)
		return
	}
	made := []ssa.Value{second.X, second.Y}
	if second.In != nil {
		made = []ssa.Value{second.In}
	}
	for _, v := range made {
		if instr, ok := v.(ssa.Instruction); ok {
			d.forgets[d.r.At[instr]] = append(d.forgets[d.r.At[instr]], a)
		}
	}
}

// isDecided tells whether the second looks have said enough.
func (d *decision) isDecided(known truths) bool {
	same := known.implies(d.reached)
	return !slices.ContainsFunc(d.open, func(a open) bool { return !a.isDecided(known) && !(same && a.oneWay) })
}

// maxSteps bounds how far the ways from a second look are followed.
const maxSteps = 4000

// holds tells whether on every way from place q enough is decided in time.
func (d *decision) holds() bool {
	type point struct {
		at    ssaflow.Place
		known truths // before it is executed
	}
	seen := map[point]bool{}
	work := []point{{d.q, all()}}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[p] {
			continue
		}
		seen[p] = true
		if len(seen) > maxSteps {
			return false
		}
		known := []truths{p.known}
		for _, a := range d.forgets[p.at] {
			known[0] = a.forgottenIn(known[0])
		}
		for _, a := range d.decides[p.at] {
			var both []truths
			for _, t := range known {
				both = append(both, a.with(t, a.yes), a.with(t, a.no))
			}
			known = slices.DeleteFunc(both, d.isDecided)
		}
		if len(known) > 0 && p.at != d.q && d.actsAt(p.at) {
			return false
		}
		a, asks := answer{}, false
		if branch, ok := d.r.Instrs[p.at].(*ssa.If); ok {
			a, asks = d.again[branch]
		}
		for i, next := range d.r.Succs[p.at] {
			for _, t := range known {
				if asks {
					t = a.with(t, []truths{a.yes, a.no}[i])
				}
				if !d.isDecided(t) {
					work = append(work, point{next, t})
				}
			}
		}
	}
	return true
}

// actsAt tells whether something is done to the set at a place, but to look again, or whether
// the unit may go on elsewhere.
func (d *decision) actsAt(p ssaflow.Place) bool {
	_, returns := d.r.Instrs[p].(*ssa.Return)
	return returns && d.r.nested || d.r.touches[p] && !d.r.isSecondLook(d.l, p, d.read, d.q, d.inside)
}
