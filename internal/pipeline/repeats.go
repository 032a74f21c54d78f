package pipeline

import (
	"slices"

	"github.com/empire-go/empire-go/scenarios"
)

// withoutRepeats drops answers that say of one object what another answer says: clients of
// a library come to it in several ways, as by constructors that call each other. What the
// answers are limited to is kept.
func withoutRepeats(all []QueryResult) []QueryResult {
	kept := all[:0:0]
	for _, q := range all {
		i := slices.IndexFunc(kept, func(k QueryResult) bool { return saysTheSame(k, q) })
		if i < 0 {
			kept = append(kept, q)
			continue
		}
		for _, a := range q.Assumptions {
			if !slices.Contains(kept[i].Assumptions, a) {
				kept[i].Assumptions = append(kept[i].Assumptions, a)
			}
		}
	}
	return kept
}

// saysTheSame tells whether two answers are about the same object and differ only in the
// clients that make it.
func saysTheSame(a, b QueryResult) bool {
	return a.Site != "" && a.Type == b.Type && a.Site == b.Site && a.Verdict == b.Verdict && a.Reason == b.Reason &&
		a.DataRace == b.DataRace && slices.EqualFunc(a.Races, b.Races, func(r, s Race) bool { return r.ID == s.ID }) &&
		(a.Entry != b.Entry || a.Class == scenarios.DataRaceClass) &&
		slices.Equal(a.Fields, b.Fields) && slices.Equal(a.Open, b.Open) &&
		slices.EqualFunc(a.Scenarios, b.Scenarios, func(s, t ScenarioResult) bool {
			return s.Scenario == t.Scenario && s.Verdict == t.Verdict && s.ID == t.ID && s.Level == t.Level
		})
}
