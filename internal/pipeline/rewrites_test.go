package pipeline_test

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/internal/cases"
	"github.com/empire-go/empire-go/internal/pipeline"
)

// TestRewrittenCases rewrites the programs of case files so that they mean the same,
// and answers their queries: the scenarios that were violated must be still. Lines stay
// where they are. With EMPIRE_LONG set each rewrite is tried on each case, else one of them on
// every fourth.
func TestRewrittenCases(t *testing.T) {
	files, err := filepath.Glob(cases.Own)
	if err != nil || len(files) == 0 {
		t.Fatalf("no case files: %v", err)
	}
	violated := slices.DeleteFunc(files, func(file string) bool {
		c := read(t, file)
		return c.Tests || c.Tags != "" || !slices.ContainsFunc(c.Queries, isViolated)
	})
	if os.Getenv("EMPIRE_LONG") != "" {
		for _, r := range rewrites {
			t.Run(r.name, func(t *testing.T) { tryRewrites(t, violated, func(int) rewrite { return r }) })
		}
		return
	}
	var some []string
	for i := 0; i < len(violated); i += 4 {
		some = append(some, violated[i])
	}
	tryRewrites(t, some, func(i int) rewrite { return rewrites[i%len(rewrites)] })
}

// isViolated tells whether the query has a violation that is no note.
func isViolated(q cases.Query) bool {
	for _, e := range q.Expect {
		if e.Level != "note" {
			return true
		}
	}
	return false
}

