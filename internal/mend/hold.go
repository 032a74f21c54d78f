package mend

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/empire-go/empire-go/internal/rewrite"
)

// holder changes one function so that it holds a lock.
type holder struct {
	*function
	lock string // its name, as a field or variable
}

// shape is one way to change a function. What it refuses has a reason in words.
type shape struct {
	make func(h *holder, operations []operation) (edits []rewrite.Edit, parts []part, what string, err error)
	main bool // its reason is told where there is no fix
}

// The shapes, those that change least first.
var (
	shapesWithLock = []shape{{make: (*holder).waitAgain}, {make: (*holder).exclude}, {make: (*holder).toEnd, main: true},
		{make: (*holder).join}, {make: (*holder).all}, {make: (*holder).lookAgain}, {make: (*holder).inside}}
	shapesWithoutLock = []shape{{make: (*holder).waitAgain}, {make: (*holder).share},
		{make: (*holder).take, main: true}, {make: (*holder).inside}}
)

// proposals returns what the shapes make of the function.
func (h *holder) proposals() (all []proposal) {
	operations, err := h.operations()
	if err != nil {
		return []proposal{{err: err, main: true}}
	}
	shapes := shapesWithLock
	switch {
	case len(operations) == 0:
		shapes = shapesWithoutLock
	case operations[0].isShared() && verbOf(operations) == "Lock":
		shapes = append([]shape{{make: (*holder).lookAgain}}, shapes...) // readers go on at the same time
	}
	for _, shape := range shapes {
		p := proposal{main: shape.main}
		edits, parts, what, err := shape.make(h, operations)
		if err == nil {
			p.change, err = h.changed(edits, parts, what)
		}
		p.err = err
		all = append(all, p)
	}
	return all
}

// verbOf is how the operations take the lock: shared if all do.
func verbOf(operations []operation) string {
	for _, o := range operations {
		if !o.isShared() {
			return "Lock"
		}
	}
	return "RLock"
}

// hold is the statements that take a lock and release it at the end.
func hold(on, verb string) string {
	return fmt.Sprintf("%s.%s()\n\tdefer %s.%s()", on, verb, on, unlocking(verb))
}

// share has a function that only reads hold the lock as a reader.
func (h *holder) share([]operation) ([]rewrite.Edit, []part, string, error) {
	r, err := h.own()
	switch {
	case err != nil:
		return nil, nil, "", err
	case !r.readWrite:
		return nil, nil, "", fmt.Errorf("%s has no readers", r.on)
	case h.writes():
		return nil, nil, "", fmt.Errorf("%s may write", h.name())
	}
	return h.fromBeginning(r, "RLock")
}

// take has a function hold the lock from its beginning to its end.
func (h *holder) take([]operation) ([]rewrite.Edit, []part, string, error) {
	r, err := h.own()
	if err != nil {
		return nil, nil, "", err
	}
	return h.fromBeginning(r, "Lock")
}

func (h *holder) fromBeginning(r reference, verb string) ([]rewrite.Edit, []part, string, error) {
	begin := h.offset(h.body.Lbrace + 1)
	if err := h.mayWait(h.body.List); err != nil {
		return nil, nil, "", err
	}
	what := fmt.Sprintf("%s holds %s", h.name(), r.on)
	if verb == "RLock" {
		what += " for reading"
	}
	text := "\n\t" + hold(r.written, verb)
	if h.pkg.Fset.Position(h.body.Lbrace).Line == h.pkg.Fset.Position(h.body.Rbrace).Line {
		text += "\n\t" // the body is on one line
	}
	return []rewrite.Edit{{Begin: begin, End: begin, Text: text}}, nil, what, nil
}

// exclude has a function that holds the lock as a reader hold it as a writer.
func (h *holder) exclude(operations []operation) (edits []rewrite.Edit, parts []part, what string, err error) {
	for _, o := range operations {
		if o.isShared() {
			edits = append(edits, rewrite.Edit{Begin: h.offset(o.method.Pos()), End: h.offset(o.method.End()),
				Text: strings.TrimPrefix(o.method.Name, "R")})
		}
	}
	if len(edits) == 0 {
		return nil, nil, "", errAsItIs
	}
	return edits, nil, fmt.Sprintf("%s holds %s for writing", h.name(), operations[0].on), nil
}

// toEnd joins the critical sections of a function, and all that follows them: it holds the lock from where it takes
// it first to its end.
func (h *holder) toEnd(operations []operation) (edits []rewrite.Edit, parts []part, what string, err error) {
	first := operations[0]
	if !first.top || first.isRelease() || first.isDeferred() {
		return nil, nil, "", fmt.Errorf("%s does not take %s on all ways", h.name(), h.lock)
	}
	var after []ast.Stmt
	for _, stmt := range h.body.List {
		if stmt.Pos() > first.stmt.Pos() {
			after = append(after, stmt)
		}
	}
	if err := h.mayWait(after); err != nil {
		return nil, nil, "", err
	}
	release := h.deferredAfter(first)
	if release == nil || verbOf(operations) != first.method.Name {
		release = nil
		edits = append(edits, rewrite.Edit{Begin: h.offset(first.stmt.Pos()), End: h.offset(first.stmt.End()),
			Text: hold(first.written, verbOf(operations))})
	}
	for _, o := range operations[1:] {
		if o.stmt != release {
			edits = append(edits, h.remove(o.stmt))
		}
	}
	if len(edits) == 0 {
		return nil, nil, "", errAsItIs
	}
	return edits, nil, fmt.Sprintf("%s holds %s to its end", h.name(), first.on), nil
}

