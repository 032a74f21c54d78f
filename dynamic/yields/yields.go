// Package yields reads and writes the yields that stand in the source of a program, as comments:
//
//	//empire:yield         above a statement: a yield before it
//	//empire:yield EXPR    a yield within the statement: before EXPR is read, called or received
//	//empire:yield EXPR =  before EXPR is written
//	//empire:yield bug     above a statement: others come in between there, which is a known error and no yield
//	//empire:atomicblock   above a statement: it is to be atomic; no yield in it counts
//
// Nothing happens there when the program runs. EXPR stands in the statement as it is written, once; what is in the
// blocks of the statement is not meant.
package yields

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"sort"
	"strings"

	"github.com/empire-go/empire-go/dynamic/watch"
)

// Directive is what a comment begins with.
const Directive = "//empire:yield"

// BlockDirective is above a statement that is to be atomic.
const BlockDirective = "//empire:atomicblock"

// bug stands in the place of an expression where a missing yield is a known error.
const bug = "bug"

// Found are the yields of a file.
type Found struct {
	Before map[ast.Stmt]token.Pos // before the statement; where the comment is
	At     []Point
	Blocks map[ast.Stmt]token.Pos // statements that are to be atomic; where the comment is
	Bugs   []ast.Stmt             // before which there should be no interference, but is
}

// Point is a point within a statement.
type Point struct {
	Pos   token.Pos // as both halves name it, see watch.Position
	Write bool
	Call  bool // whatever is done at the position
}

// Error is a directive that names nothing.
type Error struct {
	Pos       token.Position
	Directive string
	Why       string
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s %s", e.Pos, e.Directive, e.Why) }

// Find finds the yields of a file, which was parsed with its comments, from src.
func Find(fset *token.FileSet, file *ast.File, src string) (*Found, error) {
	f := &finder{fset: fset, file: file, src: src, base: file.FileStart}
	found := &Found{Before: map[ast.Stmt]token.Pos{}, Blocks: map[ast.Stmt]token.Pos{}}
	comments := f.comments()
	for _, c := range comments {
		directive, rest, _ := strings.Cut(c.Text, " ")
		wrong := func(why string) error { return &Error{fset.PositionFor(c.Pos(), false), directive, why} }
		expr := strings.Join(strings.Fields(rest), " ")
		s := f.below(c)
		if s == nil {
			return nil, wrong("belongs directly above a statement; move it there")
		}
		switch {
		case directive == BlockDirective && expr != "":
			return nil, wrong("has nothing behind it; leave that out")
		case directive == BlockDirective && leaves(s):
			return nil, wrong("is above a statement that others may follow without its end; let it end where it ends")
		case directive == BlockDirective:
			found.Blocks[s] = c.Pos()
			continue
		case expr == bug:
			found.Bugs = append(found.Bugs, s)
			continue
		case expr == "":
			found.Before[s] = c.Pos()
			continue
		}
		points := f.points(s, expr)
		if len(points) != 1 {
			why := "names nothing in the statement below it; write an expression that is there"
			if len(points) > 1 {
				why = "names several things in the statement below it; write an expression that is there once"
			}
			return nil, wrong(why)
		}
		found.At = append(found.At, points[0])
	}
	return found, nil
}

type finder struct {
	fset  *token.FileSet
	file  *ast.File
	src   string
	base  token.Pos
	stmts map[int]ast.Stmt // those in blocks, by the line on which they begin; the outermost
	lines map[int]bool     // that are comments
}

// comments are the directives, and notes which lines are comments.
func (f *finder) comments() (all []*ast.Comment) {
	f.lines = map[int]bool{}
	for _, group := range f.file.Comments {
		for _, c := range group.List {
			if f.startsLine(c.Pos()) {
				for l := f.line(c.Pos()); l <= f.line(c.End()); l++ {
					f.lines[l] = true
				}
			}
			if directive, _, _ := strings.Cut(c.Text, " "); directive == Directive || directive == BlockDirective {
				all = append(all, c)
			}
		}
	}
	return all
}

func (f *finder) line(p token.Pos) int { return f.fset.PositionFor(p, false).Line }

func (f *finder) startsLine(p token.Pos) bool {
	before := f.src[:p-f.base]
	return strings.TrimSpace(before[strings.LastIndexByte(before, '\n')+1:]) == ""
}

// below is the statement directly below a comment.
func (f *finder) below(c *ast.Comment) ast.Stmt {
	if !f.startsLine(c.Pos()) {
		return nil
	}
	line := f.line(c.Pos()) + 1
	for f.lines[line] {
		line++
	}
	return f.statements()[line]
}

// statements are those in blocks that begin their line.
func (f *finder) statements() map[int]ast.Stmt {
	if f.stmts != nil {
		return f.stmts
	}
	f.stmts = map[int]ast.Stmt{}
	add := func(list []ast.Stmt) {
		for _, s := range list {
			if line := f.line(s.Pos()); f.stmts[line] == nil && f.startsLine(s.Pos()) {
				f.stmts[line] = s
			}
		}
	}
	ast.Inspect(f.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			add(n.List)
		case *ast.CaseClause:
			add(n.Body)
		case *ast.CommClause:
			add(n.Body)
		}
		return true
	})
	return f.stmts
}

