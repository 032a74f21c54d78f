package local

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
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

// InputsOf returns what it depends on that a branch goes a way, as Inputs does for its condition. Of what is not nil
// nothing else is decided: what it leads to can still be anything.
func (c *Call) InputsOf(branch *ssa.If, isTrue bool) []Input {
	all := c.Inputs(branch.Cond)
	b, ok := branch.Cond.(*ssa.BinOp)
	if !ok || b.Op != token.EQL && b.Op != token.NEQ || !ssaflow.IsNil(b.X) && !ssaflow.IsNil(b.Y) {
		return all
	}
	var nils []Input
	for _, in := range all {
		nils = append(nils, Input{in.Name + " is nil", in.IsOwn})
	}
	if (b.Op == token.EQL) == isTrue {
		return append(all, nils...)
	}
	return nils
}

// IsOnce tells whether a branch is in no loop of its function.
func IsOnce(branch *ssa.If) bool {
	return !ssaflow.BlockReaches(branch.Block(), branch.Block(), nil)
}

// EntersLoop returns which successor of a branch is in a loop that the other one leads past, or out of; -1 if that is
// so of none. What decides whether a loop runs at all, and whether it runs again, may be two branches.
func EntersLoop(branch *ssa.If) int {
	succs := branch.Block().Succs
	for way, to := range succs {
		other := succs[1-way]
		if other != to && !ssaflow.BlockReaches(other, to, nil) && ssaflow.BlockReaches(to, to, nil) {
			return way
		}
	}
	return -1
}

// StartsInLoop tells whether the loop that a block is in has a go statement.
func StartsInLoop(begin *ssa.BasicBlock) bool {
	isStart := func(instr ssa.Instruction) bool { _, ok := instr.(*ssa.Go); return ok }
	return slices.ContainsFunc(begin.Parent().Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, isStart) && ssaflow.BlockReaches(begin, b, nil) &&
			ssaflow.BlockReaches(b, begin, nil)
	})
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
		for _, b := range ssaflow.BindingsOf(x) {
			d.add(b)
		}
	case *ssa.Alloc: // all that is stored there
		for _, store := range storesTo(x) {
			d.add(store.Val)
		}
	case *ssa.UnOp:
		switch {
		case x.Op == token.ARROW:
			d.put(fmt.Sprintf("received at %d in %s", x.Pos(), x.Parent()), true)
		case x.Op == token.MUL && (d.isSentinel(x.X) || d.loads(x)):
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

// isSentinel tells whether a variable is an error that its package makes when it is initialised, and does not change,
// as io.EOF: that what is compared with it is something else decides nothing about it.
func (d *dependence) isSentinel(v ssa.Value) bool {
	g, ok := v.(*ssa.Global)
	if !ok || !ssaflow.IsError(g.Type().(*types.Pointer).Elem()) {
		return false
	}
	return !ssaflow.Remember(d.call.changed, g.Pkg, func() map[*ssa.Global]bool { return knowledge.Changed(g.Pkg) })[g]
}

// parameter adds what a parameter of a function is handed where it is evidently called.
func (d *dependence) parameter(p *ssa.Parameter) {
	handed := d.handedAs(p)
	if len(handed) == 0 {
		d.put(fmt.Sprintf("%s of %s", p.Name(), p.Parent()), false)
	}
	for _, a := range handed {
		d.add(a)
	}
}

// handedAs returns what a function is evidently handed as a parameter; nothing if it is the one that is called.
func (d *dependence) handedAs(p *ssa.Parameter) (all []ssa.Value) {
	if p.Parent() == d.call.Function {
		return nil
	}
	i := slices.Index(p.Parent().Params, p)
	for _, site := range d.call.callers[p.Parent()] {
		if args := site.Common().Args; i < len(args) {
			all = append(all, args[i])
		}
	}
	return all
}

// alone returns what a value depends on, whatever else has been looked at.
func (d *dependence) alone(v ssa.Value) []Input {
	if known, ok := d.call.inputs[v]; ok {
		return known
	}
	d.call.inputs[v] = nil // of what depends on itself
	all := d.call.Inputs(v)
	d.call.inputs[v] = all
	return all
}

// loads adds memory that a load is from, by the value that leads there and the fields on the way. It returns false if
// it is a variable of the function.
func (d *dependence) loads(load *ssa.UnOp) bool {
	base, path := pathOf(load)
	if path == "" {
		return false
	}
	p, isParameter := base.(*ssa.Parameter)
	if !isParameter {
		d.put(fmt.Sprintf("%s in %s%s", base.Name(), parentOf(base), path), false)
		return true
	}
	handed := d.handedAs(p)
	if len(handed) == 0 {
		d.put(fmt.Sprintf("%s of %s%s", p.Name(), p.Parent(), path), false)
	}
	for _, a := range handed {
		for _, in := range d.alone(a) {
			d.put(in.Name+path, in.IsOwn)
		}
	}
	return true
}

// called adds the result of a call: the same of the same function with the same arguments. That of a built-in function
// depends on its arguments only.
func (d *dependence) called(x *ssa.Call) {
	if ssaflow.IsBuiltin(x, "len") || ssaflow.IsBuiltin(x, "cap") || ssaflow.IsBuiltin(x, "append") {
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
		for _, in := range d.alone(a) {
			name += "," + in.Name
			if callee := x.Call.StaticCallee(); callee != nil && d.call.isFollowed(callee) {
				d.put(in.Name+anyPart, in.IsOwn) // whatever it asks about it
			}
		}
	}
	d.put(name, true)
}

// anyPart is the end of the name of an input that stands for all that it leads to.
const anyPart = ".*"

// Meets tells whether two inputs may be one, or one part of the other.
func (in Input) Meets(other Input) bool {
	if in == other {
		return true
	}
	whole, isWhole := strings.CutSuffix(in.Name, anyPart)
	part, isPart := strings.CutSuffix(other.Name, anyPart)
	return isWhole && (part == whole || strings.HasPrefix(part, whole+".")) ||
		isPart && (part == whole || strings.HasPrefix(whole, part+"."))
}

// pathOf returns the value that leads to the memory that a load is from, and the fields on the way, as ".0.2"; "" if it
// is a variable of the function.
func pathOf(load *ssa.UnOp) (base ssa.Value, path string) {
	v := load.X
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			path = fmt.Sprintf(".%d%s", x.Field, path)
			v = x.X
			continue
		case *ssa.IndexAddr:
			path = ".[]" + path
			v = x.X
			continue
		case *ssa.UnOp:
			if x.Op == token.MUL && path != "" {
				v = x.X
				continue
			}
		case *ssa.FreeVar:
			if b := ssaflow.BindingsOf(x); len(b) == 1 {
				v = b[0]
				continue
			}
		case *ssa.Alloc:
			if stores := storesTo(x); len(stores) == 1 && path != "" {
				v = stores[0].Val
				continue
			}
		}
		return v, path
	}
}

func parentOf(v ssa.Value) string {
	if fn := v.Parent(); fn != nil {
		return fn.String()
	}
	return ""
}

// storesTo returns the stores to a variable as a whole, also in literals that capture it.
func storesTo(v *ssa.Alloc) (all []*ssa.Store) {
	for _, place := range placesOf(v) {
		for _, r := range *place.Referrers() {
			if store, ok := r.(*ssa.Store); ok && store.Addr == place {
				all = append(all, store)
			}
		}
	}
	return all
}
