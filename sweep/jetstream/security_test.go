package jetstream

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/empire-go/empire-go/sweep/jetstream/jetstreamtest"
)

// certificates makes files for TLS.
func certificates(t *testing.T) *TLSFiles {
	f := jetstreamtest.Certificates(t)
	return &TLSFiles{f.Cert, f.Key, f.CA}
}

// soon is for what comes at once, but on a busy machine.
const soon = time.Minute

// TestRoles: who has no token, or trusts another authority, does not get in; and a worker can do what a worker does,
// and nothing else.
func TestRoles(t *testing.T) {
	ctx := t.Context()
	token := func(n int) string { return strings.Repeat(fmt.Sprint(n), minToken) }
	roles, err := ParseRoles("coordinator " + token(1) + "\nworker a " + token(2) + "\nworker b " + token(3) +
		"\ncluster " + token(4))
	if err != nil {
		t.Fatal(err)
	}
	files := certificates(t)
	address := jetstreamtest.Addresses(t, 1)[0]
	node, err := StartNode(ctx, NodeOptions{Dir: t.TempDir(), Listen: address, Roles: roles, TLS: files})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(node.Stop)
	connectWithin := func(limit time.Duration, r Role, ca string) (*Pool, error) {
		limited, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		return Connect(limited, ConnectOptions{URL: "tls://" + address, Role: r, CA: ca})
	}
	connect := func(r Role, ca string) (*Pool, error) { return connectWithin(soon, r, ca) }
	refused := func(r Role, ca string) (*Pool, error) { return connectWithin(2*time.Second, r, ca) }
	for what, try := range map[string]func() (*Pool, error){
		"no token":          func() (*Pool, error) { return refused(Role{}, files.CA) },
		"a wrong token":     func() (*Pool, error) { return refused(Role{Token: token(5)}, files.CA) },
		"that of a node":    func() (*Pool, error) { return refused(roles[3], files.CA) },
		"another authority": func() (*Pool, error) { return refused(roles[0], certificates(t).CA) },
	} {
		if p, err := try(); err == nil {
			p.Close()
			t.Errorf("%s gets in", what)
		}
	}
	coordinator, err := connect(roles[0], files.CA)
	if err != nil {
		t.Fatal(err)
	}
	defer coordinator.Close()
	bucket, err := coordinator.Answers(ctx)
	if err != nil {
		t.Fatal(err)
	}
	own, err := coordinator.OpenSweep(ctx, "s", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []error{bucket.Create(ctx, "ab", []byte("answer")),
		coordinator.PutObject(ctx, "sources", []byte(strings.Repeat("text", 100_000))),
		own.Tasks.Publish(ctx, "t", []byte("task"))} {
		if step != nil {
			t.Fatal(step)
		}
	}
	t.Run("may", func(t *testing.T) { workerMay(t, roles[1], connect, files.CA, own) })
	t.Run("may not", func(t *testing.T) {
		worker, err := connect(roles[1], files.CA)
		if err != nil {
			t.Fatal(err)
		}
		defer worker.Close()
		workerMayNot(t, worker)
	})
	if value, _, err := bucket.Get(ctx, "ab"); err != nil || string(value) != "answer" {
		t.Errorf("%s, %v", value, err)
	}
}

// workerMay does what a worker does.
func workerMay(t *testing.T, role Role, connect func(Role, string) (*Pool, error), ca string, own *Sweep) {
	ctx := t.Context()
	worker, err := connect(role, ca)
	if err != nil {
		t.Fatal(err)
	}
	defer worker.Close()
	ids, err := worker.Sweeps(ctx)
	if err != nil || len(ids) != 1 || ids[0] != "s" {
		t.Fatalf("%v, %v", ids, err)
	}
	joined, err := worker.JoinSweep(ctx, "s")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := worker.StateOf(ctx, "s"); err != nil {
		t.Error(err)
	}
	got, err := joined.Tasks.Fetch(ctx, 1, soon)
	if err != nil || len(got) != 1 || string(got[0].Task()) != "task" {
		t.Fatalf("%v, %v", got, err)
	}
	answers, err := worker.Answers(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if value, _, err := answers.Get(ctx, "ab"); err != nil || string(value) != "answer" {
		t.Errorf("%s, %v", value, err)
	}
	if text, err := worker.Object(ctx, "sources", 1<<20); err != nil || len(text) != 400_000 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	if _, err := worker.Object(ctx, "sources", 1000); err == nil {
		t.Error("more than was allowed is read")
	}
	if err := joined.Results.Publish(ctx, "r", []byte("result")); err != nil {
		t.Error(err)
	}
	worker.Tell("s", []byte("state"))
	if err := got[0].Extend(ctx); err != nil {
		t.Error(err)
	}
	if err := got[0].Done(ctx); err != nil {
		t.Error(err)
	}
	results, err := own.Results.Fetch(ctx, 1, soon)
	if err != nil || len(results) != 1 || results[0].(interface{ From() string }).From() != "a" {
		t.Errorf("%v, %v", results, err)
	}
}

// workerMayNot tries what a worker must not do.
func workerMayNot(t *testing.T, worker *Pool) {
	var trying sync.WaitGroup // at once: to some there is no answer
	for what, try := range map[string]func(ctx context.Context) error{
		"write an answer": func(ctx context.Context) error {
			_, err := worker.js.Publish(ctx, "$KV."+answerBucket+".ab", []byte("wrong"))
			return err
		},
		"hand in for another": func(ctx context.Context) error {
			_, err := worker.js.Publish(ctx, subjectOf("s", "result", "b"), []byte("wrong"))
			return err
		},
		"hand out": func(ctx context.Context) error {
			_, err := worker.js.Publish(ctx, subjectOf("s", "task", "all"), []byte("wrong"))
			return err
		},
		"make a stream": func(ctx context.Context) error {
			_, err := worker.js.CreateStream(ctx, jetstream.StreamConfig{Name: "X", Subjects: []string{"x"}})
			return err
		},
		"remove a stream": func(ctx context.Context) error { return worker.js.DeleteStream(ctx, streamPrefix+"s") },
		"pause":           func(ctx context.Context) error { return worker.Pause(ctx, "s") },
		"write sources": func(ctx context.Context) error {
			_, err := worker.js.Publish(ctx, "$O."+objectBucket+".C.x", []byte("wrong"))
			return err
		},
		"read results": func(ctx context.Context) error {
			_, err := worker.js.Consumer(ctx, streamPrefix+"s"+resultSuffix, resultsName)
			return err
		},
	} {
		trying.Go(func() {
			ctx, stop := context.WithTimeout(t.Context(), time.Second)
			defer stop()
			if err := try(ctx); err == nil {
				t.Errorf("a worker can %s", what)
			}
		})
	}
	trying.Wait()
	heard := make(chan *nats.Msg, 10)
	for _, subject := range []string{"sweep.>", inboxOf("") + ".>", "$KV.>", ">"} {
		refused := make(chan error, 1)
		worker.conn.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err })
		if _, err := worker.conn.ChanSubscribe(subject, heard); err != nil {
			continue
		}
		worker.conn.Flush()
		select {
		case <-refused:
		case <-time.After(soon):
			t.Errorf("a worker can listen to %s", subject)
		}
	}
}
