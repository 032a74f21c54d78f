package steer

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/instrument"
	"github.com/empire-go/empire-go/dynamic/watch"
	"golang.org/x/tools/go/packages"
)

// clientFolder is the directory, beside a library, that its client seems to stand in.
const clientFolder = "empire_client"

// builder builds the programs of a module.
type builder struct {
	dir, root string
	work      string // temporary directory
	programs  int
	copies    map[string]*module // dependencies that are checked, by path
}

func newBuilder(dir string) (*builder, error) {
	root, err := moduleRoot(dir)
	if err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp("", "empire-go")
	if err != nil {
		return nil, err
	}
	return &builder{dir: dir, root: root, work: work, copies: map[string]*module{}}, nil
}

func (b *builder) close() { os.RemoveAll(b.work) }

// moduleRoot returns the directory of the main module.
func moduleRoot(dir string) (string, error) {
	cmd := exec.Command("go", "env", "GOMOD")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return "", goError("go env", err)
	}
	mod := strings.TrimSpace(string(out))
	if mod == "" || mod == os.DevNull {
		return filepath.Abs(dir)
	}
	return filepath.Dir(mod), nil
}

// goError says what the go command said.
func goError(what string, err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		return fmt.Errorf("%s: %s", what, firstLine(string(exit.Stderr)))
	}
	return fmt.Errorf("%s: %w", what, err)
}

// built is a program that was built, or why it was not.
type built struct {
	binary *Binary
	err    error
}

// maxTogether is how many programs are built together: they have one table of sites, which
// is read with each trace.
const maxTogether = 16

// build builds programs instrumented. Those that differ in nothing but the package are built
// together: loading, rewriting and compiling once costs less. Where that fails, each is
// built by itself.
func (b *builder) build(ctx context.Context, targets []Target) []built {
	all := make([]built, len(targets))
	for _, together := range alike(targets) {
		var some []Target
		for _, i := range together {
			some = append(some, targets[i])
		}
		binaries, err := b.buildTogether(ctx, some)
		for n, i := range together {
			switch {
			case err == nil:
				all[i].binary = binaries[n]
			case len(together) == 1:
				all[i].err = err
			default:
				all[i] = b.build(ctx, targets[i:i+1])[0]
			}
		}
	}
	return all
}

// alike sorts targets, by index, into those that can be built together.
func alike(targets []Target) [][]int {
	var all [][]int
	for i, t := range targets {
		at := slices.IndexFunc(all, func(together []int) bool {
			first := targets[together[0]]
			return t.Client == "" && first.Client == "" && len(t.Trials)+len(first.Trials) == 0 && !t.Test && !first.Test &&
				t.Tags == first.Tags &&
				len(together) < maxTogether &&
				t.Units == first.Units && t.UnitFor == first.UnitFor && t.Strict == first.Strict &&
				!slices.ContainsFunc(together, func(j int) bool { return path.Base(targets[j].Package) == path.Base(t.Package) })
		})
		if at < 0 {
			all = append(all, []int{i})
		} else {
			all[at] = append(all[at], i)
		}
	}
	return all
}

// buildTogether builds programs that are alike.
func (b *builder) buildTogether(ctx context.Context, targets []Target) ([]*Binary, error) {
	plan, err := b.plan(ctx, targets)
	if err != nil {
		return nil, err
	}
	b.programs++
	dir := filepath.Join(b.work, fmt.Sprint(b.programs))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	t := targets[0]
	m, err := b.moduleOf(ctx, t)
	if err != nil {
		return nil, err
	}
	r, err := instrument.Rewrite(ctx, instrument.Request{
		Dir: b.dir, Packages: packagesOf(targets), Tests: t.Test, Tags: t.Tags, Plan: plan, Root: m.root, Steered: true,
		Env: m.env, Module: m.path, Observed: len(t.Trials) > 0})
	if err != nil {
		return nil, err
	}
	overlay, err := r.WriteOverlay(dir)
	if err != nil {
		return nil, err
	}
	packages := packagesOf(targets)
	clients, err := b.clients(ctx, m, t)
	if err != nil {
		return nil, err
	}
	if len(clients) > 0 {
		packages = nil
		for _, c := range clients {
			packages = append(packages, path.Join(t.Package, c.folder))
		}
		if err := b.addClients(ctx, m, dir, overlay, t, clients); err != nil {
			return nil, err
		}
	}
	if err := b.compile(ctx, m, dir, overlay, t, packages); err != nil {
		return nil, err
	}
	var all []*Binary
	for i := range packages {
		if len(targets) > 1 {
			t = targets[i]
		}
		binary := &Binary{Path: filepath.Join(dir, path.Base(packages[i])), Dir: b.dir, Header: r.Header,
			Sources: digestOf(r.Files, t.Client)}
		if binary.Work, err = os.MkdirTemp(b.work, "run"); err != nil {
			return nil, err
		}
		if t.Test {
			binary.IsTest = true
			// by default it is the number of processors, one
			binary.Path, binary.Args = filepath.Join(dir, testProgram), []string{"-test.count=1", "-test.parallel=8"}
			if binary.Dir, err = b.directory(ctx, m, t); err != nil {
				return nil, err
			}
		}
		all = append(all, binary)
	}
	return all, nil
}

