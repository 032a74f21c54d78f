package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// TestTraceCooperableCut cuts a recorded trace without a violation at each byte: never is the rest "cooperable".
func TestTraceCooperableCut(t *testing.T) {
	whole, err := os.ReadFile(recordedTrace(t, false))
	if err != nil {
		t.Fatal(err)
	}
	whole = trace.AppendEnd(whole)
	name := filepath.Join(t.TempDir(), "cut.trace")
	for n := range len(whole) + 1 {
		if err := os.WriteFile(name, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr strings.Builder
		want := statusFailed
		got := Run([]string{"trace", "cooperable", "--format", "json", name}, &stdout, &stderr)
		if n == len(whole) || n == 0 { // nothing is an STD file without an event
			want = statusSafe
		}
		if got != want || want == statusFailed && strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%d of %d bytes: exit status %d, not %d; standard error %q", n, len(whole), got, want, stderr.String())
		}
	}
}
