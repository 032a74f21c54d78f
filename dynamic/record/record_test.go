package record

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// programs are ways to end; each writes n of an S in a goroutine first.
var programs = map[string]struct{ end, status, stderr string }{
	"return":           {"", "", ""},
	"exit":             {"os.Exit(3)", "exit status 3", ""},
	"panic":            {`panic("no")`, "exit status 2", "panic: no"},
	"deadlock":         {"select {}", "exit status 2", "all goroutines are asleep"},
	"killed":           {"syscall.Kill(os.Getpid(), syscall.SIGKILL)", "signal: killed", ""},
	"goroutine panics": {`go func() { panic("there") }(); select {}`, "exit status 2", "panic: there"},
	"many": {"for range 5000 { wg.Add(1); go func() { defer wg.Done(); mu.Lock(); s.n++; mu.Unlock() }() " +
		"}; wg.Wait()", "", ""},
}

const template = `package main

import (
	"os"
	"sync"
	"syscall"
)

type S struct{ n, m int }

func main() {
	_, _ = os.Args, syscall.SIGKILL
	var s S
	var mu sync.Mutex
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		mu.Lock()
		s.n = 1
		mu.Unlock()
	}()
	wg.Wait()
	END
}
`

// TestEnds looks at traces of programs that end in different ways: nothing is missing.
func TestEnds(t *testing.T) {
	for name, test := range programs {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "go.mod"), "module example.com/ends\n\ngo 1.25\n")
		write(t, filepath.Join(dir, "main.go"), strings.Replace(template, "END", test.end, 1))
		ctx := context.Background()
		p, err := Make(ctx, Build{Dir: dir, Packages: []string{"."},
			Plan: &watch.Plan{Schema: watch.Schema, Sets: []watch.Set{{Type: "example.com/ends.S", Fields: []string{"n"}}}}})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		file, err := p.Main(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var stderr, kept bytes.Buffer
		writes := 0
		var stats trace.Stats
		outcome, err := p.Record(ctx, Run{File: file, Dir: dir, Stderr: &stderr, Trace: &kept},
			func(in io.Reader) (err error) {
				writes, stats, err = readAll(in)
				return err
			})
		if err != nil {
			t.Fatal(err)
		}
		want := 1
		if name == "many" {
			want = 5001
		}
		if writes != want || !stats.Whole() || outcome.Text != test.status ||
			!strings.Contains(stderr.String(), test.stderr) || kept.Len() == 0 {
			t.Errorf("%s: %d writes, %+v, %q\n%s", name, writes, stats, outcome.Text, stderr.String())
		}
	}
}

const computing = `package main

import (
	"sync"
	"sync/atomic"
)

type S struct{ n, m int }

func main() {
	var s S
	var mu sync.Mutex
	var began, done atomic.Bool
	go func() {
		mu.Lock()
		s.n = 1
		mu.Unlock()
		began.Store(true)
		for !done.Load() { // computes
		}
	}()
	for !began.Load() {
	}
	for range 100_000 {
		mu.Lock()
		s.n++
		mu.Unlock()
	}
	done.Store(true)
}
`

// TestComputes looks at a program of which a goroutine keeps what it has recorded, because it
// comes to no hook: what the others record is not held for it. The disk is full soon: what is
// kept of the trace can be read.
func TestComputes(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/computes\n\ngo 1.25\n")
	write(t, filepath.Join(dir, "main.go"), computing)
	ctx := context.Background()
	p, err := Make(ctx, Build{Dir: dir, Packages: []string{"."},
		Plan: &watch.Plan{Schema: watch.Schema, Sets: []watch.Set{{Type: "example.com/computes.S", Fields: []string{"n"}}}}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	file, err := p.Main(ctx)
	if err != nil {
		t.Fatal(err)
	}
	kept := &fullDisk{room: 6 << 20}
	var stats trace.Stats
	outcome, err := p.Record(ctx, Run{File: file, Dir: dir, Trace: kept, lookEvery: 1 << 16},
		func(in io.Reader) (err error) {
			_, stats, err = readAll(in)
			return err
		})
	if err != nil || outcome.Text != "" {
		t.Fatal(err, outcome)
	}
	if !stats.Whole() || stats.Events < 400_000 || stats.MaxHeld > 250_000 {
		t.Errorf("of %d records up to %d were held; %+v", stats.Events, stats.MaxHeld, stats)
	}
	if !errors.Is(outcome.TraceErr, syscall.ENOSPC) {
		t.Errorf("the trace is not whole because of %v", outcome.TraceErr)
	}
	writes, stats, err := readAll(&kept.Buffer)
	if err != nil || writes < 20_000 {
		t.Errorf("the first 6 MiB of the trace has %d writes; %+v, %v", writes, stats, err)
	}
}

const strays = `package main

import (
	"context"
	"sync"
	"time"
)

type S struct{ n, m int }

func main() {
	var s S
	var mu sync.Mutex
	for range 100 {
		done := make(chan bool)
		for range 100 {
			start(func() {
				mu.Lock()
				s.n++
				mu.Unlock()
				done <- true
			})
		}
		for range 100 {
			<-done
		}
		time.Sleep(time.Millisecond) // the goroutines end
	}
}

// start has a library start a goroutine.
func start(f func()) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	context.AfterFunc(ctx, f)
}
`

// TestStrays looks at a program whose goroutines are started by a library: that they have ended is
// seen after some time.
func TestStrays(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/strays\n\ngo 1.25\n")
	write(t, filepath.Join(dir, "main.go"), strays)
	ctx := context.Background()
	p, err := Make(ctx, Build{Dir: dir, Packages: []string{"."},
		Plan: &watch.Plan{Schema: watch.Schema, Sets: []watch.Set{{Type: "example.com/strays.S", Fields: []string{"n"}}}}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	file, err := p.Main(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var writes int
	var stats trace.Stats
	outcome, err := p.Record(ctx, Run{File: file, Dir: dir}, func(in io.Reader) (err error) {
		writes, stats, err = readAll(in)
		return err
	})
	if err != nil || outcome.Text != "" {
		t.Fatal(err, outcome)
	}
	if writes != 10_000 || !stats.Whole() || stats.Open > 1_000 {
		t.Errorf("%d writes of 10,000; %d of 10,000 goroutines have not ended; %+v", writes, stats.Open, stats)
	}
}

// fullDisk has room for some bytes.
type fullDisk struct {
	bytes.Buffer
	room int
}

func (d *fullDisk) Write(p []byte) (int, error) {
	n, _ := d.Buffer.Write(p[:min(len(p), d.room)])
	d.room -= n
	if n < len(p) {
		return n, syscall.ENOSPC
	}
	return n, nil
}

// readAll reads a trace and counts its writes.
func readAll(in io.Reader) (writes int, stats trace.Stats, err error) {
	r, err := trace.NewReader(in)
	if err != nil {
		return 0, stats, err
	}
	for {
		e, err := r.Read()
		if err == io.EOF {
			return writes, r.Stats(), nil
		}
		if err != nil {
			return writes, r.Stats(), err
		}
		if e.Op == trace.Write {
			writes++
		}
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
