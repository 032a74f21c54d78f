package histories

import (
	"encoding/binary"
	"slices"

	"github.com/empire-go/empire-go/limit"
)

// maxMeetings bounds the places of all plans together that are looked at.
const maxMeetings = 1 << 18

// interleave tells whether the threads can follow a plan each to its end, together.
func (s *System) interleave(plans []plan) (bool, error) {
	m := &meeting{plans: plans, seen: map[string]bool{}}
	m.visit(make([]int32, len(plans)), 0)
	for len(m.work) > 0 {
		if err := limit.Pay(s.ctx, limit.State); err != nil {
			return false, err
		}
		if len(m.seen) > maxMeetings {
			return false, errLimit
		}
		at := m.work[len(m.work)-1]
		m.work = m.work[:len(m.work)-1]
		if m.ends(at.places) {
			return true, nil
		}
		m.expand(at)
	}
	return false, nil
}

// meeting is a search, depth first, for an interleaving of plans.
type meeting struct {
	plans []plan
	seen  map[string]bool
	work  []standing
}

// standing is a place in each plan, with the locks that are taken.
type standing struct {
	places []int32
	taken  lockSet
}

func (m *meeting) visit(places []int32, taken lockSet) {
	key := string(binary.LittleEndian.AppendUint64([]byte(tupleKey(places)), uint64(taken)))
	if !m.seen[key] {
		m.seen[key] = true
		m.work = append(m.work, standing{places, taken})
	}
}

func (m *meeting) ends(places []int32) bool {
	for i, p := range places {
		if !m.plans[i][p].accept {
			return false
		}
	}
	return true
}

// expand visits what comes after a step with a lock, or after a change of the phase by all
// threads.
func (m *meeting) expand(at standing) {
	for i, p := range at.places {
		for _, step := range m.plans[i][p].moves {
			lock := lockSet(1) << step.use.lock
			if step.change >= 0 || step.use.kind == acquires && at.taken&lock != 0 {
				continue
			}
			places := slices.Clone(at.places)
			places[i] = step.to
			m.visit(places, at.taken^lock)
		}
	}
	for _, step := range m.plans[0][at.places[0]].moves {
		if step.change >= 0 {
			m.change(at, step)
		}
	}
}

// change visits the place after a change of the phase, if all threads have it next.
func (m *meeting) change(at standing, step move) {
	places := slices.Clone(at.places)
	for i, p := range at.places {
		moves := m.plans[i][p].moves
		k := slices.IndexFunc(moves, func(other move) bool {
			return other.change == step.change && other.phase == step.phase
		})
		if k < 0 {
			return
		}
		places[i] = moves[k].to
	}
	m.visit(places, at.taken)
}
