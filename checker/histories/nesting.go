package histories

import (
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/checker/poststar"
	"github.com/empire-go/empire-go/cpds"
)

const (
	maxLocks       = 64      // a set of locks is one word
	maxOrders      = 1 << 12 // orders in which a thread may hold locks
	maxTransitions = 1 << 19 // of one saturation
)

// lockUse is what a letter does with a mutex.
type lockUse struct {
	lock int8
	kind lockKind
}

type lockKind uint8

const (
	noLock lockKind = iota
	acquires
	releases
)

// findMutexes finds the processes that are mutexes, shared by threads in pairs with them,
// and what letters do with them.
func (s *System) findMutexes(processes []Process) []bool {
	takePart := make([]int, len(s.locks))
	for _, p := range processes {
		for _, a := range p.Pushdown.Letters {
			takePart[a]++
		}
	}
	is := make([]bool, len(processes))
	count := 0
	for i, p := range processes {
		uses, ok := mutex(p.Component)
		for _, a := range p.Component.Alphabet {
			ok = ok && takePart[a] == 2 && s.locks[a].kind == noLock
		}
		if !ok || count == maxLocks {
			continue // part of the rest
		}
		is[i] = true
		for _, a := range p.Component.Alphabet {
			s.locks[a] = lockUse{int8(count), uses[a]}
		}
		count++
	}
	return is
}

// mutex tells whether each action of a component either leads out of the initial state, free,
// or back into it. Who may release it is not asked: nested threads release what they hold.
func mutex(c *cpds.Component) (uses map[int]lockKind, ok bool) {
	if !c.Finite() || len(c.Initial.Stack) != 1 || len(c.Final) > 0 {
		return nil, false
	}
	uses = map[int]lockKind{}
	for _, r := range c.Rules {
		from := r.From == c.Initial.Control && r.Top == c.Initial.Stack[0]
		to := r.To == c.Initial.Control && r.Push[0] == c.Initial.Stack[0]
		kind := releases
		if from {
			kind = acquires
		}
		if r.Action == cpds.Tau || from == to || uses[r.Action] != noLock && uses[r.Action] != kind {
			return nil, false
		}
		uses[r.Action] = kind
	}
	return uses, len(uses) == len(c.Alphabet) && len(uses) > 0
}

// usesLocks tells whether a process takes or releases a mutex.
func (s *System) usesLocks(p *poststar.Pushdown) bool {
	return slices.ContainsFunc(p.Letters, func(a int32) bool { return s.locks[a].kind != noLock })
}

// checkNesting fails if a run of the thread alone releases a lock that is not the one it
// holds that it took last. To take a lock that it holds blocks it for ever, then.
func (s *System) checkNesting(t *thread) error {
	if !s.usesLocks(t.pushdown) {
		return nil
	}
	guide := &automaton.Automaton{}
	index := map[string]int32{}
	var orders [][]int8
	state := func(held []int8) int32 {
		key := fmt.Sprint(held)
		i, ok := index[key]
		if !ok {
			i = guide.Add(automaton.None)
			index[key] = i
			orders = append(orders, held)
		}
		return i
	}
	wrong := state([]int8{-1})
	guide.Start = state(nil)
	for i := guide.Start; int(i) < len(orders); i++ {
		if len(orders) > maxOrders {
			return errTooMany
		}
		held := orders[i]
		for _, a := range t.pushdown.Letters {
			use := s.locks[a]
			switch {
			case use.kind == noLock:
				guide.Connect(i, a, i)
			case use.kind == acquires && !slices.Contains(held, use.lock):
				guide.Connect(i, a, state(append(slices.Clone(held), use.lock)))
			case use.kind == releases && len(held) > 0 && held[len(held)-1] == use.lock:
				guide.Connect(i, a, state(slices.Clone(held[:len(held)-1])))
			case use.kind == releases:
				guide.Connect(i, a, wrong)
			}
		}
	}
	sat, err := poststar.Saturate(s.ctx, t.pushdown, s.labels, poststar.Query{Guide: guide, Limit: maxTransitions})
	if err != nil {
		return err
	}
	if sat.Visited()[wrong] {
		return ErrNotNested
	}
	return nil
}
