package standstill

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/instrument"
	"github.com/empire-go/empire-go/dynamic/stacks"
)

// runtimeSource is the package that is compiled into the program.
//
//go:embed gate.go.txt
var runtimeSource string

// gatePackage is its name, and that of its folder in the module.
const gatePackage = "empiregate"

// gates is a program with gates.
type gates struct {
	result *empire.Result
	entry  string
	sites  []string // file:line of each gate
	order  []int    // in which they are to be passed
	stays  []bool   // of each of them: whether the goroutine does no more in the finding
	waits  int      // how many of the last ones are where goroutines of the finding wait
	// meeting is the gates, after them, at which two goroutines are to be at the same time; none: there is no such
	meeting []int
	// meetingEnds tells that the run ends when they are
	meetingEnds bool
	placed      map[int]bool // the gates that are in the program: a line may have no place for one
}

// gated is the actions that have a gate: those that may wait, and those that others wait for.
var gated = map[string]bool{"lock": true, "rlock": true, "send": true, "recv": true, "close": true, "cond-wait": true,
	"announce": true, "assign": true, "swap": true, "test": true,
	"signal": true, "broadcast": true, "add": true, "wait-group": true, "start": true}

// ofStatement is the actions after which a goroutine may do more at the same line with the same statement.
var ofStatement = map[string]bool{"assign": true, "swap": true, "test": true}

// newGates chooses the gates for a finding: one for each line of its interleaving, and of where it waits.
func newGates(r *empire.Result, entry string, f *empire.BlockingFinding) (*gates, error) {
	if r.ModuleRootDir == "" {
		return nil, errors.New("it is not known where the sources are")
	}
	g := &gates{result: r, entry: entry, placed: map[int]bool{}}
	add := func(pos string, to *[]int) {
		place := stacks.LineOf(pos)
		if file, _, ok := strings.Cut(place, ":"); !ok || !filepath.IsLocal(file) || strings.HasPrefix(file, "$") {
			return
		}
		i := slices.Index(g.sites, place)
		if i < 0 {
			i = len(g.sites)
			g.sites = append(g.sites, place)
		}
		*to = append(*to, i)
	}
	if g.meetingEnds = f.EitherFirst; g.meetingEnds || f.Class == dataRace {
		for _, w := range f.Waits {
			add(w.Pos, &g.meeting)
		}
		if len(g.meeting) != 2 {
			return nil, errors.New("one of its two places is not in the module")
		}
	}
	last, waiting := map[string]int{}, map[string]bool{} // the last gate of a goroutine: one of its last step, or -1
	for _, w := range f.Waits {
		waiting[fmt.Sprint(w.Goroutine, " ", w.Instance)] = true
	}
	wants := map[string]bool{}    // the goroutines that have announced that they take a lock: that is one statement
	looked := map[string]string{} // where a goroutine has looked at something with its last step, or has set it
	for _, s := range f.Interleaving {
		if s.Action == "branch" || s.Action == "return" {
			continue // those that matter show in what follows
		}
		who := instance(s)
		before := len(g.order)
		isPart := looked[who] == stacks.LineOf(s.Pos) // of the statement that it has begun
		if gated[s.Action] && !(s.Action == "lock" && wants[who]) && !isPart {
			add(s.Pos, &g.order)
		}
		if last[who] = -1; len(g.order) > before {
			last[who] = before
		}
		wants[who] = s.Action == "announce"
		if looked[who] = ""; ofStatement[s.Action] {
			looked[who] = stacks.LineOf(s.Pos)
		}
	}
	for _, w := range slices.Concat(f.Waits, f.Also) { // those that only wait with them are not to go on before
		who := fmt.Sprint(w.Goroutine, " ", w.Instance)
		isRound := w.Loop != "" // it would come to a gate again and again
		if len(g.meeting) == 0 && !isRound && !wants[who] && looked[who] != stacks.LineOf(w.Pos) {
			before := len(g.order)
			add(w.Pos, &g.order)
			g.waits += len(g.order) - before
		}
	}
	g.stays = make([]bool, len(g.order))
	for who, n := range last {
		if n >= 0 && !waiting[who] {
			g.stays[n] = true
		}
	}
	return g, nil
}

// instance names the goroutine of a step.
func instance(s empire.Step) string { return fmt.Sprint(s.Goroutine, " ", s.Instance) }

