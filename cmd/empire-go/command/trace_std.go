package command

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/serial"
	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/trace/std"
	"github.com/empire-go/empire-go/limit"
)

// checkSTD checks a trace in the STD format.
func checkSTD(cmd *cobra.Command, in *traceFile, o traceCheckFlags) error {
	begin := time.Now()
	r, err := serial.Check(cmd.Context(), std.NewScanner(in))
	if err != nil {
		return positioned(in.name, err)
	}
	took := time.Since(begin)
	var cycle serial.Cycle
	if !r.Serializable && in.regular {
		if cycle, err = explainSTD(cmd, in.name, r); err != nil {
			return asInputError(in.name, err)
		}
	}
	out := cmd.OutOrStdout()
	if o.format == "json" {
		err = writeSerialJSON(out, r, cycle)
	} else {
		err = writeSerial(out, in.name, r, cycle)
	}
	if err != nil {
		return asInputError("standard output", err)
	}
	if o.timings {
		fmt.Fprintf(cmd.ErrOrStderr(), "seconds      %.3f (%.1f million events a second)\nmemory       %.0f MiB\n",
			took.Seconds(), float64(r.Events)/took.Seconds()/1e6, limit.PeakMiB())
	}
	switch {
	case !r.Serializable:
		return status(statusViolation)
	case r.Cut != "":
		fmt.Fprintf(cmd.ErrOrStderr(), "empire-go: %s: %v; what is there was checked\n", in.name, &trace.CutError{Why: r.Cut})
		return status(statusFailed)
	}
	return nil
}

// explainSTD reads a part of the file again to find the cycle.
func explainSTD(cmd *cobra.Command, name string, r serial.Result) (serial.Cycle, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return serial.Explain(cmd.Context(), f, r)
}

func writeSerial(w io.Writer, name string, r serial.Result, cycle serial.Cycle) error {
	if r.Cut != "" {
		_, err := fmt.Fprintf(w, "%s: the part of the trace that could be read is serializable; %s\n", name,
			count(r.Events, "event"))
		return err
	}
	if r.Serializable {
		_, err := fmt.Fprintf(w, "%s: serializable; %s\n", name, count(r.Events, "event"))
		return err
	}
	if cycle == nil {
		_, err := fmt.Fprintf(w, "%s: not serializable: line %d, %s, closes a cycle of transactions; name a file to see "+
			"which\n", name, r.Line, r.Last)
		return err
	}
	fmt.Fprintf(w, "%s: not serializable: line %d, %s, closes a cycle of %d transactions\n\n", name, r.Line, r.Last,
		len(cycle))
	if err := cycle.WriteText(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nNo order of these transactions explains what was seen. %s read.\n",
		count(r.Events, "event"))
	return err
}

// serialJSON is the result for machines.
type serialJSON struct {
	Schema  int        `json:"schema"`
	Tool    toolJSON   `json:"tool"`
	Verdict string     `json:"verdict"`
	Events  int        `json:"events"`
	Line    int        `json:"line"` // of the event that closes the cycle; 0 if none does
	Cycle   []edgeJSON `json:"cycle"`
	Cut     string     `json:"cut,omitempty"` // why more may have followed
}

type toolJSON struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type edgeJSON struct {
	Thread    string    `json:"thread"`
	BeginLine int       `json:"beginLine"`
	EndLine   int       `json:"endLine"` // 0 if it has not ended
	Unary     bool      `json:"unary"`
	Before    eventJSON `json:"before"`
	After     eventJSON `json:"after"`
}

type eventJSON struct {
	Line  int    `json:"line"`
	Event string `json:"event"`
}

func writeSerialJSON(w io.Writer, r serial.Result, cycle serial.Cycle) error {
	all := serialJSON{Schema: 1, Tool: toolJSON{empire.Name, empire.Version}, Verdict: "safe", Events: r.Events,
		Line: r.Line, Cycle: []edgeJSON{}, Cut: r.Cut}
	switch {
	case !r.Serializable:
		all.Verdict = "violation"
	case r.Cut != "":
		all.Verdict = "unknown"
	}
	for _, e := range cycle {
		all.Cycle = append(all.Cycle, edgeJSON{e.From.Thread, e.From.Begin.Number, e.From.End, e.From.Unary,
			eventJSON{e.Before.Number, e.Before.Text.String()}, eventJSON{e.After.Number, e.After.Text.String()}})
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(all)
}

// count is a number of things, whose name gets the ending of its plural.
func count(n int, what string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(what, "ch"), strings.HasSuffix(what, "ss"):
		what += "es"
	default:
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
