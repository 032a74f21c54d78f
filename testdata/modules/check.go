package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// answer is what is read of a result.
type answer struct {
	Verdict string
	Queries []query
	MS      map[string]float64
}

// query is what is read of the answer to a query.
type query struct {
	Entry, Site, Verdict, Reason string
	Model                        map[string]int
}

// check runs the command for one type, in a process of its own.
func check(tool string, s *scratch, t target) outcome {
	args := []string{"check", "--format", "json", "--timings", "--timeout", timeout.String(), "--memory", *memory,
		"--type", t.name, t.pkg}
	ctx, cancel := context.WithTimeout(context.Background(), *kill)
	defer cancel()
	limited := append([]string{"-c", `ulimit -v 16000000; exec "$0" "$@"`, tool}, args...)
	cmd := exec.CommandContext(ctx, "sh", limited...)
	cmd.Dir = s.dir
	cmd.Env = env()
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGQUIT) } // it says what it is doing
	cmd.WaitDelay = 5 * time.Second
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	begin := time.Now()
	err := cmd.Run()
	o := outcome{Type: t.name, Seconds: time.Since(begin).Seconds(), Status: cmd.ProcessState.ExitCode()}
	o.Command = fmt.Sprintf("cd %s && GOFLAGS=-mod=mod %s %s", s.dir, tool, strings.Join(args, " "))
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		o.PeakMiB = float64(usage.Maxrss) / 1024
	}
	var a answer
	parsed := json.Unmarshal(out.Bytes(), &a)
	if parsed == nil {
		o.Verdict, o.Queries, o.Milliseconds = a.Verdict, a.Queries, a.MS
	}
	o.Message = firstLine(errs.String())
	o.Problem = problem(o, errs.String(), ctx.Err() != nil, parsed, err)
	return o
}

// problem says what is wrong with the way in which a run ended.
func problem(o outcome, errs string, killed bool, parsed, err error) string {
	statuses := map[string]int{"safe": 0, "violation": 1, "unknown": 3}
	want, known := statuses[o.Verdict]
	switch {
	case killed:
		return "killed after " + kill.String() + " " + working(errs)
	case strings.Contains(errs, "panic:") || strings.Contains(errs, "fatal error:") || strings.Contains(errs, "goroutine "):
		return "panic: " + firstMatch(errs, "panic:", "fatal error:")
	case o.Status == 2 && parsed != nil:
		if n := strings.Count(strings.TrimSpace(errs), "\n"); n > 0 {
			return fmt.Sprintf("refused in %d lines", n+1)
		}
		if errs == "" {
			return "refused without a word"
		}
		return ""
	case parsed != nil:
		return fmt.Sprintf("exit status %d without a result: %v", o.Status, err)
	case !known || o.Status != want:
		return fmt.Sprintf("exit status %d for verdict %q", o.Status, o.Verdict)
	}
	return overrun(o)
}

// overrun says which of the limits of time a run has passed: each program has one for
// the points-to solution, and one for its refinement, and each query has one.
func overrun(o outcome) string {
	const grace = 5 * time.Second
	programs := map[string]bool{}
	for _, q := range o.Queries {
		programs[q.Entry] = true
	}
	for _, limit := range []struct {
		what  string
		spent float64
		times int
	}{
		{"solutions", o.Milliseconds["base"], len(programs)},
		{"refinements", o.Milliseconds["refine"], len(programs)},
		{"queries", o.Milliseconds["reduce"] + o.Milliseconds["lower"] + o.Milliseconds["check"], len(o.Queries)},
	} {
		if limit.spent > float64(limit.times)*float64((*timeout+grace).Milliseconds()) {
			return fmt.Sprintf("%.1f s for %d %s", limit.spent/1000, limit.times, limit.what)
		}
	}
	return ""
}

// ours matches a function of the checker in a stack, below the command.
var ours = regexp.MustCompile(`(?m)^github\.com/empire-go/empire-go/([^(\s]*\S*)\(`)

// working names the innermost function of a stage in the stacks of a killed run.
func working(stacks string) string {
	if m := ours.FindStringSubmatch(stacks); m != nil {
		return "in " + m[1]
	}
	return "outside the stages"
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// firstMatch returns the first line that has one of the words.
func firstMatch(s string, words ...string) string {
	for line := range strings.Lines(s) {
		for _, w := range words {
			if strings.Contains(line, w) {
				return strings.TrimSpace(line)
			}
		}
	}
	return ""
}
