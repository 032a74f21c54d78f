package instrument

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// What a goroutine has made can be reached by others once it is stored in a package variable, or
// handed to a library that may start goroutines or keep it. That is recorded where it is not
// seen by synchronisation: the values that are stored and handed over are marked, and what
// has just been made counts as known to others when such a value has been evaluated.

// synchronous are packages whose functions are done with what they are given when they return, or
// whose synchronisation is recorded.
var synchronous = map[string]bool{
	"sync": true, "fmt": true, "log": true, "errors": true, "sort": true, "slices": true, "maps": true, "iter": true,
	"strings": true, "bytes": true,
	"strconv": true, "unicode": true, "reflect": true, "cmp": true, "math": true, "os": true, "io": true, "io/fs": true,
	"path/filepath": true, "bufio": true,
	"encoding/json": true, "encoding/xml": true, "encoding/gob": true, "encoding/binary": true, "text/template": true,
	"html/template":  true,
	"container/list": true, "container/heap": true, "container/ring": true, "regexp": true, "flag": true, "testing": true,
	"runtime": true, "time": true,
}

// handsOver tells whether a function or method of those packages is not: it puts what it is
// given where others take it out, or has it called on another goroutine.
func handsOver(fn *types.Func) bool {
	row := knowledge.OfObject(fn)
	switch row.Container {
	case knowledge.MapStore, knowledge.MapLoadOrStore, knowledge.MapSwap, knowledge.MapCompareAndSwap, knowledge.PoolPut:
		return true
	}
	return len(row.Starts) > 0 || row.Channel || row.Flow == knowledge.FlowFinalizer || row.Flow == knowledge.FlowCleanup
}

// markStored marks the values that an assignment stores in package variables, or in slices and maps
// that are in them.
func (f *file) markStored(n *ast.AssignStmt) {
	if n.Tok != token.ASSIGN || len(n.Lhs) != len(n.Rhs) {
		return
	}
	for i, e := range n.Lhs {
		if f.isInPackageVar(e) {
			f.markEscape(n.Rhs[i])
		}
	}
}

// isInPackageVar tells whether what is assigned to is a package variable or in what one holds.
func (f *file) isInPackageVar(e ast.Expr) bool {
	for {
		switch n := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			if f.packageVar(n) != nil {
				return true
			}
			e = n.X
		case *ast.IndexExpr:
			e = n.X
		case *ast.StarExpr:
			e = n.X
		case *ast.Ident:
			return f.packageVar(n) != nil
		default:
			return false
		}
	}
}

// markHandedOver marks the arguments of a call of a function that the user has not written.
func (f *file) markHandedOver(n *ast.CallExpr) {
	fn := f.callee(n)
	if fn == nil || fn.Pkg() == nil || f.isOwnPackage(fn.Pkg()) || synchronous[fn.Pkg().Path()] && !handsOver(fn) {
		return
	}
	for _, a := range n.Args {
		f.markEscape(a)
	}
}

// markEscape marks a value that may lead to a watched object.
func (f *file) markEscape(e ast.Expr) {
	tv := f.info.Types[e]
	if tv.IsValue() && !tv.IsNil() && tv.Value == nil && !f.isUninstantiated(e) && f.leadsToWatched(tv.Type, 0) {
		f.escapes[e] = true
	}
}

// escaped wraps the text of a value that is marked.
func (f *file) escaped(n ast.Node, text string) string {
	if e, ok := n.(ast.Expr); ok && f.scope != nil && f.escapes[e] {
		return f.hook("Escaping", text)
	}
	return text
}

// maxLeads is how deep in a type watched objects are looked for.
const maxLeads = 4

// leadsToWatched tells whether values of a type may lead to a watched object: functions by
// what they have captured, interfaces by what they hold.
func (f *file) leadsToWatched(t types.Type, depth int) bool {
	if t == nil || depth > maxLeads {
		return false
	}
	if f.classOf(t) != nil && (depth > 0 || isPointer(t)) {
		return true
	}
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Signature:
		return depth == 0
	case *types.Interface:
		return depth == 0 && !types.Identical(t, types.Universe.Lookup("error").Type())
	case *types.Pointer:
		return f.leadsToWatched(u.Elem(), depth+1)
	case *types.Slice:
		return f.leadsToWatched(u.Elem(), depth+1)
	case *types.Array:
		return f.leadsToWatched(u.Elem(), depth+1)
	case *types.Chan:
		return f.leadsToWatched(u.Elem(), depth+1)
	case *types.Map:
		return f.leadsToWatched(u.Key(), depth+1) || f.leadsToWatched(u.Elem(), depth+1)
	case *types.Struct:
		for v := range u.Fields() {
			if f.leadsToWatched(v.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}
