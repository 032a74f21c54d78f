package pointsto

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/internal/sample"
)

// TestRun runs all programs and requires that what happens is in the result:
// which functions are entered from where, and at which sites the objects were
// allocated that expressions refer to. The programs are instrumented through
// go build -overlay, as packages of one program that runs one of them. Of the checker's
// cases it takes one of eight, with EMPIRE_LONG set all of them.
func TestRun(t *testing.T) {
	all, err := loadedPrograms()
	if err != nil {
		t.Fatal(err)
	}
	all = slices.DeleteFunc(slices.Clone(all), func(p *program) bool {
		return p.isCase && !sample.Has(t.Name(), p.name, 8)
	})
	seen := &table{}
	binary := buildInstrumented(t, seen, all)
	for i, p := range all {
		t.Run(p.name, func(t *testing.T) {
			observations := observe(t, binary, i)
			c := p.config()
			sensitivities := []Sensitivity{c.Sensitivity, {Subject: p.isOwner}}
			if p.isCase {
				sensitivities[0] = ownAndSync(p)
				if i%8 != 0 && !strings.HasPrefix(p.name, "owned_") {
					sensitivities = sensitivities[:1] // they take long, and have much in common
				}
			}
			for _, c.Sensitivity = range sensitivities {
				r, err := Analyze(t.Context(), c)
				if err != nil {
					t.Fatal(err)
				}
				p.requireObserved(t, r, seen, observations)
				checkCallers(t, r)
				checkObjects(t, r)
			}
		})
	}
}

// buildInstrumented builds a program whose argument says which of the programs it runs.
func buildInstrumented(t *testing.T, seen *table, all []*program) string {
	dir := t.TempDir()
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	add := func(name, text string) {
		file := filepath.Join(dir, fmt.Sprintf("file%d.go", len(overlay.Replace)))
		write(t, file, text)
		overlay.Replace[name] = file
	}
	observer, err := os.ReadFile("testdata/observer/observer.go")
	if err != nil {
		t.Fatal(err)
	}
	var imports, mains strings.Builder
	for i, p := range all {
		files := p.loaded.CompiledGoFiles
		for k, file := range p.loaded.Syntax {
			text, err := os.ReadFile(files[k])
			if err != nil {
				t.Fatal(err)
			}
			add(files[k], seen.instrument(p.loaded.Fset, p.loaded.TypesInfo, file, string(text)))
		}
		add(filepath.Join(filepath.Dir(files[0]), "observer_.go"),
			strings.Replace(string(observer), "package main", "package observed_main", 1)+"\nfunc Main() { main() }\n")
		fmt.Fprintf(&imports, "import p%d %q\n", i, p.loaded.PkgPath)
		fmt.Fprintf(&mains, "\t%q: p%d.Main,\n", strconv.Itoa(i), i)
	}
	driver, err := filepath.Abs("testdata/driver/main.go")
	if err != nil {
		t.Fatal(err)
	}
	add(driver, "package main\n\nimport \"os\"\n"+imports.String()+"\nvar mains = map[string]func(){\n"+mains.String()+
		"}\n\nfunc main() { mains[os.Args[1]]() }\n")
	text, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "overlay.json"), string(text))
	binary := filepath.Join(dir, "observed")
	build := exec.CommandContext(t.Context(), "go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", binary,
		"./testdata/driver")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	return binary
}

