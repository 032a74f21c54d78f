package command

import (
	"bufio"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/empire-go/empire-go/dynamic/trace"
)

func newTrace() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "trace",
		Short: "Print, check and convert records of runs, and predict from them",
		Long: `A trace is the record of a run: what its goroutines read and wrote, in which units of
work and under which locks. empire-go run and empire-go test record one. Traces of
other tools can be read in the STD format. ` + stdFormat,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noCommand(cmd, args[0])
			}
			return cmd.Help()
		},
		Args: cobra.ArbitraryArgs,
	}
	cmd.AddCommand(newTraceCheck(), newTraceCooperable(), newTracePredict(), newTracePrint(), newTraceImport(),
		newTraceExport())
	return cmd
}

// stdFormat describes the text format.
const stdFormat = `Each line of an STD file is an event,

  THREAD|OPERATION|PLACE     such as T0|w(V1)|42

with the operations r(V), w(V), acq(L), rel(L), fork(T), join(T), begin and end, and of
this program yield, racq(L), rrel(L), prewait(L), postwait(L), notify(L), snd(C), rcv(C),
cls(C), and presnd(C), postsnd(C) for a send on a channel without room; the place may be
left out. A file at whose end a block, a lock, a wait or a send is open was cut off, and so was
one whose last line has no line end. A cut between two lines where none is cannot be seen.`

func newTraceCheck() *cobra.Command {
	var o traceCheckFlags
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Check a trace",
		Long: `Check a trace that empire-go run or empire-go test has recorded: match the patterns of all
scenarios on it. What is watched, and which code is a unit of work, is what it was
recorded with. Each violation was seen to happen in that run. The exit status is 0 if none
was, which says nothing about other runs, 1 if there is one, and 2 if there is none in what
could be read of a trace that is cut off or damaged.

Check a trace in the STD format for conflict serializability: whether its transactions,
from begin to end, could have run one after the other with all conflicting events in
the same order. All variables are one set; an event outside every transaction is one
of its own. The answer is exact. The first event that makes it impossible is shown with the
transactions that cannot be put in an order, and why. "-" is standard input.

The exit status is 0 if the trace is serializable, 1 if it is not, 2 if it is no trace, or was cut
off and is serializable as far as it goes.
` + stdFormat,
		Example: "  empire-go trace check run.trace\n  empire-go trace check run.std",
		Args:    oneFile(""),
		RunE:    func(cmd *cobra.Command, args []string) error { return checkTrace(cmd, args[0], o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.format, "format", "text", "print the `format` text or json")
	completeFrom(cmd, "format", "text", "json")
	f.BoolVar(&o.all, "all", false, "show every violation of a recorded run in full, not one for each cause")
	f.BoolVar(&o.timings, "timings", false, "print how long it took, and the memory")
	return cmd
}

type traceCheckFlags struct {
	format  string
	timings bool
	all     bool
}

// checkTrace checks a file as its beginning says what it is.
func checkTrace(cmd *cobra.Command, name string, o traceCheckFlags) error {
	if o.format != "text" && o.format != "json" {
		return inputError("--format", "no format %q; write text or json", o.format)
	}
	in, err := openTrace(cmd, name)
	if err != nil {
		return err
	}
	defer in.Close()
	if in.recorded() {
		return checkRecorded(cmd, in, o)
	}
	return checkSTD(cmd, in, o)
}

// traceFile is an open trace.
type traceFile struct {
	name    string
	regular bool // it can be read twice
	*bufio.Reader
	io.Closer
}

// openTrace opens a file, or standard input.
func openTrace(cmd *cobra.Command, name string) (*traceFile, error) {
	if name == dash {
		f := &traceFile{name, false, bufio.NewReaderSize(cmd.InOrStdin(), traceBuffer), io.NopCloser(nil)}
		return f, f.notEmpty()
	}
	f, err := os.Open(name)
	if err == nil {
		info, err := f.Stat()
		if err == nil && info.IsDir() {
			f.Close()
			return nil, inputError(name, "is a directory; write the name of a trace")
		}
		in := &traceFile{name, err == nil && info.Mode().IsRegular(), bufio.NewReaderSize(f, traceBuffer), f}
		if err := in.notEmpty(); err != nil {
			f.Close()
			return nil, err
		}
		return in, nil
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil, inputError(name, "no such file; write the name of a trace")
	}
	return nil, inputError(name, "cannot be read (%v); write the name of a trace", errors.Unwrap(err))
}

// notEmpty refuses an empty file: what was cut off before its first byte is not a run without events.
func (f *traceFile) notEmpty() error {
	if _, err := f.Peek(1); err == io.EOF {
		return inputError(f.name, "not a trace: the file is empty; the program may have ended before it recorded anything")
	}
	return nil
}

// traceBuffer holds some blocks of a recorded trace.
const traceBuffer = 1 << 18

// recorded says whether the file is one that an instrumented program has written.
func (f *traceFile) recorded() bool {
	begin, _ := f.Peek(len(trace.Magic))
	return string(begin) == trace.Magic
}