// all has a function that takes the lock somewhere hold it from its beginning to its end.
func (h *holder) all(operations []operation) (edits []rewrite.Edit, parts []part, what string, err error) {
	r := operations[0].reference
	if err := h.hasAtBeginning(r); err != nil {
		return nil, nil, "", err
	}
	if edits, _, what, err = h.fromBeginning(r, verbOf(operations)); err != nil {
		return nil, nil, "", err
	}
	for _, o := range operations {
		edits = append(edits, h.remove(o.stmt))
	}
	return edits, nil, what + " from its beginning", nil
}

// hasAtBeginning tells whether a lock can be taken at the beginning of the function.
func (h *holder) hasAtBeginning(r reference) error {
	if r.root.Parent() != h.pkg.Types.Scope() && r.root.Pos() >= h.body.Pos() {
		return fmt.Errorf("%s has no %s at its beginning", h.name(), r.on)
	}
	return nil
}

// join joins the critical sections of a function, and not what follows the last one. Nothing between them may
// panic, as the lock would stay held then.
func (h *holder) join(operations []operation) (edits []rewrite.Edit, parts []part, what string, err error) {
	first, last := operations[0], operations[len(operations)-1]
	if !first.top || first.isRelease() || !last.top || !last.isRelease() || last.isDeferred() {
		return nil, nil, "", fmt.Errorf("%s has no sections of %s one after the other", h.name(), h.lock)
	}
	var between []ast.Stmt
	isHeld := false
	for _, stmt := range h.body.List {
		o, is := h.operation(stmt)
		switch {
		case stmt.Pos() < first.stmt.Pos() || stmt.Pos() > last.stmt.Pos():
		case is && (o.isDeferred() || o.isRelease() != isHeld || o.isShared() != first.isShared()):
			return nil, nil, "", fmt.Errorf("%s has no sections of %s one after the other", h.name(), h.lock)
		case is:
			isHeld = !isHeld
			if stmt != first.stmt && stmt != last.stmt {
				edits = append(edits, h.remove(stmt))
			}
		case !isHeld:
			between = append(between, stmt)
		}
	}
	if len(edits) == 0 {
		return nil, nil, "", fmt.Errorf("%s has one section of %s", h.name(), h.lock)
	}
	if err := h.mayWait(between); err != nil {
		return nil, nil, "", err
	}
	for _, stmt := range between {
		more, err := h.releaseAtReturns(stmt, first)
		if err != nil {
			return nil, nil, "", err
		}
		edits = append(edits, more...)
	}
	return edits, nil, fmt.Sprintf("%s holds %s from its first section to its last one", h.name(), first.on), nil
}

// releaseAtReturns has a statement that is between sections release the lock before it returns. It fails where
// something in it may panic.
func (h *holder) releaseAtReturns(stmt ast.Stmt, o operation) (edits []rewrite.Edit, err error) {
	release := fmt.Sprintf("%s.%s()\n\t", o.written, unlocking(o.method.Name))
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			edits = append(edits, rewrite.Edit{Begin: h.offset(n.Pos()), End: h.offset(n.Pos()), Text: release})
			return false // what it returns is computed when the lock is released
		case *ast.DeferStmt, *ast.FuncLit:
			err = fmt.Errorf("%s defers a call, or makes a function, at %s", h.name(), h.at(n))
		case *ast.IndexExpr:
			if _, isMap := h.pkg.TypesInfo.TypeOf(n.X).Underlying().(*types.Map); !isMap {
				err = h.mayPanic(n)
			}
		case *ast.SliceExpr, *ast.TypeAssertExpr, *ast.StarExpr:
			err = h.mayPanic(n)
		case *ast.BranchStmt:
			if n.Tok == token.GOTO {
				err = fmt.Errorf("%s has a goto statement at %s", h.name(), h.at(n))
			}
		case *ast.BinaryExpr:
			if n.Op == token.QUO || n.Op == token.REM || n.Op == token.SHL || n.Op == token.SHR {
				err = h.mayPanic(n)
			}
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				if _, isLocal := left.(*ast.Ident); !isLocal {
					err = h.mayPanic(n) // a nil map, or a nil pointer
				}
			}
		case *ast.SelectorExpr:
			if s := h.pkg.TypesInfo.Selections[n]; s != nil && rootOf(h.pkg.TypesInfo, n.X) != o.root {
				err = h.mayPanic(n)
			}
		case *ast.CallExpr:
			if !isConversion(h.pkg.TypesInfo, n) && !isLength(h.pkg.TypesInfo, n) {
				err = h.mayPanic(n)
			}
		}
		return err == nil
	})
	return edits, err
}

