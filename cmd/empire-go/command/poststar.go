package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/empire-go/empire-go/checker/poststar"
	"github.com/empire-go/empire-go/limit"
)

// pdsFormat describes the files that poststar and prestar read.
const pdsFormat = `Controls and symbols are numbers; each line of the file is one of

  c CONTROLS SYMBOLS RULES    first
  i CONTROL SYMBOL            the initial configuration
  r FROM TOP TO               pop
  r FROM TOP TO UPPER         replace
  r FROM TOP TO UPPER LOWER   push
  t CONTROL SYMBOL            a configuration that is asked about`

func newPoststar() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "poststar FILE.pds",
		Short: "Saturate one pushdown system forwards, and say how large the result is",
		Long: `Compute the automaton of the configurations that a pushdown system without actions
can reach, and print its size, the time and the memory that it took, and whether it
has the configurations that are asked about; with --witness also the rules of a run to
each of them, in the order in which they are taken. ` + pdsFormat,
		Example: "  empire-go cpds poststar large.pds\n  empire-go cpds poststar --witness small.pds",
		Args:    oneFile(".pds"),
	}
	witness := cmd.Flags().Bool("witness", false, "print a run to each configuration that is asked about and reachable")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return saturation(forwards, *witness)(cmd, args)
	}
	return cmd
}

func newPrestar() *cobra.Command {
	return &cobra.Command{
		Use:   "prestar FILE.pds",
		Short: "Saturate one pushdown system backwards from what is asked about",
		Long: `Compute the automaton of the configurations from which a pushdown system without
actions can reach a configuration that is asked about, for one after the other, and
print the size of the last, the time and the memory that it took, and whether the
initial configuration is among them. ` + pdsFormat,
		Example: "  empire-go cpds prestar large.pds",
		Args:    oneFile(".pds"),
		RunE:    saturation(backwards, false),
	}
}

// saturated is the outcome of a saturation.
type saturated struct {
	size    string
	reaches []bool // by target
}

func forwards(ctx context.Context, s *poststar.Explicit) (saturated, error) {
	r, err := poststar.Reach(ctx, s)
	if err != nil {
		return saturated{}, err
	}
	found := saturated{size: fmt.Sprintf("%d, of which silent %d", r.Transitions+r.Silent, r.Silent)}
	for _, t := range s.Targets {
		found.reaches = append(found.reaches, r.Has(t[0], t[1]))
	}
	return found, nil
}

func backwards(ctx context.Context, s *poststar.Explicit) (found saturated, err error) {
	if len(s.Targets) == 0 {
		return found, fmt.Errorf("nothing is asked about; add a line t CONTROL SYMBOL")
	}
	for _, t := range s.Targets {
		b, err := poststar.Before(ctx, s, t)
		if err != nil {
			return found, err
		}
		found.size = fmt.Sprint(b.Transitions)
		found.reaches = append(found.reaches, b.Has(s.Initial[0], s.Initial[1]))
	}
	return found, nil
}

// saturation runs a command that saturates a system, and prints runs if asked to.
func saturation(saturate func(context.Context, *poststar.Explicit) (saturated, error), witness bool) func(
	*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		file, err := openFile(cmd, args[0])
		if err != nil {
			return inputError(args[0], "cannot be read; write the name of a file that exists")
		}
		defer file.Close()
		system, err := poststar.ParseExplicit(file)
		if err != nil {
			return positioned(args[0], err)
		}
		begin := time.Now()
		found, err := saturate(cmd.Context(), system)
		if err != nil {
			return asInputError(args[0], err)
		}
		printSaturated(cmd.OutOrStdout(), system, found, time.Since(begin))
		if witness && slices.Contains(found.reaches, true) {
			if err := printRuns(cmd.Context(), cmd.OutOrStdout(), system, found); err != nil {
				return asInputError(args[0], err)
			}
		}
		return cmd.Context().Err()
	}
}

func printSaturated(w io.Writer, s *poststar.Explicit, found saturated, took time.Duration) {
	fmt.Fprintf(w, "rules        %d\ntransitions  %s\n", len(s.Rules), found.size)
	fmt.Fprintf(w, "seconds      %.4f (%.1f million rules a second)\nmemory       %.0f MiB\n", took.Seconds(),
		float64(len(s.Rules))/took.Seconds()/1e6, limit.PeakMiB())
	for i, t := range s.Targets {
		is := "is not reachable"
		if found.reaches[i] {
			is = "is reachable"
		}
		fmt.Fprintf(w, "target       <%d, %d> %s\n", t[0], t[1], is)
	}
}

// printRuns prints a run to each configuration that is asked about and reachable: its rules
// as they stand in the file. It has been replayed.
func printRuns(ctx context.Context, w io.Writer, s *poststar.Explicit, found saturated) error {
	runs, err := poststar.NewRuns(ctx, s)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	for i, t := range s.Targets {
		if !found.reaches[i] {
			continue
		}
		run, err := runs.To(ctx, t[0], t[1])
		if errors.Is(err, poststar.ErrRun) {
			fmt.Fprintf(out, "run          to <%d, %d>: %v\n", t[0], t[1], err)
			continue
		}
		if err != nil {
			return err
		}
		if control, stack, err := s.Follow(run); err != nil || control != t[0] || !slices.Equal(stack, t[1:]) {
			return fmt.Errorf("internal error: the run to <%d, %d> leads to <%d, %v>, %v", t[0], t[1], control, stack, err)
		}
		fmt.Fprintf(out, "run          to <%d, %d>, %d rules\n", t[0], t[1], len(run))
		for _, i := range run {
			fmt.Fprintf(out, "  %s\n", &s.Rules[i])
		}
	}
	return out.Flush()
}
