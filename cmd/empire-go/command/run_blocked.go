package command

import (
	"cmp"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/record"
	"github.com/empire-go/empire-go/dynamic/stacks"
	"github.com/empire-go/empire-go/dynamic/waitfor"
)

// checkBlocked checks --blocked.
func (o *runFlags) checkBlocked() error {
	switch {
	case !o.blocked:
	case o.predict.on || o.cooperable.on:
		return inputError("--blocked", "needs another record of a run than --predict and --cooperable; write one of them")
	case o.format != "text" && o.format != "json":
		return inputError("--format", "no format %q with --blocked; write text or json", o.format)
	}
	return nil
}

// ended is a run and who waited at its end.
type ended struct {
	report  *waitfor.Report
	outcome record.Outcome
}

// recordEnd runs a program that records all that its goroutines share, and looks at the end.
func (o *runFlags) recordEnd(cmd *cobra.Command, program *record.Program, r record.Run) (e ended, err error) {
	r.Waits = true
	var leaks string
	if program.HasLeaks() {
		if leaks, err = emptyFile(); err != nil {
			return e, err
		}
		defer os.Remove(leaks)
		r.Leaks = leaks
		defer os.Remove(record.CrashOf(leaks))
	}
	o.connect(cmd, &r)
	if o.trace != "" {
		file, err := os.Create(o.trace)
		if err != nil {
			return e, asInputError("--trace", err)
		}
		defer file.Close()
		r.Trace = file
	}
	var report *waitfor.Report
	outcome, err := program.Record(cmd.Context(), r, func(in io.Reader) (err error) {
		report, err = waitfor.Read(in)
		return err
	})
	if err = cmp.Or(err, outcome.TraceErr); err != nil {
		return e, asInputError("trace", err)
	}
	if text, _ := os.ReadFile(leaks); len(text) > 0 { // it is empty where the runtime has ended the program
		report.AddLeaks(stacks.Parse(string(text)))
	}
	if text, _ := os.ReadFile(record.CrashOf(leaks)); leaks != "" && len(text) > 0 {
		report.AddCrash(string(text))
	}
	return ended{report, outcome}, nil
}

// emptyFile makes a temporary file, and returns its name.
func emptyFile() (string, error) {
	file, err := os.CreateTemp("", "empire-leaks-")
	if err != nil {
		return "", err
	}
	return file.Name(), file.Close()
}

// runBlocked runs a program and says who waits for whom at the end.
func (o *runFlags) runBlocked(cmd *cobra.Command, packages, args []string, phase func(string)) error {
	program, file, err := o.makeMain(cmd, packages, phase)
	if err != nil {
		return err
	}
	defer program.Close()
	e, err := o.recordEnd(cmd, program, record.Run{File: file, Args: args})
	if err != nil {
		return err
	}
	if err := o.writeEnd(cmd, strings.Join(packages, " "), e); err != nil {
		return err
	}
	return e.status(false)
}

// testBlocked does so with the tests of packages.
func (o *runFlags) testBlocked(cmd *cobra.Command, packages []string, all []tested, args []string,
	phase func(string)) error {
	program, err := o.makeTests(cmd, packages, phase)
	if err != nil {
		return err
	}
	defer program.Close()
	return o.worstOf(cmd, program, all, args, phase, func(part *runFlags, t tested, r record.Run) (testRun, error) {
		e, err := part.recordEnd(cmd, program, r)
		if err != nil {
			return testRun{}, err
		}
		return testRun{e.outcome.Text != "", func() error { return part.writeEnd(cmd, t.path, e) }, e.status(true)}, nil
	})
}

// isDeadlock tells whether goroutines wait for each other, or the program ended because all of them wait: the runtime
// ends it with status 2.
func (e ended) isDeadlock() bool {
	all := len(e.report.Waiting) > 0 && e.report.Others == 0
	return len(e.report.Circles) > 0 || all && e.outcome.Status == 2
}

// status is the exit status for the end of a run. Goroutines that still wait or spin when main returns are told; they
// count where tests leave them behind, or all stands still. Operations in the wrong order count.
func (e ended) status(isTest bool) error {
	leftBehind := len(e.report.Waiting) > 0 || e.report.Spins()
	switch {
	case e.isDeadlock(), isTest && leftBehind, e.report.IsStuck(), len(e.report.Orders) > 0:
		return status(statusViolation)
	case e.outcome.Text != "" || !e.report.Whole:
		return status(statusUnknown)
	}
	return nil
}

// endJSON is the end of a run for machines.
type endJSON struct {
	Schema  int           `json:"schema"`
	Tool    toolJSON      `json:"tool"`
	Outcome string        `json:"outcome"` // how the program ended; "" for status 0
	Events  uint64        `json:"events"`
	Waiting []waitingJSON `json:"waiting"`
	Others  int           `json:"others"`  // goroutines that had not ended otherwise
	Circles [][]string    `json:"circles"` // goroutines that wait for each other
	// LeakProfile tells that the runtime has looked for leaked goroutines, Leaked where those are that are not among
	// Waiting.
	LeakProfile bool        `json:"leakProfile"`
	Leaked      []string    `json:"leaked"`
	Spinning    []spinJSON  `json:"spinning"`
	Orders      []orderJSON `json:"orders"` // operations in the wrong order
}

