package command

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/watch"
	"github.com/empire-go/empire-go/dynamic/yields"
	"github.com/empire-go/empire-go/internal/answers"
	"github.com/empire-go/empire-go/internal/gaps"
)

func newYields() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "yields [packages]",
		Short: "Say where units of work need yields, by the model checker",
		Long: `Check atomic sets as empire-go check does, and say where units of work need yields: a comment
//empire:yield tells a reader that others may come in between there. Each violation has a gap:
two accesses of a unit between which another unit comes in, so that no order of whole units
explains what is read and written. A yield anywhere in the gap documents that. All gaps of
the atomic set are looked for, and it is said whether these are all. A least set of yields is shown that
covers them; where a call is as good as what the called function does, it is the call, since
that function need not yield then.

Gaps in which the source has a yield already are documented. With --write the others are
written, as comments; nothing else is changed, and nothing runs there.

empire-go run --cooperable finds the yields that a run needs, of all that its goroutines
share. Here it is all runs of the model, of the atomic sets that are checked.

Exit status: 0 nothing is missing and every query has an answer, 1 yields are missing, 2 the
request could not be carried out, 3 none is missing as far as is known, but a query is unknown.`,
		Example: `  empire-go yields ./...
  empire-go yields --type Vector --fields count,data .
  empire-go yields --write --type store.Cache ./...
  empire-go yields --format json ./...`,
		Args: cobra.ArbitraryArgs,
	}
	query := addQueryFlags(cmd)
	query.addBudget(cmd)
	f := cmd.Flags()
	var format string
	var write, noCache bool
	f.StringVar(&format, "format", "text", "print the `format` text or json")
	completeFrom(cmd, "format", "text", "json")
	f.BoolVar(&write, "write", false, "write the yields that are missing into the source")
	addNoCache(cmd, &noCache)
	cmd.RunE = func(cmd *cobra.Command, packages []string) error {
		if format != "text" && format != "json" {
			return inputError("--format", "no format %q; write text or json", format)
		}
		request, err := query.build(packages)
		if err != nil {
			return err
		}
		request.All = true
		if !noCache {
			request.Answers = answers.OpenDefault()
		}
		progress := newProgress(cmd.ErrOrStderr())
		defer progress.show("")
		request.Observe = func(e empire.Event) {
			if e.Phase != nil {
				progress.show(phaseText(e.Phase, 0))
			}
		}
		result, err := empire.Run(cmd.Context(), request)
		progress.show("")
		if err != nil {
			return err
		}
		return yieldsOf(cmd, result, format, write)
	}
	return cmd
}

