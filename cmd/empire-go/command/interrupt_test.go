package command_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// manyQueries writes a module with many types to check, and returns its folder.
func manyQueries(t *testing.T, types int) string {
	dir := t.TempDir()
	var b strings.Builder
	b.WriteString("package many\n\nimport \"sync\"\n")
	for i := range types {
		fmt.Fprintf(&b, `
type T%[1]d struct {
	mu   sync.Mutex
	n, m int
}

func New%[1]d() *T%[1]d { return &T%[1]d{} }

func (t *T%[1]d) Get() int { t.mu.Lock(); defer t.mu.Unlock(); return t.n + t.m }
func (t *T%[1]d) Add() { t.mu.Lock(); n := t.n; t.mu.Unlock(); t.mu.Lock(); t.n, t.m = n+1, n; t.mu.Unlock() }
`, i)
	}
	for name, text := range map[string]string{"go.mod": "module example.com/many\n\ngo 1.25\n", "many.go": b.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestInterrupt ends the command at moments that are drawn. An interrupted one ends soon, with 1 or 3 as
// its status, and its result is whole: each query has an answer or is said to have none. Of one that is
// killed, what it had printed is whole, line by line. EMPIRE_LONG takes each format more often.
func TestInterrupt(t *testing.T) {
	const types = 12
	dir := manyQueries(t, types)
	start := func(format string) (*exec.Cmd, *bytes.Buffer) {
		cmd, out := exec.Command("empire-go", "check", "--format", format, "."), new(bytes.Buffer)
		cmd.Dir, cmd.Stdout = dir, out
		cmd.Env = append(os.Environ(), "EMPIRE_CACHE=off") // else the second one finds its answers, and ends at once
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd, out
	}
	begin := time.Now()
	cmd, whole := start("ndjson")
	cmd.Wait()
	took := time.Since(begin)
	findings := linesOf(t, whole.String(), true)
	if len(findings) == 0 {
		t.Fatalf("nothing found: %s", whole)
	}
	formats := []string{"json", "sarif", "text", "ndjson"}
	if os.Getenv("EMPIRE_LONG") != "" {
		formats = slices.Repeat(formats, 8)
	}
	random := rand.New(rand.NewPCG(1, 2))
	early := 0 // how many came before the end
	for _, format := range formats {
		for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
			if signal == syscall.SIGKILL && (format == "json" || format == "sarif") {
				continue // they are printed at the end, in one piece
			}
			after := took/20 + time.Duration(random.Float64()*float64(took))
			var out *bytes.Buffer
			var sent time.Time
			for tries := 0; ; tries++ {
				cmd, out = start(format)
				time.Sleep(after)
				cmd.Process.Signal(signal)
				sent = time.Now()
				if signal == syscall.SIGTERM { // as timeout does, to the process and to its group
					time.Sleep(20 * time.Millisecond)
					cmd.Process.Signal(signal)
				}
				// On a busy machine it may not even have begun to listen.
				if cmd.Wait(); tries == 5 || out.Len() > 0 || signal == syscall.SIGKILL || cmd.ProcessState.Exited() {
					break
				}
				after *= 2
			}
			name := fmt.Sprintf("%s, %v after %v", format, signal, after.Round(time.Millisecond))
			if signal == syscall.SIGKILL {
				killed(t, name, format, out.String(), findings)
				continue
			}
			if late := time.Since(sent); late > max(10*time.Second, 3*took) {
				t.Errorf("%s: ends %v later", name, late)
			}
			if status := cmd.ProcessState.ExitCode(); status != 1 && status != 3 {
				t.Errorf("%s: status %d, output %s", name, status, out)
			}
			interrupted(t, name, format, out.Bytes(), types)
			if bytes.Contains(out.Bytes(), []byte("interrupted")) {
				early++
			}
		}
	}
	if early == 0 {
		t.Error("nothing was interrupted: each signal came too late")
	}
}

// interrupted requires that a result is whole.
func interrupted(t *testing.T, name, format string, out []byte, types int) {
	t.Helper()
	var result struct {
		Queries []struct{ Type, Verdict, Reason string }
		Runs    []any
	}
	switch format {
	case "text":
		if !bytes.Contains(out, []byte("unknown")) && !bytes.Contains(out, []byte("VIOLATION")) {
			t.Errorf("%s: says nothing: %s", name, out)
		}
		return
	case "ndjson":
		linesOf(t, string(out), true)
		return
	}
	if err := json.Unmarshal(out, &result); err != nil {
		t.Errorf("%s: %v: %s", name, err, out)
		return
	}
	if format == "sarif" {
		if len(result.Runs) != 1 {
			t.Errorf("%s: %d runs", name, len(result.Runs))
		}
		return
	}
	asked := map[string]bool{}
	for _, q := range result.Queries {
		if asked[q.Type] = true; q.Verdict == "unknown" && q.Reason == "" {
			t.Errorf("%s: nothing says why %s is unknown", name, q.Type)
		}
	}
	// Before it is known what the queries are, one stands for all of them.
	if len(asked) != types && !(len(asked) == 1 && asked[""]) {
		t.Errorf("%s: %d types are listed, want %d", name, len(asked), types)
	}
}

// killed requires that what has been printed is what is printed by a run that is not killed.
func killed(t *testing.T, name, format, out string, findings map[string]bool) {
	t.Helper()
	if out != "" && !strings.HasSuffix(out, "\n") {
		t.Errorf("%s: the last line is not whole: %q", name, out[strings.LastIndex(out, "\n")+1:])
	}
	if format == "ndjson" {
		for line := range linesOf(t, out, false) {
			if !findings[line] {
				t.Errorf("%s: found only there: %s", name, line)
			}
		}
	}
}

// linesOf returns the findings among events; each line has to be one. A whole stream ends with the summary.
func linesOf(t *testing.T, out string, whole bool) map[string]bool {
	t.Helper()
	findings, last := map[string]bool{}, ""
	for line := range strings.Lines(out) {
		var event struct{ Event string }
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Errorf("%v: %q", err, line)
		}
		if last = event.Event; last == "finding" {
			findings[line] = true
		}
	}
	if whole && last != "summary" {
		t.Errorf("the last event is %q", last)
	}
	return findings
}
