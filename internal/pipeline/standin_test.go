package pipeline

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/limit"
)

// standInCase is the answer about a type: who gives it, and what it is.
type standInCase struct{ typeName, entry, verdict string }

// TestStandIn asks clients of a package about what a program, or clients of a library, have no answer for.
func TestStandIn(t *testing.T) {
	const clientsOf = "clients of github.com/empire-go/empire-go/testdata/standin_library"
	for folder, wanted := range map[string][]standInCase{
		"testdata/standin": {
			{"right.Pair", "clients of ", VerdictSafe},
			{"wrong.Pair", "clients of ", VerdictViolation},
			{"open.Pair", "github.com/", VerdictUnknown}, // other packages can name its fields
		},
		"testdata/standin_library": {
			{"part.Right", clientsOf + "/internal/part.Right", VerdictSafe},
			{"part.Wrong", clientsOf + ".Owner", VerdictUnknown}, // who owns it may take care
			{"part.Zero", clientsOf + ".Owner", VerdictUnknown},  // others make zero values, too
			{"plain.Wrong", clientsOf + "/plain.Wrong", VerdictViolation},
		},
	} {
		t.Run(filepath.Base(folder), func(t *testing.T) { testStandIn(t, folder, wanted) })
	}
}

func testStandIn(t *testing.T, folder string, wanted []standInCase) {
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
	for _, want := range wanted {
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