// yieldsOf prints where yields are missing by a result, and writes them if that is asked for.
func yieldsOf(cmd *cobra.Command, result *empire.Result, format string, write bool) error {
	for _, e := range append(slices.Clone(result.Errors), result.NotChecked...) {
		fmt.Fprintf(cmd.ErrOrStderr(), "empire-go: %s\n", oneLine(fmt.Errorf("%s", e)))
	}
	if len(result.Queries) == 0 {
		return nothingChecked(result)
	}
	source := gaps.NewSource(result.ModuleRootDir)
	found := gaps.Find(result, source.Has)
	if err := source.Err(); err != nil {
		return inputError(result.ModuleRootDir, "%v", err)
	}
	all := &yieldsResult{found: found, verdict: empire.VerdictSafe, queries: len(result.Queries), allKnown: true}
	for _, q := range result.Queries {
		all.allKnown = all.allKnown && q.AllKnown
		if unknown := slices.ContainsFunc(q.Scenarios, isUnknown); unknown || len(q.Scenarios) == 0 {
			all.unknown++
		}
	}
	switch {
	case len(found.Yields) > 0:
		all.verdict = empire.VerdictViolation
	case all.unknown+len(result.Errors)+len(result.NotChecked) > 0:
		all.verdict = empire.VerdictUnknown
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	var err error
	if format == "json" {
		err = encodeJSON(out, all.json())
	} else {
		all.write(out)
	}
	if err = cmp.Or(err, out.Flush()); err != nil {
		return asInputError("standard output", err)
	}
	if write {
		if err := writeYields(cmd, result.ModuleRootDir, found.Yields); err != nil {
			return err
		}
	}
	switch all.verdict {
	case empire.VerdictViolation:
		return status(statusViolation)
	case empire.VerdictUnknown:
		return status(statusUnknown)
	}
	return nil
}

func isUnknown(s empire.ScenarioResult) bool { return s.Verdict == empire.VerdictUnknown }

// writeYields writes yields into the source. What has no form there is told.
func writeYields(cmd *cobra.Command, root string, all []*gaps.Yield) error {
	wants, missing := map[string][]yields.Want{}, []string(nil)
	for _, y := range all {
		name, line, column, ok := watch.ParsePosition(y.Pos)
		if !ok {
			missing = append(missing, y.Pos)
			continue
		}
		wants[name] = append(wants[name], yields.Want{Line: line, Column: column, Write: y.Action == "write"})
	}
	left, written, err := insertYields(root, wants)
	if err != nil {
		return err
	}
	for _, name := range written {
		fmt.Fprintf(cmd.ErrOrStderr(), "empire-go: wrote yields into %s\n", name)
	}
	for _, l := range left {
		missing = append(missing, fmt.Sprintf("%s:%d:%d", l.file, l.Line, l.Column))
	}
	if len(missing) > 0 {
		return inputError("--write", "%s has no form in the source; write the yield by hand", missing[0])
	}
	return nil
}

// yieldsResult is what the command tells.
type yieldsResult struct {
	found            *gaps.Report
	verdict          string
	queries, unknown int
	allKnown         bool // there are no other gaps
}

// write prints it for a reader.
func (r *yieldsResult) write(w io.Writer) {
	for _, y := range r.found.Yields {
		fmt.Fprintf(w, "YIELD before %s in %s, %s\n", what(y.Action, y.On), y.Function, y.Pos)
		for _, g := range y.Gaps {
			writeGap(w, g)
		}
		fmt.Fprintln(w)
	}
	documented := 0
	for _, g := range r.found.Gaps {
		if g.Yield == "" {
			continue
		}
		if documented++; documented == 1 {
			fmt.Fprintln(w, "Documented by a yield in the source:")
		}
		writeGap(w, g)
	}
	if documented > 0 {
		fmt.Fprintln(w)
	}
	least := ""
	if len(r.found.Yields) > 0 {
		least = "; no fewer yields would do"
		if !r.found.Least {
			least = "; fewer yields may do"
		}
	}
	gaps := count(len(r.found.Gaps), "gap")
	if !r.allKnown {
		gaps += " (there may be more)"
	}
	fmt.Fprintf(w, "%s, %s, %d documented, %s missing%s\n", countQueries(r.queries, r.unknown), gaps, documented,
		count(len(r.found.Yields), "yield"), least)
}

func countQueries(n, unknown int) string {
	text := "1 query"
	if n != 1 {
		text = fmt.Sprintf("%d queries", n)
	}
	if unknown > 0 {
		text += fmt.Sprintf(" (%d unknown)", unknown)
	}
	return text
}

func writeGap(w io.Writer, g *gaps.Gap) {
	var by []string
	for _, a := range g.By {
		by = append(by, a.Action+" "+a.On)
	}
	fmt.Fprintf(w, "  %s\n    after   %s\n    before  %s\n    others  %s: %s (%s)\n", g.Unit, at(g.After), at(g.Before),
		g.Other, strings.Join(by, ", "), scenarioList(g.Scenarios))
}

func at(a gaps.Access) string { return fmt.Sprintf("%s at %s", what(a.Action, a.On), a.Pos) }

func what(action, on string) string {
	if on == "" {
		return action
	}
	return action + " " + on
}

func scenarioList(all []int) string {
	text := strings.Trim(strings.ReplaceAll(fmt.Sprint(all), " ", ", "), "[]")
	if len(all) == 1 {
		return "scenario " + text
	}
	return "scenarios " + text
}

type yieldsJSON struct {
	Schema  int         `json:"schema"`
	Tool    toolJSON    `json:"tool"`
	Verdict string      `json:"verdict"`
	Queries int         `json:"queries"`
	Unknown int         `json:"unknown"` // queries
	Least   bool        `json:"least"`   // no smaller set of yields would do
	All     bool        `json:"all"`     // there are no other gaps
	Yields  []yieldJSON `json:"yields"`  // that are missing
	Gaps    []gapJSON   `json:"gaps"`
}

type yieldJSON struct {
	Pos      string `json:"pos"`
	Function string `json:"function"`
	Before   string `json:"before"` // an action, or "call"
	On       string `json:"on"`
	Gaps     []int  `json:"gaps"` // that it covers: indexes
}

type gapJSON struct {
	Type      string        `json:"type"`
	Fields    []string      `json:"fields"`
	Unit      string        `json:"unit"`
	Other     string        `json:"other"`
	After     gaps.Access   `json:"after"`
	Before    gaps.Access   `json:"before"`
	By        []gaps.Access `json:"by"`
	Places    []yieldJSON   `json:"places"` // where a yield would do
	Scenarios []int         `json:"scenarios"`
	IDs       []string      `json:"ids"`             // of violations
	Yield     string        `json:"yield,omitempty"` // where the source has one
}

func (r *yieldsResult) json() yieldsJSON {
	all := yieldsJSON{Schema: 1, Tool: toolJSON{empire.Name, empire.Version}, Verdict: r.verdict, Queries: r.queries,
		Unknown: r.unknown, Least: r.found.Least, All: r.allKnown, Yields: []yieldJSON{}, Gaps: []gapJSON{}}
	for _, y := range r.found.Yields {
		out := newYieldJSON(y.Point)
		for _, g := range y.Gaps {
			out.Gaps = append(out.Gaps, slices.Index(r.found.Gaps, g))
		}
		all.Yields = append(all.Yields, out)
	}
	for _, g := range r.found.Gaps {
		out := gapJSON{g.Type, g.Fields, g.Unit, g.Other, g.After, g.Before, append([]gaps.Access{}, g.By...),
			[]yieldJSON{}, g.Scenarios, g.IDs, g.Yield}
		for _, p := range g.Points {
			out.Places = append(out.Places, newYieldJSON(p))
		}
		all.Gaps = append(all.Gaps, out)
	}
	return all
}

func newYieldJSON(p gaps.Point) yieldJSON {
	return yieldJSON{p.Pos, p.Function, p.Action, p.On, []int{}}
}
