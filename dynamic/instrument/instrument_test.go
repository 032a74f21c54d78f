package instrument

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/empire-go/empire-go/dynamic/hook"
	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// record builds an instrumented program, runs it, and returns its trace and output.
func record(t *testing.T, dir string, plan *watch.Plan, packages ...string) (*trace.Header, []trace.Event, string) {
	t.Helper()
	work := t.TempDir()
	r, err := Rewrite(context.Background(), Request{Dir: dir, Packages: packages, Plan: plan})
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("EMPIRE_SHOW") != "" {
		for name, text := range r.Files {
			t.Logf("%s:\n%s", name, text)
		}
	}
	overlay, err := r.WriteOverlay(work)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(work, "program")
	build := exec.Command("go", append([]string{"build", "-overlay", overlay, "-o", program}, packages...)...)
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	file, err := os.Create(filepath.Join(work, "trace"))
	if err != nil {
		t.Fatal(err)
	}
	begin, err := r.Header.Encode()
	if err != nil {
		t.Fatal(err)
	}
	file.Write(begin)
	cmd := exec.Command(program)
	cmd.ExtraFiles = []*os.File{file}
	cmd.Env = append(os.Environ(), hook.EnvTrace+"=3")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Logf("%v", err)
	}
	text, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	reader, err := trace.NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var events []trace.Event
	for {
		e, err := reader.Read()
		if err != nil {
			break
		}
		events = append(events, e)
	}
	if s := reader.Stats(); !s.Whole() {
		t.Errorf("%+v", s)
	}
	return reader.Header(), events, string(out)
}

// TestVector looks at what a run of a small program records.
func TestVector(t *testing.T) {
	plan := &watch.Plan{
		Sets: []watch.Set{{Type: "github.com/empire-go/empire-go/testdata/vector.Vector", Fields: []string{"count", "data"}}}}
	header, events, _ := record(t, "../../testdata/vector", plan, ".")
	accesses := map[string]int{}
	for _, e := range events {
		if s := header.Site(e.Site); e.Op == trace.Read || e.Op == trace.Write {
			accesses[e.Op.String()+" "+s.Field+" "+s.Pos]++
		}
		if os.Getenv("EMPIRE_SHOW") != "" {
			s := header.Site(e.Site)
			t.Logf("g%d %3d %-12s %d v%d %s %s %s", e.Goroutine, e.Seq, e.Op, e.Object, e.Arg, s.Pos, s.Field, s.Function)
		}
	}
	for _, want := range []string{
		"write count testdata/vector/vector.go:58:4", "write data testdata/vector/vector.go:59:4", // Clear
		"write count testdata/vector/vector.go:21:4", "read data testdata/vector/vector.go:66:14", // NewVectorFrom, CopyInto
		"read count testdata/vector/vector.go:44:4", "write count testdata/vector/vector.go:44:4", // v.count++
	} {
		if accesses[want] != 1 {
			t.Errorf("%d events %q, want 1", accesses[want], want)
		}
	}
}
