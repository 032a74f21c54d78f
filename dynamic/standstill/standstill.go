// Package standstill sees whether a program really comes to stand still where a finding about blocking says so. It
// builds the program with a gate before each operation of the finding's interleaving (by the go command's -overlay: the
// module is not touched), runs it so that the gates let the goroutines pass in that order, and looks at the stacks of
// those that wait when nothing happens any more. A finding is confirmed only if on a run that happened goroutines were
// blocked at all the places that it names; or, for an operation that ends the program, if that was how it ended.
//
// For a data race the gates lead two goroutines to both accesses and let them go on at the same time; it is confirmed
// if Go's race detector, with which the program is built, has seen it.
//
//	standstill  what is confirmed, and by which runs
//	gates       the program with gates
//	tests       the same for tests
//	stacks      what a run has shown
//	gate.go.txt what is compiled into the program
//
// Gates are at lines: two goroutines that come to one gate pass in the order in which they come. A goroutine that does
// no more in the interleaving stays for a while behind its last step. What is not confirmed is not refuted.
package standstill

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/stacks"
)

const (
	attempts = 4                // runs with gates, and then as many without
	most     = 20 * time.Second // that one run may take
)

// Input is what programs are run with.
type Input struct {
	Args []string
	Text string   // at their standard input
	Env  []string // besides that of the caller
}

// Confirm tries each finding of a result, and puts the outcome into it. The error is for what concerns all of them.
func Confirm(ctx context.Context, dir string, r *empire.Result, input Input) error {
	work, err := os.MkdirTemp("", "empire-standstill-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	for i := range r.Blocking {
		b := &r.Blocking[i]
		for k := range b.Findings {
			f := &b.Findings[k]
			if f.Confirmation != nil && (f.Confirmation.Status == empire.Confirmed || f.Confirmation.Reason != "") {
				continue // the run that it was predicted from has shown it, or no run can
			}
			if f.Class == "livelock" {
				f.Confirmation = &empire.Confirmation{Status: empire.NotTried,
					Reason: "no run shows that goroutines hinder each other for ever"}
				continue
			}
			f.Confirmation, err = confirm(ctx, filepath.Join(work, fmt.Sprintf("%d-%d", i, k)), dir, r, b.Entry, f,
				input)
			if err != nil {
				return err
			}
			if f.Confirmation.Status == empire.Confirmed {
				f.Harm = &empire.Harm{Status: empire.HarmSeen}
			}
		}
	}
	return nil
}

// confirm tries one finding. What goes wrong with its program is its outcome.
func confirm(ctx context.Context, work, dir string, r *empire.Result, entry string, f *empire.BlockingFinding,
	input Input) (*empire.Confirmation, error) {
	notTried := func(err error) (*empire.Confirmation, error) {
		return &empire.Confirmation{Status: empire.NotTried, Reason: err.Error()}, ctx.Err()
	}
	if !strings.HasPrefix(entry, r.ModuleRoot) {
		return notTried(errors.New("it is no main package of the module"))
	}
	if err := os.Mkdir(work, 0o755); err != nil {
		return nil, err
	}
	g, err := newGates(r, entry, f)
	if err != nil {
		return notTried(err)
	}
	binary, err := g.build(ctx, work, dir)
	if err != nil {
		return notTried(err)
	}
	for attempt := range 2 * attempts {
		w := way{order: g.order, skips: attempt >= attempts/2}
		switch {
		case attempt >= attempts:
			w.order = nil // as the runtime schedules it
		case attempt%2 == 1:
			w.late = g.waits // what the others wait for may be a timer, of which the interleaving says nothing
		}
		seen, err := g.run(ctx, work, dir, binary, w, input)
		if err != nil {
			return notTried(err)
		}
		if text := seen.shows(f); text != "" {
			return &empire.Confirmation{Status: empire.Confirmed, Reason: text}, nil
		}
	}
	return &empire.Confirmation{Status: empire.NotConfirmed,
		Reason: map[bool]string{false: "no run that was tried came to stand still there",
			true: "the race detector saw it in no run that was tried"}[f.Class == dataRace]}, ctx.Err()
}

// dataRace is the class of two accesses that nothing orders.
const dataRace = "data-race"

// words is numbers for a variable of the environment.
func words(numbers []int) string { return strings.Trim(fmt.Sprint(numbers), "[]") }

// staying returns the gates of an order after which goroutines stay.
func (g *gates) staying(order []int) (all []int) {
	for n := range order {
		if g.stays[n] {
			all = append(all, n)
		}
	}
	return all
}

// way is how a program is run.
type way struct {
	order []int // of the gates; none: they let all pass
	late  int   // how many of the last ones wait until the others have come to rest
	skips bool  // a gate that was passed out of turn is not waited for
}

// run runs the program once.
func (g *gates) run(ctx context.Context, work, dir, binary string, w way, input Input) (*ending, error) {
	file := filepath.Join(work, "stacks")
	os.Remove(file)
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	cmd := exec.CommandContext(limited, binary, input.Args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(input.Text)
	if g.isTest() {
		cmd.Dir = g.folder() // as the go command does
	}
	cmd.Env = append(append(os.Environ(), input.Env...), "EMPIRE_GATES="+words(w.order),
		"EMPIRE_STAYS="+words(g.staying(w.order)), fmt.Sprint("EMPIRE_LATE=", w.late), "EMPIRE_MEETING="+words(g.meeting),
		"EMPIRE_STACKS="+file)
	if w.skips {
		cmd.Env = append(cmd.Env, "EMPIRE_SKIPS=1")
	}
	if g.meetingEnds {
		cmd.Env = append(cmd.Env, "EMPIRE_MEETING_ENDS=1")
	}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return &ending{output: string(out), stacks: stacks.Parse(string(text))}, nil
}
