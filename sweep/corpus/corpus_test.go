//go:build unix

package corpus

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/internal/answers"
	"github.com/empire-go/empire-go/sweep/child"
)

// childVariable makes this program a child.
const childVariable = "EMPIRE_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) == "" {
		os.Exit(m.Run())
	}
	if dir, _ := os.Getwd(); fileHas(filepath.Join(dir, "go.mod"), "example.com/crash") {
		panic("nothing is well")
	} else if fileHas(filepath.Join(dir, "go.mod"), "example.com/hang") {
		time.Sleep(time.Hour)
	}
	if err := child.Run(context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func fileHas(name, text string) bool {
	content, err := os.ReadFile(name)
	return err == nil && bytes.Contains(content, []byte(text))
}

const box = `package box

import "sync"

type Box struct {
	mu   sync.Mutex
	a, b int
}

func New() *Box { return &Box{} }

func (x *Box) Set(n int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.a, x.b = n, n
}

func (x *Box) one() int { x.mu.Lock(); defer x.mu.Unlock(); return x.a }
func (x *Box) two() int { x.mu.Lock(); defer x.mu.Unlock(); return x.b }

`

// proxy writes modules as a Go proxy has them, and lets the go command use it.
func proxy(t *testing.T, modules map[string]map[string]string) {
	t.Helper()
	root := t.TempDir()
	for path, files := range modules {
		m := module.Version{Path: path, Version: "v1.0.0"}
		dir := t.TempDir()
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		into := filepath.Join(root, path, "@v")
		if err := os.MkdirAll(into, 0o777); err != nil {
			t.Fatal(err)
		}
		var packed bytes.Buffer
		if err := zip.CreateFromDir(&packed, m, dir); err != nil {
			t.Fatal(err)
		}
		gomod := files["go.mod"]
		if gomod == "" {
			gomod = "module " + path + "\n"
		}
		for name, text := range map[string]string{"v1.0.0.zip": packed.String(), "v1.0.0.mod": gomod,
			"v1.0.0.info": `{"Version":"v1.0.0"}`, "list": "v1.0.0\n"} {
			if err := os.WriteFile(filepath.Join(into, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(root))
	t.Setenv("GOSUMDB", "off")
}

// options are those of a sweep over modules, whose children are this program.
func options(t *testing.T, store *answers.Store) Options {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r := empire.Request{Budget: 10 * time.Second}
	if err := r.Normalize(); err != nil {
		t.Fatal(err)
	}
	return Options{Request: r, Time: 5 * time.Minute, Workers: 2, Dir: t.TempDir(), Store: store,
		Command: []string{"/usr/bin/env", childVariable + "=1", exe}, Log: slog.New(slog.NewTextHandler(t.Output(), nil))}
}

func table(t *testing.T, table *Table) string {
	t.Helper()
	var b strings.Builder
	if err := table.Text(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestModules checks good and bad modules; a sweep that is interrupted goes on, with the same table in the end, and
// leaves nothing behind.
func TestModules(t *testing.T) {
	gomod := func(path string) string { return "module " + path + "\n\ngo 1.26\n" }
	proxy(t, map[string]map[string]string{
		"example.com/bad": {"go.mod": gomod("example.com/bad"),
			"box.go": box + "func (x *Box) Pair() (int, int) { return x.one(), x.two() }\n"},
		"example.com/good": {"go.mod": gomod("example.com/good") + "\nrequire example.com/old v1.0.0\n" +
			"\nreplace example.com/old => ../old\n",
			"box.go": strings.Replace(box, `import "sync"`, "import (\n\t_ \"example.com/old\"\n\t\"sync\"\n)", 1)},
		"example.com/old":    {"old.go": "package old\n"},
		"example.com/broken": {"go.mod": gomod("example.com/broken"), "box.go": "package box\n\nvar x int = \"\"\n"},
		"example.com/crash":  {"go.mod": gomod("example.com/crash"), "box.go": box},
	})
	modules, err := Parse(`example.com/bad@v1.0.0 # a comment
example.com/good@v1.0.0
example.com/old@v1.0.0
example.com/broken@v1.0.0

example.com/crash@v1.0.0
example.com/none@v1.0.0
`)
	if err != nil {
		t.Fatal(err)
	}
	store, err := answers.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	o := options(t, store)
	ctx, cancel := context.WithCancel(t.Context())
	o.Progress = func(done, _ int) {
		if done == 2 {
			cancel()
		}
	}
	first, err := Run(ctx, modules, o)
	if err != nil || !first.Interrupted || len(first.Rows) < 2 {
		t.Fatalf("%v, %+v", err, first)
	}
	o.Progress = nil
	second, err := Run(t.Context(), modules, o)
	if err != nil || second.Interrupted {
		t.Fatalf("%v, %+v", err, second)
	}
	stored := 0
	for _, r := range second.Rows {
		if r.Stored {
			stored++
		}
	}
	if stored < 2 {
		t.Errorf("only %d rows are from before", stored)
	}
	got := table(t, second)
	for _, want := range []string{"crashed: panic: nothing is well",
		"6 modules (1 crashed, 1 nothing, 2 checked, 2 failed); 2 queries: 1 safe, 1 violated, 0 unknown"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if second.Rows[0].Violations != 1 || second.Rows[1].Safe != 1 || second.Rows[3].Result != Failed {
		t.Errorf("%s", got)
	}
	if left, err := os.ReadDir(o.Dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	o.Again, o.Workers = true, 1
	third, err := Run(t.Context(), modules, o)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got, table(t, third)); diff != "" {
		t.Errorf("again (-before +again):\n%s", diff)
	}
}

// TestTime: a module that takes more time than it may is a row, again and again.
func TestTime(t *testing.T) {
	proxy(t, map[string]map[string]string{"example.com/hang": {"go.mod": "module example.com/hang\n\ngo 1.26\n",
		"box.go": box}})
	modules, err := Parse("example.com/hang@v1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	o := options(t, nil)
	o.Time = 2 * time.Second
	for range 2 {
		got, err := Run(t.Context(), modules, o)
		if err != nil || got.Rows[0].Result != Limit {
			t.Fatalf("%v, %+v", err, got)
		}
		for _, want := range []string{"limit: it took more than 2s", "1 modules (1 limit)"} {
			if text := table(t, got); !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
		o.Again = true
	}
}

// TestDisk: a module that takes more disk than there may be is a row.
func TestDisk(t *testing.T) {
	proxy(t, map[string]map[string]string{"example.com/hang": {"go.mod": "module example.com/hang\n\ngo 1.26\n",
		"box.go": box + "// " + strings.Repeat("long ", 100_000)}})
	modules, err := Parse("example.com/hang@v1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	o := options(t, nil)
	o.Disk, o.Workers = 100_000, 1
	got, err := Run(t.Context(), modules, o)
	if err != nil || got.Rows[0].Result != Limit || !strings.Contains(got.Rows[0].Reason, "more disk than it may") {
		t.Errorf("%v, %+v", err, got)
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"golang.org/x/sync@v0.10.0\n\n# none\n": "",
		"":                                      "has no module",
		"golang.org/x/sync":                     `line 1: "golang.org/x/sync" is`,
		"\nx@latest":                            "line 2:",
		"a.com/b@v1.0.0\na.com/b@v1.0.0":        "line 2: a.com/b@v1.0.0 is there twice",
		"../x@v1.0.0":                           "line 1:",
		"-x.com/y@v1.0.0":                       "line 1:",
		"a.com/b@v2.0.0":                        "line 1:",
		"a.com/b/v2@v2.0.0":                     "",
	} {
		_, err := Parse(text)
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
