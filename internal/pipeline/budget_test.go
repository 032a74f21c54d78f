package pipeline

import (
	"testing"

	"github.com/empire-go/empire-go/limit"
)

// TestRounds looks at what a query may take in each round.
func TestRounds(t *testing.T) {
	b := &budget{whole: 1 << 30}
	few := b.rounds(Request{}, 1)
	if len(few) != 5 || few[0] != b.whole/128 || few[4] != b.whole {
		t.Errorf("of one set: %v of %v", few, b.whole)
	}
	for _, sets := range []int{1, 32, 33, 135, 1000} {
		all := b.rounds(Request{}, sets)
		if first := all[0] * limit.Work(sets); first > b.whole/4 {
			t.Errorf("the first round of %d sets takes %v of %v", sets, first, b.whole)
		}
		for i, share := range all[1:] {
			if share <= all[i] || share/all[i] > growth+1 {
				t.Errorf("of %d sets round %d has %v, after %v", sets, i+1, share, all[i])
			}
		}
		if last := all[len(all)-1]; last != b.whole {
			t.Errorf("of %d sets the last round has %v of %v", sets, last, b.whole)
		}
	}
	if all := (*budget)(nil).rounds(Request{}, 1000); len(all) != 1 {
		t.Errorf("without a budget there are rounds: %v", all)
	}
}

// TestTurns looks at what comes first in a round: no violation's harm before what has no verdict.
func TestTurns(t *testing.T) {
	const rounds = 4
	if turns := turnsOf(0, 1); len(turns) != 1 || turns[0] != forAll {
		t.Errorf("in the only round it is the turn of %v", turns)
	}
	if first := turnsOf(0, rounds); first[0] != forVerdicts || first[1] != forAnyHarm {
		t.Errorf("in the first round it is the turn of %v", first)
	}
	if middle := turnsOf(1, rounds); middle[len(middle)-1] != forHarm {
		t.Errorf("in a round between them it is the turn of %v", middle)
	}
	if last := turnsOf(rounds-1, rounds); last[len(last)-1] != forAnyHarm {
		t.Errorf("in the last round it is the turn of %v", last)
	}
	found := &asking{isModelled: true, mayHarm: true}
	if !forAnyHarm.isFor(found) || forHarm.isFor(found) {
		t.Error("the harm of a violation of a query that is still open is not looked for in its turn alone")
	}
	again := &asking{passed: 10}
	if forVerdicts.asks(again, 10) || !forVerdicts.asks(again, 11) {
		t.Error("what has passed a share is not tried with a larger one only")
	}
	if none := (&asking{isModelled: true}); forAnyHarm.isFor(none) {
		t.Error("harm is looked for where there is no violation")
	}
}
