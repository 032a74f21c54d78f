// Package histories refutes common words of recursive threads that use locks in a nested
// way, by lock histories (Kidd, Lammich, Touili and Reps, A Decision Procedure for
// Detecting Atomicity Violations for Communicating Processes with Locks, SPIN 2009;
// acquisition histories are from Kahlon, Ivančić and Gupta, CAV 2005).
//
// What is neither a thread nor a mutex - the monitor, who is started - goes through phases:
// the strongly connected components of its product. Within a phase the threads have only
// the locks to agree on. Of what a thread does with them in a phase, it matters which locks
// it has at the beginning and gives back, and which it used before that; which it takes for
// good, and which it uses after that; and which it uses at all. That is a lock history, of
// which there are finitely many: saturation restricted to the phases and histories finds
// which sequences of them a thread has, exactly, its stack included. There is no common word
// if no choice of a sequence for each thread, with the same phases, can be interleaved.
//
// That is a proof for any threads whose locks are nested: a run of all threads can be
// rearranged, phase by phase, so that first locks are given back, in the order of the run,
// then used, and then taken for good, in the order of the run; each use stands alone there.
// It is complete where phases are single states, that is where the rest goes round in
// nothing but loops. Threads that share an action in a phase are not held to do it at once.
package histories

import (
	"context"
	"errors"
	"slices"

	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/checker/poststar"
	"github.com/empire-go/empire-go/cpds"
)

// Process is one component with what is known about it.
type Process struct {
	Component *cpds.Component
	Pushdown  *poststar.Pushdown
	Superset  *automaton.Automaton // of its words, as far as they matter; reduced
	Exact     bool                 // Superset has no other words
}

// System is the processes sorted into threads, mutexes and the rest. It is for one
// goroutine.
type System struct {
	ctx     context.Context
	labels  *automaton.Labels
	threads []*thread
	rest    []other
	locks   []lockUse // by letter
	sharing []int     // by letter: how many threads take part in it
}

// other is a process that is neither a thread nor a mutex.
type other struct {
	automaton *automaton.Automaton
	letters   []int32
	labelled  bool // it matters for labels: perhaps it alone refutes them
}

// thread is a process whose locks are nested.
type thread struct {
	pushdown *poststar.Pushdown
	superset *automaton.Automaton
	has      []bool // by letter: takes part in it
}

var (
	// ErrNotNested means that a thread may release a lock that it has not taken last.
	ErrNotNested = errors.New("the locks of a thread are not nested")
	errTooMany   = errors.New("there are too many locks")
)

// New sorts processes over letters from 0 to letters-1. It fails if a thread's locks are
// not nested or released by others, if there are too many, or if the context is done.
func New(ctx context.Context, labels *automaton.Labels, letters int, processes []Process) (*System, error) {
	s := &System{
		ctx: ctx, labels: labels,
		locks: make([]lockUse, letters), sharing: make([]int, letters),
	}
	isMutex := s.findMutexes(processes)
	for i, p := range processes {
		switch {
		case isMutex[i]:
		case p.Exact && p.Component.Finite() && !s.usesLocks(p.Pushdown):
			s.rest = append(s.rest, other{p.Superset, p.Pushdown.Letters, len(p.Component.Final) > 0})
		default:
			t := &thread{p.Pushdown, p.Superset, make([]bool, letters)}
			for _, a := range p.Pushdown.Letters {
				t.has[a] = true
				s.sharing[a]++
			}
			if err := s.checkNesting(t); err != nil {
				return nil, err
			}
			s.threads = append(s.threads, t)
		}
	}
	return s, nil
}

// Disjoint tells whether histories prove that there is no common word with the label. It
// says no if they would be too many. The phases are first those of what is labelled alone:
// they are fewer, and every common word goes through them.
func (s *System) Disjoint(label int) (bool, error) {
	labelled := slices.DeleteFunc(slices.Clone(s.rest), func(o other) bool { return !o.labelled })
	for _, rest := range [][]other{labelled, s.rest} {
		disjoint, err := s.disjoint(rest, label)
		if err != nil && !errors.Is(err, errLimit) && !errors.Is(err, poststar.ErrLimit) {
			return false, err
		}
		if disjoint || len(labelled) == len(s.rest) {
			return disjoint, nil
		}
	}
	return false, nil
}

// disjoint is Disjoint with the phases of some of the rest.
func (s *System) disjoint(rest []other, label int) (bool, error) {
	phases, err := s.newPhases(rest, label)
	if err != nil || phases == nil {
		return err == nil, err
	}
	var plans []plan
	for _, t := range s.threads {
		p, err := s.plans(t, phases, label)
		if err != nil {
			return false, err
		}
		plans = append(plans, p)
	}
	possible, err := s.interleave(plans)
	return err == nil && !possible, err
}

// errLimit means that there are too many states to go on.
var errLimit = errors.New("the limit of the lock histories is passed")
