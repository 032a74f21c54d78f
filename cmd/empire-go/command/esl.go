package command

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/internal/pipeline"
	"github.com/empire-go/empire-go/report"
	"github.com/empire-go/empire-go/scenarios"
)

func newESL() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "esl [packages]",
		Short: "Print the ESL model of a query, or check a hand-written one",
		Long: `Print the model that check would decide: goroutines, locks and the accesses to
the atomic set, in ESL, the intermediate language. The text can be edited and
checked with "empire-go esl check FILE".`,
		Example: `  empire-go esl --type Vector --fields count,data > vector.esl
  empire-go esl check vector.esl`,
		Args: cobra.ArbitraryArgs,
	}
	query := addQueryFlags(cmd)
	blocks := cmd.Flags().Bool("class", false, "print the model that check --class decides: all synchronisation, and no "+
		"atomic set")
	cmd.RunE = func(cmd *cobra.Command, packages []string) error {
		request, err := query.build(packages)
		if err != nil {
			return err
		}
		if *blocks {
			programs, err := pipeline.BlockingModels(cmd.Context(), request)
			if err != nil {
				return err
			}
			for _, p := range programs {
				if err := esl.Print(cmd.OutOrStdout(), p); err != nil {
					return asInputError("standard output", err)
				}
			}
			return nil
		}
		program, err := empire.Model(cmd.Context(), request)
		if err != nil {
			return err
		}
		return asInputError("standard output", esl.Print(cmd.OutOrStdout(), program))
	}
	cmd.AddCommand(newESLCheck())
	return cmd
}

func newESLCheck() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check FILE.esl",
		Short: "Check a hand-written ESL model",
		Long: `Check an ESL model against the scenarios, without any Go code.

Exit status: 0 safe, 1 a violation, 2 the file is no model, 3 unknown.`,
		Example: `  empire-go esl check vector.esl
  empire-go esl check --scenario 9 --engine prefix vector.esl`,
		Args: oneFile(".esl"),
	}
	scenario := cmd.Flags().String("scenario", "all", "the `scenarios` to look for: 9, or 1,2,9, or all")
	blocks := cmd.Flags().Bool("class", false, "look for instances that are blocked for ever, as check --class does")
	flags := addEngineFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		wanted, err := scenarios.Select(*scenario)
		if err != nil {
			return asInputError("--scenario", err)
		}
		program, err := readESL(cmd, args[0])
		if err != nil {
			return err
		}
		ctx, cancel, engine, limits, err := flags.open(cmd)
		if err != nil {
			return err
		}
		defer cancel()
		if *blocks {
			return checkBlocking(ctx, cmd, args[0], program)
		}
		found, err := checker.Check(ctx, program, checker.Options{Scenarios: wanted, Engine: engine, Limits: limits})
		if err != nil {
			return inputError(args[0], "%v", err)
		}
		if err := cmd.Context().Err(); err != nil {
			return err
		}
		query := pipeline.Describe(program, nil, found)
		if query.Verdict == empire.VerdictUnknown && ctx.Err() != nil {
			query.Reason = context.Cause(ctx).Error()
		}
		query.Type = "ESL model " + cmp.Or(program.Name, args[0])
		result := &empire.Result{Verdict: query.Verdict, Queries: []empire.QueryResult{query}}
		if err := report.Text(cmd.OutOrStdout(), result, textOptions(cmd.OutOrStdout())); err != nil {
			return asInputError("standard output", err)
		}
		return exitStatus(result.Verdict)
	}
	return cmd
}

// checkBlocking looks for what blocks in a model.
func checkBlocking(ctx context.Context, cmd *cobra.Command, name string, program *esl.Program) error {
	found, err := pipeline.SearchBlocking(ctx, program, "ESL model "+cmp.Or(program.Name, name))
	if err != nil {
		return inputError(name, "%v", err)
	}
	result := &empire.Result{Verdict: found.Verdict, Blocking: []empire.BlockingResult{*found}}
	if err := report.Text(cmd.OutOrStdout(), result, textOptions(cmd.OutOrStdout())); err != nil {
		return asInputError("standard output", err)
	}
	return exitStatus(result.Verdict)
}

// readESL reads a valid program.
func readESL(cmd *cobra.Command, name string) (*esl.Program, error) {
	src, err := readModel(cmd, name)
	if err != nil {
		return nil, err
	}
	program, err := esl.Parse(name, src)
	if err != nil {
		return nil, positioned(name, err)
	}
	if err := esl.Validate(program); err != nil {
		return nil, positioned(name, err)
	}
	return program, nil
}

// positioned makes an error about a file an input error; one that names the file
// already stays as it is.
func positioned(name string, err error) error {
	if strings.HasPrefix(err.Error(), name+":") {
		return errors.New(err.Error())
	}
	return inputError(name, "%v", err)
}
