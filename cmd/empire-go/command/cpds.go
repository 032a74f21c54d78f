package command

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/cpds"
)

func newCPDS() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cpds [packages]",
		Short: "Print the pushdown systems of a query, or check hand-written ones",
		Long: `Print the communicating pushdown systems that check would decide: one system for
each guess of which units of which goroutines meet and on which fields. Without
--guess all of them are printed.`,
		Example: `  empire-go cpds --type Vector --fields count,data --guess 1 > vector.cpds
  empire-go cpds check vector.cpds`,
		Args: cobra.ArbitraryArgs,
	}
	query := addQueryFlags(cmd)
	var guess countValue
	cmd.Flags().Var(&guess, "guess", "print only the system of guess `n`, counted from 1")
	cmd.RunE = func(cmd *cobra.Command, packages []string) error {
		request, err := query.build(packages)
		if err != nil {
			return err
		}
		program, err := empire.Model(cmd.Context(), request)
		if err != nil {
			return err
		}
		model, err := cpds.Lower(program)
		if err != nil {
			return inputError("model", "%v", err)
		}
		return printGuesses(cmd.OutOrStdout(), model, request, int(guess))
	}
	cmd.Flags().Lookup("guess").DefValue = ""
	cmd.AddCommand(newCPDSCheck(), newPoststar(), newPrestar())
	return cmd
}

// printGuesses prints the systems of all guesses, or of one, counted from 1.
func printGuesses(w io.Writer, model *cpds.Model, request empire.Request, only int) error {
	guesses := model.Guesses(request.Scenarios)
	if only > len(guesses) {
		return inputError("--guess", "there are %d guesses; write a number up to that, or leave it out", len(guesses))
	}
	for i, g := range guesses {
		if only != 0 && i+1 != only {
			continue
		}
		system := model.System(g, request.Scenarios)
		if system == nil {
			continue
		}
		if only == 0 {
			fmt.Fprintf(w, "// guess %d of %d\n", i+1, len(guesses))
		}
		if err := cpds.Print(w, system); err != nil {
			return asInputError("standard output", err)
		}
	}
	return nil
}

func newCPDSCheck() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Check hand-written pushdown systems, or grammars, for a common word",
		Long: `Answer for each label of the final configurations whether one word of actions
drives every component from its initial configuration to a final one.

A file FILE.cfg has context-free grammars in the format of the tool Covenant, and the
question is whether there is a word that all of them derive:

  ( S -> [ "a" S "b", [] ] )
  ( T -> [ "a" T, "b" ] )

An answer names the part of the engine that decided: exact (nothing is recursive), bounded
(a search with bounded recursion), regular or refined (finite automata that have more words,
and what was cut from them), lock histories (of recursive threads with nested locks), or
counting (how often each action occurs).

Exit status: 0 there is none, 1 there is one, 2 the file is no system, 3 unknown.`,
		Example: `  empire-go cpds check two.cpds
  empire-go cpds check --engine prefix --timeout 5m two.cpds
  empire-go cpds check grammars.cfg`,
		Args: oneFile(".cpds"),
	}
	flags := addEngineFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		src, err := readModel(cmd, args[0])
		if err != nil {
			return err
		}
		parse := cpds.Parse
		if filepath.Ext(args[0]) == ".cfg" {
			parse = cpds.ParseGrammars
		}
		system, err := parse(args[0], src)
		if err != nil {
			return positioned(args[0], err)
		}
		ctx, cancel, engine, limits, err := flags.open(cmd)
		if err != nil {
			return err
		}
		defer cancel()
		answers := engine.Decide(ctx, system, limits)
		if err := cmd.Context().Err(); err != nil {
			return err
		}
		for _, a := range answers {
			if a.Status == checker.Undecided && ctx.Err() != nil {
				a.Reason = context.Cause(ctx).Error()
			}
			printAnswer(cmd.OutOrStdout(), system, a)
		}
		return answersStatus(answers)
	}
	return cmd
}

// printAnswer prints the answer for one label, with the word if there is one: each
// action with the components that take part in it.
func printAnswer(w io.Writer, s *cpds.System, a checker.Answer) {
	label := ""
	if a.Label != "" {
		label = a.Label + ": "
	}
	switch a.Status {
	case checker.Empty:
		fmt.Fprintf(w, "%sempty: no common word (%s)\n", label, a.By)
	case checker.Undecided:
		fmt.Fprintf(w, "%sunknown: %s\n", label, a.Reason)
	case checker.Common:
		fmt.Fprintf(w, "%scommon word of length %d (%s)\n", label, len(a.Word), a.By)
		for i, action := range a.Word {
			var parts []string
			for _, c := range s.Components {
				if slices.Contains(c.Alphabet, action) {
					parts = append(parts, c.Name)
				}
			}
			fmt.Fprintf(w, "  %3d  %-20s  %s\n", i+1, s.Actions[action], strings.Join(parts, ", "))
		}
	}
}

// answersStatus is the outcome for all labels: reachable, unknown, or nil for
// proved not to be.
func answersStatus(answers []checker.Answer) error {
	has := func(s checker.Status) bool {
		return slices.ContainsFunc(answers, func(a checker.Answer) bool { return a.Status == s })
	}
	switch {
	case has(checker.Common):
		return status(statusViolation)
	case has(checker.Undecided) || len(answers) == 0:
		return status(statusUnknown)
	}
	return nil
}
