//go:build linux

package pool

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/empire-go/empire-go/sweep/jetstream/jetstreamtest"
)

// TestCommands goes through a sweep at the command line: a node, a sweep that nobody answers yet, its state, a drain,
// a worker, and the table without the sources.
func TestCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	dir, elsewhere, state := many(t, 1, 4), t.TempDir(), filepath.Join(t.TempDir(), "state")
	address := jetstreamtest.Addresses(t, 1)[0]
	url := "nats://" + address
	// run carries out a command that ends.
	run := func(dir string, want int, args ...string) *proc {
		t.Helper()
		p := start(t, dir, args...)
		p.wait(t, time.Minute)
		if got := p.ProcessState.ExitCode(); got != want {
			t.Fatalf("%v: exit status %d, not %d\n%s", args, got, want, p.err.String())
		}
		return p
	}
	node := start(t, elsewhere, "sweep", "serve", "--listen", address, "--state", state)
	for ready, end := false, time.Now().Add(time.Minute); !ready; { // and has its state
		p := start(t, elsewhere, "sweep", "status", "--connect", url, "--once")
		p.wait(t, time.Minute)
		if ready = p.ProcessState.ExitCode() == 0; !ready && time.Now().After(end) {
			t.Fatalf("the node is not ready\n%s", node.err.String())
		}
	}
	second := run(dir, 2, "sweep", "serve", "--listen", jetstreamtest.Addresses(t, 1)[0], "--state", state)
	if !strings.Contains(second.err.String(), "is used by process ") {
		t.Errorf("two nodes in a directory: %s", second.err.String())
	}
	args := []string{"sweep", "--type", "T0", "--sets", "pairs", "--format", "csv"}
	want := run(dir, 1, append(args, "--state", "none")...).out.String()
	connected := append(args, "--connect", url, "--ship")
	p := start(t, dir, connected...)
	id := ""
	for end := time.Now().Add(time.Minute); id == "" && time.Now().Before(end); {
		status := run(elsewhere, 0, "sweep", "status", "--connect", url, "--once").out.String()
		if m := regexp.MustCompile(`(?m)^([0-9a-f]{16})  example.com/many  0 +6 +1 `).FindStringSubmatch(status); m != nil {
			id = m[1]
		}
	}
	if id == "" {
		t.Fatalf("the sweep is not seen\n%s", p.err.String())
	}
	run(elsewhere, 0, "sweep", "drain", "--connect", url, id)
	if status := run(elsewhere, 0, "sweep", "status", "--connect", url, "--once").out.String(); !strings.Contains(status,
		"drained") {
		t.Errorf("%s", status)
	}
	run(elsewhere, 0, "sweep", "worker", "--connect", url, "--idle", "1s") // there is nothing to do
	run(elsewhere, 3, "sweep", "export", "--connect", url, id)
	run(elsewhere, 0, "sweep", "drain", "--connect", url, "--resume")
	// The one who sweeps goes away; a worker without the sources goes on.
	p.Process.Signal(syscall.SIGTERM)
	p.wait(t, time.Minute)
	run(elsewhere, 0, "sweep", "worker", "--connect", url, "--idle", "1s")
	if p := run(dir, 1, connected...); p.out.String() != want {
		t.Errorf("the table is\n%snot\n%s", p.out.String(), want)
	}
	if p := run(elsewhere, 1, "sweep", "export", "--connect", url, "--format", "csv", id); p.out.String() != want {
		t.Errorf("the exported table is\n%snot\n%s", p.out.String(), want)
	}
	run(elsewhere, 2, "sweep", "export", "--connect", url, "none")
	run(elsewhere, 2, "sweep", "drain", "--connect", url, "none")
	node.Process.Signal(os.Interrupt)
	node.wait(t, time.Minute)
}
