package report

import (
	"testing"

	empire "github.com/empire-go/empire-go"
)

// TestLockHint builds counterexamples of scenario 2 from lists of actions: a
// goroutine, an action and a lock or an event each.
func TestLockHint(t *testing.T) {
	type step struct {
		goroutine, action, lock string
		event                   int
	}
	r1, w2, r3 := step{"a", "read", "", 1}, step{"b", "write", "", 2}, step{"a", "read", "", 3}
	for _, c := range []struct {
		want  string
		steps []step
	}{
		{"None of these accesses holds a lock of the model.", []step{r1, w2, r3}},
		{"No lock of the model is held at (2).", []step{{"a", "lock", "m", 0}, r1, w2, r3}},
		{"Each of these accesses holds m, but F lets go of it between (1) and (3).", []step{
			{"a", "lock", "m", 0}, r1, {"a", "unlock", "m", 0}, {"b", "lock", "m", 0}, w2, {"b", "unlock", "m", 0},
			{"a", "lock", "m", 0}, r3}},
		{"Each of these accesses holds m, but only shared: a read lock does not keep out others that hold it for reading.",
			[]step{
				{"a", "rlock", "m", 0}, {"b", "rlock", "m", 0}, r1, w2, r3}},
		{"No lock is held at all of these accesses: m at (1), n at (2) and m at (3).", []step{
			{"a", "lock", "m", 0}, r1, {"b", "lock", "n", 0}, w2, r3}},
		{"No lock of the model is held at (1) and (3).", []step{ // somebody else unlocks
			{"a", "lock", "m", 0}, {"b", "unlock", "m", 0}, r1, {"b", "lock", "m", 0}, w2, r3}},
	} {
		s := empire.ScenarioResult{Scenario: 2, Units: []string{"F", "G"}}
		for i, x := range c.steps {
			e := empire.Step{Step: i + 1, Goroutine: x.goroutine, Instance: 1, Action: x.action, Lock: x.lock, Event: x.event}
			if x.event > 0 {
				e.Location = "n"
			}
			s.Counterexample = append(s.Counterexample, e)
		}
		st := newStory(&empire.QueryResult{}, &s, newNames(&empire.Result{}))
		if got := plainSpaces(st.lockHint()); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}
