package pointsto

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// A program is one of testdata/*/main.go. In its comments
//
//	// #a              names what the line allocates
//	// want a b.f; c   is what the arguments of println on the line point to
//	// disjoint        says that they point to different objects
//	// calls f g       is what the other calls on the line run
//	// hole: text      is a hole
//	//pointsto:receiver, //pointsto:callsite before a function, and
//	// receiver: packages, // callsite: packages, // subject: types   are the sensitivity
type program struct {
	name     string
	pkg      *ssa.Package
	loaded   *packages.Package
	lines    []string
	packages map[string]bool // of which all is sensitive: "receiver path", "callsite path"
	isCase   bool            // one of the checker's
}

var only = flag.String("programs", "", "load only the programs whose folders match the regular expression")

// programs returns those of testdata.
func programs() ([]*program, error) {
	all, err := loadedPrograms()
	return slices.DeleteFunc(slices.Clone(all), func(p *program) bool { return p.isCase }), err
}

// casePrograms returns those of the checker's cases.
func casePrograms() ([]*program, error) {
	all, err := loadedPrograms()
	return slices.DeleteFunc(slices.Clone(all), func(p *program) bool { return !p.isCase }), err
}

// loadedPrograms loads all of testdata and the cases of the checker, once;
// with -programs=/carriers$ or the like, only some.
var loadedPrograms = sync.OnceValues(func() ([]*program, error) {
	folders, err := filepath.Glob("testdata/*/main.go")
	if err != nil || len(folders) == 0 {
		return nil, fmt.Errorf("no programs in testdata: %v", err)
	}
	cases, err := filepath.Glob("../../testdata/*/case.yaml")
	if err != nil || len(cases) == 0 {
		return nil, fmt.Errorf("no cases: %v", err)
	}
	wanted, err := regexp.Compile(*only)
	if err != nil {
		return nil, err
	}
	folders = append(folders, cases...)
	for i := range folders {
		folders[i] = "./" + filepath.ToSlash(filepath.Dir(folders[i]))
	}
	folders = slices.DeleteFunc(folders, func(f string) bool { return !wanted.MatchString(f) })
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax}, folders...)
	if err != nil {
		return nil, err
	}
	if packages.PrintErrors(loaded) > 0 {
		return nil, fmt.Errorf("testdata has errors")
	}
	built, pkgs := ssautil.AllPackages(loaded, ssa.InstantiateGenerics)
	for _, pkg := range pkgs {
		pkg.SetDebugMode(true) // for TestRun
	}
	built.Build()
	var all []*program
	for i, l := range loaded {
		if pkgs[i].Func("main") == nil {
			continue // its entry points are made by package harness
		}
		text, err := os.ReadFile(l.GoFiles[0])
		if err != nil {
			return nil, err
		}
		p := &program{filepath.Base(l.PkgPath), pkgs[i], l, strings.Split(string(text), "\n"), map[string]bool{},
			!strings.Contains(l.PkgPath, "/pointsto/")}
		for _, line := range p.lines {
			for _, kind := range []string{"receiver", "callsite", "subject"} {
				if list, ok := strings.CutPrefix(line, "// "+kind+": "); ok {
					for _, path := range strings.Fields(list) {
						p.packages[kind+" "+path] = true
					}
				}
			}
		}
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b *program) int { return cmp.Compare(a.name, b.name) })
	return all, nil
})

func forAll(t *testing.T, test func(*testing.T, *program)) {
	all, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		t.Run(p.name, func(t *testing.T) { test(t, p) })
	}
}

func (p *program) config() Config {
	directive := func(name string) func(*ssa.Function) bool {
		return func(f *ssa.Function) bool {
			if p.packages[name+" "+packagePath(f)] {
				return true
			}
			d, ok := f.Syntax().(*ast.FuncDecl)
			return ok && d.Doc != nil && slices.ContainsFunc(d.Doc.List, func(c *ast.Comment) bool {
				return c.Text == "//pointsto:"+name
			})
		}
	}
	return Config{
		Program:     p.pkg.Prog,
		Roots:       []*ssa.Function{p.pkg.Func("init"), p.pkg.Func("main")},
		Sensitivity: Sensitivity{Receiver: directive("receiver"), CallSite: directive("callsite")},
	}
}

// isSubject tells whether the type is one of the program that is asked about.
func (p *program) isSubject(t types.Type) bool {
	named := namedOf(t)
	return named != nil && named.Pkg() == p.pkg.Pkg && p.packages["subject "+named.Name()]
}

