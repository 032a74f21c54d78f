package pipeline

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/frontend/candidates"
)

// TestListedIsChecked holds what candidates lists in each library of testdata against what check
// does with no flags: every set has an answer, or a line that says why there is none.
func TestListedIsChecked(t *testing.T) {
	folders, err := filepath.Glob("testdata/library_*")
	if err != nil || len(folders) == 0 {
		t.Fatalf("no libraries: %v", err)
	}
	folders = append(folders, "testdata/candidates/library", "testdata/candidates/statistics",
		"testdata/candidates/chained", "testdata/candidates/commented", "testdata/candidates/passed_on",
		"testdata/candidates/flag", "testdata/stated_make")
	r := Request{}
	for _, folder := range folders {
		r.Packages = append(r.Packages, "./"+folder)
	}
	if err := r.Normalize(); err != nil {
		t.Fatal(err)
	}
	program, err := loadProgram(t.Context(), r, &runner{})
	if err != nil {
		t.Fatal(err)
	}
	sets := 0
	for _, folder := range folders {
		own, stages := program.Only(program.Module+"/"+filepath.ToSlash(folder)), &runner{}
		r := r
		r.Packages = []string{"./" + folder}
		found, err := findCandidates(t.Context(), r, own, stages)
		if err != nil {
			t.Errorf("%s: %v", folder, err)
			continue
		}
		var listed candidates.Found
		for _, part := range found {
			listed.Candidates = append(listed.Candidates, part.Candidates...)
		}
		result := newResult(r, own)
		if len(listed.Candidates) > 0 {
			if err := answer(t.Context(), r, own, stages, result); err != nil {
				t.Errorf("%s: %v", folder, err)
			}
		}
		for _, c := range listed.Candidates {
			sets++
			short := c.Type[strings.LastIndex(c.Type, ".")+1:]
			isAnswer := func(q QueryResult) bool { return q.Type == c.Type && slices.Equal(q.Fields, c.Fields) }
			isReason := func(line string) bool {
				return short != "" && strings.HasPrefix(line, short+": ") ||
					strings.HasPrefix(line, strings.Join(c.Fields, ", ")+": ")
			}
			if !slices.ContainsFunc(result.Queries, isAnswer) && !slices.ContainsFunc(result.NotChecked, isReason) &&
				!slices.ContainsFunc(result.Errors, isReason) {
				t.Errorf("%s: %s %v is listed, and neither checked nor named", folder, c.Type, c.Fields)
			}
		}
	}
	if sets < len(folders) {
		t.Errorf("only %d sets in %d libraries", sets, len(folders))
	}
}