// spinJSON is a goroutine that runs without getting on.
type spinJSON struct {
	ID         string     `json:"id"`
	Goroutine  string     `json:"goroutine"`
	Class      string     `json:"class"` // no-progress or livelock
	Definition int        `json:"definition"`
	Started    string     `json:"started,omitempty"`
	Rounds     int        `json:"rounds"`
	Looks      []lookJSON `json:"looks"`
	With       []string   `json:"with"`    // the others of a livelock
	Certain    bool       `json:"certain"` // nobody was left who could change what it looks at
}

type lookJSON struct {
	What     string `json:"what"`
	Pos      string `json:"pos"`
	Function string `json:"function,omitempty"`
	HeldBy   string `json:"heldBy,omitempty"`
}

// orderJSON is an operation in the wrong order.
type orderJSON struct {
	ID         string `json:"id"`
	Goroutine  string `json:"goroutine,omitempty"`
	Class      string `json:"class"`
	Definition int    `json:"definition"`
	What       string `json:"what"`
	Pos        string `json:"pos"`
	Function   string `json:"function,omitempty"`
	Before     string `json:"before,omitempty"`
	Message    string `json:"message,omitempty"` // of the runtime, if it has ended the program
	Supposed   bool   `json:"supposed"`          // it is no more than likely
}

// missedJSON is the signal that a goroutine would have needed, or, if it is a change, what it has not been told of.
type missedJSON struct {
	What      string `json:"what"`
	Goroutine string `json:"goroutine"`
	Pos       string `json:"pos"`
	Change    bool   `json:"change"`
}

type waitingJSON struct {
	ID         string      `json:"id"`
	Goroutine  string      `json:"goroutine"`
	Class      string      `json:"class"` // deadlock, missed-signal or blocked
	Definition int         `json:"definition"`
	Started    string      `json:"started,omitempty"`
	What       string      `json:"what"`
	Pos        string      `json:"pos"`
	Function   string      `json:"function,omitempty"`
	Holds      []holdJSON  `json:"holds"`
	HeldBy     []holdJSON  `json:"heldBy"` // who holds the lock that it waits for
	Leaked     bool        `json:"leaked"` // the runtime has found that nothing which runs can let it go on
	Missed     *missedJSON `json:"missed,omitempty"`
}

type holdJSON struct {
	Goroutine string `json:"goroutine"`
	Lock      string `json:"lock"`
	Shared    bool   `json:"shared,omitempty"`
	Ended     bool   `json:"ended,omitempty"`
	Pos       string `json:"pos"`
}

func holdsJSON(all []waitfor.Hold) []holdJSON {
	out := []holdJSON{}
	for _, h := range all {
		out = append(out, holdJSON{h.By, h.Lock, h.Shared, h.Ended, h.At.Pos})
	}
	return out
}

func writeEndJSON(w io.Writer, e ended) error {
	all := endJSON{Schema: 1, Tool: toolJSON{empire.Name, empire.Version}, Outcome: e.outcome.Text,
		Events: e.report.Events, Waiting: []waitingJSON{}, Others: e.report.Others, Circles: [][]string{},
		LeakProfile: e.report.HasLeaks, Leaked: []string{},
		Spinning: []spinJSON{}, Orders: []orderJSON{}}
	for _, g := range e.report.Leaked {
		all.Leaked = append(all.Leaked, g.Place())
	}
	for _, g := range e.report.Waiting {
		class := e.report.Class(g)
		out := waitingJSON{e.report.ID(g), g.Name(), class.Name, class.Definition, g.Started.Pos, g.What, g.At.Pos,
			g.At.Function, holdsJSON(g.Holds), holdsJSON(g.Held), g.Leaked, nil}
		if m := g.Missed; m != nil {
			out.Missed = &missedJSON{m.What, m.By, m.At.Pos, m.IsChange}
		}
		all.Waiting = append(all.Waiting, out)
	}
	for _, s := range e.report.Spinning {
		out := spinJSON{s.ID(), s.Name(), s.Class().Name, s.Class().Definition, s.Started.Pos, s.Rounds, nil, []string{},
			s.Certain}
		for _, l := range s.Looks {
			out.Looks = append(out.Looks, lookJSON{l.What, l.At.Pos, l.At.Function, l.HeldBy})
		}
		for _, other := range s.With {
			out.With = append(out.With, other.Name())
		}
		all.Spinning = append(all.Spinning, out)
	}
	for _, v := range e.report.Orders {
		all.Orders = append(all.Orders, orderJSON{v.ID(), v.By, v.Class.Name, v.Class.Definition, v.What, v.At.Pos,
			v.At.Function, v.Before, v.Message, v.Supposed})
	}
	for _, circle := range e.report.Circles {
		var names []string
		for _, g := range circle {
			names = append(names, g.Name())
		}
		all.Circles = append(all.Circles, names)
	}
	return encodeJSON(w, all)
}

// writeEnd writes who waits for whom.
func (o *runFlags) writeEnd(cmd *cobra.Command, name string, e ended) error {
	write := func(w io.Writer) error {
		if o.format == "json" {
			return writeEndJSON(w, e)
		}
		return e.report.WriteText(w, name)
	}
	return o.writeReport(cmd, e.outcome, write)
}
