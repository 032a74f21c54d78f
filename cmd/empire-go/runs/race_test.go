package runs

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/cmd/empire-go/command"
	"github.com/empire-go/empire-go/dynamic/events"
	"github.com/empire-go/empire-go/dynamic/races"
)

var (
	racing     = flag.Int("racing", 60, "generated programs of which data races are compared")
	racingFrom = flag.Uint64("racing-from", 0, "the seed of the first of them")
)

// TestRacesAgainstDetector compares the data races that are found in the record of a run with those that the race
// detector of the go command finds, in generated programs that are steered into the same schedule: all of the
// detector's, but for those that are none where signals order what is before them, and all by the definition.
func TestRacesAgainstDetector(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	dir := t.TempDir()
	cases := writeRaceCases(t, dir)
	byDetector := detected(t, dir, cases)
	recorded, seen := recordedRaces(t, dir, cases), seenRaces(t, dir, cases)
	found, more, unordered := 0, 0, 0
	for n, c := range cases {
		want := c.races(true)
		loose := keys(c, c.races(false))
		has, wanted := keys(c, recorded[n]), keys(c, want)
		for _, key := range slices.Sorted(maps.Keys(keys(c, byDetector[n]))) {
			switch found++; {
			case has[key]:
			case loose[key] && !wanted[key]:
				unordered++
			default:
				t.Errorf("case %d: only the detector of the go command finds %s (by the definition: %t)\n%v", n, key,
					wanted[key], c)
			}
		}
		more += len(has)
		for pair := range byDetector[n] {
			if !c.isTold(pair, seen[n]) {
				t.Errorf("case %d: run --class data-race sees neither %v nor one before it\n%v", n, pair, c)
			}
		}
		for pair := range seen[n] {
			if !want[pair] && !c.races(false)[pair] {
				t.Errorf("case %d: run --class data-race sees %v, which is no race\n%v", n, pair, c)
			}
		}
		for pair := range recorded[n] {
			if !want[pair] {
				t.Errorf("case %d: %v is no race\n%v", n, pair, c)
			}
		}
		for _, key := range slices.Sorted(maps.Keys(wanted)) {
			if !has[key] {
				t.Errorf("case %d: %s is not found\n%v", n, key, c)
			}
		}
	}
	t.Logf("%d programs; %d races by the detector of the go command, of which %d are ordered by signals; %d here",
		len(cases), found, unordered, more)
}