// tryRewrites checks the cases, each with a rewrite.
func tryRewrites(t *testing.T, files []string, choose func(int) rewrite) {
	chosen, types := map[string]rewrite{}, map[string][]string{} // by folder
	var folders []string
	stated := pipeline.Request{Make: map[string]string{}}
	for i, file := range files {
		folder := filepath.Dir(file)
		first := read(t, file).Queries[0].Request(file)
		stated.Joins, stated.LockTypes = append(stated.Joins, first.Joins...), append(stated.LockTypes, first.LockTypes...)
		maps.Copy(stated.Make, first.Make)
		chosen[folder] = choose(i)
		for _, q := range read(t, file).Queries {
			types[folder] = append(types[folder], q.Type)
		}
		folders = append(folders, "./"+filepath.ToSlash(folder))
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	program, err := load.Load(t.Context(), load.Config{
		Patterns: folders, Joins: stated.Joins, Locks: stated.LockTypes, Make: stated.Make,
		ParseFile: func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
			if folder, err := filepath.Rel(root, filepath.Dir(name)); err == nil && chosen[folder].edits != nil {
				src = chosen[folder].apply(src, types[folder])
			}
			return parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		folder := filepath.Dir(file)
		// Clients of libraries are added to the program, which is not safe below.
		var programs [][]harness.Entry // by query
		for _, q := range read(t, file).Queries {
			r := q.Request(file)
			if err := r.Normalize(); err != nil {
				t.Fatal(err)
			}
			of, err := pipeline.ProgramsIn(program.Only(program.Module+"/"+filepath.ToSlash(folder)), r)
			if err != nil {
				t.Fatal(err)
			}
			programs = append(programs, of)
		}
		t.Run(chosen[folder].name+"/"+filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			c := read(t, file)
			for i, q := range c.Queries {
				r := q.Request(file)
				r.Memory = 4 * pipeline.DefaultMemory // it is that of the process, which has many programs
				if isViolated(q) {
					checkRewritten(t, q, r, programs[i])
				}
				if beyondOracle(c, q, programs[i]) == "" {
					checkReturns(t, q, r, programs[i])
				}
			}
		})
	}
}

// checkRewritten answers one query about a rewritten program.
func checkRewritten(t *testing.T, q cases.Query, r pipeline.Request, programs []harness.Entry) {
	if err := r.Normalize(); err != nil {
		t.Fatal(err)
	}
	r.Harm = false
	result, err := pipeline.AnswerAbout(context.Background(), r, programs)
	if err != nil {
		t.Fatal(err)
	}
	found, why := map[int]bool{}, ""
	for _, got := range result.Queries {
		why += got.Reason
		for _, s := range got.Scenarios {
			if s.Reason != "" {
				why += fmt.Sprintf(" (scenario %d: %s)", s.Scenario, s.Reason)
			}
			if s.Verdict == pipeline.VerdictViolation && s.Level == "error" {
				found[s.Scenario] = true
				found[12] = true // which is what no other one explains
			}
		}
	}
	for number, e := range q.Expect {
		if e.Level != "note" && !found[number] {
			t.Errorf("%s %v at %s: scenario %d is not violated %s", q.Type, q.Fields, q.Site, number, why)
		}
	}
}

// rewrite changes a file so that it means the same.
type rewrite struct {
	name  string
	edits func(*rewriter, ast.Node)
	// inMethods is to change only methods of the checked types: in other functions, and in
	// literals, the closures that it makes would be units of their own.
	inMethods bool
}

var rewrites = []rewrite{
	{"closures", (*rewriter).closure, true},
	{"method values", (*rewriter).methodValue, false},
	{"sums", (*rewriter).sum, false},
	{"pointers", (*rewriter).pointer, false},
	{"conditions", (*rewriter).condition, true},
	{"bodies", (*rewriter).body, true},
	{"started by another", (*rewriter).started, false},
	{"readers' locks", (*rewriter).readersLock, false},
	{"wrapped locks", (*rewriter).wrappedLock, false},
	{"aliases", (*rewriter).alias, false},
	{"interfaces", (*rewriter).throughInterface, true},
	{"elements", (*rewriter).throughSlice, true},
	{"fields", (*rewriter).throughStruct, true},
	{"keys", (*rewriter).throughMap, true},
	{"messages", (*rewriter).throughChannel, true},
	{"tables", (*rewriter).functionTable, true},
	{"method expressions", (*rewriter).methodExpression, false},
	{"setters", (*rewriter).setter, true},
	{"single iterations", (*rewriter).iteration, true},
	{"iterators", (*rewriter).iterator, true},
	{"switches", (*rewriter).switched, false},
	{"idle defers", (*rewriter).idleDefer, false},
	{"recoveries", (*rewriter).recovery, true},
	{"lockers", (*rewriter).locker, false},
	{"results", (*rewriter).result, false},
}

// apply returns the text of a file after the rewrite. The types are those checked.
func (r rewrite) apply(src []byte, types []string) []byte {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || file.GoVersion != "" { // an older one, for which not everything is Go
		return src
	}
	w := &rewriter{src: src, base: fset.File(file.Pos()).Base(), imports: map[string]bool{}}
	for _, spec := range file.Imports {
		path := strings.Trim(spec.Path.Value, `"`)
		w.imports[path[strings.LastIndex(path, "/")+1:]] = true
		if spec.Name != nil {
			w.imports[spec.Name.Name] = true
		}
	}
	w.findNames(file)
	ast.Inspect(file, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncDecl); ok && r.inMethods && (f.Recv == nil || !slices.Contains(types, receiver(f))) {
			return false
		}
		if _, ok := n.(*ast.FuncLit); ok && r.inMethods {
			return false
		}
		if n != nil {
			r.edits(w, n)
		}
		return true
	})
	return w.text()
}

// receiver returns the name of the type whose method the function is, "" if of none.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	t := f.Recv.List[0].Type
	for {
		switch u := t.(type) {
		case *ast.StarExpr:
			t = u.X
		case *ast.IndexExpr:
			t = u.X
		case *ast.IndexListExpr:
			t = u.X
		case *ast.Ident:
			return u.Name
		default:
			return ""
		}
	}
}

// closure makes a statement a call of a closure: x.f = y, func() { x.f = y }().
func (w *rewriter) closure(n ast.Node) {
	w.eachSimple(n, func(s ast.Stmt) { w.around(s, "func() { ", " }()") })
}

