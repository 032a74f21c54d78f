package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/steer"
	"github.com/empire-go/empire-go/report"
)

// confirmFlags say how violations are confirmed, for confirm and check --confirm.
type confirmFlags struct {
	schedules string
	time      durationValue
	seed      uint64
	emitTest  bool
	args      []string // of the program
}

// confirmOnly is the flags that need --confirm in check.
var confirmOnly = []string{"schedules", "confirm-time", "seed"}

// addConfirmFlags defines those flags of a command.
func addConfirmFlags(cmd *cobra.Command) *confirmFlags {
	c := &confirmFlags{time: durationValue(steer.DefaultBudget.Time)}
	f := cmd.Flags()
	f.StringVar(&c.schedules, "schedules", "empire-schedules", "write the schedules of confirmed violations into `DIR`")
	f.Var(&c.time, "confirm-time", "`time` for each violation; past it that is not confirmed")
	f.Uint64Var(&c.seed, "seed", 0, "begin the search with this `number`: another one tries other schedules")
	f.BoolVar(&c.emitTest, "emit-test", false, "write a regression test for each cause into its package: one that "+
		"needs only the go command where two calls are known that do harm, else, with what is confirmed, one that asks "+
		"empire-go again")
	return c
}

func newConfirm() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "confirm REPORT.json",
		Short: "See whether the program really does what a report says",
		Long: `Run the program, and lead its goroutines along each counterexample of a report that
empire-go check --format json has printed. Each violation is then

  confirmed       it happened: the same scenario, units and locations on a real run. The
                  schedule of that run is written to a file, and empire-go replay repeats it
  not confirmed   no run that was tried came to the end; the step is named that none
                  came to. Another input, or more time, may still show it
  not tried       the program could not be run, or not be led there: the reason is given

The program is built with every access and each operation of synchronisation instrumented,
in a temporary directory; the module is not changed. One goroutine runs at a time, and
which one is chosen at each of these operations. It is run as it is, without arguments, in
the current directory: a program that deletes files does so. Libraries are run by a
client that is written for the two calls of the counterexample.

The report is printed again, with the outcomes in it. Exit status: as of a check
that names its query.`,
		Example: `  empire-go check --format json ./... > report.json
  empire-go confirm report.json
  empire-go replay empire-schedules/3f2a91c0.json`,
		Args: cobra.ArbitraryArgs,
	}
	output, flags := addOutputFlags(cmd), addConfirmFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		result, err := output.savedResult(cmd, args, "report")
		if err != nil {
			return err
		}
		if err := flags.confirm(cmd.Context(), result, ".", cmd.ErrOrStderr()); err != nil {
			return err
		}
		if err := output.write(cmd.OutOrStdout(), result); err != nil {
			return err
		}
		return exitStatus(verdictOf(result))
	}
	return cmd
}

// savedResult reads the saved result that is the only argument, in the words of the command, once the
// flags are known to be right.
func (o *outputFlags) savedResult(cmd *cobra.Command, args []string, what string) (*empire.Result, error) {
	if len(args) != 1 {
		return nil, inputError(cmd.Name(), "needs one %s; write empire-go %s REPORT.json, with what empire-go check "+
			"--format json has printed", what, cmd.Name())
	}
	if err := o.check(cmd); err != nil {
		return nil, err
	}
	name := args[0]
	f, err := openFile(cmd, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	result, err := report.Read(f)
	return result, asInputError(name, err)
}

// confirm tries the violations of a result, and puts the outcomes into it.
func (c *confirmFlags) confirm(ctx context.Context, result *empire.Result, dir string, stderr io.Writer) error {
	budget := steer.DefaultBudget
	budget.Time, budget.Seed = time.Duration(c.time), c.seed
	config := steer.Config{Dir: dir, Budget: budget, Schedules: c.schedules, Args: c.args}
	if err := steer.Confirm(ctx, config, result); err != nil {
		return err
	}
	if !c.emitTest {
		return nil
	}
	return c.emit(ctx, result, dir, stderr)
}

// emit writes tests for the violations of a result.
func (c *confirmFlags) emit(ctx context.Context, result *empire.Result, dir string, stderr io.Writer) error {
	report.SetCauses(result)
	tests, without, err := steer.EmitTests(ctx, result, steer.Config{Dir: dir})
	here, _ := os.Getwd()
	for _, name := range tests {
		if short, err := filepath.Rel(here, name); err == nil {
			name = short
		}
		fmt.Fprintf(stderr, "empire-go: wrote %s\n", filepath.ToSlash(name))
	}
	for _, id := range without {
		fmt.Fprintf(stderr, "empire-go: no test for %s: no two calls are known that do its harm, and no run has done it\n",
			id)
	}
	return err
}
