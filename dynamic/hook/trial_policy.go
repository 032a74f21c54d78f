package hook

import "slices"

// trialPolicy lets the calls of an experiment go on by a schedule, and others when the calls
// cannot. Those who sleep, or try again in a loop, go on after them, and timers go off when a
// call waits and nothing else can happen.
type trialPolicy struct {
	s        *controller
	calls    []*worker
	segments []segment
	trace    []int // the calls, by their numbers, and others, in the order in which they went on
	turns    int
}

// segment lets a call go on for a number of points.
type segment struct{ call, points int }

// other stands for the goroutines that are no calls.
const other = -1

var _ policy = (*trialPolicy)(nil)

// begin prepares for so many calls. The goroutines of others that there were are like any others
// from now on.
func (p *trialPolicy) begin(calls int) { p.calls, p.segments = make([]*worker, calls), nil }

func (p *trialPolicy) join(*worker)   {}
func (p *trialPolicy) closed(*worker) {}
func (p *trialPolicy) isDone() bool   { return true }

// isOver tells whether all calls have returned.
func (p *trialPolicy) isOver() bool {
	return !slices.ContainsFunc(p.calls, func(w *worker) bool { return w != nil && !w.is(ended) })
}

// passes notes a point of the schedule.
func (p *trialPolicy) passes(w *worker) {
	p.turns++
	w.asleep = p.turns
	i := slices.Index(p.calls, w)
	if i < 0 {
		p.trace = append(p.trace, other)
		return
	}
	p.trace = append(p.trace, i)
	if len(p.segments) > 0 && p.segments[0].call == i {
		p.segments[0].points--
	}
}

func (p *trialPolicy) choose(enabled []*worker) *worker {
	for len(p.segments) > 0 {
		now := p.segments[0]
		if now.points > 0 && now.call < len(p.calls) && slices.Contains(enabled, p.calls[now.call]) {
			return p.calls[now.call]
		}
		p.segments = p.segments[1:]
		if len(p.segments) == 0 {
			break
		}
	}
	best, isOver := (*worker)(nil), p.isOver()
	for _, w := range enabled {
		if rank := p.rank(w); isOver && rank >= resting {
			continue
		} else if best == nil || rank < p.rank(best) || rank == p.rank(best) && p.isBefore(w, best) {
			best = w
		}
	}
	return best
}

// Ranks: from resting on, nobody needs to go on for the calls' sake.
const (
	first = iota
	second
	third
	resting
	timing
)

// rank says who goes on before whom.
func (p *trialPolicy) rank(w *worker) int {
	isCall := slices.Contains(p.calls, w)
	switch {
	case w.isTimer && w.at.op == startPoint:
		return timing
	case w.at.op == pausePoint:
		return resting
	case isCall && w == p.s.holder:
		return first
	case isCall:
		return second
	}
	return third
}

// isBefore decides between those of one rank: who sleeps longest goes on, else who runs, else
// who was started first.
func (p *trialPolicy) isBefore(a, b *worker) bool {
	switch {
	case a.at.op == pausePoint && a.asleep != b.asleep:
		return a.asleep < b.asleep
	case a == p.s.holder || b == p.s.holder:
		return a == p.s.holder
	}
	return a.id < b.id
}
