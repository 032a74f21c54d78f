package command

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/internal/suggest"
	"github.com/empire-go/empire-go/report"
	"github.com/empire-go/empire-go/scenarios"
)

func newExplain() *cobra.Command {
	var pattern string
	var rules, functions bool
	cmd := &cobra.Command{
		Use:   "explain [scenario | pattern N | class]",
		Short: "Explain what is looked for, with a tiny example",
		Long: `Without an argument, list the scenarios: the ways in which two units of work can
break an atomic set. With the number or the name of a scenario, or the number of
a pattern, explain that one; with the name of a class of concurrency errors (data-race,
atomicity, order, deadlock, missed-signal, blocked, ...) what that is in Go.
With --knowledge, list what is known of the functions of libraries: what they synchronise,
what they do to the memory that they are handed, and what they run on other goroutines.
All others are what their bodies do.`,
		Example: `  empire-go explain
  empire-go explain 9
  empire-go explain inconsistent-read
  empire-go explain pattern 11
  empire-go explain deadlock
  empire-go explain --rules
  empire-go explain --knowledge`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeScenario,
	}
	cmd.Flags().BoolVar(&rules, "rules", false, "explain the precision rules that a safe answer may rest on")
	cmd.Flags().StringVar(&pattern, "pattern", "", "explain pattern `N`, 1 to 14, and its scenario")
	cmd.Flags().BoolVar(&functions, "knowledge", false, "list what is known of the functions of libraries")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		out := cmd.OutOrStdout()
		if cmd.Flags().Changed("pattern") {
			args = append([]string{"pattern", pattern}, args...)
		}
		switch {
		case functions && (rules || len(args) > 0):
			return inputError("--knowledge", "lists all functions; leave out what is beside it")
		case functions:
			return knowledge.Print(out)
		}
		if rules && len(args) > 0 {
			return inputError("explain", "explains one thing at a time; write empire-go explain --rules")
		}
		if rules {
			return report.ExplainRules(out, textOptions(out))
		}
		if len(args) == 0 {
			return report.ExplainAll(out, textOptions(out))
		}
		if c, ok := scenarios.ClassByName(strings.Join(args, " ")); ok {
			return report.ExplainClass(out, c, textOptions(out))
		}
		s, marked, err := find(args)
		if err != nil {
			return err
		}
		return report.Explain(out, s, marked, textOptions(out))
	}
	return cmd
}

// find returns the scenario that args name, and the pattern if they name one.
func find(args []string) (scenarios.Scenario, int, error) {
	kind := "scenario"
	if args[0] == "pattern" || args[0] == "scenario" {
		kind, args = args[0], args[1:]
	}
	if len(args) != 1 {
		return scenarios.Scenario{}, 0, inputError(
			"explain", "explains one thing at a time; write empire-go explain 9 or empire-go explain pattern 11")
	}
	n, err := strconv.Atoi(args[0])
	if kind == "pattern" {
		if s, p, ok := scenarios.ByPattern(n); ok && err == nil {
			return s, p.Number, nil
		}
		return scenarios.Scenario{}, 0, inputError(
			"explain", "no pattern %q; write a number from 1 to %d", args[0], scenarios.Patterns)
	}
	s, ok := scenarios.ByName(args[0])
	if err == nil {
		s, ok = scenarios.ByNumber(n)
	}
	if meant := suggest.Closest(args[0], scenarioNames()); !ok && meant != "" {
		return s, 0, inputError("explain", "no scenario %q; did you mean %s?", args[0], meant)
	}
	if !ok {
		return s, 0, inputError("explain", "no scenario %q; write a number from 1 to %d or a name that empire-go explain "+
			"lists", args[0], len(scenarios.Table))
	}
	return s, 0, nil
}

// scenarioNames returns the names of the scenarios, in the order of their numbers.
func scenarioNames() []string {
	var names []string
	for _, s := range scenarios.Table {
		names = append(names, s.Name)
	}
	return names
}
