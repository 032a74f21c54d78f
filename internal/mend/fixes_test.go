package mend

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/internal/answers"
	"github.com/empire-go/empire-go/internal/cases"
	"github.com/empire-go/empire-go/internal/sample"
)

var update = flag.Bool("update", false, "write what comes of the programs into testdata/fixes.txt")

// fixesFile says what comes of the first violation of each query about the programs in folder testdata that have a
// mended twin: a line for each, "name: the fix" or "name: - why there is none".
const fixesFile = "testdata/fixes.txt"

// TestFixes holds the fixes of the violations in the programs of folder testdata to fixesFile. They are tried many
// at a time: each in its package, all packages in one load.
func TestFixes(t *testing.T) {
	known := readFixes(t)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	files, err := filepath.Glob(cases.Own)
	if err != nil {
		t.Fatal(err)
	}
	var chosen []string
	for _, file := range files {
		folder := filepath.Dir(file)
		if _, err := os.Stat(folder + "_fixed"); err == nil && sample.Has(t.Name(), filepath.Base(folder), 40) {
			chosen = append(chosen, file)
		}
	}
	found := map[string]string{}
	for some := range slices.Chunk(chosen, 30) {
		newBatch(t, root, some).run(found)
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if !*update && found[name] != known[name] {
			t.Errorf("%s: %s\nthe file says: %s", name, found[name], known[name])
		}
		known[name] = found[name]
	}
	if *update {
		writeFixes(t, filepath.Join(root, "internal/mend", fixesFile), known)
	}
}

func readFixes(t *testing.T) map[string]string {
	known := map[string]string{}
	text, err := os.ReadFile(fixesFile)
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
	var out bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if !strings.HasPrefix(known[name], "-") {
			fixed++
		}
		fmt.Fprintf(&out, "%s: %s\n", name, known[name])
	}
	head := fmt.Sprintf("# What comes of the violations in testdata: %d of %d have a fix that was checked.\n"+
		"# EMPIRE_LONG=1 go test ./internal/mend -run TestFixes -update -timeout 5h\n", fixed, len(known))
	if err := os.WriteFile(file, append([]byte(head), out.Bytes()...), 0o644); err != nil {
		t.Fatal(err)
	}
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
	why        error
}

// newBatch copies the programs, and asks about them.
func newBatch(t *testing.T, root string, files []string) *batch {
	b := &batch{t: t}
	work, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b.work = filepath.Join(work, "module")
	var packages []string
	for _, file := range files {
		folder := filepath.Dir(file)
		if err := copyModule(filepath.Join(b.work, folder), filepath.Join(root, folder)); err != nil {
			t.Fatal(err)
		}
		packages = append(packages, "./"+folder)
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(b.work, name), text, 0o644)
		}
		if err != nil {
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
	for _, file := range files {
		b.add(file, store)
	}
	return b
}

// add asks what a case file asks, and makes an attempt of the first violation of each query.
func (b *batch) add(file string, store *answers.Store) {
	c, err := cases.Read(file)
	if err != nil {
		b.t.Fatal(err)
	}
	name := filepath.Base(filepath.Dir(file))
	for i, q := range c.Queries {
		if c.Tests || c.Tags != "" || len(q.Joins)+len(q.Locks)+len(q.Make) > 0 || len(q.Expect) == 0 || q.Long {
			continue // they are loaded in another way, or take long
		}
		module, _ := b.before.ModuleRoot()
		a := &attempt{name: name, path: module + "/testdata/" + name}
		if i > 0 {
			a.name += fmt.Sprint("#", i+1)
		}
		r := q.Request(file)
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
func (b *batch) run(found map[string]string) {
	tried := map[*attempt]map[string]bool{}
	for {
		now := map[*attempt]proposal{}
		var packages []string
		for _, a := range b.tries {
			if tried[a] == nil {
				tried[a] = map[string]bool{}
			}
			for found[a.name] == "" && len(a.left) > 0 {
				p := a.left[0]
				if p.err == nil && slices.Contains(packages, a.path) {
					break // another query about the same program has its turn
				}
				a.left = a.left[1:]
				if p.err != nil {
					a.failed(p.err)
					continue
				}
				if text := p.text(); tried[a][text] {
					continue
				} else {
					tried[a][text] = true
				}
				b.write(p.change, true)
				now[a] = p
				packages = append(packages, a.path)
				break
			}
			if _, tries := now[a]; !tries && len(a.left) == 0 && found[a.name] == "" {
				found[a.name] = "- no lock is known that would help"
				if a.why != nil {
					found[a.name] = "- " + a.why.Error()
				}
				b.t.Logf("%s: %s", a.name, found[a.name])
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
				a.failed(fmt.Errorf("%s: %w", p.what, err))
			} else {
				found[a.name] = p.what
				b.t.Logf("%s: %s", a.name, p.what)
			}
			b.write(p.change, false)
		}
	}
}

func (a *attempt) failed(err error) {
	if a.why == nil {
		a.why = err
	}
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
			a.failed(fmt.Errorf("%s: %w", p.what, broken))
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
