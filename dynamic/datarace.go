package dynamic

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/racing"
	"github.com/empire-go/empire-go/scenarios"
)

// RacesResult is the answer about a run of which nothing but its data races is known.
func RacesResult(all []racing.Race, root string) *empire.Result {
	races := DataRaces(all, root)
	return &empire.Result{
		Schema: 1, Tool: empire.Tool{Name: empire.Name, Version: empire.Version},
		Invocation:    empire.Invocation{Dir: ".", Packages: []string{}, Go: runtime.Version()},
		ModuleRootDir: root, Verdict: races.Verdict, Errors: []string{}, Queries: []empire.QueryResult{},
		Blocking: []empire.BlockingResult{*races},
	}
}

// DataRaces puts the data races of a run into the form that is rendered. Positions become relative to root, the
// directory of the module. What no line of the module is a part of does not count.
func DataRaces(all []racing.Race, root string) *empire.BlockingResult {
	r := &empire.BlockingResult{Entry: "this run", IsRun: true, Verdict: empire.VerdictUnknown,
		Reason: "no data race occurs in this run; another one may have it", Guesses: []empire.Assumption{},
		Findings: []empire.BlockingFinding{}}
	class, _ := scenarios.ClassByName("data-race")
	seen := map[string]bool{}
	lines := sources{}
	for _, race := range all {
		first, second := raced(race.First, nil, root), raced(race.Second, race.Calls, root)
		places := min(first.Pos, second.Pos) + " " + max(first.Pos, second.Pos)
		if seen[places] { // a line that reads and writes has one with each
			continue
		}
		seen[places] = true
		f := empire.BlockingFinding{Class: class.Name, Definition: class.Definition,
			ID:    class.ID(lines.key(race.First), lines.key(race.Second)),
			Waits: []empire.Waiting{first, second}, Interleaving: []empire.Step{racedStep(first, race.First, nil, root),
				racedStep(second, race.Second, race.Calls, root)}, Harm: &empire.Harm{Status: empire.HarmSeen}}
		if isWithin(race, root) {
			r.Verdict, r.Reason = empire.VerdictViolation, ""
		} else {
			f.Harm = &empire.Harm{Status: empire.HarmUnknown, Reason: "no line of the module is a part of it"}
		}
		r.Findings = append(r.Findings, f)
	}
	return r
}

// sources are the lines of files.
type sources map[string][]string

// key names a place by what is there, which stays if lines move.
func (s sources) key(a racing.Access) string {
	file, line, _ := strings.Cut(a.Pos, ":")
	if _, ok := s[file]; !ok {
		text, _ := os.ReadFile(file)
		s[file] = strings.Split(string(text), "\n")
	}
	n, _ := strconv.Atoi(line)
	if n < 1 || n > len(s[file]) {
		return a.Function
	}
	return a.Function + " " + strings.TrimSpace(s[file][n-1])
}

// isWithin tells whether a line of the module is a part of a race.
func isWithin(race racing.Race, root string) bool {
	return isIn(root, race.First.Pos) || isIn(root, race.Second.Pos) || firstIn(root, race.Calls) != ""
}

// isIn tells whether a place is in a file of the module.
func isIn(root, pos string) bool { return strings.HasPrefix(pos, root+string(filepath.Separator)) }

// firstIn is the first of some places that is in the module, "" if none is.
func firstIn(root string, all []racing.Place) string {
	for _, p := range all {
		if isIn(root, p.Pos) {
			return p.Pos
		}
	}
	return ""
}

// raced is one of the accesses of a race.
func raced(a racing.Access, calls []racing.Place, root string) empire.Waiting {
	what := a.Kind + "s"
	if by := firstIn(root, calls); by != "" && !isIn(root, a.Pos) { // a place of the library says little
		what += ", called at " + positionIn(root, by)
	}
	if a.Started != "" {
		what += "; started at " + positionIn(root, a.Started)
	}
	return empire.Waiting{Goroutine: "goroutine " + a.Goroutine, Instance: 1, Function: a.Function,
		Pos: positionIn(root, a.Pos), What: what}
}

func racedStep(w empire.Waiting, a racing.Access, calls []racing.Place, root string) empire.Step {
	s := empire.Step{Goroutine: w.Goroutine, Instance: 1, Function: w.Function, Pos: w.Pos,
		Action: strings.TrimPrefix(a.Kind, "atomic "), Stack: []string{}}
	for i := len(calls) - 1; i > 0; i-- {
		s.Stack = append(s.Stack, calls[i].Function+" "+positionIn(root, calls[i].Pos))
	}
	return s
}

// positionIn names a place in a file as the rest of a report does.
func positionIn(root, pos string) string {
	if isIn(root, pos) {
		return filepath.ToSlash(pos[len(root)+1:])
	}
	pos = filepath.ToSlash(pos)
	if _, rel, ok := strings.Cut(pos, "/pkg/mod/"); ok {
		return "$GOMODCACHE/" + rel
	}
	if _, rel, ok := strings.Cut(pos, "/src/"); ok {
		return "$GOROOT/src/" + rel
	}
	return pos
}
