package runs

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	empire "github.com/empire-go/empire-go"
)

var static = flag.Int("static", 15, "generated programs that check --class data-race is asked about")

// TestStaticRaces checks that check --class data-race knows of each race of a generated program by the definition: it
// tells one on that location, or leaves it open. Without the schedule that a program is steered into, it has at least
// the races that it has with it. What its goroutines share is the fields of an object; or the variables of a function,
// of which there are as many as the function is called.
func TestStaticRaces(t *testing.T) {
	if testing.Short() {
		t.Skip("it loads programs")
	}
	found, open, safe := 0, 0, 0
	for n := range *static {
		seed := *racingFrom + uint64(n)
		c := newRaceCase(seed)
		racy := c.racyLocations()
		for _, code := range []string{c.ofObject(), c.ofVariables()} {
			answers := staticRaces(t, code)
			for _, location := range slices.Sorted(maps.Keys(racy)) {
				switch answers[location] {
				case empire.VerdictViolation:
					found++
				case empire.VerdictUnknown:
					open++
				default:
					t.Errorf("seed %d: %s is in a data race, and the answer is %q\n%s", seed, location, answers[location], code)
				}
			}
			for location, verdict := range answers {
				if verdict == empire.VerdictSafe && !racy[location] {
					safe++
				}
			}
		}
	}
	t.Logf("of the locations in a data race %d are told, %d open; %d others are safe", found, open, safe)
}

// racyLocations returns the fields, and variables, that are in a race by the definition.
func (c *raceCase) racyLocations() map[string]bool {
	all := map[string]bool{}
	for pair := range c.races(true) {
		for _, a := range c.steps[pair[0]].touches {
			for _, b := range c.steps[pair[1]].touches {
				if a.location == b.location && (a.writes || b.writes) && !(a.isAtomic && b.isAtomic) {
					name, _, _ := strings.Cut(strings.TrimPrefix(a.location, "*s."), "[")
					name, _, _ = strings.Cut(name, ".")
					all[name] = true
				}
			}
		}
	}
	return all
}

// ofObject returns the program without its schedule.
func (c *raceCase) ofObject() string {
	var code strings.Builder
	code.WriteString(strings.Replace(raceHead, "\n\t\"example.com/turn\"\n", "", 1))
	fmt.Fprintf(&code, "var _ atomic.Int64\n\nfunc main() {\n\ts, local := newShared(%d, %d), 0\n", c.room, c.done)
	c.writeGoroutines(&code)
	code.WriteString("\tselect {}\n}\n")
	return code.String()
}

// ofVariables returns the same with the variables of a function that runs twice in the place of fields.
func (c *raceCase) ofVariables() string {
	var code strings.Builder
	code.WriteString("package main\n\nimport (\n\t\"context\"\n\t\"sync\"\n\t\"sync/atomic\"\n)\n\n" +
		"type pair struct{ a, b int }\n\nvar _ atomic.Int64\nvar never chan int\n\n" +
		"func main() {\n\tgo run()\n\trun()\n\tselect {}\n}\n\nfunc run() {\n")
	fmt.Fprintf(&code, raceVariables, c.room, c.done)
	c.writeGoroutines(&code)
	code.WriteString("}\n")
	return ofShared.ReplaceAllString(code.String(), "the_$1")
}

var ofShared = regexp.MustCompile(`\bs\.(\w+)`)

// raceVariables is the fields of raceHead as variables.
const raceVariables = `	var the_v0, the_v1, local int
	var the_n int64
	var the_pair pair
	var the_array [2]int
	the_slice, the_list, the_table, the_p := make([]int, 2), make([]int, 2, 8), map[int]int{}, new(int)
	var the_flag atomic.Int64
	var the_m0, the_m1 sync.Mutex
	var the_m2 sync.RWMutex
	the_c, the_u, the_closed := make(chan int, %d), make(chan int), make(chan int)
	var the_all sync.WaitGroup
	var the_once sync.Once
	the_all.Add(%d)
	the_condition := sync.NewCond(&the_m0)
	the_context, the_cancel := context.WithCancel(context.Background())
	_, _, _, _, _, _, _, _ = &the_m1, &the_m2, &the_once, the_u, the_closed, the_condition, the_context, the_cancel
	_, _, _, _, _, _, _, _, _ = &the_v0, &the_v1, &the_n, &the_pair, &the_array, the_slice, the_list, the_table, the_p
	_, _ = &the_flag, the_c
`

// writeGoroutines writes the goroutines.
func (c *raceCase) writeGoroutines(code *strings.Builder) {
	for _, g := range []int{raceGoroutines - 1, 0, 1, 2} {
		head, end := "\tgo func() {", "}()\n"
		if g == raceGoroutines-1 {
			head, end = "\tlast := func() {", "}\n"
		}
		code.WriteString(head + "\n\t\tx, z := 0, pair{}\n")
		for _, step := range c.steps {
			if step.goroutine == g && step.code != "" {
				fmt.Fprintf(code, "\t\t%s\n", step.code)
			}
		}
		code.WriteString("\t\t_, _, _ = x, z, &local\n\t" + end)
	}
	code.WriteString("\t_ = last\n")
}

// staticRaces returns the verdicts on the locations of a program, by their names in the generated ones.
func staticRaces(t *testing.T, code string) map[string]string {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/races\n\ngo 1.26\n", "main.go": code} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	result, err := empire.Run(t.Context(), empire.Request{Dir: dir, Classes: []string{"data-race"}})
	if err != nil {
		t.Fatalf("%v\n%s", err, code)
	}
	answers := map[string]string{}
	for _, q := range result.Queries {
		for _, field := range q.Fields {
			verdict := q.Verdict
			isField := func(location string) bool {
				return strings.TrimSuffix(location, empire.HeldSuffix) == field
			}
			isOf := func(r empire.Race) bool { return isField(r.Accesses[0].Location) }
			if verdict == empire.VerdictViolation && !slices.ContainsFunc(q.Races, isOf) {
				if verdict = empire.VerdictSafe; slices.ContainsFunc(q.Open, isField) {
					verdict = empire.VerdictUnknown
				}
			}
			name, _, _ := strings.Cut(strings.TrimPrefix(field, "the_"), ".")
			if strings.HasSuffix(q.Type, ".pair") { // the variable is of a type that is asked about
				name = "pair"
			}
			if answers[name] != empire.VerdictViolation {
				answers[name] = verdict
			}
		}
	}
	return answers
}