// own visits what belongs to a statement itself: not what is in its blocks, or in functions.
func own(s ast.Stmt, visit func(n ast.Node)) {
	var walk func(n ast.Node) bool
	walk = func(n ast.Node) bool {
		switch n := n.(type) {
		case nil:
			return false
		case *ast.FuncLit:
			return false
		case *ast.BlockStmt:
			for _, inner := range n.List { // cases belong to their switch
				switch c := inner.(type) {
				case *ast.CaseClause:
					for _, e := range c.List {
						ast.Inspect(e, walk)
					}
				case *ast.CommClause:
					if c.Comm != nil {
						ast.Inspect(c.Comm, walk)
					}
				}
			}
			return false
		}
		visit(n)
		if s, ok := n.(*ast.SelectorExpr); ok { // what is selected is no expression
			ast.Inspect(s.X, walk)
			return false
		}
		return true
	}
	if l, ok := s.(*ast.LabeledStmt); ok {
		s = l.Stmt
	}
	if _, ok := s.(*ast.BlockStmt); !ok {
		ast.Inspect(s, walk)
	}
}

// leaves tells whether control may leave a statement but at its end.
func leaves(s ast.Stmt) bool {
	found := false
	var visit func(n ast.Node, breaks, loops bool)
	visit = func(n ast.Node, breaks, loops bool) {
		switch n := n.(type) {
		case *ast.FuncLit:
			return
		case *ast.ReturnStmt:
			found = true
		case *ast.BranchStmt:
			switch {
			case n.Label != nil, n.Tok == token.BREAK && !breaks, n.Tok == token.CONTINUE && !loops:
				found = true
			}
		case *ast.ForStmt, *ast.RangeStmt:
			breaks, loops = true, true
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			breaks = true
		}
		ast.Inspect(n, func(c ast.Node) bool {
			if c != nil && c != n {
				visit(c, breaks, loops)
			}
			return c == n
		})
	}
	visit(s, false, false)
	return found
}

// points are what an expression names in a statement.
func (f *finder) points(s ast.Stmt, expr string) (all []Point) {
	target, write := strings.CutSuffix(expr, " =")
	f.each(s, func(text string, p Point) {
		if text == target && p.Write == write {
			all = append(all, p)
		}
	})
	return all
}

