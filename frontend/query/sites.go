package query

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// Site is where the checked object is allocated.
type Site struct {
	Pos    esl.Pos             // where the expression begins
	Memory ssa.Value           // the *ssa.Alloc or *ssa.Global that holds the object; nil with Call
	Path   string              // the field path of the object in that memory, "" if it is the whole
	Call   ssa.CallInstruction // the call (or go statement) of a constructor whose object is meant
	Global string              // "pkg.Var" for a global

	Others []Site   // the same place in other instances of a generic function; or other places, see Together
	OneOf  bool     // a run makes one object, here or at one of the others
	Places []string // of what is asked about together, as a user writes them; nil for one place

	operator token.Pos // where SSA says that it is: a brace, a parenthesis
}

// String returns the site as a user writes it.
func (s Site) String() string {
	if s.Pos.File == "" {
		return "" // of package variables
	}
	name := s.Pos.String()
	if s.Global != "" {
		name = s.Global
	}
	if s.Path != "" {
		name += "#" + s.Path
	}
	return name
}

// Together returns sites that stand for all of these, in their order: more than so many that have one path
// become one site, the object of which is any one that they make.
func Together(sites []Site, most int) []Site {
	byPath := map[string][]Site{}
	for _, s := range sites {
		byPath[s.Path] = append(byPath[s.Path], s)
	}
	var all []Site
	joined := map[string]bool{}
	for _, s := range sites {
		same := byPath[s.Path]
		if len(same) <= most {
			all = append(all, s)
			continue
		}
		if joined[s.Path] {
			continue
		}
		joined[s.Path] = true
		for _, other := range same[1:] {
			s.Others = append(append(slices.Clip(s.Others), other), other.Others...)
		}
		s.OneOf = false
		s.NamePlaces()
		all = append(all, s)
	}
	return all
}

// NamePlaces sets Places to those of the site and its others, if there are several.
func (s *Site) NamePlaces() {
	s.Places = nil
	for _, one := range append([]Site{*s}, s.Others...) {
		if name := one.String(); !slices.Contains(s.Places, name) {
			s.Places = append(s.Places, name)
		}
	}
	if len(s.Places) == 1 {
		s.Places = nil
	}
}

// Sites returns the sites of the subject in the functions of the main module
// among functions, in order of position; those of a library's type that the main module
// does not make itself, in all functions. An allocation inside a constructor is one
// only if inConstructors (the calls of the constructor name the objects apart)
// or, for those that calledElsewhere names, if a call does not show which
// function it calls, or clients make it.
func Sites(p *load.Program, s *Subject, functions []*ssa.Function, inConstructors bool,
	calledElsewhere func(*ssa.Function) bool) []Site {
	return NewAllocations(p, functions).Sites(s, inConstructors, calledElsewhere)
}

// CalledElsewhere returns what tells of a constructor whether a call that does not name it can run it, or clients
// call it: see Sites.
func CalledElsewhere(p *load.Program, graph *pointsto.Result) func(*ssa.Function) bool {
	isElsewhere := func(e pointsto.Edge) bool {
		return e.Site.Common().StaticCallee() == nil || p.IsGenerated(e.Caller.Func.Pos())
	}
	return func(fn *ssa.Function) bool {
		return slices.ContainsFunc(graph.NodesOf(fn), func(n *pointsto.Node) bool {
			return slices.ContainsFunc(graph.Callers(n), isElsewhere)
		})
	}
}

// isOnlyCopied tells whether the object that a call makes is only copied from, as in
// shard{entries: *queue.New(size)}: the copy is what is meant.
func isOnlyCopied(call ssa.CallInstruction) bool {
	made, ok := call.(*ssa.Call)
	if !ok || len(*made.Referrers()) == 0 {
		return false
	}
	return !slices.ContainsFunc(*made.Referrers(), func(user ssa.Instruction) bool {
		_, isDebug := user.(*ssa.DebugRef)
		load, isLoad := user.(*ssa.UnOp)
		return !isDebug && !(isLoad && load.Op == token.MUL)
	})
}

// isGo tells whether the call is a go statement: whoever starts a constructor as a
// goroutine does not tell its objects apart.
func isGo(call ssa.CallInstruction) bool {
	_, ok := call.(*ssa.Go)
	return ok
}

// isParameterCopy tells whether the memory is where a parameter lives.
func isParameterCopy(a *ssa.Alloc) bool {
	for _, r := range *a.Referrers() {
		if store, ok := r.(*ssa.Store); ok && store.Addr == a {
			if _, isParameter := store.Val.(*ssa.Parameter); isParameter {
				return true
			}
		}
	}
	return false
}

