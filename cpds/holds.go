package cpds

import (
	"context"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/limit"
)

// maxHolds is where counting of the shared holds of one process on one lock stops:
// it stands for itself and everything above.
const maxHolds = 3

// holds says how often a process can hold a lock at its statements, by an
// interprocedural analysis that is exact up to maxHolds and infeasible paths.
type holds struct {
	strangers []bool         // by lock: a process may release a hold that it has not taken
	max       map[[2]int]int // by lock and process: the most shared holds
	guards    guards
	stops     []stops // by process
}

// stranger tells whether some process may release a hold on the lock that another
// one has taken. Then removing a process can block others.
func (h *holds) stranger(lock int) bool { return h.strangers[lock] }

// most returns how many shared holds the process can have on the lock at once;
// maxHolds means that many or more.
func (h *holds) most(lock, process int) int { return h.max[[2]int{lock, process}] }

func newHolds(ctx context.Context, p *esl.Program) (*holds, error) {
	h := &holds{make([]bool, len(p.Locks)), map[[2]int]int{}, newGuards(p), make([]stops, len(p.Processes))}
	calls := newCalls(p)
	for l := range p.Locks {
		touches := calls.touching(l)
		for how := range modes {
			a, err := newHoldAnalysis(ctx, p, l, how, touches, calls.returns)
			if err != nil {
				return nil, err
			}
			for i, q := range p.Processes {
				hold := Hold{l, how == shared}
				most, stranger := a.from(q.Entry, func(at position, s esl.Stmt, held counts) {
					if how != shared {
						h.guards.see(i, guard{l, how == inAnyWay}, s, held)
					}
					if how != inAnyWay {
						h.stops[i].see(at, hold, s, held)
					}
				})
				if how == inAnyWay {
					continue
				}
				h.stops[i].ends(hold, a.sweep(q.Entry, 1, nil))
				h.strangers[l] = h.strangers[l] || stranger
				if how == shared {
					h.max[[2]int{l, i}] = most
				}
			}
		}
	}
	return h, nil
}

// mode is a way to hold a lock.
type mode int

const (
	exclusively mode = iota
	shared
	inAnyWay // of which it is not known which: as a helper that is called by readers and by writers
	modes
)

func (m mode) takes(op esl.Op) bool {
	return m != shared && op == esl.LockOp || m != exclusively && op == esl.RLock
}

func (m mode) puts(op esl.Op) bool {
	return m != shared && op == esl.Unlock || m != exclusively && op == esl.RUnlock
}

// position is a statement of a function.
type position struct{ function, index int }

// counts is a set of hold counts, 0 to maxHolds.
type counts uint8

// holdAnalysis is about one lock and one mode.
type holdAnalysis struct {
	program *esl.Program
	mode    mode
	lock    int
	limit   int                    // of the count
	returns [][maxHolds + 1]counts // by function and count at entry: the counts at its return
}

// newHoldAnalysis computes what functions do to the count, as the least fixed
// point: O(functions x statements) sweeps at most, few in practice. Those that do not touch the lock leave the count as
// it is, if they return.
func newHoldAnalysis(ctx context.Context, p *esl.Program, lock int, how mode, touches, returns []bool) (
	*holdAnalysis, error) {
	a := &holdAnalysis{p, how, lock, maxHolds, make([][maxHolds + 1]counts, len(p.Functions))}
	if how == exclusively {
		a.limit = 1
	}
	var open []int
	for f := range p.Functions {
		if touches[f] {
			open = append(open, f)
			continue
		}
		for n := 0; n <= a.limit && returns[f]; n++ {
			a.returns[f][n] = 1 << n
		}
	}
	for changed := true; changed; {
		changed = false
		for _, f := range open {
			if err := limit.Pay(ctx, limit.Transition*limit.Work(len(p.Functions[f].Body)+1)); err != nil {
				return nil, err
			}
			for n := 0; n <= a.limit; n++ {
				at := a.sweep(f, 1<<n, nil)
				if at != a.returns[f][n] {
					a.returns[f][n], changed = at, true
				}
			}
		}
	}
	return a, nil
}

// sweep returns the counts with which a function returns that is entered with the
// given ones, and shows each statement with its counts to visit.
func (a *holdAnalysis) sweep(f int, entry counts, visit func(at position, s esl.Stmt, before counts)) counts {
	body := a.program.Functions[f].Body
	before := make([]counts, len(body)+1)
	var returns counts
	work := []int{0}
	before[0] = entry
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if i == len(body) || body[i].Op == esl.Return {
			returns |= before[i]
			continue
		}
		after := a.after(body[i], before[i])
		next := []int{i + 1}
		if op := body[i].Op; op == esl.Goto || op == esl.Choice {
			next = body[i].Targets
		}
		for _, t := range next {
			if before[t]|after != before[t] {
				before[t] |= after
				work = append(work, t)
			}
		}
	}
	if visit != nil {
		for i, s := range body {
			if before[i] != 0 {
				visit(position{f, i}, s, before[i])
			}
		}
	}
	return returns
}

// after returns the counts after a statement. A process that acquires an exclusive
// lock again does not go on: somebody else would have to release it, and of the first
// release of that kind in a run the counts before it are exact.
func (a *holdAnalysis) after(s esl.Stmt, before counts) counts {
	takes, puts := a.mode.takes(s.Op), a.mode.puts(s.Op)
	if s.Op != esl.Call && (s.Arg != a.lock || !takes && !puts) {
		return before
	}
	var after counts
	for n := 0; n <= a.limit; n++ {
		if before>>n&1 == 0 {
			continue
		}
		switch {
		case s.Op == esl.Call:
			after |= a.returns[s.Arg][n]
		case takes:
			if n < a.limit || s.Op == esl.RLock {
				after |= 1 << min(n+1, a.limit)
			}
		case puts:
			after |= 1 << max(n-1, 0)
			if n == maxHolds {
				after |= 1 << n
			}
		}
	}
	return after
}

// from returns the highest count in code reachable from a process's entry function,
// and whether a release may find the count at zero.
// It shows each statement, with the counts before it, to see; one that is shown again has more of them.
func (a *holdAnalysis) from(entry int, see func(at position, s esl.Stmt, before counts)) (
	most int, stranger bool) {
	entries := make([]counts, len(a.program.Functions))
	entries[entry] = 1
	for work := []int{entry}; len(work) > 0; {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		a.sweep(f, entries[f], func(at position, s esl.Stmt, before counts) {
			for n := most + 1; n <= a.limit; n++ {
				if a.after(s, before)>>n&1 != 0 {
					most = n
				}
			}
			see(at, s, before)
			stranger = stranger || a.mode.puts(s.Op) && s.Arg == a.lock && before&1 != 0
			if s.Op == esl.Call && entries[s.Arg]|before != entries[s.Arg] {
				entries[s.Arg] |= before
				work = append(work, s.Arg)
			}
		})
	}
	return most, stranger
}
