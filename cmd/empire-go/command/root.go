// Package command is the command line: one file for each command, its flags, what it prints and
// the exit status. What it does is done by the facade, package empire, and by the packages below it.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/internal/suggest"
)

// The exit statuses. Scripts depend on them.
const (
	statusSafe      = 0 // every query is safe
	statusViolation = 1 // at least one violation
	statusFailed    = 2 // the request could not be carried out
	statusUnknown   = 3 // no violation found, but at least one query is unknown
)

// status is an outcome that is no error but an exit status other than 0. What
// there is to say has been said.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// sameSignal is how long a signal is taken for the same one as the first: timeout sends it twice, to the program and to
// its process group.
const sameSignal = time.Second

// Run carries out a command line, the arguments without the program's name, and returns the exit status.
func Run(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, func() {
		time.Sleep(sameSignal)
		stop() // the next signal ends the program at once
	})
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	var s status
	switch {
	case err == nil:
		return statusSafe
	case errors.As(err, &s):
		return int(s)
	}
	all := []error{err}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		all = several.Unwrap()
	}
	for _, e := range all {
		fmt.Fprintf(stderr, "empire-go: %s\n", oneLine(e))
	}
	return statusFailed
}

// unknownCommand matches cobra's error for an argument that a command does not
// take.
var unknownCommand = regexp.MustCompile(`^unknown command ("[^"]*") for "([^"]*)"`)

// oneLine gives every error the form "what: why" on one line.
func oneLine(err error) string {
	if errors.Is(err, context.Canceled) {
		return "interrupted: no verdict; nothing is concluded from what was done so far"
	}
	if m := unknownCommand.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Sprintf("%s: no such argument of %s; see %s --help", m[1], m[2], m[2])
	}
	lines := strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' })
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	return strings.Join(lines, "; ")
}

// inputError is short for an empire.InputError with a formatted reason.
func inputError(what, format string, args ...any) error {
	return &empire.InputError{What: what, Why: fmt.Sprintf(format, args...)}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "empire-go",
		Short: "Find interleavings that break invariants over several fields",
		Long: `empire-go is a static checker for concurrent Go programs.

Some fields of a struct belong together: a count and the slice that it counts,
a state and the connection that it describes. Name the type and the fields (an
"atomic set"), and empire-go answers whether two goroutines can interleave so
that the fields are left or seen inconsistent - even though every single access
holds a lock. It shows how, step by step, or proves that its model of the
program has no such interleaving.`,
		Example: `  empire-go check ./...              whatever is worth it
  empire-go candidates ./...         what that is, and why
  empire-go check --type Vector --fields count,data ./...
  empire-go explain                  what it looks for
  empire-go explain 9                one scenario, with an example`,
		Args:          cobra.ArbitraryArgs, // so that the error for an unknown command is ours
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return noCommand(cmd, args[0])
		}
		return cmd.Help()
	}
	root.Version = versionText()
	root.SetVersionTemplate("{{.Version}}")
	root.SetFlagErrorFunc(flagError)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", ".FlagUsagesWrapped 100"))
	root.AddCommand(newCheck(), newConfirm(), newReplay(), newRender(), newCandidates(), newDiscipline(), newYields(),
		newBaseline(), newExplain(), newSweep(), newCache(), newESL(), newCPDS(), newRun(), newTest(), newTrace(), newMan(),
		newVersion())
	root.SetHelpCommand(newHelp())
	completeValues(root)
	root.InitDefaultCompletionCmd("completion")
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.RunE = shellOrHelp
	}
	return root
}

// shellOrHelp is the completion command without one of its sub-commands.
func shellOrHelp(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return inputError(args[0], "no such shell; write %s bash, fish, powershell or zsh", cmd.CommandPath())
	}
	return cmd.Help()
}

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Help about a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			topic, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return noCommand(cmd.Root(), strings.Join(args, " "))
			}
			topic.InitDefaultHelpFlag()
			return topic.Help()
		},
	}
}

// noCommand is the error for a command that does not exist, with the one that may
// have been meant.
func noCommand(root *cobra.Command, name string) error {
	root.SuggestionsMinimumDistance = 2
	if similar := root.SuggestionsFor(name); len(similar) > 0 {
		return inputError(name, "no such command; did you mean empire-go %s?", similar[0])
	}
	return inputError(name, "no such command; write empire-go help for the list")
}

// flagError turns the errors of the flag package into ours.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return err
	case errors.As(err, &unknown):
		name := "--" + unknown.GetSpecifiedName()
		if letters := unknown.GetSpecifiedShortnames(); letters != "" {
			name = "-" + letters
		}
		if meant := suggest.Closest(unknown.GetSpecifiedName(), flagNames(cmd)); meant != "" {
			return inputError(name, "no such flag; did you mean --%s?", meant)
		}
		return inputError(name, "no such flag; write one of those that %s --help lists", cmd.CommandPath())
	case errors.As(err, &missing):
		return inputError("--"+missing.GetSpecifiedName(), "needs a value; write --%s %s", missing.GetSpecifiedName(),
			metavariable(missing.GetFlag()))
	case errors.As(err, &invalid):
		return inputError("--"+invalid.GetFlag().Name, "%v", reason(invalid))
	}
	return inputError("flags", "%v; see %s --help", err, cmd.CommandPath())
}

// flagNames returns the names of the flags of a command.
func flagNames(cmd *cobra.Command) (names []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	return names
}

// metavariable is the word that stands for the value in the help of a flag.
func metavariable(f *pflag.Flag) string {
	name, _ := pflag.UnquoteUsage(f)
	if name == "" {
		return "VALUE"
	}
	return name
}

// reason is why a value is wrong.
func reason(invalid *pflag.InvalidValueError) string {
	if cause := invalid.Unwrap(); cause != nil && invalid.GetFlag().Value.Type() != "bool" {
		return cause.Error()
	}
	return fmt.Sprintf("%q is not a value of it; write --%s or leave it out", invalid.GetValue(), invalid.GetFlag().Name)
}

// noArguments rejects arguments.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return inputError(args[0], "%s takes no arguments; leave it out", cmd.CommandPath())
	}
	return nil
}

// oneFile requires one argument, a file.
func oneFile(extension string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return inputError(cmd.CommandPath(), "needs one file, not %d; write %s FILE%s", len(args), cmd.CommandPath(),
				extension)
		}
		return nil
	}
}