// writeRaceCases writes a module with generated programs.
func writeRaceCases(t *testing.T, dir string) (cases []*raceCase) {
	t.Helper()
	var text, calls strings.Builder
	text.WriteString(raceHead)
	for n := range *racing {
		c := newRaceCase(*racingFrom + uint64(n))
		c.write(&text, n)
		fmt.Fprintf(&calls, "\tcase%d(newShared(%d, %d), &turn.Stile{})\n", n, c.room, c.done)
		cases = append(cases, c)
	}
	text.WriteString("func main() {\n" + calls.String() + "}\n")
	for name, content := range map[string]string{
		"go.mod": "module example.com/p\n\ngo 1.26\n\nrequire example.com/turn v0.0.0\n\n" +
			"replace example.com/turn => ./turn\n",
		"main.go":      text.String(),
		"turn/go.mod":  "module example.com/turn\n\ngo 1.26\n",
		"turn/turn.go": turnstile,
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return cases
}

// keys name what is the same for all detectors, which keep different ones of the accesses of a goroutine: the later
// step, and the goroutine of the earlier one.
func keys(c *raceCase, pairs map[[2]int]bool) map[string]bool {
	all := map[string]bool{}
	for pair := range pairs {
		all[fmt.Sprintf("step %d with goroutine %d", pair[1], c.steps[pair[0]].goroutine)] = true
	}
	return all
}

// isTold tells whether a race, or one before it on the same variable, is among those that were seen: vector clocks that
// keep only the last accesses find the first race on each variable (Flanagan and Freund, PLDI 2009, section 3).
func (c *raceCase) isTold(race [2]int, seen map[[2]int]bool) bool {
	touch := func(step int, location string) bool {
		return slices.ContainsFunc(c.steps[step].touches, func(a raceAccess) bool { return a.location == location })
	}
	for _, a := range c.steps[race[0]].touches {
		for pair := range seen {
			if pair[1] <= race[1] && touch(race[1], a.location) && touch(pair[0], a.location) && touch(pair[1], a.location) {
				return true
			}
		}
	}
	return false
}

// raceLine is a place in the programs.
var raceLine = regexp.MustCompile(`main\.go:(\d+)`)

// add notes a race at two lines.
func add(all map[int]map[[2]int]bool, cases []*raceCase, a, b string) {
	x, _ := strconv.Atoi(a)
	y, _ := strconv.Atoi(b)
	for n, c := range cases {
		i, isFirst := c.line[x]
		j, isSecond := c.line[y]
		if !isFirst || !isSecond || i == j {
			continue
		}
		if all[n] == nil {
			all[n] = map[[2]int]bool{}
		}
		all[n][[2]int{min(i, j), max(i, j)}] = true
	}
}

// accessHead begins the stack of an access in a report of the race detector.
var accessHead = regexp.MustCompile(`(?mi)^(?:previous )?(?:atomic )?(?:read|write) at .*\n`)

// detected are the races that the detector of the go command finds within the module: whose accesses are there, or in
// the runtime on its behalf.
func detected(t *testing.T, dir string, cases []*raceCase) map[int]map[[2]int]bool {
	build := exec.Command("go", "build", "-race", "-o", "race.exe", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		if strings.Contains(string(out), "main.go") {
			t.Fatalf("%s", out)
		}
		t.Skipf("no race detector here: %s", out)
	}
	run := exec.Command(filepath.Join(dir, "race.exe"))
	run.Env = append(os.Environ(), "GOMAXPROCS=1",
		"GORACE=exitcode=0 atexit_sleep_ms=0 history_size=7 suppress_equal_stacks=0 suppress_equal_addresses=0")
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	all, elsewhere := map[int]map[[2]int]bool{}, 0
	reports := strings.Split(string(out), "WARNING: DATA RACE")
	for _, report := range reports[1:] {
		var lines []string
		for _, at := range accessHead.FindAllStringIndex(report, 2) {
			lines = append(lines, accessLine(report[at[1]:]))
		}
		if len(lines) != 2 || lines[0] == "" || lines[1] == "" {
			elsewhere++
			continue
		}
		add(all, cases, lines[0], lines[1])
	}
	t.Logf("%d reports of the detector, %d of them of accesses elsewhere", len(reports)-1, elsewhere)
	return all
}

// accessLine is the line of an access by its stack, "" if it is not in the module.
func accessLine(stack string) string {
	for line := range strings.Lines(stack) {
		switch place := strings.HasPrefix(line, "      "); {
		case strings.TrimSpace(line) == "":
			return ""
		case place && raceLine.MatchString(line):
			return raceLine.FindStringSubmatch(line)[1]
		case !place && !strings.HasPrefix(strings.TrimSpace(line), "runtime."):
			if !strings.HasPrefix(strings.TrimSpace(line), "main.") {
				return ""
			}
		}
	}
	return ""
}

// seenRaces are the races that a run tells while it runs.
func seenRaces(t *testing.T, dir string, cases []*raceCase) map[int]map[[2]int]bool {
	t.Chdir(dir)
	var stdout, stderr strings.Builder
	args := []string{"run", "--class", "data-race", "--format", "json", "--report", "races.json", "."}
	command.Run(args, &stdout, &stderr)
	text, err := os.ReadFile("races.json")
	var result empire.Result
	if err == nil {
		err = json.Unmarshal(text, &result)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	all := map[int]map[[2]int]bool{}
	for _, f := range result.Blocking[0].Findings {
		a, b := raceLine.FindStringSubmatch(f.Waits[0].Pos), raceLine.FindStringSubmatch(f.Waits[1].Pos)
		if a != nil && b != nil {
			add(all, cases, a[1], b[1])
		}
	}
	return all
}

// recordedRaces are the races that are found in the record of a run.
func recordedRaces(t *testing.T, dir string, cases []*raceCase) map[int]map[[2]int]bool {
	t.Chdir(dir)
	var stdout, stderr strings.Builder
	command.Run([]string{"run", "--cooperable", "--trace", "run.trace", "--report", "report.txt", "."}, &stdout, &stderr)
	source, err := events.Recorded(func() (io.ReadCloser, error) { return os.Open("run.trace") })
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	all := map[int]map[[2]int]bool{}
	line := func(e events.Event) string {
		if m := raceLine.FindStringSubmatch(source.Place(e.Place).Pos); m != nil {
			return m[1]
		}
		return ""
	}
	for d := races.New(); ; {
		e, err := source.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, stderr.String())
		}
		d.Add(e, func(r races.Race) { add(all, cases, line(r.First), line(r.Second)) })
	}
}
