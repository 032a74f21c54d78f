//go:build unix

package pool

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/sweep"
	"github.com/empire-go/empire-go/sweep/child"
	"github.com/empire-go/empire-go/sweep/jetstream"
)

// childVariable makes this program a child; its value says how it goes wrong.
const childVariable = "EMPIRE_TEST_CHILD"

func TestMain(m *testing.M) {
	how := os.Getenv(childVariable)
	if how == "" {
		os.Exit(m.Run())
	}
	in := &faulty{how: how}
	if err := child.Run(context.Background(), in, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// faulty is the input of a child that goes wrong where it is asked about the fields a and b.
type faulty struct{ how string }

func (f *faulty) Read(p []byte) (int, error) {
	n, err := os.Stdin.Read(p)
	if !bytes.Contains(p[:n], []byte(`"Fields":["a","b"]`)) {
		return n, err
	}
	switch f.how {
	case "panic":
		go panic("nothing is well")
		select {}
	case "killed":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	return n, err
}

const shop = `package main

import "sync"

type Box struct {
	mu         sync.Mutex
	a, b, c, d int
}

func (x *Box) Set(n int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.a, x.b, x.c, x.d = n, n, n, n
}

func (x *Box) one() int { x.mu.Lock(); defer x.mu.Unlock(); return x.c }
func (x *Box) two() int { x.mu.Lock(); defer x.mu.Unlock(); return x.d }

func (x *Box) Sum() int { return x.one() + x.two() }

func main() {
	x := &Box{}
	var wg sync.WaitGroup
	wg.Go(func() { x.Set(1) })
	wg.Go(func() { println(x.Sum()) })
	wg.Wait()
}
`

// rig is a pool in this process, about a small module.
type rig struct {
	t       *testing.T
	pool    *jetstream.Pool
	dir     string
	session *empire.Session
	request empire.Request
	items   []sweep.Item
	want    string
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{t: t, dir: t.TempDir()}
	node, err := jetstream.StartNode(t.Context(), jetstream.NodeOptions{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(node.Stop)
	if r.pool, err = jetstream.Connect(t.Context(), jetstream.ConnectOptions{Node: node}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.pool.Close)
	for name, text := range map[string]string{"go.mod": "module example.com/shop\n\ngo 1.26\n", "main.go": shop} {
		if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r.request = empire.Request{Dir: r.dir, Packages: []string{"."}}
	if err := r.request.Normalize(); err != nil {
		t.Fatal(err)
	}
	if r.session, err = empire.Open(t.Context(), r.request); err != nil {
		t.Fatal(err)
	}
	requests, err := r.session.Split(t.Context(), r.request, empire.FieldPairs)
	if err != nil || len(requests) != 6 {
		t.Fatalf("%d requests, %v", len(requests), err)
	}
	for _, one := range requests {
		r.items = append(r.items, sweep.Item{Request: one})
	}
	table, err := sweep.Run(t.Context(), r.session, r.items, sweep.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.want = text(t, table)
	return r
}

func text(t *testing.T, table *sweep.Table) string {
	t.Helper()
	var b strings.Builder
	if err := table.JSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// coordinator returns one that has planned.
func (r *rig) coordinator() *Coordinator {
	plan, err := sweep.NewPlan(r.t.Context(), r.session, r.items, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	return &Coordinator{Pool: r.pool, Session: r.session, Plan: plan, Load: r.request, Verify: 1, Batch: 2,
		Log: slog.New(slog.NewTextHandler(r.t.Output(), nil))}
}

// work starts a worker whose children go wrong as it is said.
func (r *rig) work(ctx context.Context, how, dir string) chan error {
	exe, err := os.Executable()
	if err != nil {
		r.t.Fatal(err)
	}
	w := &Worker{Pool: r.pool, Name: "w", Dir: dir, Slots: 1, Forever: true, Scratch: r.t.TempDir(),
		Command: []string{"/usr/bin/env", childVariable + "=" + how, exe},
		Log:     slog.New(slog.NewTextHandler(r.t.Output(), nil))}
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	return ended
}

func (r *rig) run(c *Coordinator, how, dir string) (*sweep.Table, Summary, error) {
	ctx, stop := context.WithCancel(r.t.Context())
	ended := r.work(ctx, how, dir)
	limited, cancel := context.WithTimeout(r.t.Context(), 5*time.Minute)
	defer cancel()
	table, sum, err := c.Run(limited)
	stop()
	<-ended
	return table, sum, err
}

// TestPool: the table of a pool is that of one process; the second time there is nothing to do, and what is known can
// be exported without the sources. With sources that are sent it is the same.
func TestPool(t *testing.T) {
	r := newRig(t)
	table, sum, err := r.run(r.coordinator(), "well", r.dir)
	if err != nil || sum.Answered != 6 || sum.Twice != 0 || sum.Lost != 0 || sum.Verified != 6 {
		t.Fatalf("%v, %+v", err, sum)
	}
	if diff := cmp.Diff(r.want, text(t, table)); diff != "" {
		t.Errorf("(-one process +pool):\n%s", diff)
	}
	again := r.coordinator()
	table, sum, err = again.Run(t.Context())
	if err != nil || sum.Before != 6 || text(t, table) != r.want {
		t.Errorf("again: %v, %+v", err, sum)
	}
	exported, err := Export(t.Context(), r.pool, sum.Sweep)
	if err != nil || text(t, exported) != r.want {
		t.Errorf("exported: %v, %v", err, exported)
	}
	for name, value := range ShipEnv {
		t.Setenv(name, value)
	}
	c := r.coordinator()
	c.Again = true
	if c.Shipment, err = Pack(t.Context(), r.request, r.dir); err != nil {
		t.Fatal(err)
	}
	table, sum, err = r.run(c, "well", t.TempDir())
	if err != nil || sum.Answered != 6 || text(t, table) != r.want {
		t.Errorf("with its sources: %v, %+v\n%s", err, sum, text(t, table))
	}
}

// TestGone: queues that the nodes lose, as when the only node that has them starts again with nothing, are made again.
func TestGone(t *testing.T) {
	r := newRig(t)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	c := r.coordinator()
	ended := make(chan error, 1)
	var table *sweep.Table
	go func() {
		var err error
		table, _, err = c.Run(ctx)
		ended <- err
	}()
	for lost := 0; lost < 3; {
		ids, err := r.pool.Sweeps(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			if state, err := r.pool.StateOf(ctx, id); err != nil || state.Left() == 0 {
				continue // nothing is handed out yet
			}
			queues, err := r.pool.JoinSweep(ctx, id)
			if err == nil {
				err = queues.Remove(ctx)
			}
			if err != nil {
				t.Fatal(err)
			}
			lost++
		}
		select {
		case err := <-ended:
			t.Fatalf("without its queues it ends: %v", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
	working, stop := context.WithCancel(ctx)
	worked := r.work(working, "well", r.dir)
	if err := <-ended; err != nil || text(t, table) != r.want {
		t.Errorf("%v: the table is another one", err)
	}
	stop()
	<-worked
}

// TestDrain: a sweep that is drained hands out nothing, and its state says so; then it goes on.
func TestDrain(t *testing.T) {
	r := newRig(t)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	type outcome struct {
		table *sweep.Table
		sum   Summary
		err   error
	}
	ended := make(chan outcome, 1)
	c := r.coordinator()
	go func() {
		var o outcome
		o.table, o.sum, o.err = c.Run(ctx)
		ended <- o
	}()
	watcher, err := Watch(r.pool)
	if err != nil {
		t.Fatal(err)
	}
	defer watcher.Close()
	until := func(what string, is func(s Status) bool) (last Status) {
		t.Helper()
		for ctx.Err() == nil {
			all, err := watcher.Status(ctx)
			if err == nil && len(all) == 1 {
				if last = all[0]; is(last) {
					return last
				}
			}
			time.Sleep(20 * time.Millisecond)
		}
		t.Fatalf("%s is not seen: %+v", what, last)
		return last
	}
	id := until("the sweep", func(s Status) bool { return s.Waiting == 3 && s.Total == 6 && s.Done == 0 }).Sweep
	if err := Drain(ctx, r.pool, id); err != nil {
		t.Fatal(err)
	}
	r.work(ctx, "well", r.dir)
	until("the worker", func(s Status) bool { return s.Paused && len(s.Workers) == 1 && s.Workers[0].Worker == "w" })
	time.Sleep(1500 * time.Millisecond)
	s := until("nothing that is handed out", func(s Status) bool { return s.Waiting == 3 && s.Held == 0 && s.Done == 0 })
	var written strings.Builder
	if err := WriteStatus(&written, []Status{s}); err != nil ||
		!strings.Contains(written.String(), "drained\n  w  ") && !strings.Contains(written.String(), "0 answered") {
		t.Errorf("%v\n%s", err, written.String())
	}
	if err := r.pool.Resume(ctx, id); err != nil {
		t.Fatal(err)
	}
	if o := <-ended; o.err != nil || o.sum.Answered != 6 || text(t, o.table) != r.want {
		t.Errorf("%v, %+v", o.err, o.sum)
	}
}

// TestCrash: a query whose children die has that as its answer, after the fourth; the others have theirs.
func TestCrash(t *testing.T) {
	for how, want := range map[string]string{
		"panic": "panic: nothing is well", "killed": "signal: killed",
	} {
		t.Run(how, func(t *testing.T) {
			r := newRig(t)
			table, sum, err := r.run(r.coordinator(), how, r.dir)
			if err != nil || sum.Answered != 6 || sum.Crashes != maxCrashes || sum.Lost != 0 {
				t.Fatalf("%v, %+v", err, sum)
			}
			if len(table.Rows) != 5 || len(table.Errors) != 1 ||
				!strings.Contains(table.Errors[0], "the check has crashed 4 times: "+want) {
				t.Errorf("%d rows, errors %q", len(table.Rows), table.Errors)
			}
			// It is asked again in the next sweep.
			table, sum, err = r.run(r.coordinator(), "well", r.dir)
			if err != nil || sum.Answered != 1 || text(t, table) != r.want {
				t.Errorf("next: %v, %+v", err, sum)
			}
		})
	}
}

// TestRefuse: a worker with other sources refuses with one line, and another one answers.
func TestRefuse(t *testing.T) {
	r := newRig(t)
	other := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/shop\n\ngo 1.26\n",
		"main.go": strings.Replace(shop, "x.Set(1)", "x.Set(2)", 1)} {
		if err := os.WriteFile(filepath.Join(other, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r.work(ctx, "well", other)
	time.AfterFunc(1500*time.Millisecond, func() { r.work(ctx, "well", r.dir) })
	table, sum, err := r.coordinator().Run(ctx)
	if err != nil || sum.Answered != 6 || text(t, table) != r.want {
		t.Errorf("%v, %+v", err, sum)
	}
}

// TestHostile: a worker hands in what was not handed out, what is no answer, and a wrong one. The first two do not
// count, and the last one ends the sweep and is removed.
func TestHostile(t *testing.T) {
	r := newRig(t)
	c := r.coordinator()
	all, err := c.Plan.Asked()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	handIn := func(own *jetstream.Sweep, answers ...answered) {
		message, err := pack(result{Worker: "evil", Answers: answers})
		if err == nil {
			err = own.Results.Publish(ctx, fmt.Sprint(time.Now().UnixNano()), message)
		}
		if err != nil {
			t.Error(err)
		}
	}
	safe := sweep.Answer{Rows: []sweep.Row{{Query: empire.QueryResult{Verdict: empire.VerdictSafe}}}}
	go func() {
		var ids []string
		for ids == nil {
			ids, _ = r.pool.Sweeps(ctx)
		}
		own, err := r.pool.JoinSweep(ctx, ids[0])
		for err != nil && ctx.Err() == nil {
			own, err = r.pool.JoinSweep(ctx, ids[0])
		}
		own.Results.Publish(ctx, "nonsense", []byte("nonsense"))
		bomb, _ := pack(strings.Repeat(" ", maxUnpacked+10))
		own.Results.Publish(ctx, "bomb", bomb)
		handIn(own, answered{Key: strings.Repeat("0", 64), Answer: safe})
		strange := sweep.Answer{Rows: []sweep.Row{{Query: empire.QueryResult{Verdict: "fine"}}}}
		handIn(own, answered{Key: all[0].Key, Answer: strange})
		handIn(own, answered{Key: all[0].Key, Answer: safe})
	}()
	_, sum, err := c.Run(ctx)
	if err == nil || !strings.Contains(err.Error(), "worker evil: has handed in a wrong answer") || sum.Foreign != 1 {
		t.Errorf("%v, %+v", err, sum)
	}
	if k, _, err := lookUp(ctx, c.bucket, all[0].Key); k != nil || err != nil {
		t.Errorf("the wrong answer is still there: %+v, %v", k, err)
	}
}

// TestReplace: what is decided is not replaced, what is unknown is.
func TestReplace(t *testing.T) {
	r := newRig(t)
	b, err := r.pool.Answers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	answer := func(verdict string) *kept {
		return &kept{Answer: sweep.Answer{Rows: []sweep.Row{{Query: empire.QueryResult{Verdict: verdict}}}}}
	}
	key := strings.Repeat("ab", 32)
	for _, step := range []struct {
		put     string
		replace bool
		want    string
	}{
		{empire.VerdictUnknown, false, empire.VerdictUnknown}, {empire.VerdictSafe, false, empire.VerdictSafe},
		{empire.VerdictUnknown, false, empire.VerdictSafe}, {empire.VerdictViolation, false, empire.VerdictSafe},
		{empire.VerdictViolation, true, empire.VerdictViolation},
	} {
		k, err := keep(t.Context(), b, key, answer(step.put), step.replace)
		if err != nil || k.Answer.Rows[0].Query.Verdict != step.want {
			t.Fatalf("%+v: %v, %v", step, k, err)
		}
		if k, _, err = lookUp(t.Context(), b, key); err != nil || k.Answer.Rows[0].Query.Verdict != step.want {
			t.Fatalf("%+v: %v, %v", step, k, err)
		}
	}
}