// observe runs program i and returns what it observed. Programs that are there to
// be analysed only may panic or block; what they did before counts.
func observe(t *testing.T, binary string, i int) [][]string {
	file := filepath.Join(t.TempDir(), "observations")
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	run := exec.CommandContext(ctx, binary, strconv.Itoa(i))
	run.Env = append(os.Environ(), "OBSERVATIONS="+file)
	run.WaitDelay = time.Second
	output, err := run.CombinedOutput()
	text, missing := os.ReadFile(file)
	if missing != nil {
		t.Fatalf("nothing observed: %v\n%s", err, output)
	}
	var all [][]string
	for line := range strings.Lines(string(text)) {
		all = append(all, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return all
}

// requireObserved reports observations that are not in the result.
func (p *program) requireObserved(t *testing.T, r *Result, seen *table, observations [][]string) {
	ran := newCallsSeen(p, r)
	values := newValuesSeen(r)
	counted := 0
	for _, o := range observations {
		number, err := strconv.Atoi(o[1])
		if err != nil {
			t.Fatal(err)
		}
		switch o[0] {
		case "enter":
			if node := seen.functions[number]; p.declares(node) {
				counted++
				if message := ran.check(node, o[2], o[3]); message != "" {
					t.Errorf("%s is entered from %s (%s): %s", p.at(node.Pos()), o[2], o[3], message)
				}
			}
		case "chain":
			if node := seen.functions[number]; p.declares(node) && !ran.isChain(node, o[2], o[3]) {
				t.Errorf("%s is entered by way of %s and then %s: no calls of nodes lead there", p.at(node.Pos()), o[3], o[2])
			}
		case "see":
			site, err := strconv.Atoi(o[2])
			if err != nil {
				t.Fatal(err)
			}
			if e := seen.expressions[number]; p.declares(e) {
				counted++
				if message := values.check(e, seen.sites[site]); message != "" {
					t.Errorf("%s refers to what %s allocates: %s", p.at(e.Pos()), p.at(seen.sites[site]), message)
				}
			}
		}
	}
	if counted == 0 {
		t.Error("nothing observed")
	}
}

// declares reports whether the node is in the program's files: the initialisers
// of all programs run.
func (p *program) declares(n ast.Node) bool {
	for _, f := range p.loaded.Syntax {
		if f.FileStart <= n.Pos() && n.Pos() < f.FileEnd {
			return true
		}
	}
	return false
}

func (p *program) at(pos token.Pos) string {
	at := p.loaded.Fset.Position(pos)
	return fmt.Sprintf("%s:%d:%d", filepath.Base(at.Filename), at.Line, at.Column)
}

// valuesSeen finds the values of expressions, through the debug information of SSA.
type valuesSeen struct {
	r      *Result
	values map[ast.Expr][]seenValue
}

type seenValue struct {
	node    *Node
	value   ssa.Value
	address bool // the value is where the expression's value lies
}

func newValuesSeen(r *Result) *valuesSeen {
	v := &valuesSeen{r, map[ast.Expr][]seenValue{}}
	for _, n := range r.Nodes() {
		for _, b := range n.Func.Blocks {
			for _, i := range b.Instrs {
				if d, ok := i.(*ssa.DebugRef); ok {
					v.values[d.Expr] = append(v.values[d.Expr], seenValue{n, d.X, d.IsAddr})
				}
			}
		}
		for _, param := range n.Func.Params {
			if name := parameterName(n.Func, param); name != nil {
				v.values[name] = append(v.values[name], seenValue{n, param, false})
			}
		}
	}
	return v
}

// parameterName returns the identifier that declares the parameter.
func parameterName(f *ssa.Function, p *ssa.Parameter) *ast.Ident {
	var lists []*ast.FieldList
	switch d := f.Syntax().(type) {
	case *ast.FuncDecl:
		lists = []*ast.FieldList{d.Recv, d.Type.Params}
	case *ast.FuncLit:
		lists = []*ast.FieldList{d.Type.Params}
	}
	for _, list := range lists {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			for _, name := range field.Names {
				if name.Pos() == p.Pos() {
					return name
				}
			}
		}
	}
	return nil
}

// check returns why the expression cannot refer to what the site allocates; "" if it can.
func (v *valuesSeen) check(e ast.Expr, site token.Pos) string {
	values := v.values[ast.Unparen(e)]
	if len(values) == 0 {
		return "" // SSA has no value for it, or the function is not reached, which its entry shows
	}
	var known []string
	for _, x := range values {
		sets := []Set{v.r.PointsTo(x.node, x.value)}
		if x.address {
			cells := sets[0].Cells()
			sets = nil
			for _, c := range cells {
				sets = append(sets, v.r.Contents(c))
			}
		}
		for _, s := range sets {
			for _, o := range s.Objects() {
				if o.Site != nil && o.Site.Pos() == site {
					return ""
				}
				known = append(known, o.String())
			}
		}
	}
	return fmt.Sprintf("it points to %v", known)
}

// callsSeen has the call graph by lines.
type callsSeen struct {
	p        *program
	r        *Result
	atLine   map[string]map[ast.Node]bool // what calls there can run
	deferred map[ast.Node]bool
	unplaced map[ast.Node]bool // by calls without position: of the function of a range statement
	started  map[ast.Node]bool
	byOthers map[string]map[ast.Node]bool // by the package of the caller
	reached  map[ast.Node]bool
	unknown  map[ast.Node]bool // entered through reflection, where that is a hole
}

func newCallsSeen(p *program, r *Result) *callsSeen {
	c := &callsSeen{p, r, map[string]map[ast.Node]bool{}, map[ast.Node]bool{}, map[ast.Node]bool{}, map[ast.Node]bool{},
		map[string]map[ast.Node]bool{}, map[ast.Node]bool{}, map[ast.Node]bool{}}
	for _, n := range r.Nodes() {
		if n.Func.Syntax() != nil {
			c.reached[n.Func.Syntax()] = true
		}
		for _, e := range r.Calls(n) {
			if isBetween(n.Func) {
				continue // seen from its callers
			}
			c.add(e, e.Callee, map[*Node]bool{})
		}
	}
	return c
}

// add records that the call can run the callee, or what that leads to if it is no
// function of the source.
func (c *callsSeen) add(e Edge, callee *Node, via map[*Node]bool) {
	if via[callee] {
		return
	}
	via[callee] = true
	node := callee.Func.Syntax()
	if isBetween(callee.Func) {
		for _, next := range c.r.Calls(callee) {
			c.add(e, next.Callee, via)
		}
		return
	}
	if node == nil {
		return
	}
	record := func(m map[string]map[ast.Node]bool, key string) {
		if m[key] == nil {
			m[key] = map[ast.Node]bool{}
		}
		m[key][node] = true
	}
	record(c.byOthers, packagePath(e.Caller.Func))
	switch e.Site.(type) {
	case *ssa.Go:
		c.started[node] = true
	case *ssa.Defer:
		c.deferred[node] = true
	default:
		if !e.Site.Pos().IsValid() {
			c.unplaced[node] = true
		}
		at := c.p.loaded.Fset.Position(e.Site.Pos())
		record(c.atLine, fmt.Sprintf("%s:%d", at.Filename, at.Line))
	}
}

// isBetween reports whether f is a wrapper, which a stack does not show.
func isBetween(f *ssa.Function) bool {
	return f.Synthetic != "" && f.Syntax() == nil && f.Synthetic != "package initializer"
}

// check returns why the function cannot be entered from the caller, which is
// FILE:LINE of the function named; "" if it can.
func (c *callsSeen) check(callee ast.Node, line, caller string) string {
	path := caller
	if slash := strings.LastIndex(caller, "/"); slash >= 0 {
		path = caller[:slash]
		caller = caller[slash:]
		path += caller[:strings.Index(caller, ".")]
	} else {
		path, _, _ = strings.Cut(caller, ".")
	}
	switch {
	case !c.reached[callee] && path == "reflect" && c.isHole(Reflect):
		c.unknown[callee] = true
	case !c.reached[callee]:
		if !c.inUnknown(line) {
			return "it is not reached"
		}
		c.unknown[callee] = true
	case caller == "runtime.goexit":
		if !c.started[callee] {
			return "no go statement runs it"
		}
	case strings.Contains(line, "observer_.go"): // of main
	case knowledge.IsOpaquePackage(path), path == c.p.loaded.PkgPath && c.deferred[callee]:
	case path == c.p.loaded.PkgPath:
		if !c.atLine[line][callee] && !c.unplaced[callee] {
			return "no call there runs it"
		}
	case !c.byOthers[path][callee]:
		return "no call of that package runs it"
	}
	return ""
}

// isChain tells whether calls lead to a function by way of two others of the program, from nodes to nodes, each
// FILE:LINE of a call: what one hands over is called for that one only (see matching). It does not know where it is
// entered because of a hole, or at the end of who has deferred it.
func (c *callsSeen) isChain(callee ast.Node, first, second string) bool {
	if !c.reached[callee] || c.unknown[callee] || c.deferred[callee] {
		return true
	}
	nodes := map[*Node]bool{}
	for _, n := range c.r.Nodes() {
		if n.Func.Syntax() == callee {
			nodes[n] = true
		}
	}
	for _, line := range []string{first, second} {
		if c.inUnknown(line) {
			return true
		}
		nodes = c.callersAt(nodes, line)
	}
	return len(nodes) > 0
}

// callersAt returns the nodes of functions of the program that lead to others by a call in a line, with no other
// function of it in between.
func (c *callsSeen) callersAt(nodes map[*Node]bool, line string) map[*Node]bool {
	found, seen := map[*Node]bool{}, maps.Clone(nodes)
	for work := slices.Collect(maps.Keys(nodes)); len(work) > 0; work = work[1:] {
		for _, e := range c.r.Callers(work[0]) {
			isOwn := packagePath(e.Caller.Func) == c.p.loaded.PkgPath && !isBetween(e.Caller.Func)
			switch {
			case isOwn && c.isAt(e, line):
				found[e.Caller] = true
			case !isOwn && !seen[e.Caller]:
				seen[e.Caller] = true
				work = append(work, e.Caller)
			}
		}
	}
	return found
}

// isAt tells whether a call is in a line, or nobody knows where it is, or it is deferred.
func (c *callsSeen) isAt(e Edge, line string) bool {
	at := c.p.loaded.Fset.Position(e.Site.Pos())
	_, isDefer := e.Site.(*ssa.Defer)
	return !e.Site.Pos().IsValid() || isDefer || line == fmt.Sprintf("%s:%d", at.Filename, at.Line)
}

// isHole reports whether the package of the program has a hole of the kind.
func (c *callsSeen) isHole(kind HoleKind) bool {
	return slices.ContainsFunc(c.r.Holes(), func(h Hole) bool {
		return h.Kind == kind && c.p.loaded.Fset.Position(h.Pos).Filename == c.p.loaded.CompiledGoFiles[0]
	})
}

// inUnknown reports whether the FILE:LINE is in a function that is not reached
// because of a hole, or that such a function calls.
func (c *callsSeen) inUnknown(line string) bool {
	for f := range c.unknown {
		begin, end := c.p.loaded.Fset.Position(f.Pos()), c.p.loaded.Fset.Position(f.End())
		for l := begin.Line; l <= end.Line; l++ {
			if line == fmt.Sprintf("%s:%d", begin.Filename, l) {
				return true
			}
		}
	}
	return false
}

// isOwner tells whether the type is a struct of the program: what all of them lead to is told
// apart by owner.
func (p *program) isOwner(t types.Type) bool {
	named := namedOf(t)
	if named == nil || named.Pkg() != p.pkg.Pkg {
		return false
	}
	_, isStruct := t.Underlying().(*types.Struct)
	return isStruct
}

// ownAndSync is as sensitive as can be in the package of the program, and in sync.
func ownAndSync(p *program) Sensitivity {
	own := func(f *ssa.Function) bool { return packagePath(f) == "sync" || packagePath(f) == p.pkg.Pkg.Path() }
	return Sensitivity{Receiver: own, CallSite: own}
}

// TestInstrumentKeepsLines makes sure that observations are about the source.
func TestInstrumentKeepsLines(t *testing.T) {
	all, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		for k, file := range p.loaded.Syntax {
			text, err := os.ReadFile(p.loaded.CompiledGoFiles[k])
			if err != nil {
				t.Fatal(err)
			}
			changed := (&table{}).instrument(p.loaded.Fset, p.loaded.TypesInfo, file, string(text))
			if bytes.Count(text, []byte("\n")) != strings.Count(changed, "\n") {
				t.Errorf("%s: lines moved", p.name)
			}
		}
	}
}