// eachSimple does something to the assignments and calls of a list of statements that could
// as well be made in a closure.
func (w *rewriter) eachSimple(n ast.Node, edit func(ast.Stmt)) {
	for _, s := range statements(n) {
		switch s := s.(type) {
		case *ast.IncDecStmt:
			edit(s)
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				edit(s)
			}
		case *ast.ExprStmt:
			call, ok := s.X.(*ast.CallExpr)
			if !ok {
				continue
			}
			if name, ok := call.Fun.(*ast.Ident); !ok || name.Name != "recover" && name.Name != "panic" {
				edit(s)
			}
		}
	}
}

// methodValue calls methods by way of variables: x.f(y), m := x.f; m(y).
func (w *rewriter) methodValue(n ast.Node) {
	if slices.ContainsFunc(statements(n), func(s ast.Stmt) bool { _, ok := s.(*ast.LabeledStmt); return ok }) {
		return // no goto may jump over variables
	}
	for _, s := range statements(n) {
		var call *ast.CallExpr
		switch s := s.(type) {
		case *ast.ExprStmt:
			call, _ = s.X.(*ast.CallExpr)
		case *ast.DeferStmt:
			call = s.Call
		case *ast.GoStmt:
			call = s.Call
		}
		if call == nil {
			continue
		}
		if method, ok := call.Fun.(*ast.SelectorExpr); ok && w.isVariable(method) {
			name := w.name()
			w.insert(s.Pos(), name+" := "+w.of(method)+"; ")
			w.replace(method.Pos(), method.End(), name)
		}
	}
}

// sum spells increments out: x.f++, x.f = x.f + 1.
func (w *rewriter) sum(n ast.Node) {
	switch s := n.(type) {
	case *ast.IncDecStmt:
		if w.isVariable(s.X) {
			w.replace(s.TokPos, s.End(), fmt.Sprintf("= %s %c 1", w.of(s.X), s.Tok.String()[0]))
		}
	case *ast.AssignStmt:
		if s.Tok == token.ADD_ASSIGN && w.isVariable(s.Lhs[0]) {
			w.replace(s.TokPos, s.TokPos+2, "= "+w.of(s.Lhs[0])+" + (")
			w.insert(s.End(), ")")
		}
	}
}

// pointer goes by the address of what is assigned: x.f = y, *(&x.f) = y.
func (w *rewriter) pointer(n ast.Node) {
	by := func(e ast.Expr) {
		if field, ok := e.(*ast.SelectorExpr); ok && w.isVariable(field) {
			w.around(field, "*(&", ")")
		}
	}
	switch s := n.(type) {
	case *ast.IncDecStmt:
		if _, ok := s.X.(*ast.SelectorExpr); ok {
			w.around(s.X, "(", ")")
			by(s.X)
		}
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE {
			for _, e := range s.Lhs {
				by(e)
			}
		}
	}
}

// condition asks in a closure: if x.f, if func() bool { return x.f }().
func (w *rewriter) condition(n ast.Node) {
	if s, ok := n.(*ast.IfStmt); ok && !strings.Contains(w.of(s.Cond), "recover") {
		w.around(s.Cond, "func() bool { return ", " }()")
	}
}

// body makes a function call a closure that does it all.
func (w *rewriter) body(n ast.Node) {
	f, ok := n.(*ast.FuncDecl)
	if !ok || f.Body == nil || len(f.Body.List) == 0 || strings.Contains(w.of(f.Body), "recover") {
		return
	}
	results, returns := "", ""
	if f.Type.Results != nil {
		if len(f.Type.Results.List[0].Names) > 0 {
			return
		}
		results, returns = w.of(f.Type.Results), "return "
	}
	w.insert(f.Body.Lbrace+1, returns+"func() "+results+" {")
	w.insert(f.Body.Rbrace, "}()")
}

// started has another function start goroutines.
func (w *rewriter) started(n ast.Node) {
	s, ok := n.(*ast.GoStmt)
	if !ok || len(s.Call.Args) > 0 {
		return
	}
	if f, ok := s.Call.Fun.(*ast.FuncLit); ok && f.Type.Results == nil {
		w.replace(s.Pos(), s.Call.Pos(), "func(f func()) { go f() }(")
		w.replace(s.Call.Lparen, s.End(), ")")
	}
}

