package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/internal/answers"
	"github.com/empire-go/empire-go/report"
	"github.com/empire-go/empire-go/scenarios"
)

func newCheck() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check [packages]",
		Short: "Check whether goroutines can break an atomic set",
		Long: `Check whether two goroutines can interleave so that fields that belong together
are left or seen inconsistent. Packages are named as for the go command; the
default is the one in the current directory. What runs is their main functions;
with --tests also their tests; and if they have neither, clients that make objects
of the type and call everything exported, in any order, from several goroutines.

Without --type it checks every candidate, and without --fields those of the type:
fields, or package variables, that the program uses under one lock or writes
together. empire-go candidates lists them, with the evidence.

For each cause of violations - a unit of work that is not atomic - the answer shows one
of them: the interleaving, a column for each of the two goroutines, with the accesses
that matter marked (1), (2), ... The others are listed below it; --all shows each.

A violation does harm if the interleaving does what no order of the two units does: seen
in a run, or possible from a start that is shown; else that is unknown, or it is one by
the letter only. The worst comes first; what is by the letter only has a line.

All queries share a budget of work: each gets a small part of it first, the likeliest ones
before the others, and what is left goes to those that have no answer yet. It counts steps,
not seconds. With --timeout each query has a limit by the clock in place of it. What has no
answer says how to allow more, and which smaller query would do. Each answer is printed
when it is there, and an interrupted check tells what is done, and what is not.

Exit status: 0 every query is safe, 1 at least one violation, 2 the request
could not be carried out, 3 no violation but at least one query is unknown. That is so
where flags name what to check (--type, --fields, --vars, --site, --scenario, --pattern).
Without them 1 takes a violation that can do harm or a data race that counts, and 3 stands
for anything else that is unknown: a verdict, or a harm. --fail-on says which harm it takes.

With --diff or --fix, changes are looked for that end the violations: sections of a lock that
are joined, a lock taken from the beginning or for writing, a second look. Each is checked:
what it mends is gone, nothing else in the packages named is violated, and nothing new is
waited for while a lock is held, so that it brings no deadlock.

With a part of the budget it asks, too, of programs and clients, and of calls of single
functions, whether goroutines can wait for each other or for what never comes (deadlock,
missed-signal, blocked), and whether an operation on a channel, lock or wait group can end the
program (order); empire-go explain deadlock tells what each class is. Of a call that is a matter of
what the function makes for itself and for the goroutines that it starts. What it finds ranks and
counts as violations do; what it does not know of that has no effect. Not so where flags name what
to check.

With --class it asks that, and only that, as far as it comes. The exit status goes by verdict.
With --class data-race it asks about all memory that goroutines share and that one of them
writes: fields of the types in the packages named, package variables, variables of functions that
closures capture, maps and slices that nothing else holds; or, with --type and --fields or
--vars, about these. A data race is an error if a run of the program shows it, else a warning:
synchronisation may have been overlooked.

Violations that a comment or a baseline accepts (see empire-go baseline --help), or that
--new-from finds in the older revision, do not count.`,
		Example: `  empire-go check ./...
  empire-go check --type Vector --fields count,data
  empire-go check --type store.Cache --fields entries,size --site cache.go:41 ./...
  empire-go check --tests --type Cache ./store
  empire-go check --class deadlock,blocked ./cmd/server
  empire-go check --vars registry.codecs,registry.latest ./registry
  empire-go check --type Vector --scenario 1,9 --format json ./cmd/server
  empire-go check --type Vector --dot bug.dot && dot -Tsvg -O bug.dot
  empire-go check --html bugs.html --source-url https://github.com/me/store/blob/main ./...`,
		Args: cobra.ArbitraryArgs,
	}
	query, output, confirming := addQueryFlags(cmd), addOutputFlags(cmd), addConfirmFlags(cmd)
	query.addBudget(cmd)
	var classes listValue
	cmd.Flags().Var(&classes, "class", "look for these `classes` of concurrency errors in the place of broken atomic "+
		"sets: "+strings.Join(scenarios.AskedClasses(), ", ")+", or all of them")
	confirm := cmd.Flags().Bool("confirm", false,
		"run the program and see whether it does what is reported; see empire-go confirm --help")
	mending := addMendFlags(cmd)
	settling, statusOf := addSettleFlags(cmd), addFailOn(cmd, query)
	cmd.Flags().BoolVar(&query.request.Timings, "timings", false,
		"measure the stages; two runs then print different numbers")
	noCache := false
	addNoCache(cmd, &noCache)
	cmd.RunE = func(cmd *cobra.Command, packages []string) error {
		request, err := query.build(packages)
		if err != nil {
			return err
		}
		if !noCache {
			request.Answers = answers.OpenDefault()
		}
		if len(classes) > 0 {
			return checkClasses(cmd, request, classes, settling, output, *confirm)
		}
		request.Harm, request.Blocking = true, !query.isNamed()
		if err := output.check(cmd); err != nil {
			return err
		}
		if err := settling.check(cmd); err != nil {
			return err
		}
		if !*confirm {
			for _, flag := range confirmOnly {
				if cmd.Flags().Changed(flag) {
					return inputError("--"+flag, "needs --confirm; write both")
				}
			}
		}
		output.quiet = mending.diff
		result, err := output.run(cmd, request)
		if err != nil {
			return err
		}
		notChecked := result.NotChecked
		if !output.all {
			notChecked = report.Grouped(notChecked)
		}
		for _, e := range notChecked {
			fmt.Fprintf(cmd.ErrOrStderr(), "empire-go: not checked: %s\n", oneLine(fmt.Errorf("%s", e)))
		}
		if len(result.Queries)+len(result.Blocking) == 0 {
			return nothingChecked(result)
		}
		if err := settling.settle(cmd, request, query.isNamed(), result); err != nil {
			return err
		}
		if *confirm && cmd.Context().Err() == nil {
			if err := confirming.confirm(cmd.Context(), result, ".", cmd.ErrOrStderr()); err != nil {
				return err
			}
		}
		if mending.isWanted() && cmd.Context().Err() == nil {
			if printed, err := mending.mend(cmd, request, result); err != nil {
				return err
			} else if printed {
				return statusOf(result)
			}
		}
		if !*confirm && confirming.emitTest && cmd.Context().Err() == nil {
			if err := confirming.emit(cmd.Context(), result, ".", cmd.ErrOrStderr()); err != nil {
				return err
			}
		}
		if err := output.write(cmd.OutOrStdout(), result); err != nil {
			return err
		}
		return statusOf(result)
	}
	return cmd
}

// nothingChecked is the outcome of a run without a query: never "safe".
func nothingChecked(r *empire.Result) error {
	if len(r.Errors)+len(r.NotChecked) > 0 {
		return status(statusFailed)
	}
	return inputError("check", "found nothing to check; write --type T with --fields a,b")
}
