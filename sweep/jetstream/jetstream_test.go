package jetstream

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/empire-go/empire-go/sweep/queue"
	"github.com/empire-go/empire-go/sweep/queue/queuetest"
)

// embedded returns a pool of one node, in this process.
func embedded(t *testing.T) *Pool {
	t.Helper()
	node, err := StartNode(t.Context(), NodeOptions{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(node.Stop)
	pool, err := Connect(t.Context(), ConnectOptions{Node: node})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

func TestQueue(t *testing.T) {
	pool := embedded(t)
	var n atomic.Int32
	queuetest.Queue(t, func(t *testing.T, silence time.Duration) queue.Queue {
		s, err := pool.OpenSweep(t.Context(), fmt.Sprint("s", n.Add(1)), silence)
		if err != nil {
			t.Fatal(err)
		}
		return s.Tasks
	})
}

func TestBucket(t *testing.T) {
	b, err := embedded(t).Answers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	queuetest.Bucket(t, b)
}

// TestBusy: two processes, or two nodes, cannot have one directory; the end of one gives it back.
func TestBusy(t *testing.T) {
	dir := t.TempDir()
	node, err := StartNode(t.Context(), NodeOptions{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	_, err = StartNode(t.Context(), NodeOptions{Dir: dir})
	var busy *BusyError
	if !errors.As(err, &busy) || busy.Process != os.Getpid() {
		t.Errorf("%v, want that process %d uses it", err, os.Getpid())
	}
	node.Stop()
	if node, err = StartNode(t.Context(), NodeOptions{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	node.Stop()
}

// TestScratch: nothing of it is left, not even what a process that was killed has left.
func TestScratch(t *testing.T) {
	dir := t.TempDir()
	left := filepath.Join(dir, "nats", "left")
	if err := os.MkdirAll(left, 0o777); err != nil {
		t.Fatal(err)
	}
	node, err := StartNode(t.Context(), NodeOptions{Dir: dir, Scratch: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("what another one has left is there")
	}
	node.Stop()
	if all, err := os.ReadDir(dir); err != nil || len(all) != 1 || all[0].Name() != "lock" {
		t.Errorf("%v, %v", all, err)
	}
}

// TestKept: what a node has is there when it is started again.
func TestKept(t *testing.T) {
	dir := t.TempDir()
	for i := range 2 {
		node, err := StartNode(t.Context(), NodeOptions{Dir: dir, Durable: i == 0})
		if err != nil {
			t.Fatal(err)
		}
		pool, err := Connect(t.Context(), ConnectOptions{Node: node})
		if err != nil {
			t.Fatal(err)
		}
		s, err := pool.OpenSweep(t.Context(), "s", soon)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			err = s.Tasks.Publish(t.Context(), "a", []byte("task"))
		} else if got, _ := s.Tasks.Fetch(t.Context(), 1, soon); len(got) != 1 || string(got[0].Task()) != "task" {
			t.Errorf("got %d tasks", len(got))
		}
		if err != nil {
			t.Fatal(err)
		}
		pool.Close()
		node.Stop()
	}
}

func TestParseRoles(t *testing.T) {
	token := strings.Repeat("x", minToken)
	for text, want := range map[string]string{
		"coordinator " + token + "1\nworker a-1 " + token + "2 # a comment\n\ncluster " + token + "3\n": "",
		"":                       "has no token",
		"coordinator short\n":    "line 1: the token is short",
		"\nworker " + token:      "line 2: is no role",
		"boss " + token:          "line 1: is no role",
		"worker a.b " + token:    `line 1: "a.b" is no name`,
		"worker * " + token + "": `line 1: "*" is no name`,
		"coordinator " + token + "\ncluster " + token: "line 2: the token is that of another role",
	} {
		roles, err := ParseRoles(text)
		if want == "" && (err != nil || len(roles) != 3) || want != "" && (err == nil ||
			!strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%q: %v, %v", text, roles, err)
		}
	}
}