// readersLock makes mutexes locks with readers, of which there are none.
func (w *rewriter) readersLock(n ast.Node) {
	if s, ok := n.(*ast.SelectorExpr); ok && w.of(s) == "sync.Mutex" {
		w.replace(s.Sel.Pos(), s.End(), "RWMutex")
	}
}

// wrappedLock makes locks of a type that has a mutex and hands on what it is told.
func (w *rewriter) wrappedLock(n ast.Node) {
	s, ok := n.(*ast.SelectorExpr)
	if !ok || w.of(s) != "sync.Mutex" {
		return
	}
	lock := fmt.Sprintf("rewrittenLock%d", len(w.src)) // no other file's
	w.replace(s.Pos(), s.End(), lock)
	w.end = strings.ReplaceAll(`type LOCK struct{ mu sync.Mutex }
func (l *LOCK) Lock() { l.mu.Lock() }
func (l *LOCK) Unlock() { l.mu.Unlock() }
func (l *LOCK) TryLock() bool { return l.mu.TryLock() }
`, "LOCK", lock)
}

// renamed gives the receiver another name and declares a variable with the old one.
func (w *rewriter) renamed(n ast.Node, declaration string) {
	f, ok := n.(*ast.FuncDecl)
	if !ok || f.Recv == nil || f.Body == nil || len(f.Body.List) == 0 || len(f.Recv.List[0].Names) == 0 {
		return
	}
	old, name := f.Recv.List[0].Names[0], w.name()
	if _, isPointer := f.Recv.List[0].Type.(*ast.StarExpr); !isPointer || old.Name == "_" {
		return
	}
	w.replace(old.Pos(), old.End(), name)
	text := strings.NewReplacer("OLD", old.Name, "NEW", name, "TYPE", w.of(f.Recv.List[0].Type)).Replace(declaration)
	w.insert(f.Body.Lbrace+1, " "+text+"; _ = "+old.Name+"; ")
}

// alias uses another variable in place of the receiver.
func (w *rewriter) alias(n ast.Node) { w.renamed(n, "OLD := NEW") }

// throughInterface uses what an interface holds in place of the receiver.
func (w *rewriter) throughInterface(n ast.Node) { w.renamed(n, "OLD := any(NEW).(TYPE)") }

// throughSlice uses an element of a slice in place of the receiver.
func (w *rewriter) throughSlice(n ast.Node) { w.renamed(n, "OLD := []TYPE{NEW}[0]") }

// throughStruct uses what a field holds in place of the receiver.
func (w *rewriter) throughStruct(n ast.Node) { w.renamed(n, "OLD := struct{ held TYPE }{NEW}.held") }

// throughMap uses what a map holds in place of the receiver.
func (w *rewriter) throughMap(n ast.Node) { w.renamed(n, "OLD := map[string]TYPE{\"\": NEW}[\"\"]") }

// throughChannel uses what a channel carries in place of the receiver.
func (w *rewriter) throughChannel(n ast.Node) {
	w.renamed(n, "OLD := func() TYPE { c := make(chan TYPE, 1); c <- NEW; return <-c }()")
}

// functionTable makes a statement a call of a function in a table: x.f = y,
// map[int]func(){1: func() { x.f = y }}[1]().
func (w *rewriter) functionTable(n ast.Node) {
	w.eachSimple(n, func(s ast.Stmt) { w.around(s, "map[int]func(){1: func() { ", " }}[1]()") })
}

