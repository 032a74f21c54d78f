package pointsto

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// An instrumenter rewrites the files of a package so that a run reports what
// happens, see testdata/observer. Lines stay where they are.
type instrumenter struct {
	fset  *token.FileSet
	info  *types.Info
	edits []edit
	t     *table
}

// A table says what the numbers in observations are. All programs share one.
type table struct {
	functions   []ast.Node // *ast.FuncDecl, *ast.FuncLit
	sites       []token.Pos
	expressions []ast.Expr
}

type edit struct {
	at   token.Pos
	rank int // among those at one place
	text string
}

// instrument returns the new text of a file.
func (t *table) instrument(fset *token.FileSet, info *types.Info, file *ast.File, source string) string {
	in := &instrumenter{fset: fset, info: info, t: t}
	in.insert(file.Name.Pos(), "observed_")
	for _, d := range file.Decls {
		in.declaration(d)
	}
	// At one place, what ends comes before what begins, and inner before outer.
	slices.SortStableFunc(in.edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.rank, b.rank))
	})
	var text strings.Builder
	last := 0
	for _, e := range in.edits {
		at := fset.Position(e.at).Offset
		text.WriteString(source[last:at])
		text.WriteString(e.text)
		last = at
	}
	text.WriteString(source[last:])
	return text.String()
}

func (in *instrumenter) insert(at token.Pos, text string) {
	in.edits = append(in.edits, edit{at, len(in.edits), text})
}

// around puts e into a call.
func (in *instrumenter) around(e ast.Expr, function string, number int) {
	in.insert(e.Pos(), fmt.Sprintf("%s(%d, ", function, number))
	in.edits = append(in.edits, edit{e.End(), -len(in.edits), ")"})
}

// site returns the number of an allocation at the position that SSA gives it.
func (in *instrumenter) site(pos token.Pos) int {
	in.t.sites = append(in.t.sites, pos)
	return len(in.t.sites) - 1
}

// declaration instruments functions, and package variables.
func (in *instrumenter) declaration(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Body == nil {
			return
		}
		in.function(d, d.Recv, d.Type, d.Body)
	case *ast.GenDecl:
		if d.Tok != token.VAR {
			return
		}
		for _, s := range d.Specs {
			s := s.(*ast.ValueSpec)
			in.values(s.Values, len(s.Values) < len(s.Names))
			for _, name := range s.Names {
				if name.Name != "_" {
					// A declaration of its own, initialised before whatever uses the variable's address.
					in.insert(d.End(), fmt.Sprintf("; var _ = observeNew(%d, &%s)", in.site(name.Pos()), name.Name))
				}
			}
		}
	}
}

// function instruments a body, which begins with a record of the entry.
func (in *instrumenter) function(node ast.Node, receiver *ast.FieldList, t *ast.FuncType, body *ast.BlockStmt) {
	in.t.functions = append(in.t.functions, node)
	text := fmt.Sprintf(" observeEnter(%d);", len(in.t.functions)-1)
	for _, list := range []*ast.FieldList{receiver, t.Params} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			for _, name := range field.Names {
				if name.Name != "_" {
					text += in.variable(name) + ";"
					in.t.expressions = append(in.t.expressions, name)
					text += fmt.Sprintf(" observe(%d, %s);", len(in.t.expressions)-1, name.Name)
				}
			}
		}
	}
	in.insert(body.Lbrace+1, text)
	in.statements(body.List)
}

// variable returns a statement that records where a variable lies.
func (in *instrumenter) variable(name *ast.Ident) string {
	return fmt.Sprintf(" observeNew(%d, &%s)", in.site(name.Pos()), name.Name)
}

func (in *instrumenter) statements(list []ast.Stmt) {
	for _, s := range list {
		in.node(s)
		if labelled, ok := s.(*ast.LabeledStmt); ok {
			s = labelled.Stmt
		}
		for _, name := range declared(s) {
			if in.info.Defs[name] != nil && name.Name != "_" {
				in.insert(s.End(), ";"+in.variable(name))
			}
		}
	}
}

// declared returns the names that a statement may declare.
func declared(s ast.Stmt) []*ast.Ident {
	var names []*ast.Ident
	switch s := s.(type) {
	case *ast.AssignStmt:
		for _, l := range s.Lhs {
			if name, ok := l.(*ast.Ident); ok && s.Tok == token.DEFINE {
				names = append(names, name)
			}
		}
	case *ast.DeclStmt:
		if d := s.Decl.(*ast.GenDecl); d.Tok == token.VAR {
			for _, spec := range d.Specs {
				names = append(names, spec.(*ast.ValueSpec).Names...)
			}
		}
	}
	return names
}

