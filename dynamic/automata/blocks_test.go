package automata

import (
	"testing"

	"github.com/empire-go/empire-go/scenarios"
)

// TestBlocks holds all patterns to what meet.go and ended.go take for granted of them.
func TestBlocks(t *testing.T) {
	for _, s := range scenarios.Table {
		for _, p := range s.Patterns {
			var blocks [][]scenarios.Event
			for i, e := range p.Events {
				if i == 0 || e.Unit != p.Events[i-1].Unit {
					blocks = append(blocks, nil)
				}
				blocks[len(blocks)-1] = append(blocks[len(blocks)-1], e)
			}
			conflict := func(e scenarios.Event, with []scenarios.Event) bool {
				for _, f := range with {
					if f.Loc == e.Loc && (e.Kind == scenarios.Write || f.Kind == scenarios.Write) {
						return true
					}
				}
				return false
			}
			switch {
			case len(blocks) < 3 || len(blocks[0]) != 1 || len(blocks[1]) > 2:
				t.Errorf("scenario %d: the blocks of %v", s.Number, p.Events)
			case !conflict(blocks[2][0], blocks[1]):
				t.Errorf("scenario %d: the third block of %v does not begin with a conflict", s.Number, p.Events)
			case len(blocks) == 3 && len(blocks[2]) > 1:
				t.Errorf("scenario %d: the third block of %v is more than an event", s.Number, p.Events)
			case len(blocks[1]) == 2 && !conflict(blocks[0][0], blocks[1]):
				t.Errorf("scenario %d: the second block of %v has no conflict with the first one", s.Number, p.Events)
			}
		}
	}
}
