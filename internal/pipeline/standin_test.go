package pipeline

import (
	"strings"
	"testing"

	"github.com/empire-go/empire-go/limit"
)

// TestStandIn asks clients of a package about what a program has no answer for.
func TestStandIn(t *testing.T) {
	const folder = "testdata/standin"
	r := Request{Packages: []string{"./" + folder + "/..."}}
	if err := r.Normalize(); err != nil {
		t.Fatal(err)
	}
	stages := &runner{}
	program, err := loadProgram(t.Context(), r, stages)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := entriesToCheck(r, program)
	if err != nil {
		t.Fatal(err)
	}
	all, err := inquire(t.Context(), r, partsOf(entries), stages)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range all.all { // no round of the programs: they have no answers
		if err := i.askClients(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := i.roundOfClients(t.Context(), true, limit.Unlimited); err != nil {
			t.Fatal(err)
		}
	}
	all.settle(func(*asking) {})
	result := newResult(r, program)
	all.addTo(result)
	for _, want := range []struct{ typeName, entry, verdict string }{
		{"right.Pair", "clients of ", VerdictSafe},
		{"wrong.Pair", "clients of ", VerdictViolation},
		{"open.Pair", "github.com/", VerdictUnknown}, // other packages can name its fields
	} {
		answers := 0
		for _, q := range result.Queries {
			if !strings.HasSuffix(q.Type, want.typeName) {
				continue
			}
			answers++
			if !strings.HasPrefix(q.Entry, want.entry) || q.Verdict != want.verdict {
				t.Errorf("%s is %s in %s, want %s in %s", q.Type, q.Verdict, q.Entry, want.verdict, want.entry)
			}
		}
		if answers != 1 {
			t.Errorf("%d answers about %s", answers, want.typeName)
		}
	}
}
