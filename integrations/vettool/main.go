// Command vettool is for go vet -vettool: it tells, for each package, what clients of it can break, a line for each
// cause. It is run by the go command, once for each package, with a file that says which.
//
//	go vet -vettool=$(which vettool) ./...
//
// What a program does with several packages is seen by empire-go check alone. EMPIRE_BUDGET is the budget of work
// for each package, 20s if it is not set.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/report"
)

// config is what the go command says of a package, as far as it matters here.
type config struct {
	Dir, ImportPath string
	VetxOnly        bool   // it is only imported
	VetxOutput      string // a file that has to be written
}

func main() {
	status := run(os.Args[1:], os.Stdout, os.Stderr)
	os.Exit(status)
}

// run is one call by the go command. The status is 1 if something was found, or goes wrong.
func run(args []string, stdout, stderr io.Writer) int {
	switch {
	case len(args) == 1 && strings.HasPrefix(args[0], "-V"): // by which the go command knows what is out of date
		fmt.Fprintf(stdout, "vettool version %s\n", empire.Version)
		return 0
	case len(args) == 1 && args[0] == "-flags":
		fmt.Fprintln(stdout, "[]")
		return 0
	case len(args) == 0 || !strings.HasSuffix(args[len(args)-1], ".cfg"):
		fmt.Fprintln(stderr, "vettool: is run by the go command; write go vet -vettool=$(which vettool) ./...")
		return 1
	}
	found, err := check(args[len(args)-1])
	if err != nil {
		fmt.Fprintf(stderr, "vettool: %v\n", err)
		return 1
	}
	for _, line := range found {
		fmt.Fprintln(stderr, line)
	}
	return min(len(found), 1)
}

// check checks the package of a file.
func check(name string) ([]string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var c config
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, err
	}
	if c.VetxOutput != "" { // facts for the packages that import it: none
		if err := os.WriteFile(c.VetxOutput, nil, 0o666); err != nil {
			return nil, err
		}
	}
	path, _, _ := strings.Cut(c.ImportPath, " ") // "p [p.test]" is p with its tests
	if c.VetxOnly || path != c.ImportPath || strings.HasSuffix(path, ".test") || strings.HasSuffix(path, "_test") {
		return nil, nil
	}
	budget, err := time.ParseDuration(cmp.Or(os.Getenv("EMPIRE_BUDGET"), "20s"))
	if err != nil {
		return nil, err
	}
	r, err := empire.Run(context.Background(), empire.Request{Dir: c.Dir, Packages: []string{"."}, Harm: true,
		Budget: budget})
	if err != nil {
		return nil, nil // there is nothing to check, or what is wrong the compiler says
	}
	return findings(r), nil
}

// findings has a line for each cause that can do harm.
func findings(r *empire.Result) (lines []string) {
	report.SetCauses(r)
	for _, c := range r.Causes {
		if c.Harm != empire.HarmSeen && c.Harm != empire.HarmPossible || c.Level == "note" {
			continue
		}
		for i := range r.Queries {
			for _, v := range r.Queries[i].Violations() {
				if v.ID == c.Shown {
					lines = append(lines, finding(r, &r.Queries[i], v))
				}
			}
		}
	}
	return lines
}

// finding is a violation in a line, at its first event.
func finding(r *empire.Result, q *empire.QueryResult, v *empire.ScenarioResult) string {
	at := q.Site
	for _, s := range v.Counterexample {
		if s.Event == 1 {
			at = s.Pos
		}
	}
	return fmt.Sprintf("%s/%s: %s of %s on %s: %s (id %s; empire-go check tells how)", r.ModuleRootDir, at, v.Name,
		strings.Join(v.Units, " and "), strings.Join(v.Locations, " and "), v.Harm.Actual, v.ID)
}
