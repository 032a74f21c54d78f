package refine

import "github.com/empire-go/empire-go/checker/histories"

// lockHistories answers the labels that no lock histories of recursive threads with nested
// locks lead to.
type lockHistories struct{}

func (lockHistories) name() string { return "lock histories" }

func (m lockHistories) turn(d *decision) (more bool, err error) {
	var processes []histories.Process
	for _, p := range d.processes {
		processes = append(processes, histories.Process{
			Component: p.component, Pushdown: p.pds, Superset: p.automaton, Exact: p.exact})
	}
	s, err := histories.New(d.ctx, d.labels, len(d.members), processes)
	if err != nil {
		return false, nil // not such threads
	}
	for label := range d.answers {
		if !d.labels.Has(d.open, label) {
			continue
		}
		disjoint, err := s.Disjoint(label)
		if err != nil {
			return false, err
		}
		if disjoint {
			d.refute(d.labels.Of(label), m.name())
		}
	}
	return false, nil
}
