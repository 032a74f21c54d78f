package mend

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/internal/answers"
	"github.com/empire-go/empire-go/internal/cases"
	"github.com/empire-go/empire-go/internal/sample"
)

var (
	update = flag.Bool("update", false, "write what comes of the programs into testdata/fixes.txt")
	only   = flag.String("only", "", "the programs of TestFixes whose names match, in the place of a sample")
)

// fixesFile says what comes of the first violation of each query about the programs in folder testdata that have a
// mended twin: a line for each, "name: the fix" or "name: - why there is none".
const fixesFile = "testdata/fixes.txt"

// TestFixes holds the fixes of the violations in the programs of folder testdata to fixesFile. They are tried many
// at a time: each in its package, all packages in one load.
func TestFixes(t *testing.T) {
	known := readOutcomes(t, fixesFile)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	file, err := filepath.Abs(fixesFile)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	files, err := filepath.Glob(cases.Own)
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := regexp.Compile("^(" + *only + ")$")
	if err != nil {
		t.Fatal(err)
	}
	var programs []program
	for _, file := range files {
		folder := filepath.Dir(file)
		isChosen := sample.Has(t.Name(), filepath.Base(folder), 40)
		if *only != "" {
			isChosen = chosen.MatchString(filepath.Base(folder))
		}
		if _, err := os.Stat(folder + "_fixed"); err == nil && isChosen {
			programs = append(programs, programOf(t, file))
		}
	}
	found := map[string]outcome{}
	for some := range slices.Chunk(programs, 30) {
		newBatch(t, "go.mod", some).run(found)
	}
	if compareOutcomes(t, found, known); *update {
		writeFixes(t, file, known)
	}
}

// programOf returns the program of a case file, with what the file asks.
func programOf(t *testing.T, file string) program {
	c, err := cases.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	p := program{name: filepath.Base(filepath.Dir(file)), from: filepath.Dir(file), to: filepath.Dir(file)}
	for _, q := range c.Queries {
		if c.Tests || c.Tags != "" || len(q.Joins)+len(q.Locks)+len(q.Make) > 0 || len(q.Expect) == 0 || q.Long {
			p.requests = append(p.requests, nil) // it is loaded in another way, or takes long
			continue
		}
		r := q.Request(file)
		p.requests = append(p.requests, &r)
	}
	return p
}

// TestShapes holds each shape to small programs: those that it mends, with the change beside them in fix.diff, and
// near misses, in which it must not; shapes.txt says why.
func TestShapes(t *testing.T) {
	const file = "testdata/shapes.txt"
	known := readOutcomes(t, file)
	folders, err := filepath.Glob("testdata/shapes/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var programs []program
	firstType := regexp.MustCompile(`(?m)^type (\w+)`)
	for _, path := range folders {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(filepath.Dir(path))
		request := &empire.Request{Type: firstType.FindStringSubmatch(string(text))[1]}
		programs = append(programs, program{name, filepath.Dir(path), name, []*empire.Request{request}})
	}
	found := map[string]outcome{}
	newBatch(t, "testdata/shapes.mod", programs).run(found)
	compareOutcomes(t, found, known)
	if len(found) != len(known) {
		t.Errorf("%d programs have a violation, and %d are listed", len(found), len(known))
	}
	for name, o := range found {
		path := filepath.Join("testdata/shapes", name, "fix.diff")
		want, err := os.ReadFile(path)
		switch {
		case *update && len(o.diff) > 0:
			err = os.WriteFile(path, o.diff, 0o644)
		case *update:
			err = os.RemoveAll(path)
		case os.IsNotExist(err):
			err = nil
			fallthrough
		default:
			if !bytes.Equal(want, o.diff) {
				t.Errorf("%s: the change is\n%s\nnot\n%s", name, o.diff, want)
			}
		}
		if err != nil {
			t.Error(err)
		}
	}
	if *update {
		writeOutcomes(t, file, "# What comes of the programs in folder shapes.\n", known)
	}
}

// outcome is what came of a violation: the fix in words, or "- " and why there is none.
type outcome struct {
	what string
	diff []byte
}

// compareOutcomes compares, and puts what was found into what is known.
func compareOutcomes(t *testing.T, found map[string]outcome, known map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if !*update && found[name].what != known[name] {
			t.Errorf("%s: %s\nthe file says: %s", name, found[name].what, known[name])
		}
		known[name] = found[name].what
	}
}

