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
	Possible map[Place]bool // at which one is blocked for ever if the worst choices are made
	States   int
}

// Stuck explores all states of a program, by single steps, and finds out where instances can be blocked for ever: from
// a state in which one is, no state can be reached in which it can take a step. It is the definition, for programs
// of few states; package checker/blocking does better. An operation that ends the program counts as a step.
func Stuck(ctx context.Context, p *esl.Program, states int) Standing {
	x := Standing{Blocked: map[Place]bool{}, Crashes: map[Place]bool{}, Possible: map[Place]bool{}}
	all := []*State{Initial(p)}
	index := map[string]int{all[0].key(): 0}
	var from [][]int         // by state: those before it
	var mover []map[int]bool // by state: who can move
	var groups [][][]int     // by state: the states after each step; after each choice, those of all its ways
	for n := 0; n < len(all); n++ {
		if n > states || ctx.Err() != nil {
			return x
		}
		for len(from) < len(all) {
			from = append(from, nil)
		}
		s := all[n]
		moves := map[int]bool{}
		var own [][]int
		for i := range s.Threads {
			if s.Ended {
				moves[i] = true
			}
			if s.isCrash(i) {
				for j := range s.Threads {
					moves[j] = true
				}
				x.Crashes[s.place(i)] = true
			}
			var group []int
			for _, step := range s.enabled(i) {
				moves[i] = true
				next := s.Clone()
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
				if group = append(group, to); !chooses(s, i) {
					own = append(own, []int{to})
				}
			}
			if len(group) > 0 && chooses(s, i) {
				own = append(own, group)
			}
		}
		groups = append(groups, own)
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
		for n, is := range surely(groups, mover, i) {
			if s := all[n]; !is && !s.Ended && s.isWaiting(i) {
				x.Possible[s.place(i)] = true
			}
		}
	}
	return x
}

// place returns where a thread is that is running.
func (s *State) place(i int) Place {
	t := s.Threads[i]
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

// chooses tells whether the next step of a thread is one that it, or chance, decides: it may be the worst.
func chooses(s *State, i int) bool {
	stmt, _ := s.next(i)
	return stmt.Op == esl.Choice || stmt.Op == esl.Start
}

// isWaiting tells whether a thread is at a statement that it cannot execute.
func (s *State) isWaiting(i int) bool {
	_, running := s.next(i)
	if !running || s.Meeting.Open || len(s.enabled(i)) > 0 || s.isCrash(i) {
		return false
	}
	return !slices.ContainsFunc(s.offers(i), func(stmt esl.Stmt) bool {
		return stmt.Op == esl.Receive && s.couldReceive(i, stmt, s.passes(i))
	})
}

// surely tells, of each state, whether thread i can go on from there whatever is chosen: some step leads to where it
// can, or is its own.
func surely(groups [][][]int, mover []map[int]bool, i int) []bool {
	free := make([]bool, len(groups))
	for changed := true; changed; {
		changed = false
		for n := range groups {
			is := free[n] || mover[n][i]
			for _, g := range groups[n] {
				is = is || !slices.ContainsFunc(g, func(to int) bool { return !free[to] })
			}
			if is != free[n] {
				free[n], changed = is, true
			}
		}
	}
	return free
}

// Position is where a thread is.
type Position struct {
	Ended           bool // it has been started, and has returned from its entry function
	Function, Index int
}

// At returns where an instance is; of one that has not been started, the zero Position with Index -1.
func (s *State) At(in esl.Instance) Position {
	i := s.thread(in)
	if i < 0 || !s.Threads[i].Started {
		return Position{Index: -1}
	}
	t := s.Threads[i]
	if len(t.Stack) == 0 {
		return Position{Ended: true}
	}
	return Position{Function: t.top().Function, Index: t.top().Next}
}
