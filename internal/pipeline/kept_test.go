package pipeline_test

import (
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/empire-go/empire-go/internal/answers"
	"github.com/empire-go/empire-go/internal/pipeline"
)

// TestKeptAnswers edits programs of testdata at random and demands that what is answered with the help of
// earlier answers is what is answered without: 10 edits, or as many as EMPIRE_EDITS says, from EMPIRE_SEED on.
func TestKeptAnswers(t *testing.T) {
	edits, seed := 10, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("EMPIRE_EDITS")); err == nil {
		edits = n
	}
	if n, err := strconv.ParseUint(os.Getenv("EMPIRE_SEED"), 10, 64); err == nil {
		seed = n
	}
	store, err := answers.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	e := &editor{rand: rand.New(rand.NewPCG(seed, 0)), dir: t.TempDir(), store: store, said: map[string]int{}}
	programs := smallPrograms(t)
	for done := 0; done < edits; {
		name := programs[e.rand.IntN(len(programs))]
		if !e.begin(t, name) {
			continue
		}
		for range 5 { // from one program: what has become of it is edited again
			if done == edits {
				break
			}
			before := e.text
			if !e.edit() {
				continue
			}
			if e.compare(t) {
				e.said[e.what]++
				done++
			} else {
				e.text = before
			}
		}
	}
	t.Logf("%d edits from seed %d: %v", edits, seed, e.said)
	if e.said["found without loading"] == 0 || e.said["queries reused"] == 0 {
		t.Error("nothing was answered from what was kept")
	}
}

// smallPrograms returns the folders of testdata with one file and a main function.
func smallPrograms(t *testing.T) (all []string) {
	names, err := filepath.Glob("testdata/*/main.go")
	if err != nil || len(names) == 0 {
		t.Fatal("no programs: ", err)
	}
	for _, name := range names {
		files, _ := filepath.Glob(filepath.Join(filepath.Dir(name), "*.go"))
		text, err := os.ReadFile(name)
		if err == nil && len(files) == 1 && len(text) < 5000 && !strings.Contains(string(text), "empire-go/empire-go") &&
			!strings.Contains(string(text), "golang.org/x") {
			all = append(all, name)
		}
	}
	return all
}

// editor edits a program.
type editor struct {
	rand       *rand.Rand
	dir        string
	store      *answers.Store
	name, text string
	what       string // the last edit
	fresh      int    // for names
	said       map[string]int
}

// begin takes a program and has it answered once. It tells whether that is quick.
func (e *editor) begin(t *testing.T, name string) bool {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	e.name, e.text, e.what = name, string(text), "none"
	module := []byte("module example.com/p\n\ngo 1.26\n")
	if err := os.WriteFile(filepath.Join(e.dir, "go.mod"), module, 0o666); err != nil {
		t.Fatal(err)
	}
	e.write(t)
	first, _ := e.answer(e.store)
	return !strings.HasPrefix(first, "error")
}

