package command

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic"
	"github.com/empire-go/empire-go/dynamic/trace"
)

// checkRecorded checks a trace that an instrumented program has recorded.
func checkRecorded(cmd *cobra.Command, in *traceFile, o traceCheckFlags) error {
	checked, err := dynamic.Check(cmd.Context(), in, dynamic.Options{Kept: true})
	if errors.Is(err, trace.ErrFormat) || checked == nil && err != nil {
		return inputError(in.name, "%v", err)
	}
	if err != nil {
		return err
	}
	return writeRun(cmd, checked, o)
}

// writeRun prints what was seen in a run, and returns the exit status for it.
func writeRun(cmd *cobra.Command, checked *dynamic.Report, o traceCheckFlags) error {
	result, out := checked.Result(), cmd.OutOrStdout()
	if err := formats[o.format](out, result, o.all); err != nil {
		return asInputError("standard output", err)
	}
	warnOfLoss(cmd.ErrOrStderr(), result.Run)
	switch {
	case result.Verdict == empire.VerdictViolation:
		return status(statusViolation)
	case !result.Run.IsWhole():
		return status(statusFailed)
	}
	return nil
}

// warnOfLoss says what of a run is not in its trace.
func warnOfLoss(w io.Writer, run *empire.RunStats) {
	if run == nil {
		return
	}
	if run.Damaged > 0 {
		fmt.Fprintf(w, "empire-go: the trace is damaged in %s; what comes after is left out as far as it depends on that\n",
			count(int(run.Damaged), "place"))
	}
	if run.Torn > 0 {
		fmt.Fprintf(w, "empire-go: the trace ends in the middle of a block; its last %d bytes are left out\n", run.Torn)
	}
	if run.NoEnd && run.Torn+run.Damaged+run.Lost == 0 {
		fmt.Fprintln(w, "empire-go: the trace has no end: it was cut off, or its program went on; record it again")
	}
	if run.Unpaired > 0 {
		fmt.Fprintf(w, "empire-go: %s of units of work were not compared, because too many were alive at once; watch "+
			"fewer types\n", count(int(run.Unpaired), "pair"))
	}
	if run.Lost > 0 {
		fmt.Fprintf(w, "empire-go: %s left out, because what came before is missing\n", count(int(run.Lost), "record"))
	}
}