func readOutcomes(t *testing.T, file string) map[string]string {
	known := map[string]string{}
	text, err := os.ReadFile(file)
	if err != nil && !*update {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if name, what, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && !strings.HasPrefix(name, "#") {
			known[name] = what
		}
	}
	return known
}

func writeFixes(t *testing.T, file string, known map[string]string) {
	fixed := 0
	for _, what := range known {
		if !strings.HasPrefix(what, "-") {
			fixed++
		}
	}
	writeOutcomes(t, file, fmt.Sprintf("# What comes of the violations in testdata: %d of %d have a fix that was "+
		"checked.\n# EMPIRE_LONG=1 go test ./internal/mend -run TestFixes -update -timeout 5h\n", fixed, len(known)), known)
}

func writeOutcomes(t *testing.T, file, head string, known map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(known)) {
		head += fmt.Sprintf("%s: %s\n", name, known[name])
	}
	if err := os.WriteFile(file, []byte(head), 0o644); err != nil {
		t.Fatal(err)
	}
}

// program is a package with what is asked about it; nil is not asked.
type program struct {
	name, from, to string // from a folder to one in the module
	requests       []*empire.Request
}

// batch tries fixes of several programs at a time.
type batch struct {
	t      *testing.T
	work   string
	before *empire.Session
	tries  []*attempt
}

// attempt is a violation that is to be mended.
type attempt struct {
	name, path string
	mender     *mender
	before     *version
	query      *empire.QueryResult
	violation  *empire.ScenarioResult
	left       []proposal
	why        reason
}