func (e *editor) write(t *testing.T) {
	if err := os.WriteFile(filepath.Join(e.dir, "main.go"), []byte(e.text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// answer returns the answer with all that the observer is told, and the result.
func (e *editor) answer(store *answers.Store) (string, *pipeline.Result) {
	var told strings.Builder
	out := json.NewEncoder(&told)
	r := pipeline.Request{Dir: e.dir, Packages: []string{"./..."}, Harm: true, Answers: store, Timings: true,
		Budget:  2 * time.Second, // some programs would take all, of which most have no harm to be found
		Observe: func(event pipeline.Event) { out.Encode(event) }}
	result, err := pipeline.Run(context.Background(), r)
	if err != nil {
		return "error: " + err.Error(), nil
	}
	reused := *result
	result.Timings, result.PeakMiB, result.LoadPeak = nil, 0, 0
	text, err := json.MarshalIndent(result, "", " ")
	if err != nil {
		return "error: " + err.Error(), nil
	}
	return string(text) + result.ModuleRootDir + "\n" + told.String(), &reused
}

// compare answers anew, with the help of what is kept, and again. It tells whether the program can be loaded.
func (e *editor) compare(t *testing.T) bool {
	e.write(t)
	want, fresh := e.answer(nil)
	if fresh == nil {
		return false
	}
	for _, run := range []string{"first", "second"} {
		got, result := e.answer(e.store)
		switch {
		case result == nil:
		case result.Timings.Load == 0:
			e.said["found without loading"]++
		default:
			e.said["loaded"]++
			e.said["queries reused"] += result.Timings.Reused
			e.said["queries of these"] += len(result.Queries)
		}
		if got == want {
			continue
		}
		t.Errorf("%s, after %s, the %s run:\n%s\nprogram:\n%s", e.name, e.what, run, difference(want, got), e.text)
		break
	}
	return true
}

// difference returns the first lines that differ.
func difference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d: anew\n%.300s\nkept\n%.300s", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines anew, %d kept", len(a), len(b))
}

// edit changes the program in one way; it tells whether it has, and the program is still Go.
func (e *editor) edit() bool {
	ways := []struct {
		name string
		make func() string
	}{
		{"a constant changed", e.changeConstant}, {"a lock call removed", e.removeLockCall},
		{"a go statement added", e.addGo}, {"an implementer added", e.addImplementer},
		{"a comment added", e.addComment}, {"a local renamed", e.renameLocal},
		{"functions in another order", e.swapFunctions}, {"a statement removed", e.removeLine},
		{"a statement repeated", e.repeatLine}, {"a comment added", e.addComment},
		{"a function added", e.addFunction}, {"an unused body changed", e.changeUnused},
	}
	way := ways[e.rand.IntN(len(ways))]
	text := way.make()
	if text == "" || text == e.text {
		return false
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "", text, 0); err != nil {
		return false
	}
	e.text, e.what = text, way.name
	return true
}

// lines returns the lines of the program, and the indices of those that a test picks.
func (e *editor) lines(is func(string) bool) (all []string, picked []int) {
	all = strings.Split(e.text, "\n")
	for i, l := range all {
		if is(strings.TrimSpace(l)) {
			picked = append(picked, i)
		}
	}
	return all, picked
}

func pick[T any](e *editor, all []T) T { return all[e.rand.IntN(len(all))] }

func isCall(l string) bool {
	return strings.HasSuffix(l, ")") && strings.Contains(l, "(") && !strings.ContainsAny(l, "={:") &&
		!strings.HasPrefix(l, "//") && !strings.HasPrefix(l, "func") && !strings.HasPrefix(l, "return")
}

func (e *editor) changeConstant() string {
	type literal struct{ at, length int }
	var all []literal
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(e.text))
	var s scanner.Scanner
	s.Init(file, []byte(e.text), nil, 0)
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.INT || tok == token.STRING && !strings.Contains(text, "/") {
			all = append(all, literal{file.Offset(pos), len(text)})
		}
	}
	if len(all) == 0 {
		return ""
	}
	l := pick(e, all)
	text := e.text[l.at : l.at+l.length]
	if n, err := strconv.Atoi(text); err == nil {
		text = strconv.Itoa(n + 1)
	} else {
		text = text[:len(text)-1] + "x" + text[len(text)-1:]
	}
	return e.text[:l.at] + text + e.text[l.at+l.length:]
}

func (e *editor) without(is func(string) bool) string {
	all, picked := e.lines(is)
	if len(picked) == 0 {
		return ""
	}
	i := pick(e, picked)
	return strings.Join(slices.Delete(all, i, i+1), "\n")
}

func (e *editor) removeLockCall() string {
	return e.without(func(l string) bool { return strings.HasSuffix(l, "ock()") })
}

func (e *editor) removeLine() string { return e.without(isCall) }

func (e *editor) insert(is func(string) bool, text func(l string) string) string {
	all, picked := e.lines(is)
	if len(picked) == 0 {
		return ""
	}
	i := pick(e, picked)
	return strings.Join(slices.Insert(all, i, text(strings.TrimSpace(all[i]))), "\n")
}

func (e *editor) addGo() string {
	return e.insert(func(l string) bool {
		return isCall(l) && !strings.HasPrefix(l, "go ") && !strings.HasPrefix(l, "defer ")
	},
		func(l string) string { return "go " + l })
}

