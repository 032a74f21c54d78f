//go:build pool

package command

import (
	"bytes"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/empire-go/empire-go/sweep/jetstream"
	"github.com/empire-go/empire-go/sweep/pool"
)

func newSweepStatus() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "status --connect nats://HOST:PORT",
		Short: "Show how far the sweeps of a pool are",
		Long: `Show how far the sweeps of a pool are: a table that follows, with a line for each sweep - what
is answered, tasks that wait and that workers hold, workers, answers a second and the time
left - and one for each worker. On a terminal the table is written over, else again and again.
It ends when there is no sweep any more, or when it is interrupted.`,
		Args: noArguments,
	}
	var connection poolFlags
	connection.add(cmd)
	every := durationValue(2 * time.Second)
	cmd.Flags().Var(&every, "every", "write the table again after so `long`")
	once := cmd.Flags().Bool("once", false, "write the table once")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		connected, err := connection.connect(cmd.Context(), jetstream.Coordinator, nil, 0)
		if err != nil {
			return err
		}
		defer connected.Close()
		watcher, err := pool.Watch(connected)
		if err != nil {
			return err
		}
		defer watcher.Close()
		_, isTerminal := terminal(cmd.OutOrStdout())
		for n, lines := 0, 0; ; n++ {
			wait := time.Duration(every)
			if n == 0 {
				wait = min(wait, 2500*time.Millisecond) // workers tell of themselves every two seconds
			}
			if n > 0 || *once {
				select {
				case <-cmd.Context().Done():
					return nil
				case <-time.After(wait):
				}
			}
			all, err := watcher.Status(cmd.Context())
			if cmd.Context().Err() != nil {
				return nil
			}
			if err != nil {
				return asInputError("--connect "+connection.url, err)
			}
			var table bytes.Buffer
			if err := pool.WriteStatus(&table, all); err != nil {
				return err
			}
			if isTerminal && lines > 0 {
				fmt.Fprintf(cmd.OutOrStdout(), "\x1b[%dA\x1b[J", lines)
			}
			lines = bytes.Count(table.Bytes(), []byte("\n"))
			if _, err := table.WriteTo(cmd.OutOrStdout()); err != nil {
				return asInputError("standard output", err)
			}
			if *once || len(all) == 0 {
				return nil
			}
		}
	}
	return cmd
}

func newSweepDrain() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "drain --connect nats://HOST:PORT [sweep]",
		Short: "Hand out no more tasks, and wait until none is held",
		Long: `Hand out no more tasks of a sweep, or of all, and wait until workers have finished what they
hold. Then machines can be taken away. --resume hands them out again.`,
		Args: cobra.MaximumNArgs(1),
	}
	var connection poolFlags
	connection.add(cmd)
	resume := cmd.Flags().Bool("resume", false, "hand out tasks again")
	cmd.RunE = func(cmd *cobra.Command, ids []string) error {
		connected, err := connection.connect(cmd.Context(), jetstream.Coordinator, nil, 0)
		if err != nil {
			return err
		}
		defer connected.Close()
		if len(ids) == 0 {
			if ids, err = connected.Sweeps(cmd.Context()); err != nil {
				return asInputError("--connect "+connection.url, err)
			}
		}
		for _, id := range ids {
			if *resume {
				err = connected.Resume(cmd.Context(), id)
			} else {
				err = pool.Drain(cmd.Context(), connected, id)
			}
			switch {
			case jetstream.IsGone(err):
				return inputError(id, "no sweep has this name; empire-go sweep status lists them")
			case err != nil:
				return asInputError(id, err)
			}
		}
		return nil
	}
	return cmd
}

func newSweepExport() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export --connect nats://HOST:PORT SWEEP",
		Short: "Print the table of a sweep, of the answers that there are",
		Long: `Print the table of a sweep, of the answers that there are, as the sweep itself prints it in the
end. No sources are needed. It can be printed as long as the nodes have the answers.

Exit status: as of the sweep; 3 if there is more to be answered.`,
		Args: cobra.ExactArgs(1),
	}
	var connection poolFlags
	connection.add(cmd)
	format := cmd.Flags().String("format", "text", "print the `format` text, json or csv")
	completeFrom(cmd, "format", "text", "json", "csv")
	timings := addTableTimings(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		render, err := renderTable(*format)
		if err != nil {
			return err
		}
		connected, err := connection.connect(cmd.Context(), jetstream.Coordinator, nil, 0)
		if err != nil {
			return err
		}
		defer connected.Close()
		table, err := pool.Export(cmd.Context(), connected, args[0])
		if err != nil {
			return asInputError(args[0], err)
		}
		table.Timings = *timings
		for _, e := range table.Errors {
			fmt.Fprintf(cmd.ErrOrStderr(), "empire-go: %s\n", oneLine(fmt.Errorf("%s", e)))
		}
		if err := render(table, cmd.OutOrStdout()); err != nil {
			return asInputError("standard output", err)
		}
		return exitStatus(table.Verdict())
	}
	return cmd
}
