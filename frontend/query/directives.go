package query

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/load"
)

// The directives, as comments in the source:
//
//	//empire:unit        on a function: it is a unit of work
//	//empire:nounit      on a function: it is none
//	//empire:unitfor p   on a function: the parameter's object joins the atomic set
//	//empire:atomic name on a field or a package variable: it belongs to the set
//	//empire:ignore id reason   anywhere: a violation that is known, see ignore.go

// directive is one of them.
type directive struct {
	name string   // "unit", without the prefix
	args []string // what comes after it, in words
	text string   // the same as it is written
	pos  token.Pos
}

const directivePrefix = "//empire:"

// directivesIn returns the directives of a comment.
func directivesIn(group *ast.CommentGroup) []directive {
	var all []directive
	if group == nil {
		return nil
	}
	for _, c := range group.List {
		rest, ok := strings.CutPrefix(c.Text, directivePrefix)
		if !ok {
			continue
		}
		d := directive{pos: c.Pos()}
		d.name, rest, _ = strings.Cut(strings.TrimSpace(rest), " ")
		d.text = rest
		d.args = strings.FieldsFunc(rest, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' })
		all = append(all, d)
	}
	return all
}

// HasDirective tells whether the comment of a function has the directive.
func HasDirective(fn *ssa.Function, name string) bool {
	decl, ok := fn.Syntax().(*ast.FuncDecl)
	return ok && slices.ContainsFunc(directivesIn(decl.Doc), func(d directive) bool { return d.name == name })
}

// AtomicSets returns, by where they are declared, the fields and package variables of the
// main module that //empire:atomic directives name, with the names of the sets.
func AtomicSets(p *load.Program) map[token.Pos]string {
	sets := map[token.Pos]string{}
	for _, file := range p.Files() {
		eachDeclared(file, func(names []*ast.Ident, _ ast.Expr, comments ...*ast.CommentGroup) {
			for _, group := range comments {
				for _, d := range directivesIn(group) {
					for _, name := range names {
						if d.name == "atomic" && len(d.args) == 1 {
							sets[name.Pos()] = d.args[0]
						}
					}
				}
			}
		})
	}
	return sets
}

// eachDeclared calls visit for each field and each package variable of a file, with its
// names, its type, and the comments that belong to it.
func eachDeclared(file *ast.File, visit func(names []*ast.Ident, t ast.Expr, comments ...*ast.CommentGroup)) {
	for _, decl := range file.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.VAR {
			continue
		}
		for _, spec := range group.Specs {
			v := spec.(*ast.ValueSpec)
			visit(v.Names, v.Type, group.Doc, v.Doc, v.Comment)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.StructType); ok {
			for _, field := range s.Fields.List {
				names := field.Names
				if len(names) == 0 {
					names = []*ast.Ident{embeddedName(field.Type)}
				}
				visit(names, field.Type, field.Doc, field.Comment)
			}
		}
		return true
	})
}

// embeddedName returns the name of an embedded field in its type.
func embeddedName(t ast.Expr) *ast.Ident {
	for {
		switch e := t.(type) {
		case *ast.StarExpr:
			t = e.X
		case *ast.IndexExpr:
			t = e.X
		case *ast.IndexListExpr:
			t = e.X
		case *ast.ParenExpr:
			t = e.X
		case *ast.SelectorExpr:
			return e.Sel
		case *ast.Ident:
			return e
		default:
			return ast.NewIdent("_")
		}
	}
}

// CheckDirectives returns what is wrong with the first directive in the main module that
// is unknown, misplaced or incomplete: it would silently change what is checked.
func CheckDirectives(p *load.Program) error {
	var wrong []*Error
	for _, file := range p.Files() {
		c := &directiveChecker{program: p, known: map[token.Pos]bool{}}
		c.file(file)
		wrong = append(wrong, c.wrong...)
	}
	switch len(wrong) {
	case 0:
		return nil
	case 1:
		return wrong[0]
	}
	return &Error{wrong[0].What, fmt.Sprintf("%s (and %d more)", wrong[0].Why, len(wrong)-1)}
}

// directiveChecker looks at one file.
type directiveChecker struct {
	program *load.Program
	known   map[token.Pos]bool // directives where they belong
	wrong   []*Error
}

func (c *directiveChecker) fail(d directive, format string, args ...any) {
	c.wrong = append(c.wrong, &Error{c.program.Position(d.pos).String(),
		directivePrefix + d.name + " " + fmt.Sprintf(format, args...)})
}

func (c *directiveChecker) file(file *ast.File) {
	for _, decl := range file.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok {
			c.function(fn)
		}
	}
	eachDeclared(file, c.declared)
	for _, group := range file.Comments {
		for _, d := range directivesIn(group) {
			switch {
			case d.name == "ignore":
				c.ignore(d)
			case !c.known[d.pos]:
				c.misplaced(d)
			}
		}
		c.spaced(group)
	}
	slices.SortStableFunc(c.wrong, func(a, b *Error) int { return comparePositions(a.What, b.What) })
}