func (h *holder) mayPanic(n ast.Node) error {
	return fmt.Errorf("what %s does between its sections, at %s, may panic", h.name(), h.at(n))
}

// isConversion tells whether a call is a conversion that cannot panic.
func isConversion(info *types.Info, call *ast.CallExpr) bool {
	t, ok := info.Types[call.Fun]
	if !ok || !t.IsType() {
		return false
	}
	_, isBasic := t.Type.Underlying().(*types.Basic)
	return isBasic
}

// isLength tells whether a call is of a built-in function that only reads.
func isLength(info *types.Info, call *ast.CallExpr) bool {
	name, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = info.Uses[name].(*types.Builtin)
	return ok && (name.Name == "len" || name.Name == "cap" || name.Name == "min" || name.Name == "max")
}

// writes tells whether the function may write to anything but its own variables.
func (h *holder) writes() (found bool) {
	isLocal := func(x ast.Expr) bool {
		name, ok := ast.Unparen(x).(*ast.Ident)
		if !ok {
			return false
		}
		v := h.pkg.TypesInfo.ObjectOf(name)
		return name.Name == "_" || v != nil && v.Pos() >= h.decl.Pos() && v.Pos() < h.decl.End()
	}
	ast.Inspect(h.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				found = found || !isLocal(left)
			}
		case *ast.IncDecStmt:
			found = found || !isLocal(n.X)
		case *ast.RangeStmt:
			found = found || n.Key != nil && !isLocal(n.Key) || n.Value != nil && !isLocal(n.Value)
		case *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt, *ast.FuncLit:
			found = true
		case *ast.CallExpr:
			found = found || !isConversion(h.pkg.TypesInfo, n) && !isLength(h.pkg.TypesInfo, n) && !h.isQuiet(n)
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND
		}
		return !found
	})
	return found
}

// quiet are the packages of the standard library whose functions neither wait nor write to what they are handed,
// as long as that is no function, and nothing with methods or pointers.
var quiet = map[string]bool{"cmp": true, "errors": true, "fmt": true, "math": true, "math/bits": true, "path": true,
	"strconv": true, "strings": true, "unicode": true, "unicode/utf8": true}

// isQuiet tells whether a call writes nothing that others see.
func (h *holder) isQuiet(call *ast.CallExpr) bool {
	callee := typeutil.StaticCallee(h.pkg.TypesInfo, call)
	if callee == nil || callee.Pkg() == nil || !quiet[callee.Pkg().Path()] || callee.Signature().Recv() != nil {
		return false
	}
	for _, arg := range call.Args {
		if _, isBasic := h.pkg.TypesInfo.TypeOf(arg).Underlying().(*types.Basic); !isBasic {
			return false
		}
	}
	return true
}

// mayWait tells why statements must not run while the lock is held, as far as it is plain to see: see package
// waits for the rest.
func (h *holder) mayWait(statements []ast.Stmt) (err error) {
	for _, stmt := range statements {
		ast.Inspect(stmt, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt, *ast.FuncLit:
				return false
			case *ast.SendStmt:
				err = fmt.Errorf("it sends at %s", h.at(n))
			case *ast.SelectStmt:
				err = fmt.Errorf("it has a select statement at %s", h.at(n))
			case *ast.UnaryExpr:
				if n.Op == token.ARROW {
					err = fmt.Errorf("it receives at %s", h.at(n))
				}
			case *ast.RangeStmt:
				if _, isChannel := h.pkg.TypesInfo.TypeOf(n.X).Underlying().(*types.Chan); isChannel {
					err = fmt.Errorf("it ranges over a channel at %s", h.at(n))
				}
			}
			return err == nil
		})
	}
	if err != nil {
		return fmt.Errorf("%s cannot hold %s to its end: %w", h.name(), h.lock, err)
	}
	return nil
}

// remove takes out a statement with its line, if it has one of its own.
func (h *holder) remove(stmt ast.Stmt) rewrite.Edit {
	begin, end := h.offset(stmt.Pos()), h.offset(stmt.End())
	text := h.text[h.file]
	lineBegin := strings.LastIndexByte(string(text[:begin]), '\n') + 1
	length := strings.IndexByte(string(text[end:]), '\n')
	if length < 0 || strings.TrimSpace(string(text[lineBegin:begin])) != "" {
		return rewrite.Edit{Begin: begin, End: end}
	}
	if rest := strings.TrimSpace(string(text[end : end+length])); rest != "" && !strings.HasPrefix(rest, "//") {
		return rewrite.Edit{Begin: begin, End: end}
	}
	return rewrite.Edit{Begin: lineBegin, End: end + length + 1}
}