// newBatch copies the programs into a module, and asks about them.
func newBatch(t *testing.T, goMod string, programs []program) *batch {
	b := &batch{t: t}
	work, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b.work = filepath.Join(work, "module")
	var packages []string
	for _, p := range programs {
		if err := copyModule(filepath.Join(b.work, p.to), p.from); err != nil {
			t.Fatal(err)
		}
		packages = append(packages, "./"+p.to)
	}
	for _, name := range []string{".mod", ".sum"} {
		text, err := os.ReadFile(strings.TrimSuffix(goMod, ".mod") + name)
		if err == nil {
			err = os.WriteFile(filepath.Join(b.work, "go"+name), text, 0o644)
		}
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	store, err := answers.Open(filepath.Join(work, "answers"))
	if err != nil {
		t.Fatal(err)
	}
	all := empire.Request{Dir: b.work, Packages: packages, Answers: store}
	if b.before, err = empire.Open(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	for _, p := range programs {
		b.add(p, store)
	}
	return b
}

// add asks the requests about a program, and makes an attempt of the first violation of each.
func (b *batch) add(p program, store *answers.Store) {
	module, _ := b.before.ModuleRoot()
	for i, request := range p.requests {
		if request == nil {
			continue
		}
		a := &attempt{name: p.name, path: module + "/" + filepath.ToSlash(p.to)}
		if i > 0 {
			a.name += fmt.Sprint("#", i+1)
		}
		r := *request
		r.Dir, r.Answers, r.Harm = b.work, store, false
		a.before = &version{session: b.before.Only(a.path), answers: map[string]*empire.Result{}}
		result, err := a.before.session.Run(b.t.Context(), r)
		if err != nil {
			b.t.Errorf("%s: %v", a.name, err)
			continue
		}
		result.ModuleRoot, result.ModuleRootDir = module, b.work
		r.Site = ""
		a.mender = &mender{ctx: b.t.Context(), request: r, result: result, work: b.work}
		for j := range result.Queries {
			for _, s := range result.Queries[j].Violations() {
				if a.violation == nil && s.Level == "error" {
					a.query, a.violation = &result.Queries[j], s
				}
			}
		}
		if a.violation != nil {
			a.left = a.mender.proposals(empire.Cause{Unit: a.violation.Units[0]}, a.query, a.violation)
			b.tries = append(b.tries, a)
		}
	}
}

// run tries the proposals round by round: in each round one of each program.
func (b *batch) run(found map[string]outcome) {
	tried := map[*attempt]map[string]bool{}
	for {
		now := map[*attempt]proposal{}
		var packages []string
		for _, a := range b.tries {
			if tried[a] == nil {
				tried[a] = map[string]bool{}
			}
			for found[a.name].what == "" && len(a.left) > 0 {
				p := a.left[0]
				if p.err == nil && slices.Contains(packages, a.path) {
					break // another query about the same program has its turn
				}
				a.left = a.left[1:]
				if p.err != nil {
					a.why.add(p)
					continue
				}
				text := p.text()
				if tried[a][text] || len(tried[a]) == maxTries {
					continue
				}
				tried[a][text] = true
				b.write(p.change, true)
				now[a] = p
				packages = append(packages, a.path)
				break
			}
			if _, tries := now[a]; !tries && len(a.left) == 0 && found[a.name].what == "" {
				found[a.name] = outcome{what: "- " + a.why.err().Error()}
				b.t.Logf("%s: %s", a.name, found[a.name].what)
			}
		}
		if len(now) == 0 {
			return
		}
		after, err := b.open(packages, now)
		for _, a := range b.tries {
			p, tries := now[a]
			if !tries {
				continue
			}
			if err != nil {
				b.t.Fatal(err)
			}
			v := &version{session: after.Only(a.path), answers: map[string]*empire.Result{}}
			if err := (check{a.mender, a.before, v, a.query, a.violation}).isFix(); err != nil {
				a.failed(p, err)
			} else {
				o := outcome{what: p.what}
				for _, f := range p.files {
					o.diff = append(o.diff, f.Diff()...)
				}
				found[a.name] = o
				b.runs(a)
				b.t.Logf("%s: %s", a.name, p.what)
			}
			b.write(p.change, false)
		}
	}
}

// runs runs a program with its fix, in the long test: it ends by itself, as all those in testdata do.
func (b *batch) runs(a *attempt) {
	text, err := os.ReadFile(filepath.Join(b.work, "testdata", strings.SplitN(a.name, "#", 2)[0], "main.go"))
	if os.Getenv("EMPIRE_LONG") == "" || err != nil || !bytes.Contains(text, []byte("\npackage main\n")) {
		return
	}
	ctx, cancel := context.WithTimeout(b.t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "run", a.path)
	cmd.Dir = b.work
	out, err := cmd.CombinedOutput()
	if err != nil && (ctx.Err() != nil || bytes.Contains(out, []byte("fatal error: "))) {
		b.t.Errorf("%s does not end with its fix: %v: %.300s", a.name, err, out)
	}
}

// failed notes why a proposal is no fix.
func (a *attempt) failed(p proposal, err error) {
	p.err = fmt.Errorf("%s: %w", p.what, err)
	a.why.add(p)
}

// open loads the packages as they are now, without those that do not build.
func (b *batch) open(packages []string, now map[*attempt]proposal) (*empire.Session, error) {
	request := empire.Request{Dir: b.work, Packages: packages, Answers: b.tries[0].mender.request.Answers}
	session, err := empire.Open(context.Background(), request)
	if err == nil {
		return session, nil
	}
	request.Packages = nil
	for a, p := range now {
		a.mender.sources = nil
		if _, broken := a.mender.load(a.path); broken != nil {
			a.failed(p, broken)
			b.write(p.change, false)
			delete(now, a)
			continue
		}
		request.Packages = append(request.Packages, a.path)
	}
	slices.Sort(request.Packages)
	return empire.Open(context.Background(), request)
}

// write makes or takes back a change.
func (b *batch) write(c change, isNew bool) {
	for _, f := range c.files {
		text := f.Old
		if isNew {
			text = f.New
		}
		if err := os.WriteFile(filepath.Join(b.work, filepath.FromSlash(f.Path)), text, 0o644); err != nil {
			b.t.Fatal(err)
		}
	}
}
