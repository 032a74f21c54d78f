package refine

import (
	"github.com/empire-go/empire-go/checker/counting"
	"github.com/empire-go/empire-go/checker/poststar"
)

// counts answers the labels for which no word can have as many of each action in one
// component as in another.
type counts struct{}

func (counts) name() string { return "counting" }

func (m counts) turn(d *decision) (more bool, err error) {
	var systems []*poststar.Pushdown
	for _, p := range d.processes {
		systems = append(systems, p.pds)
	}
	for label := range d.answers {
		if d.labels.Has(d.open, label) && counting.Disjoint(d.ctx, systems, d.labels, label) {
			d.refute(d.labels.Of(label), m.name())
		}
	}
	return false, nil
}
