package pipeline

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCandidatesOfCases compares what is found by itself with what the authors of the cases
// ask about. Where they differ there is a reason: a type that does not guard itself, a case
// about a part of what belongs together. It takes a minute.
func TestCandidatesOfCases(t *testing.T) {
	if os.Getenv("EMPIRE_LONG") == "" {
		t.Skip("set EMPIRE_LONG=1")
	}
	files, err := filepath.Glob(ownCases)
	if err != nil {
		t.Fatal(err)
	}
	same, within, all := 0, 0, 0
	for _, file := range files {
		requests, programs := RequestsOf(t, file)
		for _, r := range requests {
			q := r
			r.Type, r.Fields, r.Vars, r.Site = "", nil, nil, ""
			if err := r.Normalize(); err != nil {
				t.Fatal(err)
			}
			found := &plan{}
			p, err := planFor(t.Context(), r, programs, &runner{})
			if err == nil {
				found = p
			}
			all++
			switch asked := slices.Sorted(slices.Values(append(slices.Clone(q.Fields), q.Vars...))); {
			case found.has(q.Type, func(set []string) bool { return slices.Equal(set, asked) }):
				same++
			case found.has(q.Type, func(set []string) bool { return isSubset(asked, set) }):
				within++
				t.Logf("%s: %s %v is only a part: %v", filepath.Dir(file), q.Type, asked, found.sets)
			default:
				t.Logf("%s: %s %v is not found: %v %v", filepath.Dir(file), q.Type, asked, found.sets, err)
			}
		}
	}
	t.Logf("%d queries: %d are found, of %d more than that", all, same, within)
	if 100*(same+within) < 90*all {
		t.Error("more than a tenth is not found")
	}
}

// has tells whether a set of the type is so.
func (p *plan) has(typeName string, is func([]string) bool) bool {
	return slices.ContainsFunc(p.sets, func(s atomicSet) bool {
		return (typeName == "" || strings.HasSuffix("."+s.typeName, "."+typeName)) &&
			is(append(slices.Clone(s.fields), s.vars...))
	})
}

func isSubset(a, b []string) bool {
	return !slices.ContainsFunc(a, func(x string) bool { return !slices.Contains(b, x) })
}
