// Package accept says which violations of a result are known and count no more: those that a
// comment in the source accepts, those of a baseline file, and those that an older revision of the
// program had already. What has been accepted stays in the result, marked, so that every form of
// it can tell; what accepts nothing, or has expired, is reported.
//
// A violation is known by its id, which does not change when lines move. Comments and baselines
// may name the id of a cause instead: all violations that it leads to. So the causes have to be
// in the result (report.SetCauses).
package accept

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	empire "github.com/empire-go/empire-go"
)

// violation is one of a result, or a data race: what is accepted.
type violation struct {
	id, cause string
	class     string // of check --class; "" where that is about atomic sets
	what      string // in words
	steps     []empire.Step
	accepted  **empire.Acceptance
}

// violationsOf returns those of a result that count, in its order. Notes do not.
func violationsOf(r *empire.Result) []violation {
	var all []violation
	for i := range r.Queries {
		q := &r.Queries[i]
		of := q.Type[strings.LastIndex(q.Type, "/")+1:]
		if of == "" {
			of = "package variables"
		}
		for _, s := range q.Violations() {
			if s.Verdict == empire.VerdictViolation && s.Level != "note" {
				what := fmt.Sprintf("%s: %s of %s, on %s", of, s.Name, shortNames(s.Units), strings.Join(s.Locations, " and "))
				all = append(all, violation{s.ID, s.Cause, "", what, s.Counterexample, &s.Accepted})
			}
		}
		for j := range q.Races {
			race := &q.Races[j]
			what := fmt.Sprintf("%s: data race on %s", of, race.Accesses[0].Location)
			all = append(all, violation{race.ID, "", "", what, race.Accesses, &race.Accepted})
		}
	}
	for i := range r.Blocking {
		for k := range r.Blocking[i].Findings {
			all = append(all, waiting(&r.Blocking[i].Findings[k]))
		}
	}
	return all
}

// waiting is a finding about blocking as a violation. Its steps are those of the interleaving, and where it ends.
func waiting(f *empire.BlockingFinding) violation {
	steps := slices.Clone(f.Interleaving)
	var what []string
	for _, w := range slices.Concat(f.Waits, f.Also) {
		steps = append(steps, empire.Step{Pos: w.Pos})
	}
	for _, w := range f.Waits {
		what = append(what, shortNames([]string{w.Function})+" "+w.What)
	}
	return violation{f.ID, "", f.Class, f.Class + ": " + strings.Join(what, ", "), steps, &f.Accepted}
}

// pathOf matches the path before the name of a package.
var pathOf = regexp.MustCompile(`[^(*]*/`)

// shortNames joins names of functions, with their packages but not the paths of these.
func shortNames(units []string) string {
	var names []string
	for _, u := range units {
		names = append(names, pathOf.ReplaceAllString(u, ""))
	}
	if len(names) == 2 && names[0] == names[1] {
		return "two runs of " + names[0]
	}
	return strings.Join(names, " and ")
}

// is tells whether an id is that of the violation, or of its cause.
func (v violation) is(id string) bool {
	class, id := SplitID(id)
	return id != "" && (class == "" || class == v.class) && (v.id == id || v.cause == id)
}

// SplitID splits "CLASS:ID"; the class may be missing.
func SplitID(text string) (class, id string) {
	if class, id, ok := strings.Cut(text, ":"); ok {
		return class, id
	}
	return "", text
}

// IsAsked tells whether a request is about the class; "" is that of atomic sets.
func IsAsked(r empire.Request, class string) bool {
	if class == "" {
		return len(r.Classes) == 0
	}
	return slices.Contains(r.Classes, class)
}

// Complete tells whether all was answered that was asked, so that what was not found is not there.
func Complete(r *empire.Result) bool {
	if len(r.Errors) > 0 {
		return false
	}
	for _, q := range r.Queries {
		if q.Verdict == empire.VerdictUnknown {
			return false
		}
		for _, s := range q.Scenarios {
			if s.Verdict == empire.VerdictUnknown {
				return false
			}
		}
	}
	for _, b := range r.Blocking {
		if b.Verdict == empire.VerdictUnknown {
			return false
		}
	}
	return true
}

// Comments accepts what comments in the source name: the violations with the id that one of them
// names, if one of these has a step in its lines. It returns the comments that accept nothing.
func Comments(r *empire.Result) (idle []empire.Ignore) {
	all := violationsOf(r)
	for _, ignore := range r.Ignores {
		var meant []violation
		near := false
		for _, v := range all {
			if v.is(ignore.ID) {
				meant = append(meant, v)
				near = near || hasStepIn(v.steps, ignore)
			}
		}
		if !near {
			idle = append(idle, ignore)
			continue
		}
		for _, v := range meant {
			*v.accepted = &empire.Acceptance{By: empire.AcceptedByComment, Where: ignore.Pos, Reason: ignore.Reason}
		}
	}
	return idle
}

// hasStepIn tells whether a step, or a call on the way to it, is in the lines of a comment.
func hasStepIn(steps []empire.Step, ignore empire.Ignore) bool {
	file, _ := splitPos(ignore.Pos)
	within := func(pos string) bool {
		at, line := splitPos(pos)
		return at == file && ignore.Lines[0] <= line && line <= ignore.Lines[1]
	}
	for _, s := range steps {
		if within(s.Pos) {
			return true
		}
		for _, call := range s.Stack {
			if within(call[strings.LastIndex(call, " ")+1:]) {
				return true
			}
		}
	}
	return false
}

// splitPos splits "file.go:12:3".
func splitPos(pos string) (file string, line int) {
	parts := strings.Split(pos, ":")
	if len(parts) < 3 {
		return pos, 0
	}
	line, _ = strconv.Atoi(parts[len(parts)-2])
	return strings.Join(parts[:len(parts)-2], ":"), line
}

// Old accepts what the result for an older revision has already.
func Old(r, old *empire.Result, revision string) {
	had := map[string]bool{}
	for _, v := range violationsOf(old) {
		had[v.id] = true
	}
	for _, v := range violationsOf(r) {
		if *v.accepted == nil && had[v.id] {
			*v.accepted = &empire.Acceptance{By: empire.AcceptedAsOld, Where: revision}
		}
	}
}