// methodExpression calls methods of the receiver as functions: x.f(y), (*T).f(x, y).
func (w *rewriter) methodExpression(n ast.Node) {
	f, ok := n.(*ast.FuncDecl)
	if !ok || f.Recv == nil || f.Body == nil || len(f.Recv.List[0].Names) == 0 {
		return
	}
	name, of := f.Recv.List[0].Names[0].Name, w.of(f.Recv.List[0].Type)
	if _, isPointer := f.Recv.List[0].Type.(*ast.StarExpr); !isPointer {
		return
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		method, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := method.X.(*ast.Ident); ok && x.Name == name && w.methods[method.Sel.Name] {
			w.replace(x.Pos(), x.End(), "("+of+")")
			w.insert(call.Lparen+1, name+separator(call))
		}
		return true
	})
}

func separator(call *ast.CallExpr) string {
	if len(call.Args) > 0 {
		return ", "
	}
	return ""
}

// setter assigns by way of a function: x.f = y, set(&x.f, y).
func (w *rewriter) setter(n ast.Node) {
	s, ok := n.(*ast.AssignStmt)
	if !ok || s.Tok != token.ASSIGN || len(s.Lhs) != 1 {
		return
	}
	if field, ok := s.Lhs[0].(*ast.SelectorExpr); ok && w.isVariable(field) {
		set := fmt.Sprintf("rewrittenSet%d", len(w.src)) // no other file's
		w.insert(s.Pos(), set+"(&")
		w.replace(s.TokPos, s.TokPos+1, ",")
		w.insert(s.End(), ")")
		w.end = "func " + set + "[T any](to *T, value T) { *to = value }\n"
	}
}

// iteration makes a statement a loop that runs once.
func (w *rewriter) iteration(n ast.Node) {
	w.eachSimple(n, func(s ast.Stmt) { w.around(s, "for range 1 { ", " }") })
}

// iterator makes a statement the body of a loop over a function.
func (w *rewriter) iterator(n ast.Node) {
	w.eachSimple(n, func(s ast.Stmt) {
		w.around(s, "for range func(yield func() bool) { yield() } { ", " }")
	})
}

// switched makes branches cases: if x { y }, switch { case x: y }.
func (w *rewriter) switched(n ast.Node) {
	for _, s := range statements(n) {
		s, ok := s.(*ast.IfStmt)
		if !ok || s.Init != nil || s.Else != nil {
			continue
		}
		jumps := false
		ast.Inspect(s.Body, func(n ast.Node) bool {
			b, ok := n.(*ast.BranchStmt)
			jumps = jumps || ok && b.Tok == token.BREAK
			return true
		})
		if !jumps {
			w.replace(s.Pos(), s.Cond.Pos(), "switch { case ")
			w.replace(s.Body.Lbrace, s.Body.Lbrace+1, ": ")
		}
	}
}

// idleDefer defers a call of nothing in each function.
func (w *rewriter) idleDefer(n ast.Node) {
	if f, ok := n.(*ast.FuncDecl); ok && f.Body != nil && len(f.Body.List) > 0 {
		w.insert(f.Body.Lbrace+1, " defer func() {}();")
	}
}

// recovery does statements in closures that recover.
func (w *rewriter) recovery(n ast.Node) {
	w.eachSimple(n, func(s ast.Stmt) { w.around(s, "func() { defer func() { _ = recover() }(); ", " }()") })
}

// locker locks by way of an interface: x.mu.Lock(), sync.Locker(&x.mu).Lock().
func (w *rewriter) locker(n ast.Node) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return
	}
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || method.Sel.Name != "Lock" && method.Sel.Name != "Unlock" {
		return
	}
	if field, ok := method.X.(*ast.SelectorExpr); ok && w.isVariable(field) && w.mutexes[field.Sel.Name] {
		w.around(field, "sync.Locker(&", ")")
	}
}

// result returns variables in place of values.
func (w *rewriter) result(n ast.Node) {
	for _, s := range statements(n) {
		if s, ok := s.(*ast.ReturnStmt); ok && len(s.Results) == 1 {
			if field, ok := s.Results[0].(*ast.SelectorExpr); ok && w.isVariable(field) {
				name := w.name()
				w.insert(s.Pos(), name+" := "+w.of(field)+"; ")
				w.replace(field.Pos(), field.End(), name)
			}
		}
	}
}
