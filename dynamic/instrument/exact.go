package instrument

import (
	"go/ast"
	"go/token"

	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// Where a program is recorded in full, or exactly, reads, and writes of one location by statements of their own, are
// recorded in one step with the access (see hook.LoadExactly):
//
//	y = x.f      y = LoadExactly(g, &x.f, ref)
//	x.f = y      At(g, &x.f, ref).SetExactly(y)
//	x.f += y     At(g, &x.f, ref).SetExactly(LoadExactly(g, &x.f, ref) + (y))
//
// where y calls nothing, so that nobody sees that the place is found out first. Others are recorded before the access.

// isExact tells whether the program is recorded so.
func (f *file) isExact() bool { return (f.full || f.exact) && !f.steered }

// exactRef is ref for an access that is one step with its record.
func (f *file) exactRef(h hit, kind string, at token.Pos) string {
	f.oneStep = true
	defer func() { f.oneStep = false }()
	return f.ref(h, kind, at)
}

// exactWrite is the text of a statement that writes a target in one step with its record, if there can be one.
func (f *file) exactWrite(t target, right string) (string, bool) {
	if !f.isExact() || t.whole != nil || t.inside || len(t.hits)+len(t.reached) != 1 {
		return "", false
	}
	h, address, at := hit{}, "", t.at
	if len(t.hits) == 1 {
		h, address = t.hits[0], "&"+f.address(t.owner)
	} else {
		h, address, at = t.reached[0], "&"+f.address(t.e), watch.Position(t.on)
		if h.entry || h.reached || t.on != ast.Unparen(t.e) || !f.canAddress(t.on) {
			return "", false
		}
	}
	hook := "At"
	if h.isVar {
		hook = "AtVariable"
	}
	return f.hook(hook, address, f.exactRef(h, "write", at)) + ".SetExactly(" + right + ")", true
}

// markStep notes at a site that its accesses are one step with their records.
func (f *file) markStep(s trace.Site) trace.Site {
	s.Exact = f.oneStep
	return s
}
