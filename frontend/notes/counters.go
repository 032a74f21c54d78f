package notes

import (
	"github.com/empire-go/empire-go/esl"
)

// counterMark is the key by which a read and a write say, until the model is
// complete, that they are the two halves of an increment whose result is dropped.
const CounterMark = "counter"

// SettleCounters makes one indivisible increment of the two halves of n++ wherever
// they are a critical section of their own, of a lock with which every access to the
// location is made: then nothing can come between them. Increments whose results are
// dropped commute (scenarios.md, counters); strictly speaking, they are two accesses. It tells
// whether there are any.
func SettleCounters(p *esl.Program, strict bool) (found bool) {
	counters := map[int][]counter{} // by location
	for f := range p.Functions {
		for _, c := range countersIn(p.Functions[f].Body) {
			c.function = f
			location := p.Functions[f].Body[c.at].Arg
			counters[location] = append(counters[location], c)
		}
	}
	for location := range p.Locations {
		if lock, ok := commonLock(counters[location]); ok && !strict && isGuarded(p, location, lock) {
			for _, c := range counters[location] {
				found = true
				body := p.Functions[c.function].Body
				body[c.at].Access = esl.Increment
				body[c.at+1] = esl.Stmt{Op: esl.Skip, Pos: body[c.at+1].Pos}
			}
		}
	}
	for f := range p.Functions {
		for i, st := range p.Functions[f].Body {
			if st.Key == CounterMark {
				p.Functions[f].Body[i].Key = ""
			}
		}
	}
	return found
}

// counter is an increment in a critical section of its own.
type counter struct{ function, at, lock int }

// commonLock returns the lock of all counters, if they have one in common.
func commonLock(all []counter) (lock int, ok bool) {
	for _, c := range all {
		if c.lock != all[0].lock {
			return 0, false
		}
	}
	if len(all) == 0 {
		return 0, false
	}
	return all[0].lock, true
}

// countersIn returns the increments in a body that stand alone between taking a lock
// and releasing it.
func countersIn(body []esl.Stmt) []counter {
	targets := map[int]bool{}
	for _, st := range body {
		for _, t := range st.Targets {
			targets[t] = true
		}
	}
	var all []counter
	for i := 0; i+1 < len(body); i++ {
		read, write := body[i], body[i+1]
		if read.Key != CounterMark || write.Key != CounterMark || read.Access != esl.Read || write.Access != esl.Write ||
			read.Arg != write.Arg || targets[i] || targets[i+1] {
			continue
		}
		before, after := i-1, i+2
		for before >= 0 && isNeutral(body[before]) && !targets[before] {
			before--
		}
		for after < len(body) && isNeutral(body[after]) && !targets[after] {
			after++
		}
		if before < 0 || after >= len(body) || targets[after] {
			continue
		}
		if body[before].Op == esl.LockOp && body[after].Op == esl.Unlock && body[before].Arg == body[after].Arg {
			all = append(all, counter{at: i, lock: body[before].Arg})
		}
	}
	return all
}

// isNeutral tells whether a statement may stand in the critical section of a counter.
func isNeutral(st esl.Stmt) bool {
	return st.Op == esl.Skip || st.Op == esl.UnitBegin || st.Op == esl.UnitEnd || st.Op == esl.Forget
}

// isGuarded tells whether every access to the location is plain and made with the
// lock held, for a read at least shared, and the lock is released only by who holds it.
func isGuarded(p *esl.Program, location, lock int) bool {
	w := newFlow(p)
	writer, reader := hold(w, Exclusively(lock)), hold(w, Shared(lock))
	for f := range p.Functions {
		for i, st := range p.Functions[f].Body {
			ok := true
			switch {
			case st.Op == esl.Access && st.Arg == location:
				ok = !st.Access.Atomic() && (writer.must(f, i) || st.Access == esl.Read && reader.must(f, i))
			case st.Op == esl.Unlock && st.Arg == lock:
				ok = writer.must(f, i)
			case st.Op == esl.RUnlock && st.Arg == lock:
				ok = reader.must(f, i)
			}
			if !ok {
				return false
			}
		}
	}
	return true
}
