package execute

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// builtin calls a built-in function.
func (fr *frame) builtin(name string, c *ssa.CallCommon, args []value, taints []taint) (value, taint) {
	g := fr.g
	switch name {
	case "len", "cap":
		return g.length(name, args[0])
	case "append":
		return g.appendTo(c, args)
	case "copy":
		return g.copyTo(args), nil
	case "delete":
		if m := args[0].(*mapping); m != nil {
			g.deleteFrom(m, args[1])
		}
		return nil, nil
	case "clear":
		g.clear(args[0])
		return nil, nil
	case "close":
		g.closeChannel(args[0].(*channel))
		return nil, nil
	case "panic":
		panic(goPanic{args[0]})
	case "recover":
		return fr.recover(), nil
	case "print", "println":
		if g.m.idle {
			var all []any
			for _, a := range args {
				switch a.(type) {
				case int64, float64, complex128, string, bool:
					all = append(all, a)
				default:
					all = append(all, "pointer")
				}
			}
			g.print(fmt.Sprintln(all...))
		}
		return nil, nil
	case "min", "max":
		best := args[0]
		for _, a := range args[1:] {
			if less(a, best) == (name == "min") && !equal(a, best) {
				best = a
			}
		}
		return best, nil
	case "ssa:wrapnilchk":
		g.nonNil(args[0].(*cell))
		return args[0], nil
	case "ssa:deferstack":
		return fr, nil
	case "real":
		return real(args[0].(complex128)), nil
	case "imag":
		return imag(args[0].(complex128)), nil
	case "complex":
		return complex(args[0].(float64), args[1].(float64)), nil
	}
	return g.pointers(name, c.Args[0].Type(), args), nil
}

func (g *goroutine) deleteFrom(m *mapping, key value) {
	if m.mem.shared {
		g.pointAt(m, Write)
	}
	g.accessEntry(m, Write, hash(key))
	m.remove(key)
	g.m.version++
}

func less(a, b value) bool {
	switch a := a.(type) {
	case int64:
		return a < b.(int64)
	case float64:
		return a < b.(float64)
	case string:
		return a < b.(string)
	}
	unsupported("an order of %T", a)
	return false
}

func (g *goroutine) length(name string, x value) (value, taint) {
	switch x := x.(type) {
	case string:
		return int64(len(x)), nil
	case slice:
		if name == "cap" {
			return int64(cap(x.cells)), nil
		}
		return int64(len(x.cells)), nil
	case *mapping:
		if x == nil {
			return int64(0), nil
		}
		if x.mem.shared {
			g.pointAt(x, Read)
		}
		t := g.accessMap(x, Read)
		return int64(len(x.index)), t
	case *channel:
		if x == nil {
			return int64(0), nil
		}
		g.point(nil)
		g.observeChannel(x)
		if name == "cap" {
			return int64(x.capacity), nil
		}
		return int64(len(x.buffer)), nil
	case *cell:
		return int64(len(x.parts)), nil
	case aggregate:
		return int64(len(x)), nil
	}
	unsupported("the length of %T", x)
	return nil, nil
}

// appendTo returns the slice, and the reads that its elements come from.
func (g *goroutine) appendTo(c *ssa.CallCommon, args []value) (value, taint) {
	dst, _ := args[0].(slice)
	var added []value
	var t taint
	switch src := args[1].(type) {
	case string:
		for _, b := range []byte(src) {
			added = append(added, int64(b))
		}
	case slice:
		for _, e := range src.cells {
			v, et := g.load(e)
			added, t = append(added, v), t.union(et)
		}
	}
	if len(added) == 0 {
		return dst, t
	}
	n := len(dst.cells)
	if n+len(added) <= cap(dst.cells) {
		grown := dst.cells[:n+len(added)]
		store := g.store
		if writesHeaderAtOnce(c) {
			store = g.storePart
		}
		for k, v := range added {
			store(grown[n+k], v, t)
		}
		return slice{grown}, t
	}
	elem := c.Signature().Params().At(0).Type().Underlying().(*types.Slice).Elem()
	size := max(2*cap(dst.cells), n+len(added))
	grown := g.array(elem, size)
	for k, v := range added {
		grown[n+k].set(v)
		grown[n+k].taint = t
	}
	read := g.load
	if readsHeaderAtOnce(c) {
		read = func(e *cell) (value, taint) { // part of the read of the header
			g.observe(e, Read)
			return e.get(), e.taint
		}
	}
	for k, e := range dst.cells {
		v, et := read(e)
		grown[k].set(v)
		grown[k].taint = et
		t = t.union(et)
	}
	return slice{grown[:n+len(added)]}, t
}

// writesHeaderAtOnce tells whether what append returns is stored next where it has appended to, as in
// x.f = append(x.f, y): to write the elements and the header is one event.
func writesHeaderAtOnce(c *ssa.CallCommon) bool {
	header, ok := c.Args[0].(*ssa.UnOp)
	if !ok || !readsHeaderAtOnce(c) {
		return false
	}
	var call ssa.Value
	for _, instr := range header.Block().Instrs {
		switch v := instr.(type) {
		case *ssa.Call:
			if call != nil {
				return false
			}
			if v.Common() == c {
				call = v
			}
		case *ssa.Store:
			if call != nil {
				return v.Val == call && isSameField(v.Addr, header.X)
			}
		case *ssa.FieldAddr, *ssa.DebugRef:
		default:
			if call != nil {
				return false
			}
		}
	}
	return false
}

// isSameField tells whether two addresses are evidently one: of a variable, or of a field.
func isSameField(a, b ssa.Value) bool {
	f, isField := a.(*ssa.FieldAddr)
	g, areBoth := b.(*ssa.FieldAddr)
	return a == b || isField && areBoth && f.Field == g.Field && f.X == g.X
}

// readsHeaderAtOnce tells whether what is appended to is loaded just before, as in
// x.f = append(x.f, y): to read the header and the elements is one event.
func readsHeaderAtOnce(c *ssa.CallCommon) bool {
	header, ok := c.Args[0].(*ssa.UnOp)
	if !ok {
		return false
	}
	loaded := false
	for _, instr := range header.Block().Instrs {
		switch v := instr.(type) {
		case *ssa.Call:
			if v.Common() == c {
				return loaded
			}
			_, isBuiltin := v.Call.Value.(*ssa.Builtin)
			loaded = loaded && isBuiltin
		case *ssa.Send, *ssa.Select, *ssa.RunDefers:
			loaded = false
		case *ssa.UnOp:
			loaded = v == header || loaded && v.Op != token.ARROW
		}
	}
	return false
}

func (g *goroutine) copyTo(args []value) value {
	dst := args[0].(slice).cells
	var vals []value
	var t taint
	switch src := args[1].(type) {
	case string:
		for _, b := range []byte(src) {
			vals = append(vals, int64(b))
		}
	case slice:
		for k := range min(len(src.cells), len(dst)) {
			v, et := g.load(src.cells[k])
			vals, t = append(vals, v), t.union(et)
		}
	}
	n := min(len(vals), len(dst))
	for k := range n {
		g.store(dst[k], vals[k], t)
	}
	return int64(n)
}

func (g *goroutine) clear(x value) {
	switch x := x.(type) {
	case *mapping:
		if x == nil {
			return
		}
		if x.mem.shared {
			g.pointAt(x, Write)
		}
		g.accessMap(x, Write)
		for _, e := range x.order {
			e.gone = true
		}
		x.index, x.order = map[any]*entry{}, nil
		g.m.version++
	case slice:
		for _, e := range x.cells {
			g.store(e, zero(e.typ), nil)
		}
	}
}
