package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/frontend/knowledge"
)

// atomicCall is a call of a function or method of sync/atomic on a watched field.
type atomicCall struct {
	call  *ast.CallExpr
	known knowledge.AtomicOp
	op    trace.Op
	kind  string
	on    ast.Expr // the field or variable
	hits  []hit
	at    token.Pos
	// operands of the function value that is called; the first of a function is the address.
	operands []ast.Expr
	isMethod bool
}

// exactly rewrites an atomic call so that the order in the trace is the order in which such
// calls take effect, and a compare-and-swap that fails is a read. The field is evaluated
// twice, so there must be nothing in it that a second evaluation could change.
func (f *file) exactly(c atomicCall) (string, bool) {
	if len(c.hits) != 1 || !f.isPure(c.on) || !f.isPure(c.call.Fun) || c.call.Ellipsis.IsValid() {
		return "", false
	}
	form := "Atomic"
	switch c.known {
	case knowledge.AtomicStore:
		form = "Store"
	case knowledge.AtomicCompareAndSwap:
		form = "Swap"
	}
	h := c.hits[0]
	ref := f.ref(h, c.kind, c.at)
	address := f.atomicAddress(c.on)
	if h.isVar {
		address = hookName + ".Variables(" + ref + ")"
	}
	text := f.hook(fmt.Sprint(form, len(c.operands)), fmt.Sprint(uint8(c.op)), address, ref, f.raw(c.call.Fun))
	return strings.TrimSuffix(text, ")") + f.operandsOf(c), true
}

// operandsOf is the text of the operands of an atomic call and what is behind them.
func (f *file) operandsOf(c atomicCall) string {
	var b strings.Builder
	at := c.call.Lparen + 1
	for i, e := range c.operands {
		if i == 0 {
			b.WriteString(", ")
		}
		b.WriteString(f.text(at, e.Pos()))
		if i == 0 && !c.isMethod {
			b.WriteString(f.raw(e)) // its reads are recorded already
		} else {
			b.WriteString(f.render(e))
		}
		at = e.End()
	}
	b.WriteString(f.text(at, c.call.End()))
	return b.String()
}
