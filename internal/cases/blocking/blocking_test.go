// Package blocking_test asks about the programs of testdata/blocking. A case is a folder with a program. Comments say
// where goroutines are expected to wait for ever, or where an operation ends the program, and of which class that is:
//
//	mu.Lock() // want deadlock
//
// A line may name several classes, and "misuse" where that is so only after a call that the documentation rules out.
// What is not expected is a false alarm. A program without such comments is to be safe; so is NAME_fixed, which every
// case has. Of a library nothing is to be found then. A case may be a test, main_test.go. "open: ", and why, in the
// comment above a program says that its bug is not found: it is to be unknown, and never safe. What "confirm: " says is
// for package standstill.
package blocking_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/internal/testmain"
	"github.com/empire-go/empire-go/scenarios"
)

const folder = "../../../testdata/blocking"

// limit is how much CPU time one program may take.
const limit = 30 * time.Second

func TestCases(t *testing.T) {
	dirs, err := filepath.Glob(folder + "/*/main.go")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	var packages []string
	for _, d := range dirs {
		packages = append(packages, "./testdata/blocking/"+filepath.Base(filepath.Dir(d)))
	}
	session, err := empire.Open(t.Context(), empire.Request{Dir: "../../..", Packages: packages})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		name := filepath.Base(filepath.Dir(d))
		t.Run(name, func(t *testing.T) {
			own := session.Only("github.com/empire-go/empire-go/testdata/blocking/" + name)
			checkCase(t, d, func() (*empire.Result, error) {
				return own.Run(t.Context(), empire.Request{Classes: scenarios.ClassNames()})
			})
		})
	}
}

// TestOfTests is TestCases for those that are tests.
func TestOfTests(t *testing.T) {
	files, err := filepath.Glob(folder + "/*/main_test.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, f := range files {
		name := filepath.Base(filepath.Dir(f))
		t.Run(name, func(t *testing.T) {
			checkCase(t, f, func() (*empire.Result, error) {
				return empire.Run(t.Context(), empire.Request{Dir: "../../..", Packages: []string{"./testdata/blocking/" + name},
					Classes: scenarios.ClassNames(), Tests: true})
			})
		})
	}
}

// checkCase holds what is found to what the comments of a program say.
func checkCase(t *testing.T, file string, run func() (*empire.Result, error)) {
	name := filepath.Base(filepath.Dir(file))
	if _, err := os.Stat(filepath.Join(folder, strings.TrimSuffix(name, "_fixed")+"_fixed")); err != nil {
		t.Errorf("the case has no twin %s_fixed", name)
	}
	begin := testmain.CPU()
	result, err := run()
	if err != nil {
		t.Fatal(err)
	}
	if took := testmain.CPU() - begin; took > limit {
		t.Errorf("it took %v", took)
	}
	want := wanted(t, file)
	if diff := cmp.Diff(want, found(result.Blocking)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, b := range result.Blocking {
		checkSettled(t, b)
		isLibrary := strings.HasPrefix(name, "library_") // of which it is said what clients do not do
		switch isSafe := b.Verdict == empire.VerdictSafe; {
		case isOpen(t, file) && isSafe:
			t.Error("it is safe, though it has a bug")
		case len(want) == 0 && !isSafe && !isLibrary && !isOpen(t, file):
			t.Errorf("it is %s: %s", b.Verdict, b.Reason)
		}
	}
}

// checkSettled holds what the order of the locks has decided to what the search has found.
func checkSettled(t *testing.T, b empire.BlockingResult) {
	isUnsettled := func(l empire.SettledLock) bool { return l.Verdict != empire.VerdictSafe }
	for _, f := range b.Findings {
		for _, w := range f.Waits {
			if strings.HasPrefix(w.What, "takes lock") && !slices.ContainsFunc(b.Locks, isUnsettled) {
				t.Errorf("%s: %s, though nobody can wait for a lock for ever", w.Pos, w.What)
			}
		}
	}
}

var comment = regexp.MustCompile(`// want ([a-z-]+(?: [a-z-]+)*)$`)

// isOpen tells whether a program says that its bug is not found.
func isOpen(t *testing.T, file string) bool {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(text), "\n// open: ")
}

// wanted returns what the comments of a program expect, as "class main.go:12".
func wanted(t *testing.T, file string) []string {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	for i, line := range strings.Split(string(text), "\n") {
		if m := comment.FindStringSubmatch(line); m != nil {
			for _, class := range strings.Fields(m[1]) {
				all[fmt.Sprintf("%s %s:%d", class, filepath.Base(file), i+1)] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// found returns what was found, in the same form.
func found(results []empire.BlockingResult) []string {
	all := map[string]bool{}
	for _, b := range results {
		for _, f := range b.Findings {
			for _, w := range f.Waits {
				parts := strings.Split(filepath.Base(w.Pos), ":")
				all[fmt.Sprintf("%s %s:%s", f.Class, parts[0], parts[1])] = true
				if f.Harm.Status == empire.HarmNone {
					all[fmt.Sprintf("misuse %s:%s", parts[0], parts[1])] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}