// build builds the program.
func (g *gates) build(ctx context.Context, work, dir string) (binary string, err error) {
	texts := map[string]string{}
	files := map[string][]int{}
	for i, site := range g.sites {
		file, _, _ := strings.Cut(site, ":")
		files[file] = append(files[file], i)
	}
	mains, err := g.mainFiles()
	if err != nil {
		return "", err
	}
	for _, file := range mains {
		if files[file] == nil {
			files[file] = []int{}
		}
	}
	for file, sites := range files {
		name := filepath.Join(g.result.ModuleRootDir, filepath.FromSlash(file))
		src, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		if texts[name], err = g.instrument(string(src), sites, slices.Contains(mains, file)); err != nil {
			return "", err
		}
	}
	g.dropOthers()
	if g.isTest() {
		if err := g.addMain(texts); err != nil {
			return "", err
		}
	}
	texts[filepath.Join(g.result.ModuleRootDir, gatePackage, "gate.go")] = runtimeSource
	list, err := instrument.WriteOverlay(texts, work)
	if err != nil {
		return "", err
	}
	binary = filepath.Join(work, "program")
	args := []string{"build", "-overlay", list, "-o", binary}
	if g.isTest() {
		args = []string{"test", "-c", "-vet=off", "-overlay", list, "-o", binary}
	}
	if len(g.meeting) > 0 {
		args = append(args, "-race")
	}
	if tags := g.result.Invocation.Tags; tags != "" {
		args = append(args, "-tags", tags)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, strings.TrimSuffix(g.entry, testSuffix))...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		return "", fmt.Errorf("the program with gates does not build: %s", first)
	}
	return binary, nil
}

// dropOthers leaves out of the order what nobody can pass.
func (g *gates) dropOthers() {
	var order []int
	var stays []bool
	waits := 0
	for k, i := range g.order {
		if g.placed[i] {
			order, stays = append(order, i), append(stays, g.stays[k])
			if k >= len(g.order)-g.waits {
				waits++
			}
		}
	}
	g.order, g.stays, g.waits = order, stays, waits
}

// mainFiles returns the files of the main package, relative to the module.
func (g *gates) mainFiles() (all []string, err error) {
	if g.isTest() {
		return nil, nil
	}
	names, err := filepath.Glob(filepath.Join(g.folder(), "*.go"))
	folder := g.packagePath()
	for _, name := range names {
		if src, err := os.ReadFile(name); err == nil && strings.Contains(string(src), "func main()") {
			all = append(all, strings.TrimPrefix(folder+"/"+filepath.Base(name), "/"))
		}
	}
	return all, err
}

// insertion is text that is put into a file.
type insertion struct {
	offset int
	text   string
}

// instrument puts gates before the statements on some lines, and what ends the run into main. Lines stay as they are.
func (g *gates) instrument(src string, sites []int, isMain bool) (string, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "x.go", src, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	lines := map[int]int{}
	for _, i := range sites {
		_, text, _ := strings.Cut(g.sites[i], ":")
		if n, err := strconv.Atoi(text); err == nil {
			lines[n] = i
		}
	}
	var all []insertion
	seen := map[int]bool{}
	list := func(statements []ast.Stmt) {
		for _, s := range statements {
			at := set.Position(s.Pos())
			i, ok := lines[at.Line]
			if _, isDeferred := s.(*ast.DeferStmt); !ok || seen[at.Line] || isDeferred {
				continue
			}
			if _, isLabel := s.(*ast.LabeledStmt); isLabel {
				continue
			}
			seen[at.Line], g.placed[i] = true, true
			all = append(all, insertion{at.Offset, fmt.Sprintf("%s.At(%d); ", gatePackage, i)})
			if goesOn(s) {
				all = append(all, insertion{set.Position(s.End()).Offset, "; " + gatePackage + ".Stay()"})
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			list(n.List)
		case *ast.CaseClause:
			list(n.Body)
		case *ast.CommClause:
			list(n.Body)
		case *ast.FuncDecl:
			if isMain && n.Recv == nil && n.Name.Name == "main" && n.Body != nil {
				all = append(all, insertion{set.Position(n.Body.Lbrace).Offset + 1, " defer " + gatePackage + ".End(); "})
			}
		}
		return true
	})
	if len(all) == 0 {
		return src, nil
	}
	all = append(all, insertion{set.Position(file.Name.End()).Offset,
		fmt.Sprintf("; import %q", g.result.ModuleRoot+"/"+gatePackage)})
	slices.SortStableFunc(all, func(a, b insertion) int { return b.offset - a.offset })
	for _, x := range all {
		src = src[:x.offset] + x.text + src[x.offset:]
	}
	return src, nil
}

// goesOn tells whether a statement is a simple one, after which the next one comes.
func goesOn(s ast.Stmt) bool {
	switch x := s.(type) {
	case *ast.ExprStmt:
		call, ok := x.X.(*ast.CallExpr)
		if !ok {
			return true
		}
		name, ok := call.Fun.(*ast.Ident)
		return !ok || name.Name != "panic"
	case *ast.SendStmt, *ast.AssignStmt, *ast.IncDecStmt, *ast.GoStmt:
		return true
	}
	return false
}
