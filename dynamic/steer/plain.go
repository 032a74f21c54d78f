package steer

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"golang.org/x/tools/go/packages"

	empire "github.com/empire-go/empire-go"
)

// plain.go writes tests that need nothing but the Go tool chain. Harm is two calls from a start, of which no
// order gives what the calls do at the same time. The test makes them so, many times over, and knows by itself
// what the orders give: it stays right when the code changes. A mutex that is handed over in order lets both
// calls have one critical section in turn, which meets most gaps at once; else chance has to.
//
// Whether it does fail while the bug is there is tried before the test is kept.

//go:embed rounds_go.txt
var roundsText string

// roundsName is the file with what such tests share, in each package that has one.
const roundsName = "empire_rounds_test.go"

// errNoPlain means that no such test shows the violation.
var errNoPlain = errors.New("no test of two calls shows it")

// plainTest writes the test of a violation into the package of the two calls, if it fails there now.
func plainTest(ctx context.Context, r *empire.Result, v Violation, root string) (files []string, err error) {
	p := &plainWriter{root: root, tags: r.Invocation.Tags, violation: v, harm: v.Scenario.Harm}
	if err := p.load(ctx, packageOfCalls(v)); err != nil {
		return nil, err
	}
	text, err := p.text(ctx)
	if err != nil {
		return nil, err
	}
	rounds := strings.Replace(roundsText, "{{.}}", p.name+"_test", 1)
	written := map[string][]byte{p.file(): text, filepath.Join(p.dir, roundsName): []byte(rounds)}
	for _, name := range []string{p.file(), filepath.Join(p.dir, roundsName)} {
		if _, err := os.Stat(name); err == nil && filepath.Base(name) == roundsName {
			continue // of another test, and maybe changed
		}
		if err := os.WriteFile(name, written[name], 0o644); err != nil {
			return files, err
		}
		files = append(files, name)
	}
	if !p.fails(ctx) {
		for _, name := range files {
			os.Remove(name)
		}
		return nil, errNoPlain
	}
	return files, nil
}

// packageOfCalls is the package of the type, as it is named in the entry.
func packageOfCalls(v Violation) string {
	entry, _, _ := strings.Cut(strings.TrimPrefix(v.Query.Entry, clientsPrefix+" of "), " made by ")
	name := generic(cmpOr(entry, v.Query.Type))
	if dot := strings.LastIndex(name, "."); dot > strings.LastIndex(name, "/") {
		return name[:dot]
	}
	return name
}

// plainWriter writes one test.
type plainWriter struct {
	root, tags string
	violation  Violation
	harm       *empire.Harm

	path, name, dir string   // of the package
	start           []string // the statements before the calls
	object          string   // the expression that leads to it
}

// load finds the package.
func (p *plainWriter) load(ctx context.Context, path string) error {
	if len(p.harm.Calls) != 2 || slices.ContainsFunc(slices.Concat(p.harm.Start, p.harm.Calls), isNoStatement) {
		return errNoPlain
	}
	found, err := packages.Load(p.config(ctx, packages.NeedName|packages.NeedFiles, nil), path)
	if err != nil || len(found) != 1 || len(found[0].GoFiles) == 0 || found[0].Name == "main" {
		return errNoPlain
	}
	p.start, p.object = p.harm.Start, "o"
	p.path, p.name, p.dir = found[0].PkgPath, found[0].Name, filepath.Dir(found[0].GoFiles[0])
	return nil
}

// isNoStatement tells whether something in a start cannot be said in a test: that time passes, or a value of a
// type that stands in for one of the user's.
func isNoStatement(text string) bool {
	return strings.HasPrefix(text, "time.") || strings.Contains(text, "standIn")
}

func (p *plainWriter) config(ctx context.Context, mode packages.LoadMode, overlay map[string][]byte) *packages.Config {
	return &packages.Config{Context: ctx, Mode: mode, Dir: p.root, Overlay: overlay, Tests: overlay != nil,
		BuildFlags: []string{"-tags=" + p.tags}}
}

func (p *plainWriter) file() string {
	return filepath.Join(p.dir, "empire_"+p.violation.Scenario.ID+"_test.go")
}

// text returns the test. A call that returns nothing is no argument: the types tell, so it is loaded once.
func (p *plainWriter) text(ctx context.Context) ([]byte, error) {
	text, err := p.render([2]bool{})
	if err != nil {
		return nil, err
	}
	overlay := map[string][]byte{p.file(): text,
		filepath.Join(p.dir, roundsName): []byte(strings.Replace(roundsText, "{{.}}", p.name+"_test", 1))}
	found, err := packages.Load(p.config(ctx, packages.NeedName|packages.NeedFiles|packages.NeedSyntax|packages.NeedTypes|
		packages.NeedTypesInfo|packages.NeedImports|packages.NeedDeps, overlay), p.path)
	if err != nil {
		return nil, err
	}
	var results [2]bool
	for _, pkg := range found {
		for _, file := range pkg.Syntax {
			if pkg.Fset.Position(file.FileStart).Filename != p.file() {
				continue
			}
			for i, call := range callsIn(file) {
				results[i] = !pkg.TypesInfo.Types[call].IsVoid()
			}
			p.takeAllResults(file, pkg)
			return p.render(results)
		}
	}
	return nil, errNoPlain
}

