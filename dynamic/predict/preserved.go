package predict

import (
	"slices"
	"strings"

	"github.com/empire-go/empire-go/dynamic/events"
	"github.com/empire-go/empire-go/dynamic/predict/order"
	"github.com/empire-go/empire-go/dynamic/predict/preserving"
)

// Deadlock is threads that wait for each other if the same events come in another order.
type Deadlock struct {
	Waits []Waiting // each waits for a lock that the next one holds, the last for the first
	Steps []Step    // of the run: what these threads take; then the acquires for which they wait, on the path
	ID    string    // of the result
	leads []Step    // of the run: all that is taken where these threads take what they hold and wait
}

// Waiting is a thread that waits for a lock.
type Waiting struct {
	Step
	Held *Step // the acquire with which another one holds the lock; nil if it is not in the window any more
}

// Race is two accesses that can both come next if the same events come in another order.
type Race struct {
	Accesses [2]Step
	Steps    []Step // of the run: what the two threads take, release and start; then the accesses, on the path
	Seen     bool   // nothing orders them in the observed run either
	ID       string // of the result
	leads    []Step // of the run: what the two threads take
}

// preserved looks for deadlocks, data races and what else can go wrong in another order in a window. Windows overlap by
// half, so that what lies in half of one is seen together.
func (p *predictor) preserved() {
	if p.options.Deadlocks {
		p.report.PreservedLeft += preserving.Deadlocks(p.h, p.isTry, preserving.Defaults, p.deadlock)
	}
	if p.options.Races {
		isAtomic := func(id order.ID) bool { return p.at(id).Atomic }
		p.report.PreservedLeft += preserving.Races(p.h, isAtomic, preserving.Defaults, p.race)
	}
	p.swaps()
}

// isTry tells whether an acquire does not wait.
func (p *predictor) isTry(id order.ID) bool {
	src, ok := p.src.(interface{ Tries(place uint32) bool })
	return ok && src.Tries(p.at(id).Place)
}

// isNew notes the code of some events, and tells whether it is new.
func (p *predictor) isNew(class string, all []order.ID) bool {
	var parts []string
	for _, id := range all {
		parts = append(parts, p.code(id))
	}
	slices.Sort(parts)
	key := class + "|" + strings.Join(parts, "|")
	if p.told[key] {
		return false
	}
	p.told[key] = true
	return true
}

func (p *predictor) deadlock(d preserving.Deadlock) {
	if !p.isNew("deadlock", d.Waits) {
		return
	}
	out := &Deadlock{Steps: p.taken(d.Run, d.Waits)}
	for i, id := range d.Waits {
		w := Waiting{Step: p.described(p.at(id))}
		if p.h.Kept(d.Holds[i]) {
			held := p.described(p.at(d.Holds[i]))
			w.Held = &held
		}
		out.Waits = append(out.Waits, w)
	}
	places := map[string]bool{}
	for _, w := range out.Waits {
		places[w.Pos] = true
		if w.Held != nil {
			places[w.Held.Pos] = true
		}
	}
	for _, id := range d.Run {
		if !p.h.Find(id).Kind.Acquires() {
			continue
		}
		if s := p.described(p.at(id)); places[s.Pos] && len(out.leads) < maxLeads {
			out.leads = append(out.leads, s)
		}
	}
	p.report.Deadlocks = append(p.report.Deadlocks, out)
}

// maxLeads bounds the steps that a program is led along.
const maxLeads = 1000

func (p *predictor) race(r preserving.Race) {
	both := r.Accesses[:]
	if !p.isNew("race", both) {
		return
	}
	out := &Race{Steps: p.taken(r.Run, both), Seen: p.unordered[p.pair(p.at(both[0]), p.at(both[1]))]}
	for i, id := range both {
		out.Accesses[i] = p.described(p.at(id))
	}
	for _, id := range r.Run {
		isOf := id.Thread == both[0].Thread || id.Thread == both[1].Thread
		if isOf && p.h.Find(id).Kind.Acquires() && len(out.leads) < maxLeads {
			out.leads = append(out.leads, p.described(p.at(id)))
		}
	}
	p.report.Races = append(p.report.Races, out)
}

// pair names the code of two accesses.
func (p *predictor) pair(a, b events.Event) [2]place {
	x, y := p.placeOf(a), p.placeOf(b)
	if y.number < x.number || y.number == x.number && (y.op < x.op || y.op == x.op && y.text < x.text) {
		x, y = y, x
	}
	return [2]place{x, y}
}

func (p *predictor) placeOf(e events.Event) place {
	at := place{op: e.Op, number: e.Place}
	if e.Place == 0 {
		at.text = p.src.Text(e)
	}
	return at
}

// taken is the latest operations of synchronisation of the threads of some events in a run, and then these events.
func (p *predictor) taken(run, last []order.ID) (all []Step) {
	for _, id := range run {
		e := p.at(id)
		isOf := slices.ContainsFunc(last, func(l order.ID) bool { return l.Thread == id.Thread })
		if kind := e.Op.Kind(); isOf && kind != events.Variable && kind != events.Nothing {
			all = append(all, p.described(e))
		}
	}
	if n := len(all); n > maxSteps {
		all = all[n-maxSteps:]
	}
	for _, id := range last {
		s := p.described(p.at(id))
		s.Path = true
		all = append(all, s)
	}
	return all
}
