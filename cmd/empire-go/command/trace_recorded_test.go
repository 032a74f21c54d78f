package command

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// recordedTrace writes the trace of a run in which main has Account.Check read twice,
// while another goroutine writes in between, if it is so interleaved.
func recordedTrace(t *testing.T, interleaved bool) string {
	t.Helper()
	plan := &watch.Plan{Schema: watch.Schema, Module: "example.com/p",
		Sets: []watch.Set{{Type: "example.com/p.Account", Fields: []string{"balance"}}}}
	h := &trace.Header{Module: "example.com/p", Sites: []trace.Site{
		{Kind: "none"},
		{Kind: "method", Function: "(*example.com/p.Account).Check", Pos: "main.go:10:19"},
		{Kind: "method", Function: "(*example.com/p.Account).Set", Pos: "main.go:20:19"},
		{Kind: "read", Function: "(*example.com/p.Account).Check", Pos: "main.go:12:7", Field: "balance"},
		{Kind: "write", Function: "(*example.com/p.Account).Set", Pos: "main.go:22:4", Field: "balance"},
		{Kind: "go", Function: "example.com/p.main", Pos: "main.go:30:2", Set: -1},
	}}
	var err error
	if h.Plan, err = plan.Encode(); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	w, err := trace.NewWriter(&file, h)
	if err != nil {
		t.Fatal(err)
	}
	version := uint64(0)
	access := func(g uint32, op trace.Op, site uint32) {
		w.Append(g, trace.Record{Op: op, Site: site, Object: 1, Arg: version})
		version++
	}
	w.Append(1, trace.Record{Op: trace.Start})
	w.Append(1, trace.Record{Op: trace.Go, Site: 5, Arg: 2})
	w.Append(2, trace.Record{Op: trace.Start, Arg: 1})
	w.Append(1, trace.Record{Op: trace.UnitBegin, Site: 1, Object: 1})
	w.Append(2, trace.Record{Op: trace.UnitBegin, Site: 2, Object: 1})
	access(1, trace.Read, 3)
	if interleaved {
		access(2, trace.Write, 4)
	}
	access(1, trace.Read, 3)
	if !interleaved {
		access(2, trace.Write, 4)
	}
	for g := uint32(1); g <= 2; g++ {
		w.Append(g, trace.Record{Op: trace.UnitEnd})
		w.Append(g, trace.Record{Op: trace.End})
	}
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "run.trace")
	if err := os.WriteFile(name, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestTraceCheckRecorded(t *testing.T) {
	const want = `Account: field balance

VIOLATION: unrepeatable-read (scenario 2, pattern 2)
  Two reads of one value in one unit differ, because another unit wrote it in between.

  one unit       (*Account).Check  in goroutine main, main.go:10
  the other      (*Account).Set    in goroutine g2, main.go:20
  data race      not decided

    | main                         | g2
  --+------------------------------+------------------------------
  1 | start g2  main.go:30         |
  2 | begin (*Account).Check       |
  3 | (1) read balance  main.go:12 |
  4 |                              | begin (*Account).Set
  5 |                              | (2) write balance  main.go:22
  6 | (3) read balance  main.go:12 |
`
	name := recordedTrace(t, true)
	var stdout, stderr strings.Builder
	if status := Run([]string{"trace", "check", name}, &stdout, &stderr); status != statusViolation || stderr.Len() > 0 {
		t.Errorf("exit status %d, standard error %q", status, stderr.String())
	}
	text := stdout.String()
	if !strings.HasPrefix(text, want) || !strings.HasSuffix(text, "\n1 violation seen in this run\n") {
		t.Errorf("the text is\n%s\nnot\n%s", text, want)
	}

	stdout.Reset()
	if status := Run([]string{"trace", "check", "--format", "json", name}, &stdout, &stderr); status != statusViolation {
		t.Errorf("exit status %d", status)
	}
	var result empire.Result
	if err := json.Unmarshal([]byte(stdout.String()), &result); err != nil {
		t.Fatal(err)
	}
	if v := result.Queries[0].Scenarios[0]; result.Verdict != empire.VerdictViolation ||
		v.Confirmation.Status != "confirmed" || result.Run.Events != 3 || len(v.ID) != 8 {
		t.Errorf("the result is %s", stdout.String())
	}

	stdout.Reset()
	if status := Run([]string{"trace", "check", recordedTrace(t, false)}, &stdout, &stderr); status != statusSafe ||
		!strings.Contains(stdout.String(), "no violation seen in this run") {
		t.Errorf("exit status %d, and\n%s", status, stdout.String())
	}

	// A trace that was cut is used as far as it goes; that it has no violation says nothing.
	bytes, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, bytes[:len(bytes)-80], 0o600); err != nil {
		t.Fatal(err)
	}
	stdout.Reset()
	if status := Run([]string{"trace", "check", name}, &stdout, &stderr); status != statusFailed ||
		!strings.Contains(stderr.String(), "left out") ||
		!strings.HasSuffix(stdout.String(),
			"no violation seen in the part of this run that could be read; 1 atomic set watched\n") {
		t.Errorf("exit status %d, standard output %q, standard error %q", status, stdout.String(), stderr.String())
	}
}