// takeAllResults completes the statements of the start that keep one of several results.
func (p *plainWriter) takeAllResults(file *ast.File, pkg *packages.Package) {
	p.start = slices.Clone(p.harm.Start)
	for id, obj := range pkg.TypesInfo.Defs {
		if id.Name != "o" || obj == nil || obj.Pos() < file.FileStart || obj.Pos() > file.FileEnd {
			continue
		}
		switch obj.Type().Underlying().(type) {
		case *types.Pointer, *types.Interface:
		default:
			p.object = "&o" // not a copy
		}
	}
	statement := 0 // in the order of the start
	ast.Inspect(file, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			return true
		}
		several, ok := pkg.TypesInfo.TypeOf(a.Rhs[0]).(*types.Tuple)
		for ; statement < len(p.start); statement++ {
			left, right, isAssignment := strings.Cut(p.start[statement], " "+a.Tok.String()+" ")
			if id, isName := a.Lhs[0].(*ast.Ident); !isAssignment || !isName || left != id.Name {
				continue
			}
			if ok && several.Len() > 1 {
				p.start[statement] = left + strings.Repeat(", _", several.Len()-1) + " " + a.Tok.String() + " " + right
			}
			statement++
			break
		}
		return true
	})
}

// callsIn returns the two calls of a test that was rendered without results.
func callsIn(file *ast.File) (calls []ast.Expr) {
	ast.Inspect(file, func(n ast.Node) bool {
		f, ok := n.(*ast.FuncLit)
		if ok && len(f.Body.List) == 2 && f.Type.Results != nil {
			if s, ok := f.Body.List[0].(*ast.ExprStmt); ok && len(calls) < 2 {
				calls = append(calls, s.X)
			}
		}
		return true
	})
	return calls
}

// render returns the test, with the results of those calls that have any.
func (p *plainWriter) render(results [2]bool) ([]byte, error) {
	h, s := p.harm, p.violation.Scenario
	data := struct {
		Package, ID, Scenario, Units, Actual, Object string
		Imports, Start, Expected                     []string
		Calls                                        [2]string
	}{
		Package: p.name + "_test", ID: s.ID, Scenario: fmt.Sprintf("%s, scenario %d", s.Name, s.Scenario),
		Units: strings.Join(s.Units, " and "), Actual: h.Actual, Object: "nil", Start: p.start, Expected: h.Expected,
	}
	used := strings.Join(slices.Concat(h.Start, h.Calls), "\n")
	for _, i := range h.Imports {
		if name, path, ok := strings.Cut(i, " "); ok && strings.Contains(used, name+".") {
			if name != path[strings.LastIndex(path, "/")+1:] {
				path = name + ` "` + path
			} else {
				path = `"` + path
			}
			data.Imports = append(data.Imports, path+`"`)
		}
	}
	if declares(h.Start, "o") {
		data.Object = p.object
	}
	for i, call := range h.Calls {
		if _, err := parser.ParseExpr(call); err != nil { // a statement, as go o.F()
			data.Calls[i] = call + "\nreturn nil"
		} else if results[i] {
			data.Calls[i] = "return empireResults(" + call + ")"
		} else {
			data.Calls[i] = call + "\nreturn nil"
		}
	}
	var b bytes.Buffer
	if err := plainTemplate.Execute(&b, data); err != nil {
		return nil, err
	}
	return format.Source(b.Bytes())
}

// declares tells whether statements declare a variable.
func declares(statements []string, name string) bool {
	src := "package p\nfunc f() {\n" + strings.Join(statements, "\n") + "\n}\n"
	file, err := parser.ParseFile(token.NewFileSet(), "", src, 0)
	if err != nil {
		return false
	}
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			for _, l := range a.Lhs {
				id, ok := l.(*ast.Ident)
				found = found || ok && id.Name == name
			}
		}
		if v, ok := n.(*ast.ValueSpec); ok {
			found = found || slices.ContainsFunc(v.Names, func(id *ast.Ident) bool { return id.Name == name })
		}
		return true
	})
	return found
}

// tries is how often the test has to fail before it is kept: one that fails at times is worse than none.
const tries = 3

// fails tells whether the test, run by the go command alone, fails as it should: not since it does not compile.
func (p *plainWriter) fails(ctx context.Context) bool {
	work, err := os.MkdirTemp("", "empire-go-test-")
	if err != nil {
		return false
	}
	defer os.RemoveAll(work)
	binary := filepath.Join(work, "tests")
	build := exec.CommandContext(ctx, "go", "test", "-tags="+p.tags, "-c", "-o", binary, p.path)
	build.Dir = p.root
	if build.Run() != nil {
		return false
	}
	for range tries {
		cmd := exec.CommandContext(ctx, binary, "-test.run", "^TestEmpire_"+p.violation.Scenario.ID+"$")
		cmd.Dir = p.dir
		out, err := cmd.CombinedOutput()
		if err == nil || !bytes.Contains(out, []byte("--- FAIL: TestEmpire_")) &&
			!bytes.Contains(out, []byte("fatal error: ")) {
			return false
		}
	}
	return true
}

var plainTemplate = template.Must(template.New("").Parse(`package {{.Package}}

import (
	"testing"
{{range .Imports}}
	{{.}}
{{- end}}
)

// TestEmpire_{{.ID}} fails while {{.Units}}
// do at the same time what no order of them does ({{.Scenario}}):
//
{{range .Expected}}//	{{.}}
{{end}}//	interleaved: {{.Actual}}
func TestEmpire_{{.ID}}(t *testing.T) {
	empireRounds(t, func() empireRound {
{{- range .Start}}
		{{.}}
{{- end}}
		return empireRound{
			Object: {{.Object}},
			Calls: [2]func() []any{
{{- range .Calls}}
				func() []any {
					{{.}}
				},
{{- end}}
			},
		}
	})
}
`))
