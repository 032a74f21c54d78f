package accept

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	empire "github.com/empire-go/empire-go"
)

// result has violations with these ids, each with a step at "a.go:10" and a cause of its own: "1"
// and "2" have causes "c1" and "c2".
func result(ids ...string) *empire.Result {
	q := empire.QueryResult{Type: "example.com/p.T", Verdict: empire.VerdictViolation}
	for _, id := range ids {
		q.Scenarios = append(q.Scenarios, empire.ScenarioResult{
			Name: "stale-update", Verdict: empire.VerdictViolation, Level: "error", ID: id, Cause: "c" + id,
			Units: []string{"(*example.com/p.T).F", "example.com/p.G"}, Locations: []string{"n"},
			Counterexample: []empire.Step{{Pos: "a.go:10:2", Stack: []string{"main.main main.go:5:3"}}},
		})
	}
	q.Races = []empire.Race{{ID: "race", Accesses: []empire.Step{{Pos: "a.go:20:2", Location: "n"}, {Pos: "a.go:21:2"}}}}
	return &empire.Result{Queries: []empire.QueryResult{q}}
}

// accepted lists by what each violation is accepted, in their order.
func accepted(r *empire.Result) string {
	var all []string
	for _, v := range violationsOf(r) {
		by := "-"
		if *v.accepted != nil {
			by = (*v.accepted).By
		}
		all = append(all, v.id+" "+by)
	}
	return strings.Join(all, ", ")
}

func TestComments(t *testing.T) {
	comment := func(id, pos string, first, last int) empire.Ignore {
		return empire.Ignore{ID: id, Reason: "known", Pos: pos, Lines: [2]int{first, last}, Named: true}
	}
	for _, c := range []struct {
		ignore empire.Ignore
		want   string
		idle   bool
	}{
		{comment("1", "a.go:10:9", 10, 11), "1 comment, 2 -, race -", false},
		{comment("1", "a.go:8:1", 8, 10), "1 comment, 2 -, race -", false},
		{comment("c2", "a.go:10:9", 10, 11), "1 -, 2 comment, race -", false},
		{comment("1", "main.go:4:1", 4, 5), "1 comment, 2 -, race -", false}, // on the way to a step
		{comment("race", "a.go:20:9", 20, 21), "1 -, 2 -, race comment", false},
		{comment("1", "a.go:11:9", 11, 12), "1 -, 2 -, race -", true},  // elsewhere
		{comment("1", "b.go:10:9", 10, 11), "1 -, 2 -, race -", true},  // in another file
		{comment("3", "a.go:10:9", 10, 11), "1 -, 2 -, race -", true},  // no such violation
		{comment("c3", "a.go:10:9", 10, 11), "1 -, 2 -, race -", true}, // no such cause
	} {
		r := result("1", "2")
		r.Ignores = []empire.Ignore{c.ignore}
		idle := Comments(r)
		if got := accepted(r); got != c.want || (len(idle) > 0) != c.idle {
			t.Errorf("%s at %s: %s, idle %v, want %s", c.ignore.ID, c.ignore.Pos, got, idle, c.want)
		}
	}
}

func TestOld(t *testing.T) {
	r := result("1", "2")
	r.Queries[0].Races = nil
	Old(r, result("2", "3"), "main")
	if got, want := accepted(r), "1 -, 2 revision"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

const file = `packages: [./...]
known:
  - id: "1"
    reason: being rewritten
    expires: 2026-12-31
  - id: c2
    what: kept as it is written
    reason: rough
    who: Ann
  - id: gone
    reason: was there once
`

func read(t *testing.T, text string) *Baseline {
	t.Helper()
	b, err := ReadBaseline(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBaseline(t *testing.T) {
	for date, want := range map[string]string{
		"2026-12-31": "1 baseline, 2 baseline, 3 -, race -; expired: ; stale: gone",
		"2027-01-01": "1 -, 2 baseline, 3 -, race -; expired: 1; stale: gone",
	} {
		now, err := time.Parse(day, date)
		if err != nil {
			t.Fatal(err)
		}
		r := result("1", "2", "3")
		expired, stale := read(t, file).Accept(r, BaselineFile, now)
		ids := func(all []Known) (text string) {
			for _, k := range all {
				text += k.ID
			}
			return text
		}
		if got := accepted(r) + "; expired: " + ids(expired) + "; stale: " + ids(stale); got != want {
			t.Errorf("%s: %s, want %s", date, got, want)
		}
	}
}

func TestUpdate(t *testing.T) {
	template := Known{Reason: "before we began", Who: "Bob"}
	r := result("1", "2", "3")
	r.Ignores = []empire.Ignore{{ID: "3", Pos: "a.go:10:1", Lines: [2]int{10, 11}}}
	Comments(r)
	updated, added, dropped := read(t, file).Update(r, func(string) bool { return true }, template)
	if added != 1 || dropped != 1 {
		t.Errorf("%d new, %d left out", added, dropped)
	}
	var text bytes.Buffer
	if err := updated.Write(&text); err != nil {
		t.Fatal(err)
	}
	want := head + `packages: [./...]
known:
  - id: "1"
    reason: being rewritten
    expires: "2026-12-31"
  - id: c2
    what: kept as it is written
    reason: rough
    who: Ann
  - id: race
    what: 'p.T: data race on n'
    reason: before we began
    who: Bob
`
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Error(diff)
	}
	if again := read(t, text.String()); !cmp.Equal(again, updated) {
		t.Error(cmp.Diff(updated, again))
	}
	if _, _, dropped := read(t, file).Update(r, func(string) bool { return false }, template); dropped != 0 {
		t.Errorf("%d entries left out by a check of other packages", dropped)
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"known: [{id: a}]":                            "a has no reason; write reason: and why it is accepted",
		"known: [{reason: a}]":                        "an entry has no id; write the one that check prints",
		"known: [{id: a, reason: b, expires: later}]": `a: "later" is no day; write it as 2026-12-31`,
		"known: [{id: a, reasn: b}]":                  "line 1: field reasn not found",
	} {
		if _, err := ReadBaseline(strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if b, err := ReadBaseline(strings.NewReader("")); err != nil || len(b.Known) > 0 {
		t.Errorf("an empty file: %v, %v", b, err)
	}
}

func TestShortNames(t *testing.T) {
	for want, units := range map[string][]string{
		"(*p.T).F and p.G":    {"(*example.com/p.T).F", "example.com/p.G"},
		"two runs of main.f":  {"main.f", "main.f"},
		"(p.T).F and (*T).F1": {"(example.com/p.T).F", "(*T).F1"},
	} {
		if got := shortNames(units); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
