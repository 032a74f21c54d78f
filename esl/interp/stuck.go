package interp

import (
	"context"
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// Place is where instances of a process are: at a statement of a function.
type Place struct{ Process, Function, Index int }

// Standing is what Stuck found out.
type Standing struct {
	Complete bool           // all states were explored
	Blocked  map[Place]bool // at which an instance can be blocked for ever
	Crashes  map[Place]bool // at which an instance can execute what ends the program
	States   int
}

// Stuck explores all states of a program, by single steps, and finds out where instances can be blocked for ever: from
// a state in which one is, no state can be reached in which it can take a step. It is the definition, for programs
// of few states; package checker/blocking does better. An operation that ends the program counts as a step.
func Stuck(ctx context.Context, p *esl.Program, states int) Standing {
	x := Standing{Blocked: map[Place]bool{}, Crashes: map[Place]bool{}}
	all := []*State{Initial(p)}
	index := map[string]int{all[0].key(): 0}
	var from [][]int         // by state: those before it
	var mover []map[int]bool // by state: who can move
	for n := 0; n < len(all); n++ {
		if n > states || ctx.Err() != nil {
			return x
		}
		for len(from) < len(all) {
			from = append(from, nil)
		}
		s := all[n]
		moves := map[int]bool{}
		for i := range s.Threads {
			if s.isCrash(i) {
				moves[i] = true
				x.Crashes[s.place(i)] = true
			}
			for _, step := range s.enabled(i) {
				moves[i] = true
				next := s.clone()
				next.execute(i, step)
				key := next.key()
				to, ok := index[key]
				if !ok {
					to = len(all)
					index[key] = to
					all = append(all, next)
					from = append(from, nil)
				}
				from[to] = append(from[to], n)
			}
		}
		mover = append(mover, moves)
	}
	x.Complete, x.States = true, len(all)
	for i := range all[0].Threads {
		free := make([]bool, len(all))
		var queue []int
		for n := range all {
			if mover[n][i] {
				free[n] = true
				queue = append(queue, n)
			}
		}
		for ; len(queue) > 0; queue = queue[1:] {
			for _, n := range from[queue[0]] {
				if !free[n] {
					free[n] = true
					queue = append(queue, n)
				}
			}
		}
		for n, s := range all {
			if _, running := s.next(i); running && !free[n] && !s.Ended {
				x.Blocked[s.place(i)] = true
			}
		}
	}
	return x
}

// place returns where a thread is that is running.
func (s *State) place(i int) Place {
	t := &s.Threads[i]
	return Place{t.Process, t.top().Function, t.top().Next}
}

// isCrash tells whether a thread is at an operation that would end the program now.
func (s *State) isCrash(i int) bool {
	return !s.Ended && !s.Meeting.Open && slices.ContainsFunc(s.offers(i), func(stmt esl.Stmt) bool {
		switch stmt.Op {
		case esl.Send, esl.CloseChannel:
			return s.Channels[stmt.Arg].Closed
		case esl.Unlock:
			return !s.Locks[stmt.Arg].Held
		case esl.RUnlock:
			return s.Locks[stmt.Arg].Readers == 0
		case esl.Add:
			return s.Counters[stmt.Arg]+stmt.Count < 0
		}
		return false
	})
}
