// Package races_test asks about data races in the programs of testdata/races. A case is a folder with a program. A line
// with an access that is told to be in a data race says so:
//
//	n++ // want data-race
//
// What is not expected is a false alarm, and a program without such comments is to be safe; so is NAME_fixed, which
// every case has. "open: ", and why, in the comment above a program says that the answer is not known: it is never safe
// then, if there are such comments, and may be told.
package races_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	empire "github.com/empire-go/empire-go"
)

const folder = "../../../testdata/races"

func TestCases(t *testing.T) {
	files, err := filepath.Glob(folder + "/*/main.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		t.Run(name, func(t *testing.T) {
			if _, err := os.Stat(filepath.Join(folder, strings.TrimSuffix(name, "_fixed")+"_fixed")); err != nil {
				t.Errorf("the case has no twin %s_fixed", name)
			}
			result, err := empire.Run(t.Context(), empire.Request{Dir: "../../..",
				Packages: []string{"./testdata/races/" + name}, Classes: []string{"data-race"}})
			if err != nil {
				t.Fatal(err)
			}
			check(t, file, result)
		})
	}
}

// check holds an answer to what the comments of a program say.
func check(t *testing.T, file string, result *empire.Result) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, got := map[string]bool{}, map[string]bool{}
	for i, line := range strings.Split(string(text), "\n") {
		if strings.HasSuffix(line, "// want data-race") {
			want[fmt.Sprintf("main.go:%d", i+1)] = true
		}
	}
	for _, q := range result.Queries {
		for _, race := range q.Races {
			for _, a := range race.Accesses {
				place := strings.Split(filepath.Base(a.Pos), ":")
				got[place[0]+":"+place[1]] = true
			}
		}
	}
	if strings.Contains(string(text), "\n// open: ") {
		if len(want) > 0 && result.Verdict == empire.VerdictSafe {
			t.Error("it is safe, though it has a data race")
		}
		return
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(want) == 0 && result.Verdict != empire.VerdictSafe {
		t.Errorf("it is %s: %s", result.Verdict, result.Queries[0].Reason)
	}
}