func (p *program) analyze(t *testing.T, insensitive bool) *Result {
	t.Helper()
	c := p.config()
	c.Sensitivity.Subject = p.isSubject
	r, err := Analyze(context.Background(), c)
	if insensitive {
		r, err = analyze(context.Background(), p.config(), true)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// line returns the line of an instruction of the program, 0 if it is elsewhere.
func (p *program) line(f *ssa.Function, i ssa.Instruction) int {
	position := p.pkg.Prog.Fset.Position(i.Pos())
	if packagePath(f) != p.pkg.Pkg.Path() || !position.IsValid() {
		return 0
	}
	return position.Line
}

var labelPattern = regexp.MustCompile(`// #(\w+)`)

// describe names a cell as the expectations do.
func (p *program) describe(c Cell) string {
	name := "?"
	switch site := c.Object.Site.(type) {
	case nil:
		name = "box:" + c.Object.Type.String()
	case *ssa.Global:
		name = site.Name()
	case *ssa.Function:
		name = p.short(site)
	case *ssa.MakeClosure:
		name = p.short(site.Fn.(*ssa.Function))
	default:
		position := p.pkg.Prog.Fset.Position(site.Pos())
		if m, ok := site.(*ssa.MakeInterface); ok {
			position = p.pkg.Prog.Fset.Position(m.X.Pos())
			if position.Line == 0 || !strings.Contains(p.lines[position.Line-1], "#") {
				name = "box"
			}
		}
		if filepath.Base(filepath.Dir(position.Filename)) == p.name {
			if m := labelPattern.FindStringSubmatch(p.lines[position.Line-1]); m != nil {
				name = m[1]
			}
		}
	}
	if c.Path != "" && c.Path[0] != '[' {
		name += "."
	}
	return name + c.Path
}

func (p *program) short(f *ssa.Function) string {
	return strings.ReplaceAll(f.String(), p.pkg.Pkg.Path(), "main")
}

// TestExpectations checks the comments of the programs.
func TestExpectations(t *testing.T) {
	forAll(t, func(t *testing.T, p *program) {
		r := p.analyze(t, false)
		shown := map[int][][]string{} // by line, of each argument of println
		cells := map[int][]map[Cell]bool{}
		called := map[int][]string{}
		for _, n := range r.Nodes() {
			for _, b := range n.Func.Blocks {
				for _, i := range b.Instrs {
					call, ok := i.(ssa.CallInstruction)
					if !ok {
						continue
					}
					line := p.line(n.Func, i)
					if line == 0 {
						continue
					}
					if b, ok := call.Common().Value.(*ssa.Builtin); !ok {
						for _, c := range r.Callees(n, call) {
							called[line] = append(called[line], p.short(c.Func))
						}
					} else if b.Name() == "println" {
						for k, a := range call.Common().Args {
							if k == len(shown[line]) {
								shown[line] = append(shown[line], nil)
								cells[line] = append(cells[line], map[Cell]bool{})
							}
							for _, c := range r.PointsTo(n, a).Cells() {
								shown[line][k] = append(shown[line][k], p.describe(c))
								cells[line][k][c] = true
							}
						}
					}
				}
			}
		}
		for k, text := range p.lines {
			line := k + 1
			_, comment, _ := strings.Cut(text, "// ")
			if list, ok := strings.CutPrefix(comment+" ", "want "); ok {
				for k, want := range strings.Split(list, ";") {
					if len(shown[line]) <= k {
						t.Errorf("line %d: not reached", line)
					} else if got := sorted(shown[line][k]); got != sorted(strings.Fields(want)) {
						t.Errorf("line %d: argument %d points to %s, want %s", line, k+1, got, want)
					}
				}
			} else if strings.HasPrefix(comment, "disjoint") {
				for c := range cells[line][0] {
					if cells[line][1][c] {
						t.Errorf("line %d: both point to %v", line, c.Object)
					}
				}
				if len(cells[line][0]) == 0 || len(cells[line][1]) == 0 {
					t.Errorf("line %d: nothing pointed to", line)
				}
			} else if list, ok := strings.CutPrefix(comment, "calls "); ok {
				if got := sorted(called[line]); got != sorted(strings.Fields(list)) {
					t.Errorf("line %d: calls %s, want %s", line, got, list)
				}
			} else if want, ok := strings.CutPrefix(comment, "hole: "); ok {
				want = strings.ReplaceAll(want, "HERE", p.pkg.Pkg.Path())
				if !slices.ContainsFunc(r.Holes(), func(h Hole) bool { return h.Text == want }) {
					t.Errorf("no hole %q among %v", want, r.Holes())
				}
			}
		}
	})
}

func sorted(list []string) string {
	list = slices.Clone(list)
	slices.Sort(list)
	return strings.Join(slices.Compact(list), " ")
}

// TestDeterminism runs the analysis twice.
func TestDeterminism(t *testing.T) {
	forAll(t, func(t *testing.T, p *program) {
		render := func() string {
			r := p.analyze(t, false)
			var text strings.Builder
			for _, n := range r.Nodes() {
				fmt.Fprintln(&text, n.ID, n)
				for _, e := range r.Calls(n) {
					fmt.Fprintln(&text, "\t", e.Site, e.Callee.ID)
				}
				for _, v := range valuesOf(n.Func) {
					for _, c := range r.PointsTo(n, v).Cells() {
						fmt.Fprintln(&text, "\t", v.Name(), c.Object, c.Path)
					}
				}
			}
			for _, o := range r.Objects() {
				fmt.Fprintln(&text, o, o.Context)
				for _, c := range r.Cells(o) {
					for _, d := range r.Contents(c).Cells() {
						fmt.Fprintln(&text, "\t", c.Path, d.Object, d.Path)
					}
				}
			}
			fmt.Fprintln(&text, r.Holes())
			return text.String()
		}
		if a, b := render(), render(); a != b {
			t.Error("two runs differ")
		}
	})
}

func TestErrors(t *testing.T) {
	all, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	c := all[0].config()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Analyze(ctx, c); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Analyze(context.Background(), Config{}); err == nil {
		t.Error("no error without a program")
	}
	if _, err := Analyze(context.Background(), Config{Program: c.Program, Roots: []*ssa.Function{nil}}); err == nil {
		t.Error("no error for a nil root")
	}
}

// TestReachable follows memory from an object.
func TestReachable(t *testing.T) {
	forAll(t, func(t *testing.T, p *program) {
		if p.name != "fields" {
			return
		}
		r := p.analyze(t, false)
		for _, o := range r.Objects() {
			if p.describe(Cell{o, ""}) != "o2" {
				continue
			}
			var names []string
			for _, x := range r.Reachable(o) {
				names = append(names, p.describe(Cell{x, ""}))
			}
			if got := sorted(names); got != "o o2 x y" {
				t.Errorf("from o2 one reaches %s", got)
			}
		}
	})
}