func packagesOf(targets []Target) []string {
	var all []string
	for _, t := range targets {
		all = append(all, t.Package)
	}
	return all
}

// testProgram is the name of a program that runs tests.
const testProgram = "program.test"

// compile has the go command build the programs into a directory.
func (b *builder) compile(ctx context.Context, m *module, dir, overlay string, t Target, packages []string) error {
	args := []string{"build", "-o", dir + string(filepath.Separator)}
	if t.Test {
		args = []string{"test", "-c", "-vet=off", "-o", filepath.Join(dir, testProgram)}
	}
	if t.Tags != "" {
		args = append(args, "-tags="+t.Tags)
	}
	cmd := exec.CommandContext(ctx, "go", append(append(args, "-overlay", overlay), packages...)...)
	cmd.Dir, cmd.Env = b.dir, m.env
	if out, err := cmd.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("the instrumented program does not build: %s", compilerLine(string(out), err))
	}
	return nil
}

// compilerLine returns the first line of the go command's output that is an error.
func compilerLine(out string, err error) string {
	for l := range strings.Lines(out) {
		if l = strings.TrimSpace(l); l != "" && l[0] != '#' {
			return l
		}
	}
	return err.Error()
}

// digestOf identifies the code that was instrumented.
func digestOf(files map[string]string, client string) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%s %d\n", filepath.Base(name), len(files[name]))
		h.Write([]byte(files[name]))
	}
	h.Write([]byte(client))
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// client is the main package that calls a library: the folder beside it, and the files by name.
type client struct {
	folder string
	files  map[string]string
}

// clients returns the main packages that are written for a target.
func (b *builder) clients(ctx context.Context, m *module, t Target) ([]client, error) {
	if t.Client != "" {
		return []client{{clientFolder, map[string]string{"main.go": hookedClient(t.Client)}}}, nil
	}
	if len(t.Trials) == 0 {
		return nil, nil
	}
	cmd := exec.CommandContext(ctx, "go", "env", "GOVERSION")
	cmd.Dir, cmd.Env = b.dir, m.env
	out, err := cmd.Output()
	if err != nil {
		return nil, goError("go env", err)
	}
	language := version.Lang(strings.TrimSpace(string(out)))
	var all []client
	for i, trial := range t.Trials {
		files, err := trialFiles(trial, language)
		if err != nil {
			return nil, err
		}
		all = append(all, client{fmt.Sprint(clientFolder, i), files})
	}
	return all, nil
}

// addClients adds the files of clients to the overlay.
func (b *builder) addClients(ctx context.Context, m *module, dir, overlay string, t Target, clients []client) error {
	at, err := b.directory(ctx, m, t)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(overlay)
	if err != nil {
		return err
	}
	var files struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &files); err != nil {
		return err
	}
	for _, c := range clients {
		for name, source := range c.files {
			copied := filepath.Join(dir, c.folder+"_"+name)
			files.Replace[filepath.Join(at, c.folder, name)] = copied
			if err := os.WriteFile(copied, []byte(source), 0o600); err != nil {
				return err
			}
		}
	}
	if text, err = json.Marshal(files); err != nil {
		return err
	}
	return os.WriteFile(overlay, text, 0o600)
}

