package command

import (
	"io"
	"log/slog"
	"os"

	"github.com/spf13/cobra"

	"github.com/empire-go/empire-go/sweep"
	"github.com/empire-go/empire-go/sweep/child"
)

// renderTable returns what writes a table in a format.
func renderTable(format string) (func(*sweep.Table, io.Writer) error, error) {
	render, ok := map[string]func(*sweep.Table, io.Writer) error{
		"text": (*sweep.Table).Text, "json": (*sweep.Table).JSON, "csv": (*sweep.Table).CSV}[format]
	if !ok {
		return nil, inputError("--format", "no format %q; write text, json or csv", format)
	}
	return render, nil
}

// addTableTimings defines the flag of what prints tables.
func addTableTimings(cmd *cobra.Command) *bool {
	return cmd.Flags().Bool("timings", false, "print what two sweeps differ in as well: times, and what was answered "+
		"before")
}

// logFlag says what is logged.
type logFlag struct{ level string }

func (l *logFlag) add(cmd *cobra.Command, level string) {
	cmd.Flags().StringVar(&l.level, "log", level, "log to standard error what is of the `level` debug, info, warn or "+
		"error, or above")
	completeFrom(cmd, "log", "debug", "info", "warn", "error")
}

func (l *logFlag) logger(cmd *cobra.Command) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(l.level)); err != nil {
		return nil, inputError("--log", "no level %q; write debug, info, warn or error", l.level)
	}
	return slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: level})), nil
}

// newSweepChild is what workers start.
func newSweepChild() *cobra.Command {
	return &cobra.Command{
		Use:    "child",
		Short:  "Answer what a worker asks, in lines of JSON",
		Args:   noArguments,
		Hidden: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return child.Run(cmd.Context(), os.Stdin, cmd.OutOrStdout())
		},
	}
}
