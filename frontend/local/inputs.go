package local

import (
	"fmt"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Input is something that a condition depends on and that the call does not decide: an argument, memory that an
// argument leads to, the result of a call of something else, a received value.
type Input struct {
	Name  string
	IsOwn bool // each goroutine has its own: what it calls or receives
}

// Inputs returns what a value depends on. The values of two conditions that have no input in common can be any pair, as
// far as can be seen; none: it is not understood.
func (c *Call) Inputs(v ssa.Value) []Input {
	d := &dependence{call: c, seen: map[ssa.Value]bool{}, isIn: map[Input]bool{}}
	d.add(v)
	return d.all
}

// IsFixed tells whether a condition has one value in an activation of its function: it depends on parameters only.
func IsFixed(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Const, *ssa.Parameter:
		return true
	case *ssa.BinOp:
		return IsFixed(x.X) && IsFixed(x.Y)
	case *ssa.UnOp:
		return x.Op == token.NOT && IsFixed(x.X)
	case *ssa.Call:
		return ssaflow.IsBuiltin(x, "len") && IsFixed(x.Call.Args[0])
	}
	return false
}

type dependence struct {
	call *Call
	seen map[ssa.Value]bool
	all  []Input
	isIn map[Input]bool
}

func (d *dependence) put(name string, isOwn bool) {
	in := Input{name, isOwn}
	if !d.isIn[in] {
		d.isIn[in] = true
		d.all = append(d.all, in)
	}
}

func (d *dependence) add(v ssa.Value) {
	if d.seen[v] {
		return
	}
	d.seen[v] = true
	switch x := v.(type) {
	case *ssa.Const, *ssa.Function, *ssa.Builtin, *ssa.MakeClosure:
	case *ssa.Parameter:
		d.parameter(x)
	case *ssa.FreeVar:
		for _, b := range bindingsOf(x) {
			d.add(b)
		}
	case *ssa.Alloc: // all that is stored there
		for _, place := range placesOf(x) {
			for _, r := range *place.Referrers() {
				if store, ok := r.(*ssa.Store); ok && store.Addr == place {
					d.add(store.Val)
				}
			}
		}
	case *ssa.UnOp:
		switch {
		case x.Op == token.ARROW:
			d.put(fmt.Sprintf("received at %d in %s", x.Pos(), x.Parent()), true)
		case x.Op == token.MUL && pathOf(x) != "":
			d.put(pathOf(x), false)
		default:
			d.add(x.X)
		}
	case *ssa.Select:
		d.put(fmt.Sprintf("received at %d in %s", x.Pos(), x.Parent()), true)
	case *ssa.Call:
		d.called(x)
	case ssa.Instruction:
		var space [8]*ssa.Value
		for _, operand := range x.Operands(space[:0]) {
			if *operand != nil {
				d.add(*operand)
			}
		}
	default: // a package variable
		d.put(v.Name(), false)
	}
}

// parameter adds what a parameter of a function is handed where it is evidently called.
func (d *dependence) parameter(p *ssa.Parameter) {
	fn := p.Parent()
	sites := d.call.callers[fn]
	if fn == d.call.Function || len(sites) == 0 {
		d.put(fmt.Sprintf("%s of %s", p.Name(), fn), false)
		return
	}
	for i, q := range fn.Params {
		for _, site := range sites {
			if q == p && i < len(site.Common().Args) {
				d.add(site.Common().Args[i])
			}
		}
	}
}

// called adds the result of a call: the same of the same function with the same arguments. That of a built-in function
// depends on its arguments only.
func (d *dependence) called(x *ssa.Call) {
	if b, ok := x.Call.Value.(*ssa.Builtin); ok && (b.Name() == "len" || b.Name() == "cap" || b.Name() == "append") {
		for _, a := range x.Call.Args {
			d.add(a)
		}
		return
	}
	name := x.Call.Value.Name()
	if callee := x.Call.StaticCallee(); callee != nil {
		name = callee.String()
	} else if x.Call.IsInvoke() {
		name += "." + x.Call.Method.Name()
	}
	for _, a := range x.Call.Args {
		inner := &dependence{call: d.call, seen: d.seen, isIn: map[Input]bool{}}
		inner.add(a)
		for _, in := range inner.all {
			name += "," + in.Name
		}
	}
	d.put(name, true)
}

// pathOf names memory that a load is from by the value that leads there and the fields on the way; "" if it is a
// variable of the function, or no load.
func pathOf(load *ssa.UnOp) string {
	var fields []string
	v := load.X
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			fields = append(fields, fmt.Sprint(x.Field))
			v = x.X
			continue
		case *ssa.IndexAddr:
			fields = append(fields, "[]")
			v = x.X
			continue
		case *ssa.UnOp:
			if x.Op == token.MUL && len(fields) > 0 {
				v = x.X
				continue
			}
		case *ssa.FreeVar:
			if b := bindingsOf(x); len(b) == 1 {
				v = b[0]
				continue
			}
		case *ssa.Alloc:
			if store := onlyStore(x); store != nil && len(fields) > 0 {
				v = store.Val
				continue
			}
		}
		break
	}
	if len(fields) == 0 {
		return ""
	}
	if p, ok := v.(*ssa.Parameter); ok {
		return fmt.Sprintf("%s of %s.%s", p.Name(), p.Parent(), strings.Join(fields, "."))
	}
	return fmt.Sprintf("%s in %s.%s", v.Name(), parentOf(v), strings.Join(fields, "."))
}

func parentOf(v ssa.Value) string {
	if fn := v.Parent(); fn != nil {
		return fn.String()
	}
	return ""
}

// onlyStore returns the only store to a variable.
func onlyStore(v *ssa.Alloc) (only *ssa.Store) {
	for _, place := range placesOf(v) {
		for _, r := range *place.Referrers() {
			if store, ok := r.(*ssa.Store); ok && store.Addr == place {
				if only != nil {
					return nil
				}
				only = store
			}
		}
	}
	return only
}