// directory returns the directory of the target's package.
func (b *builder) directory(ctx context.Context, m *module, t Target) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-tags="+t.Tags, "-f", "{{.Dir}}", t.Package)
	cmd.Dir, cmd.Env = b.dir, m.env
	out, err := cmd.Output()
	if err != nil {
		return "", goError("go list", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// plan returns what is watched in programs.
func (b *builder) plan(ctx context.Context, targets []Target) (*watch.Plan, error) {
	t := targets[0]
	r := empire.Request{Dir: b.dir, Packages: packagesOf(targets), Tests: t.Test, Tags: t.Tags, Units: t.Units,
		UnitFor: t.UnitFor, Strict: t.Strict}
	session, err := empire.Open(ctx, r)
	if err != nil {
		return nil, err
	}
	var plan *watch.Plan
	for _, t := range targets {
		for _, w := range t.Watched {
			r.Type, r.Fields, r.Vars = w.Type, w.Fields, w.Vars
			p, err := session.Watch(ctx, r)
			if err != nil {
				return nil, err
			}
			plan = merged(plan, p)
		}
	}
	return plan, nil
}

// merged adds the sets of a plan to another one.
func merged(to, from *watch.Plan) *watch.Plan {
	if to == nil {
		return from
	}
	n := len(to.Sets)
	to.Sets = append(to.Sets, from.Sets...)
	for _, f := range from.Functions {
		f.Set += n
		to.Functions = append(to.Functions, f)
	}
	for _, l := range from.Loops {
		l.Set += n
		to.Loops = append(to.Loops, l)
	}
	for _, a := range from.Accesses {
		a.Set += n
		to.Accesses = append(to.Accesses, a)
	}
	slices.SortStableFunc(to.Functions, func(x, y watch.Function) int {
		return cmp.Or(strings.Compare(x.Pos, y.Pos), x.Set-y.Set, strings.Compare(x.Name, y.Name))
	})
	slices.SortStableFunc(to.Loops, func(x, y watch.Loop) int {
		return cmp.Or(strings.Compare(x.Pos, y.Pos), x.Set-y.Set)
	})
	slices.SortStableFunc(to.Accesses, func(x, y watch.Access) int {
		return cmp.Or(strings.Compare(x.Pos, y.Pos), x.Set-y.Set)
	})
	return to
}

// group is the violations of one program.
type group struct {
	target     Target
	violations []Violation
	err        error // why it cannot be tried
}

// groups sorts violations by the program that shows them.
func (b *builder) groups(ctx context.Context, r *empire.Result) []*group {
	var all []*group
	for _, v := range Violations(r) {
		t, err := b.target(ctx, r, v)
		i := slices.IndexFunc(all, func(g *group) bool {
			return err == nil && g.err == nil && g.target.Package == t.Package && g.target.Test == t.Test &&
				g.target.Client == t.Client
		})
		if i < 0 {
			i, all = len(all), append(all, &group{target: t, err: err})
		}
		g := all[i]
		g.violations = append(g.violations, v)
		if w := watched(v); !slices.ContainsFunc(g.target.Watched, w.is) {
			g.target.Watched = append(g.target.Watched, w)
		}
	}
	return all
}

func (w Watched) is(other Watched) bool {
	return w.Type == other.Type && slices.Equal(w.Fields, other.Fields) && slices.Equal(w.Vars, other.Vars)
}

func watched(v Violation) Watched {
	if v.Query.Type == "" {
		return Watched{Vars: v.Query.Fields}
	}
	return Watched{Type: v.Query.Type, Fields: v.Query.Fields}
}

// target returns the program that shows a violation.
func (b *builder) target(ctx context.Context, r *empire.Result, v Violation) (Target, error) {
	p := r.Invocation.Policies
	t := Target{Tags: r.Invocation.Tags, Units: p.Units, UnitFor: p.UnitFor, Strict: p.Strict}
	entry := v.Query.Entry
	name, isTest := strings.CutSuffix(entry, testSuffix)
	switch {
	case strings.HasPrefix(entry, clientsPrefix):
		if _, err := clientCalls(v); err != nil {
			return t, err
		}
		return b.clientTarget(ctx, r, v, t)
	case entry == "" && len(r.Invocation.Packages) == 1:
		t.Package = r.Invocation.Packages[0]
	default:
		t.Package, t.Test = name, isTest
	}
	return t, nil
}

// clientTarget writes the client for a violation of a library.
func (b *builder) clientTarget(ctx context.Context, r *empire.Result, v Violation, t Target) (Target, error) {
	config := &packages.Config{Context: ctx, Dir: b.dir,
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps}
	if t.Tags != "" {
		config.BuildFlags = []string{"-tags=" + t.Tags}
	}
	loaded, err := packages.Load(config, r.Invocation.Packages...)
	if err != nil {
		return t, err
	}
	t.Package = loaded[0].PkgPath
	for _, p := range loaded {
		if of := strings.TrimPrefix(v.Query.Entry, clientsPrefix+" of "); strings.HasPrefix(of, p.PkgPath+".") {
			t.Package = p.PkgPath
		}
	}
	t.Client, err = Client(v, loaded)
	return t, err
}
