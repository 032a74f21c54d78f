package command

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/trace/std"
)

func newTracePrint() *cobra.Command {
	return &cobra.Command{
		Use:   "print FILE",
		Short: "Print a recorded trace",
		Long: `Print what a recorded trace has, one event a line, in an order in which it can have
happened: the goroutine and the number of the event in it, what it did, on which object,
and where. An object has a version for each event on it. "-" is standard input.

The trace of a program that was killed, or a damaged one, is printed as far as its events can
be ordered; the last line says what is missing, and the exit status is 2.`,
		Example: "  empire-go trace print run.trace",
		Args:    oneFile(""),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, r, err := openRecorded(cmd, args[0])
			if err != nil {
				return err
			}
			defer in.Close()
			if err := printTrace(cmd, r); err != nil {
				return asInputError(args[0], err)
			}
			return endsEarly(cmd, args[0], r, "printed")
		},
	}
}

// openRecorded opens a recorded trace.
func openRecorded(cmd *cobra.Command, name string) (*traceFile, *trace.Reader, error) {
	in, err := openTrace(cmd, name)
	if err != nil {
		return nil, nil, err
	}
	r, err := trace.NewReader(in)
	if err != nil {
		in.Close()
		return nil, nil, asInputError(name, err)
	}
	return in, r, nil
}

// endsEarly says of a recorded trace that was read to its end what it lacks, if it does.
func endsEarly(cmd *cobra.Command, name string, r *trace.Reader, done string) error {
	cut := r.Stats().Cut()
	if cut == nil {
		return nil
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "empire-go: %s: %v; what is there was %s\n", name, cut, done)
	return status(statusFailed)
}

func printTrace(cmd *cobra.Command, r *trace.Reader) error {
	out := bufio.NewWriter(cmd.OutOrStdout())
	h := r.Header()
	if h.Module != "" {
		fmt.Fprintf(out, "module %s, %s\n", h.Module, h.GoVersion)
	}
	for {
		e, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if cmd.Context().Err() != nil {
			return cmd.Context().Err()
		}
		printEvent(out, h, e)
	}
	s := r.Stats()
	fmt.Fprintf(out, "%s", count(int(s.Events), "event"))
	if text := missing(s); text != "" {
		fmt.Fprintf(out, "; %s", text)
	}
	fmt.Fprintln(out)
	return out.Flush()
}

// missing says what a trace does not have; "" if it has all.
func missing(s trace.Stats) string {
	var all []string
	if s.Open > 0 {
		all = append(all, count(s.Open, "goroutine")+" had not ended")
	}
	if s.Damaged > 0 {
		all = append(all, count(int(s.Damaged), "stretch")+" of the file damaged")
	}
	if s.Torn > 0 {
		all = append(all, "the last block is incomplete")
	}
	if s.Unordered > 0 {
		all = append(all, count(int(s.Unordered), "record")+" left out that nothing tells the order of")
	}
	return strings.Join(all, "; ")
}

func printEvent(out io.Writer, h *trace.Header, e trace.Event) {
	on := ""
	switch {
	case e.Op.Versioned():
		on = fmt.Sprintf("o%d v%d", e.Object, e.Arg)
	case e.Object != 0:
		on = fmt.Sprintf("o%d", e.Object)
	case e.Op == trace.Go:
		on = fmt.Sprintf("g%d", e.Arg)
	case e.Op == trace.Start && e.Arg != 0:
		on = fmt.Sprintf("by g%d", e.Arg)
	}
	line := fmt.Sprintf("%-10s %-14s %-12s", fmt.Sprintf("g%d.%d", e.Goroutine, e.Seq), e.Op, on)
	if e.Site != 0 {
		s := h.Site(e.Site)
		for _, part := range []string{s.Field, s.Pos, s.Function} {
			if part != "" {
				line += " " + part
			}
		}
	}
	fmt.Fprintln(out, strings.TrimRight(line, " "))
}

func newTraceImport() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "import FILE.std",
		Short: "Turn an STD file into a recorded trace",
		Long: `Turn a trace in the STD format into one as empire-go run records it, with all
variables as one atomic set and each transaction as a unit of work. Then empire-go trace
check names the patterns that two transactions match, where for an STD file it says
whether all transactions can be put in one order. ` + stdFormat,
		Example: "  empire-go trace import other.std -o other.trace && empire-go trace check other.trace",
		Args:    oneFile(".std"),
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "write the trace to `FILE`")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		name := args[0]
		if output == "" {
			return inputError("--output", "needs the name of a file; write --output FILE")
		}
		in, err := openTrace(cmd, name)
		if err != nil {
			return err
		}
		in.Close()
		if !in.regular {
			return inputError(name, "is no regular file, and must be read twice; write it to a file first")
		}
		var cut *trace.CutError
		err = writeFile("--output", output, cmd.OutOrStdout(), func(w io.Writer) error {
			err := std.Import(func() (io.ReadCloser, error) { return os.Open(name) }, w)
			if errors.As(err, &cut) {
				return nil
			}
			return asInputError(name, err)
		})
		if err == nil && cut != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "empire-go: %s: %v; what is there was written\n", name, cut)
			return status(statusFailed)
		}
		return err
	}
	return cmd
}

func newTraceExport() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "export FILE",
		Short: "Write a recorded trace in the STD format",
		Long: `Write a recorded trace in the STD format, which other tools read. Fields of objects
become variables, units of work become transactions. What orders goroutines and is no lock,
such as a message on a channel, becomes a write and a read of a variable of its own. ` + stdFormat,
		Example: "  empire-go trace export run.trace -o run.std",
		Args:    oneFile(""),
	}
	cmd.Flags().StringVarP(&output, "output", "o", dash, "write to `FILE` instead of standard output")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		in, r, err := openRecorded(cmd, args[0])
		if err != nil {
			return err
		}
		defer in.Close()
		export := func(w io.Writer) error { return asInputError(args[0], std.Export(r, w)) }
		if err := writeFile("--output", output, cmd.OutOrStdout(), export); err != nil {
			return err
		}
		return endsEarly(cmd, args[0], r, "written")
	}
	return cmd
}
