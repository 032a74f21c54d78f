package facttest_test

import (
	"testing"

	"github.com/empire-go/empire-go/frontend/execute/judge"
	"github.com/empire-go/empire-go/frontend/facttest"
	"github.com/empire-go/empire-go/frontend/keys"
	"github.com/empire-go/empire-go/frontend/lockset"
)

// keyFacts are the keys of maps that are said to be made once.
func keyFacts(t *testing.T, p *facttest.Program) []judge.Fact {
	var facts []judge.Fact
	for _, q := range queries(t, p) {
		k := keys.Find(q, lockset.New(q))
		if k == nil {
			continue
		}
		for o := range k.Origins() {
			fact := judge.MadeOnce{At: making(o)}
			for other := range k.Origins() {
				if other != o && other.Supply == o.Supply {
					fact.Also = append(fact.Also, making(other))
				}
			}
			facts = append(facts, fact)
		}
	}
	return facts
}

func making(o *keys.Origin) judge.Making {
	return judge.Making{At: o.At, Value: o.Key, Before: o.Before, Within: o.Within}
}