// ResolveSite returns the one site that text names: file:line[:col], where file
// matches the end of a path, or pkg.Var; with #path for a subject inside another
// struct. all is what Sites returned, with those in
// constructors.
func ResolveSite(p *load.Program, s *Subject, text string, all []Site) (Site, error) {
	what := "--site " + text
	matches, err := matchSites(p, text, all)
	if err != nil {
		return Site{}, err
	}
	switch len(matches) {
	case 1:
		return matches[0], nil
	case 0:
		return Site{}, &Error{what, fmt.Sprintf("no %s is allocated there; %s", s.Type.Obj().Name(), suggestSites(s, all))}
	}
	return Site{}, &Error{what, "several objects are allocated there; write one of " + listSites(matches)}
}

// matchSites returns the sites that text can mean.
func matchSites(p *load.Program, text string, all []Site) ([]Site, error) {
	text, path, hasPath := strings.Cut(text, "#")
	if hasPath {
		all = slices.DeleteFunc(slices.Clone(all), func(s Site) bool { return s.Path != path })
	}
	file, line, col, ok := splitPosition(text)
	var matches []Site
	if !ok {
		if !strings.Contains(text, ".") || strings.Contains(text, ":") {
			return nil, &Error{"--site " + text, "is no site; write file.go:line, file.go:line:col or pkg.Var"}
		}
		for _, s := range all {
			if s.Global != "" && (s.Global == text || strings.HasSuffix(text, "/"+s.Global)) {
				matches = append(matches, s)
			}
		}
		return matches, nil
	}
	for _, s := range all {
		if s.Pos.Line != line && p.Position(s.operator).Line != line {
			continue
		}
		if s.Pos.File != file && !strings.HasSuffix(s.Pos.File, "/"+file) {
			continue
		}
		if col != 0 && s.Pos.Col != col && p.Position(s.operator).Col != col {
			continue
		}
		matches = append(matches, s)
	}
	return matches, nil
}

// splitPosition splits file:line[:col].
func splitPosition(text string) (file string, line, col int, ok bool) {
	parts := strings.Split(text, ":")
	if len(parts) != 2 && len(parts) != 3 {
		return
	}
	line, err := strconv.Atoi(parts[1])
	if err != nil || line < 1 {
		return
	}
	if len(parts) == 3 {
		if col, err = strconv.Atoi(parts[2]); err != nil || col < 1 {
			return
		}
	}
	return parts[0], line, col, true
}

// suggestSites says which sites there are.
func suggestSites(s *Subject, all []Site) string {
	if len(all) == 0 {
		return "no function reachable from main allocates one"
	}
	return "it is allocated at " + listSites(all)
}

// listSites lists the positions of the sites.
func listSites(sites []Site) string {
	var names []string
	for _, s := range sites {
		names = append(names, s.String())
	}
	return list(names)
}

// mergeDuplicates makes one site of those at the same place: instances of one
// generic function have the same positions.
func mergeDuplicates(sites []Site) []Site {
	var kept []Site
	for _, s := range sites {
		if last := len(kept) - 1; last >= 0 && s.Pos == kept[last].Pos && s.Path == kept[last].Path &&
			s.Global == kept[last].Global {
			kept[last].Others = append(kept[last].Others, s)
			continue
		}
		kept = append(kept, s)
	}
	return kept
}

// before orders sites by position.
func before(a, b Site) bool {
	if a.Pos.File != b.Pos.File {
		return a.Pos.File < b.Pos.File
	}
	if a.Pos.Line != b.Pos.Line {
		return a.Pos.Line < b.Pos.Line
	}
	if a.Pos.Col != b.Pos.Col {
		return a.Pos.Col < b.Pos.Col
	}
	return a.Path < b.Path
}

// packagePath returns the path of the package that declares fn; instances and
// wrappers have none of their own.
func packagePath(fn *ssa.Function) string {
	for f := fn; f != nil; f = f.Parent() {
		if o := f.Origin(); o != nil {
			f = o
		}
		if f.Pkg != nil {
			return f.Pkg.Pkg.Path()
		}
	}
	return ""
}

// ExpressionStart returns where the expression begins whose parenthesis, brace or
// identifier is at pos.
func ExpressionStart(root ast.Node, pos token.Pos) token.Pos {
	start := pos
	if root == nil {
		return pos
	}
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if n.Lparen == pos {
				start = n.Pos()
			}
		case *ast.CompositeLit:
			if n.Lbrace == pos {
				start = n.Pos()
			}
		case *ast.UnaryExpr:
			if lit, ok := n.X.(*ast.CompositeLit); ok && n.Op == token.AND && lit.Lbrace == pos {
				start = n.Pos()
				return false
			}
		}
		return n == nil || n.Pos() <= pos && pos <= n.End()
	})
	return start
}