// function checks the directives above a function.
func (c *directiveChecker) function(fn *ast.FuncDecl) {
	isUnit := map[string]bool{}
	for _, d := range directivesIn(fn.Doc) {
		switch d.name {
		case "unit", "nounit":
			isUnit[d.name] = true
			if len(d.args) > 0 {
				c.fail(d, "takes nothing after it; write //empire:%s alone on its line", d.name)
			} else if len(isUnit) > 1 {
				c.fail(d, "contradicts the directive before it; leave one out")
			}
		case "unitfor":
			c.unitFor(d, parameterNames(fn.Type))
		default:
			continue // misplaced, or unknown
		}
		c.known[d.pos] = true
	}
}

// unitFor checks the parameters named.
func (c *directiveChecker) unitFor(d directive, parameters []string) {
	have := "the function has none"
	if len(parameters) > 0 {
		have = "write one of " + strings.Join(parameters, ", ")
	}
	if len(d.args) == 0 {
		c.fail(d, "names no parameter; %s", have)
	}
	for _, name := range d.args {
		if !slices.Contains(parameters, name) {
			c.fail(d, "names %s, which is no parameter of the function; %s", name, have)
			return
		}
	}
}

// parameterNames returns the names of the parameters, without the receiver.
func parameterNames(t *ast.FuncType) []string {
	var names []string
	for _, field := range t.Params.List {
		for _, name := range field.Names {
			if name.Name != "_" {
				names = append(names, name.Name)
			}
		}
	}
	return names
}

// declared checks the directives on a field or a package variable.
func (c *directiveChecker) declared(names []*ast.Ident, t ast.Expr, comments ...*ast.CommentGroup) {
	for _, group := range comments {
		for _, d := range directivesIn(group) {
			if d.name != "atomic" || c.known[d.pos] {
				continue
			}
			c.known[d.pos] = true
			switch {
			case len(d.args) != 1:
				c.fail(d, "needs one name, which the fields of a set share; write //empire:atomic state")
			case isSynchronisationSyntax(t):
				c.fail(d, "is on %s, which is synchronisation and never part of an atomic set; put it on the fields that it guards",
					names[0].Name)
			}
		}
	}
}

// isSynchronisationSyntax is IsSynchronisation, as far as the syntax of a type tells.
func isSynchronisationSyntax(t ast.Expr) bool {
	switch e := t.(type) {
	case *ast.StarExpr:
		return isSynchronisationSyntax(e.X)
	case *ast.ChanType:
		return true
	case *ast.SelectorExpr:
		pkg, ok := e.X.(*ast.Ident)
		if !ok || pkg.Name != "sync" {
			return false
		}
		switch e.Sel.Name {
		case "Mutex", "RWMutex", "WaitGroup", "Once", "Cond", "Locker":
			return true
		}
	}
	return false
}

// misplaced reports a directive that is not where it belongs.
func (c *directiveChecker) misplaced(d directive) {
	switch d.name {
	case "unit", "nounit", "unitfor":
		c.fail(d, "belongs in the comment right above a function or method declaration; move it there")
	case "atomic":
		c.fail(d, "belongs on a struct field or a package variable, above it or behind it; move it there")
	case "yield": // of runs, see package dynamic/yields
	default:
		c.fail(d, "is no directive; write %satomic NAME, %sunit, %snounit, %sunitfor PARAMETER or %signore ID REASON",
			directivePrefix, directivePrefix, directivePrefix, directivePrefix, directivePrefix)
	}
}

// spaced reports lines that would be directives if they had no space in front.
func (c *directiveChecker) spaced(group *ast.CommentGroup) {
	for _, comment := range group.List {
		words := strings.Fields(strings.TrimPrefix(comment.Text, "//"))
		if !strings.HasPrefix(comment.Text, "// ") && !strings.HasPrefix(comment.Text, "//\t") || len(words) == 0 ||
			len(words) > 2 {
			continue
		}
		name, ok := strings.CutPrefix(words[0], "empire:")
		takes := map[string]int{"unit": 1, "nounit": 1, "unitfor": 2, "atomic": 2}[name]
		if ok && takes == len(words) {
			c.wrong = append(c.wrong, &Error{c.program.Position(comment.Pos()).String(), fmt.Sprintf("a directive has no "+
				"space in front; write //%s", strings.Join(words, " "))})
		}
	}
}

// comparePositions orders file:line:col of one file.
func comparePositions(a, b string) int {
	_, aLine, aCol, _ := splitPosition(a)
	_, bLine, bCol, _ := splitPosition(b)
	if aLine != bLine {
		return aLine - bLine
	}
	return aCol - bCol
}
