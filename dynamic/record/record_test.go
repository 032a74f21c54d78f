package record

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
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
	"many":             {"for range 5000 { wg.Add(1); go func() { defer wg.Done(); mu.Lock(); s.n++; mu.Unlock() }() }; wg.Wait()", "", ""},
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
		p, err := Make(ctx, Build{Dir: dir, Packages: []string{"."}, Plan: &watch.Plan{Schema: watch.Schema, Sets: []watch.Set{{Type: "example.com/ends.S", Fields: []string{"n"}}}}})
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
		outcome, err := p.Record(ctx, Run{File: file, Dir: dir, Stderr: &stderr, Trace: &kept}, func(in io.Reader) error {
			r, err := trace.NewReader(in)
			if err != nil {
				return err
			}
			for {
				e, err := r.Read()
				if err != nil {
					stats = r.Stats()
					return nil
				}
				if e.Op == trace.Write {
					writes++
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		want := 1
		if name == "many" {
			want = 5001
		}
		if writes != want || !stats.Whole() || outcome.Text != test.status || !strings.Contains(stderr.String(), test.stderr) || kept.Len() == 0 {
			t.Errorf("%s: %d writes, %+v, %q\n%s", name, writes, stats, outcome.Text, stderr.String())
		}
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