// node instruments what is inside a statement, or an expression that must stay
// what it is.
func (in *instrumenter) node(n ast.Node) {
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.BlockStmt:
			in.statements(m.List)
			return false
		case *ast.CaseClause:
			for _, e := range m.List {
				in.node(e)
			}
			in.statements(m.Body)
			return false
		case *ast.CommClause:
			if m.Comm != nil {
				in.communication(m.Comm)
			}
			in.statements(m.Body)
			return false
		case *ast.FuncLit:
			in.function(m, nil, m.Type, m.Body)
			return false
		case *ast.AssignStmt:
			for _, l := range m.Lhs {
				in.node(l)
			}
			in.values(m.Rhs, len(m.Rhs) < len(m.Lhs))
			return false
		case *ast.ValueSpec:
			in.values(m.Values, len(m.Values) < len(m.Names))
			return false
		case *ast.ReturnStmt:
			in.values(m.Results, false)
			return false
		case *ast.SendStmt:
			in.values([]ast.Expr{m.Chan, m.Value}, false)
			return false
		case *ast.RangeStmt:
			if _, array := in.info.TypeOf(m.X).Underlying().(*types.Array); array {
				in.node(m.X)
			} else {
				in.value(m.X)
			}
			in.node(m.Body)
			return false
		case *ast.CallExpr:
			in.call(m)
			return false
		case *ast.SelectorExpr:
			if in.takesAddress(m) {
				in.node(m.X)
			} else {
				in.base(m.X)
			}
			return false
		case *ast.IndexExpr:
			in.base(m.X)
			in.value(m.Index)
			return false
		case *ast.StarExpr:
			in.base(m.X)
			return false
		case *ast.TypeAssertExpr:
			in.value(m.X)
			return false
		case *ast.UnaryExpr:
			if m.Op == token.ARROW {
				in.value(m.X)
				return false
			}
		case *ast.CompositeLit:
			in.literal(m)
			return false
		}
		return true
	})
}

// communication instruments a case of a select, whose operation has to stay one.
func (in *instrumenter) communication(s ast.Stmt) {
	if assign, ok := s.(*ast.AssignStmt); ok {
		in.node(assign.Rhs[0])
		return
	}
	in.node(s)
}

func (in *instrumenter) literal(l *ast.CompositeLit) {
	for _, e := range l.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			if _, fields := in.info.TypeOf(l).Underlying().(*types.Struct); !fields {
				in.element(pair.Key)
			}
			e = pair.Value
		}
		in.element(e)
	}
}

// element instruments a part of a literal. A literal in it may lack its type, and
// &, so that it has to stay.
func (in *instrumenter) element(e ast.Expr) {
	if _, elided := e.(*ast.CompositeLit); elided {
		in.node(e)
	} else {
		in.value(e)
	}
}

func (in *instrumenter) call(c *ast.CallExpr) {
	if s, ok := c.Fun.(*ast.SelectorExpr); ok {
		if o, ok := in.info.Uses[s.Sel].(*types.Builtin); ok && o.Pkg() == types.Unsafe {
			return
		}
	}
	in.node(c.Fun)
	for i, a := range c.Args {
		if name, ok := ast.Unparen(c.Fun).(*ast.Ident); ok && i == 0 && (name.Name == "new" || name.Name == "make") {
			continue
		}
		in.value(a)
	}
}

// values instruments expressions; if they have several results each, they stay.
func (in *instrumenter) values(list []ast.Expr, several bool) {
	for _, e := range list {
		if several {
			in.node(e)
		} else {
			in.value(e)
		}
	}
}

// takesAddress tells whether a method is selected that has a pointer receiver, of an
// operand that is none: it has to stay addressable.
func (in *instrumenter) takesAddress(s *ast.SelectorExpr) bool {
	selected := in.info.Selections[s]
	if selected == nil || selected.Kind() != types.MethodVal {
		return false
	}
	_, wants := selected.Obj().Type().(*types.Signature).Recv().Type().Underlying().(*types.Pointer)
	_, has := in.info.TypeOf(s.X).Underlying().(*types.Pointer)
	return wants && !has
}

// base instruments what a part is selected of, which has to stay addressable.
func (in *instrumenter) base(e ast.Expr) {
	t := in.info.TypeOf(e)
	if t == nil {
		return
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface:
		if _, parameter := types.Unalias(t).(*types.TypeParam); !parameter {
			in.value(e)
			return
		}
	}
	in.node(e)
}

// value instruments an expression of which only the value is used.
func (in *instrumenter) value(e ast.Expr) {
	if tv := in.info.Types[e]; tv.IsValue() && tv.Value == nil && !tv.IsNil() && refers(tv.Type) {
		if _, conversion := in.info.Types[e].Type.(*types.Tuple); !conversion {
			in.t.expressions = append(in.t.expressions, e)
			in.around(e, "observe", len(in.t.expressions)-1)
			if pos := in.allocation(e); pos.IsValid() {
				in.around(e, "observeNew", in.site(pos))
			}
		}
	}
	in.node(e)
}

// refers reports whether values of the type refer to memory, or may.
func refers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Interface:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	}
	return false
}

// allocation returns the position of what the expression allocates, as in SSA.
func (in *instrumenter) allocation(e ast.Expr) token.Pos {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if l, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok && e.Op == token.AND {
			return l.Lbrace
		}
	case *ast.CompositeLit: // of a slice or a map
		return e.Lbrace
	case *ast.CallExpr:
		if name, ok := ast.Unparen(e.Fun).(*ast.Ident); ok {
			if _, builtin := in.info.Uses[name].(*types.Builtin); builtin &&
				(name.Name == "new" || name.Name == "make" || name.Name == "append") {
				return e.Lparen
			}
		}
	}
	return token.NoPos
}
