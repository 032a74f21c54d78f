package sweep

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/sweep/jetstream"
)

// session loads the packages of testdata, once.
func openSession(t *testing.T) (*empire.Session, []Item) {
	t.Helper()
	r := empire.Request{Dir: "testdata/shop", Packages: []string{"./..."}}
	if err := r.Normalize(); err != nil {
		t.Fatal(err)
	}
	session, err := empire.Open(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	requests, err := session.Split(t.Context(), r, empire.FieldPairs)
	if err != nil {
		t.Fatal(err)
	}
	var items []Item
	for _, r := range requests {
		items = append(items, Item{Request: r})
	}
	return session, items
}

// verdicts returns the table without what differs from run to run.
func verdicts(t *testing.T, table *Table) string {
	t.Helper()
	var all strings.Builder
	for _, r := range table.Rows {
		r.Stored, r.Milliseconds = false, 0
		one := Table{Rows: []Row{r}}
		if err := one.CSV(&all); err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}

// TestResume interrupts a sweep after each part: what is left is answered by the next
// ones, and all together give the table of a sweep that was never interrupted.
func TestResume(t *testing.T) {
	session, requests := openSession(t)
	whole, err := Run(t.Context(), session, requests, Options{})
	if err != nil || whole.Interrupted || len(whole.Errors) > 0 {
		t.Fatalf("%v, %+v", err, whole)
	}
	if len(whole.Rows) < 6 {
		t.Fatalf("only %d rows: %s", len(whole.Rows), verdicts(t, whole))
	}
	store, err := OpenStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for runs := 1; ; runs++ {
		ctx, cancel := context.WithCancel(t.Context())
		answered := 0
		table, err := Run(ctx, session, requests, Options{Workers: 1, Store: store, Progress: func(done, total int) {
			if answered++; done == runs && done < total {
				cancel()
			}
		}})
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		if !table.Interrupted {
			if diff := cmp.Diff(verdicts(t, whole), verdicts(t, table)); diff != "" {
				t.Errorf("interrupted and resumed (-whole +resumed):\n%s", diff)
			}
			if stored := table.Totals().Stored; stored < len(whole.Rows)-2 || runs < 4 {
				t.Errorf("%d of %d rows stored after %d runs", stored, len(table.Rows), runs)
			}
			return
		}
		if runs > 100 {
			t.Fatal("does not come to its end")
		}
	}
}

// TestWorkers: however many queries are answered at a time, the table is the same.
func TestWorkers(t *testing.T) {
	session, requests := openSession(t)
	one, err := Run(t.Context(), session, requests, Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	many, err := Run(t.Context(), session, requests, Options{Workers: 8})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(verdicts(t, one), verdicts(t, many)); diff != "" {
		t.Errorf("(-one worker +eight):\n%s", diff)
	}
}

// TestQueue: a queue on NATS hands out the same, and what an earlier sweep has left there does no harm; nor does one
// that ends in the middle.
func TestQueue(t *testing.T) {
	session, requests := openSession(t)
	want, err := Run(t.Context(), session, requests, Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, ends := range []bool{false, true} {
		node, err := jetstream.StartNode(t.Context(), jetstream.NodeOptions{Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		defer node.Stop()
		pool, err := jetstream.Connect(t.Context(), jetstream.ConnectOptions{Node: node})
		if err != nil {
			t.Fatal(err)
		}
		defer pool.Close()
		own, err := pool.OpenSweep(t.Context(), "one", time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if err := own.Tasks.Publish(t.Context(), "old", []byte("[0,-7,999]")); err != nil {
			t.Fatal(err)
		}
		o := Options{Workers: 2, Queue: own.Tasks}
		if ends {
			o.Progress = func(done, _ int) {
				if done == 2 {
					pool.Close()
				}
			}
		}
		got, err := Run(t.Context(), session, requests, o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(verdicts(t, want), verdicts(t, got)); diff != "" {
			t.Errorf("the queue ends: %v (-want +got):\n%s", ends, diff)
		}
	}
}

// TestKilled: a sweep that was killed in one place again and again goes on past it.
func TestKilled(t *testing.T) {
	session, requests := openSession(t)
	store, err := OpenStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	programs, err := session.Programs(t.Context(), requests[0].Request)
	if err != nil {
		t.Fatal(err)
	}
	key, err := store.partKey(programs[0])
	if err != nil {
		t.Fatal(err)
	}
	for range maxDeaths {
		store.begin(key)
	}
	table, err := Run(t.Context(), session, requests, Options{Store: store})
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Errors) != 1 || !strings.Contains(table.Errors[0], "sweeps were killed here 3 times") ||
		len(table.Rows) == 0 {
		t.Errorf("%d rows, errors %q", len(table.Rows), table.Errors)
	}
	if table, err = Run(t.Context(), session, requests, Options{Store: store, Again: true}); err != nil ||
		len(table.Errors) > 0 {
		t.Errorf("again: %v, %q", err, table.Errors)
	}
}

// TestStoreFull: without a place to write, everything is answered all the same.
func TestStoreFull(t *testing.T) {
	session, requests := openSession(t)
	dir := t.TempDir()
	store, err := OpenStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	for first := range 256 { // files where directories are to be made
		name := []byte{"0123456789abcdef"[first/16], "0123456789abcdef"[first%16]}
		if err := os.WriteFile(filepath.Join(dir, string(name)), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	table, err := Run(t.Context(), session, requests[:2], Options{Store: store})
	if err != nil || len(table.Rows) == 0 || store.Err() == nil {
		t.Errorf("%v, %d rows, error of the store: %v", err, len(table.Rows), store.Err())
	}
}

func FuzzParseSpec(f *testing.F) {
	for _, text := range []string{
		"packages: [./...]\nqueries:\n- {type: Account, sets: pairs}\n",
		"queries:\n- {type: [Cache, Store], fields: [items, size], scenarios: [1, 9]}\n- {vars: 'a.b,c.d', strict: true, " +
			"timeout: 5s}\n",
		"queries: 3", "- a", "queries:\n- {copies: x}", "tests: maybe", "",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		spec, err := ParseSpec(text)
		if err != nil {
			if bytes.ContainsAny([]byte(err.Error()), "\n\r") {
				t.Errorf("error of several lines: %q", err)
			}
			return
		}
		for _, q := range spec.Queries {
			q.Requests(empire.Request{})
		}
	})
}