// each visits the points of a statement, with the text that names them.
func (f *finder) each(s ast.Stmt, visit func(text string, p Point)) {
	written := map[ast.Expr]bool{} // and not read
	write := func(e ast.Expr, only bool) {
		e = ast.Unparen(e)
		written[e] = only
		visit(f.text(e), Point{Pos: watch.Position(e), Write: true})
	}
	own(s, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, e := range n.Lhs {
					write(e, n.Tok == token.ASSIGN)
				}
			}
		case *ast.IncDecStmt:
			write(n.X, false)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				for _, e := range []ast.Expr{n.Key, n.Value} {
					if e != nil {
						write(e, true)
					}
				}
			}
		case *ast.SendStmt:
			visit(f.text(n), Point{Pos: watch.Position(n), Call: true})
		case ast.Expr:
			call := false
			switch e := n.(type) {
			case *ast.CallExpr:
				call = true
			case *ast.UnaryExpr:
				call = e.Op == token.ARROW
			case *ast.SelectorExpr, *ast.Ident, *ast.IndexExpr, *ast.StarExpr:
			default:
				return
			}
			if !written[n] {
				visit(f.text(n), Point{Pos: watch.Position(n), Call: call})
			}
		}
	})
}

// text is the source of a node, as a directive names it.
func (f *finder) text(n ast.Node) string {
	return strings.Join(strings.Fields(f.src[n.Pos()-f.base:n.End()-f.base]), " ")
}

// Want is a yield that is to be written: before an operation at a line and a column, which may be a write.
type Want struct {
	Line, Column int
	Write        bool
}

// Insert returns the source with comments for yields. What cannot be named in it is left over.
func Insert(fset *token.FileSet, file *ast.File, src string, wants []Want) (string, []Want) {
	f := &finder{fset: fset, file: file, src: src, base: file.FileStart}
	f.comments()
	var left []Want
	lines := map[int][]string{} // by the line above which they are put
	for _, w := range wants {
		line, text := f.directive(w)
		switch {
		case text == "":
			left = append(left, w)
		case f.isBug(line):
		default:
			lines[line] = append(lines[line], text)
		}
	}
	if len(lines) == 0 {
		return src, left
	}
	var out strings.Builder
	for i, text := range strings.SplitAfter(src, "\n") {
		indent := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
		sort.Strings(lines[i+1])
		for j, d := range lines[i+1] {
			if j == 0 || d != lines[i+1][j-1] {
				out.WriteString(indent + d + "\n")
			}
		}
		out.WriteString(text)
	}
	return out.String(), left
}

// isBug tells whether a comment above the statement at a line says that interference there is a known error.
func (f *finder) isBug(line int) bool {
	for _, c := range f.comments() {
		words := strings.Fields(c.Text)
		s := f.below(c)
		if s != nil && f.line(s.Pos()) == line && slices.Equal(words, []string{Directive, bug}) {
			return true
		}
	}
	return false
}

// directive is the comment for a yield and the line above which it belongs; "" if there is none.
func (f *finder) directive(w Want) (line int, text string) {
	for line, s := range f.statements() {
		if line > w.Line || f.line(s.End()) < w.Line {
			continue
		}
		named := ""
		f.each(s, func(text string, p Point) {
			at := f.fset.PositionFor(p.Pos, false)
			if at.Line == w.Line && at.Column == w.Column && (p.Write == w.Write || p.Call) {
				named = text
			}
		})
		if named == "" {
			continue
		}
		if f.isWhole(s, named) {
			return line, Directive
		}
		if w.Write {
			named += " ="
		}
		if len(f.points(s, named)) != 1 {
			return 0, ""
		}
		return line, Directive + " " + named
	}
	return 0, ""
}

// isWhole tells whether a statement does nothing but what is named: a call without arguments, such as
// mu.Lock(), or a receive.
func (f *finder) isWhole(s ast.Stmt, named string) bool {
	e, ok := s.(*ast.ExprStmt)
	if !ok || f.text(e) != named {
		return false
	}
	switch x := e.X.(type) {
	case *ast.CallExpr:
		return len(x.Args) == 0
	case *ast.UnaryExpr:
		_, plain := x.X.(*ast.Ident)
		return plain
	}
	return false
}
