package instrument

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/empire-go/empire-go/dynamic/hook"
	"github.com/empire-go/empire-go/dynamic/watch"
	"golang.org/x/tools/go/packages"
)

var among = flag.String("among", "", "run only the programs whose path contains this")

// sample is the programs that TestSameOutput runs without EMPIRE_LONG.
var sample = []string{"testdata/generic_instances", "testdata/defer_result", "testdata/embedded_mutex",
	"testdata/channel_pipeline", "testdata/whole_struct_copied", "testdata/labelled_break",
	"dynamic/instrument/testdata/memory"}

// batch is how many programs are built at once.
const batch = 40

// TestSameOutput runs the programs under testdata plain and with hooks at every access to
// every field and package variable that they declare, and recorded in full, and compares what they
// print and how they end. EMPIRE_LONG=1 runs all of them.
func TestSameOutput(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	programs := mainPackages(t, root)
	for len(programs) > 0 {
		n := min(batch, len(programs))
		for _, full := range []bool{false, true} {
			runBatch(t, root, programs[:n], full)
		}
		programs = programs[n:]
	}
}

// mainPackages returns the programs of this module's test data, or of the sample.
func mainPackages(t *testing.T, root string) []*packages.Package {
	var patterns []string
	for _, s := range sample {
		patterns = append(patterns, "./"+s)
	}
	if os.Getenv("EMPIRE_LONG") != "" {
		patterns = folders(t, root)
	}
	all, err := packages.Load(&packages.Config{Dir: root,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes |
			packages.NeedModule}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	var programs []*packages.Package
	for _, p := range all {
		if p.Name == "main" && len(p.Errors) == 0 && strings.Contains(p.PkgPath, *among) {
			programs = append(programs, p)
		}
	}
	return programs
}

// folders returns the folders of this module's test data with Go files.
func folders(t *testing.T, root string) []string {
	var all []string
	err := filepath.WalkDir(filepath.Join(root, "testdata"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil || d.Name() == "mutations" {
			return filepath.SkipDir
		}
		if files, _ := filepath.Glob(filepath.Join(path, "*.go")); len(files) > 0 {
			all = append(all, "./"+relative(root, path))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// everything is a plan of all struct types and variables of packages. One field of each package is said to
// be accessed everywhere.
func everything(root string, all []*packages.Package) *watch.Plan {
	plan := &watch.Plan{Schema: watch.Schema, Policy: watch.Policy{Units: "auto"}}
	seen := map[string]bool{}
	packages.Visit(all, nil, func(p *packages.Package) {
		if p.Module == nil || !p.Module.Main || seen[p.PkgPath] || p.Types == nil {
			return
		}
		seen[p.PkgPath] = true
		variables := watch.Set{}
		for _, name := range p.Types.Scope().Names() {
			switch o := p.Types.Scope().Lookup(name).(type) {
			case *types.TypeName:
				if s, ok := o.Type().Underlying().(*types.Struct); ok && !o.IsAlias() {
					set := watch.Set{Type: p.PkgPath + "." + name}
					for i := range s.NumFields() {
						if !strings.HasPrefix(types.Unalias(s.Field(i).Type()).String(), "sync") && s.Field(i).Name() != "_" {
							set.Fields = append(set.Fields, s.Field(i).Name())
						}
					}
					if len(set.Fields) > 0 {
						plan.Sets = append(plan.Sets, set)
					}
				}
			case *types.Var:
				variables.Fields = append(variables.Fields, p.PkgPath+"."+name)
			}
		}
		if len(variables.Fields) > 0 {
			plan.Sets = append(plan.Sets, variables)
		}
		if mine := slices.IndexFunc(plan.Sets, func(s watch.Set) bool {
			return strings.HasPrefix(s.Type, p.PkgPath+".")
		}); mine >= 0 {
			everywhere(plan, mine, root, p.GoFiles)
		}
	})
	return plan
}

// everywhere adds accesses to a field of a set at each position of files: by whatever name.
func everywhere(plan *watch.Plan, set int, root string, files []string) {
	fset, seen := token.NewFileSet(), map[string]bool{}
	for _, name := range files {
		syntax, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		ast.Inspect(syntax, func(n ast.Node) bool {
			if n == nil {
				return false
			}
			for _, p := range []token.Pos{watch.Position(n), n.Pos()} {
				at := fset.PositionFor(p, false)
				pos := fmt.Sprintf("%s:%d:%d", relative(root, at.Filename), at.Line, at.Column)
				if !seen[pos] {
					seen[pos] = true
					plan.Accesses = append(plan.Accesses, watch.Access{
						Set: set, Field: plan.Sets[set].Fields[0], Pos: pos, Reads: true, Writes: true})
				}
			}
			return true
		})
	}
}

// outcome is what a run shows.
type outcome struct{ stdout, stderr, status string }

func runBatch(t *testing.T, root string, programs []*packages.Package, full bool) {
	work := t.TempDir()
	defer os.RemoveAll(work)
	var paths []string
	for _, p := range programs {
		paths = append(paths, p.PkgPath)
	}
	request := Request{Dir: root, Packages: paths, Full: full}
	if !full {
		request.Plan = everything(root, programs)
	}
	r, err := Rewrite(context.Background(), request)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range r.Left {
		t.Logf("left alone: %s: %s", l.Pos, l.Why)
	}
	os.Mkdir(filepath.Join(work, "overlay"), 0o777)
	overlay, err := r.WriteOverlay(filepath.Join(work, "overlay"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range programs {
		name := strings.ReplaceAll(strings.TrimPrefix(p.PkgPath, "github.com/empire-go/empire-go/testdata/"), "/", "_")
		plain, hooked := filepath.Join(work, name), filepath.Join(work, name+".hooked")
		if !build(t, root, plain, p.PkgPath) || !build(t, root, hooked, p.PkgPath, "-overlay", overlay) {
			continue
		}
		dir := filepath.Join(root, strings.TrimPrefix(p.PkgPath, "github.com/empire-go/empire-go/"))
		compare(t, name, dir, plain, func() outcome { return recorded(dir, hooked, work) })
		os.Remove(plain)
		os.Remove(hooked)
	}
}

func build(t *testing.T, root, out, path string, flags ...string) bool {
	cmd := exec.Command("go", append(append([]string{"build", "-ldflags=-s -w", "-o", out}, flags...), path)...)
	cmd.Dir = root
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s does not build %v: %s", path, flags, text)
	}
	return err == nil
}

func execute(dir, program string, extra ...*os.File) outcome {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, program)
	cmd.Dir = dir
	cmd.Env = os.Environ()
	if len(extra) > 0 {
		cmd.ExtraFiles = extra
		cmd.Env = append(cmd.Env, hook.EnvTrace+"=3")
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	status := "0"
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		status = "timeout"
	case errors.As(err, &exit):
		status = fmt.Sprint(exit.ExitCode())
	case err != nil:
		status = err.Error()
	}
	return outcome{stdout.String(), stderr.String(), status}
}

func recorded(dir, program, work string) outcome {
	file, err := os.Create(filepath.Join(work, "trace"))
	if err != nil {
		return outcome{status: err.Error()}
	}
	defer file.Close()
	return execute(dir, program, file)
}

// varying is what may differ between two runs of a program: addresses, numbers of
// goroutines, and the stacks of a crash.
var varying = regexp.MustCompile(
	`(?s)\n?goroutine \d+.*|0x[0-9a-f]+|\d{4}[-/]\d\d[-/]\d\d[ T]\d\d:\d\d:\d\d\S*|[0-9.]+(ns|µs|ms|s)\b`)

// normal is an outcome without what varies, its lines in an order of their own.
func normal(o outcome) outcome {
	lines := func(s string) string {
		all := strings.Split(varying.ReplaceAllString(s, ""), "\n")
		sort.Strings(all)
		return strings.Join(all, "\n")
	}
	return outcome{lines(o.stdout), lines(o.stderr), o.status}
}

// maxRuns is how often a program is run, plain and with hooks, before what they print is said to differ:
// most programs here are wrong, and print what their race leaves.
const maxRuns = 30

// countsOnly tells whether an outcome differs from one that was seen in numbers only. How many
// updates a wrong program loses depends on how fast it is.
func countsOnly(seen map[outcome]bool, got outcome) bool {
	masked := func(o outcome) outcome {
		number := regexp.MustCompile(`\d+`)
		return outcome{number.ReplaceAllString(o.stdout, "N"), number.ReplaceAllString(o.stderr, "N"), o.status}
	}
	for o := range seen {
		if masked(o) == masked(got) {
			return true
		}
	}
	return false
}

// compare compares what a program does with hooks with what it does without.
func compare(t *testing.T, name, dir, plain string, hooked func() outcome) {
	seen := map[outcome]bool{}
	for range 2 {
		seen[normal(execute(dir, plain))] = true
	}
	got := normal(hooked())
	for n := 0; !seen[got]; n++ {
		if n == maxRuns {
			var all []string
			for o := range seen {
				all = append(all, fmt.Sprintf("%q", o))
			}
			sort.Strings(all)
			if !strings.HasSuffix(name, "fixed") && countsOnly(seen, got) {
				t.Logf("%s: %q, plain: %s", name, got, strings.Join(all, "\n or "))
				return
			}
			t.Errorf("%s: %q, plain: %s", name, got, strings.Join(all, "\n or "))
			return
		}
		// What varies without hooks may vary with them; it has to come to the same in the end.
		seen[normal(execute(dir, plain))] = true
		got = normal(hooked())
	}
}
