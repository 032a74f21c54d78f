package races_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	empire "github.com/empire-go/empire-go"
)

var fromGoRoot = flag.Int("goroot", 8, "functions with which the Go tool chain tests its race detector")

// otherwise are the functions with a race, by the detector, of which that is not asked here: it is between operations
// on a channel, lock or wait group, which are no accesses (some are of class order); or the code is skipped.
var otherwise = []string{"TestRaceChanSendClose", "TestRaceChanSendSelectClose", "TestRaceChanCloseSend",
	"TestRaceMutexOverwrite", "TestRaceWaitGroupWrongAdd", "TestRaceRangeFuncIterator"}

// TestGoRoot asks about functions with which the Go tool chain tests its race detector, where it has them: of each that
// has a data race one is told, or it is open whether there is one. Of those that have none it is counted of how many
// that is proved: what values decide is not known.
func TestGoRoot(t *testing.T) {
	if testing.Short() {
		t.Skip("it loads programs")
	}
	dir, tests := writeGoRoot(t)
	noise := map[string]bool{} // what initialisers do
	for _, r := range goRootAnswer(t, dir, "").races {
		noise[r] = true
	}
	counts := map[string]int{}
	for i := range min(*fromGoRoot, len(tests)) {
		name := tests[i*len(tests)/min(*fromGoRoot, len(tests))]
		answer := goRootAnswer(t, dir, name+"(nil)")
		answer.races = slices.DeleteFunc(answer.races, func(r string) bool { return noise[r] })
		verdict, kind := "safe", "without a race"
		switch {
		case len(answer.races) > 0:
			verdict = "told"
		case answer.isOpen:
			verdict = "open"
		}
		if !strings.HasPrefix(name, "TestNo") {
			kind = "with a race"
			if verdict == "safe" && !slices.Contains(otherwise, name) {
				t.Errorf("%s has a data race, and nothing is told of it", name)
			}
		}
		counts[kind+": "+verdict]++
	}
	t.Log(counts)
}

// goRootAnswers is what is told about one function.
type goRootAnswers struct {
	races  []string // by their lines
	isOpen bool
}

func goRootAnswer(t *testing.T, dir, call string) (found goRootAnswers) {
	text := "package main\n\nfunc main() { " + call + " }\n"
	if err := os.WriteFile(filepath.Join(dir, "zmain.go"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	result, err := empire.Run(t.Context(), empire.Request{Dir: dir, Classes: []string{"data-race"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range result.Queries {
		found.isOpen = found.isOpen || q.Verdict == empire.VerdictUnknown
		for _, r := range q.Races {
			found.races = append(found.races, r.Accesses[0].Pos+" "+r.Accesses[1].Pos)
		}
	}
	return found
}

// writeGoRoot makes a program of the files, and returns its directory and the functions.
func writeGoRoot(t *testing.T) (dir string, tests []string) {
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "src/runtime/race/testdata/*_test.go"))
	if len(files) == 0 {
		t.Skip("this tool chain comes without them")
	}
	dir = t.TempDir()
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "cgo") || strings.HasPrefix(name, "synctest") {
			continue // which others cannot import
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		code := strings.Replace(string(text), "\npackage race_test\n", "\npackage main\n", 1)
		code = onlyWithDetector.ReplaceAllString(code, "_ = 0")
		for _, m := range raceTest.FindAllStringSubmatch(code, -1) {
			tests = append(tests, m[1])
		}
		own := filepath.Join(dir, strings.TrimSuffix(name, "_test.go")+"_.go")
		if err := os.WriteFile(own, []byte(code), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	module := []byte("module example.com/races\n\ngo 1.26\n")
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), module, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir, tests
}

var (
	raceTest         = regexp.MustCompile(`(?m)^func (Test(?:No)?Race\w*)\(`)
	onlyWithDetector = regexp.MustCompile(`runtime\.Race(Disable|Enable)\(\)`)
)
