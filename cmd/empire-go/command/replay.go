package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/empire-go/empire-go/dynamic/steer"
)

func newReplay() *cobra.Command {
	times := countValue(1)
	cmd := &cobra.Command{
		Use:   "replay SCHEDULE",
		Short: "Repeat a run that has shown a violation",
		Long: `Repeat the run whose schedule empire-go confirm or check --confirm has written: the same
goroutines run in the same order, and the violation is looked for again. It needs the code
that the schedule was made with; where the code has changed, confirm the violation again.

What the program does between two of its steps that depends on chance, as the order of a
map or of a select, or on time, is not part of the schedule.

Exit status: 1 the violation was there again, 0 it was not, 2 the run could not be made,
3 it was there in some of the runs, or runs differed.`,
		Example: `  empire-go replay empire-schedules/3f2a91c0.json
  empire-go replay --times 1000 empire-schedules/3f2a91c0.json`,
		Args: cobra.ArbitraryArgs,
	}
	cmd.Flags().Var(&times, "times", "repeat it `n` times")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return inputError("replay", "needs one schedule; write empire-go replay FILE")
		}
		file, err := openFile(cmd, args[0])
		if err != nil {
			return err
		}
		defer file.Close()
		schedule, err := steer.ReadSchedule(args[0], file)
		if err != nil {
			return asInputError("replay", err)
		}
		r, err := steer.Replay(cmd.Context(), ".", schedule, int(times))
		if err != nil {
			return asInputError("replay", err)
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s (scenario %d), %d of %d runs; %d of them identical\n", schedule.Name(),
			schedule.Scenario, r.Shown, r.Runs, r.Identical)
		switch {
		case r.Shown == r.Runs && r.Identical == r.Runs:
			return status(statusViolation)
		case r.Shown == 0:
			return nil
		}
		return status(statusUnknown)
	}
	return cmd
}