func (e *editor) repeatLine() string {
	return e.insert(func(l string) bool { return isCall(l) || strings.HasSuffix(l, "++") },
		func(l string) string { return l })
}

func (e *editor) addComment() string {
	comments := []string{"// a comment", "", "/* of\nlines */", "// guarded by mu", "//empire:unit", "//nolint:all"}
	switch c := pick(e, comments); e.rand.IntN(3) {
	case 0:
		all, picked := e.lines(func(l string) bool { return !strings.Contains(l, "`") })
		i := pick(e, picked)
		all[i] += " " + c
		return strings.Join(all, "\n")
	case 1:
		return e.insert(func(l string) bool { return strings.HasPrefix(l, "func") || strings.HasPrefix(l, "type") },
			func(string) string { return c })
	default:
		return e.insert(func(string) bool { return true }, func(string) string { return c })
	}
}

func (e *editor) addFunction() string {
	e.fresh++
	return e.text + fmt.Sprintf("\nfunc fresh%d() int { return %d }\n", e.fresh, e.fresh)
}

func (e *editor) changeUnused() string {
	return strings.Replace(e.text, "() int { return ", "() int { return 1 + ", 1)
}

// functions returns the declarations of functions, as offsets.
func (e *editor) functions() (file *ast.File, all []*ast.FuncDecl) {
	file, err := parser.ParseFile(token.NewFileSet(), "", e.text, parser.ParseComments)
	if err != nil {
		return nil, nil
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			all = append(all, f)
		}
	}
	return file, all
}

// of returns what is between two positions.
func (e *editor) of(file *ast.File, n ast.Node) (begin, end int) {
	return int(n.Pos() - file.FileStart), int(n.End() - file.FileStart)
}

func (e *editor) swapFunctions() string {
	file, all := e.functions()
	if len(all) < 2 {
		return ""
	}
	i := e.rand.IntN(len(all) - 1)
	a, aEnd := e.of(file, all[i])
	b, bEnd := e.of(file, all[i+1])
	return e.text[:a] + e.text[b:bEnd] + e.text[aEnd:b] + e.text[a:aEnd] + e.text[bEnd:]
}

func (e *editor) renameLocal() string {
	file, all := e.functions()
	if len(all) == 0 {
		return ""
	}
	f := pick(e, all)
	var names []string
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			for _, l := range a.Lhs {
				if id, ok := l.(*ast.Ident); ok && id.Name != "_" {
					names = append(names, id.Name)
				}
			}
		}
		return true
	})
	if len(names) == 0 {
		return ""
	}
	name := pick(e, names)
	text := e.text
	var at []int
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			ast.Inspect(s.X, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && id.Name == name {
					at = append(at, int(id.Pos()-file.FileStart))
				}
				return true
			})
			return false
		}
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			at = append(at, int(id.Pos()-file.FileStart))
		}
		return true
	})
	slices.Sort(at)
	e.fresh++
	for _, i := range slices.Backward(slices.Compact(at)) {
		text = text[:i] + fmt.Sprintf("%s%d", name, e.fresh) + text[i+len(name):]
	}
	return text
}

// addImplementer adds a type with the methods of an interface, of which a value is sometimes called.
func (e *editor) addImplementer() string {
	file, _ := e.functions()
	if file == nil {
		return ""
	}
	var added strings.Builder
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		t, ok := spec.Type.(*ast.InterfaceType)
		if !ok || spec.TypeParams != nil || added.Len() > 0 {
			return true
		}
		e.fresh++
		fmt.Fprintf(&added, "\ntype extra%d struct{ n int }\n", e.fresh)
		for _, m := range t.Methods.List {
			if len(m.Names) == 1 {
				begin, end := e.of(file, m.Type)
				fmt.Fprintf(&added, "\nfunc (e *extra%d) %s%s { e.n++; panic(e.n) }\n", e.fresh, m.Names[0].Name, e.text[begin:end])
			}
		}
		fmt.Fprintf(&added, "\nvar theExtra%d %s = &extra%d{}\n", e.fresh, spec.Name.Name, e.fresh)
		return false
	})
	if added.Len() == 0 {
		return ""
	}
	return e.text + added.String()
}
