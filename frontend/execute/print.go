package execute

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// What package fmt does with numbers and texts is done at once; else its body is run.

// printing returns what stands for a function of package fmt, nil if its body is run.
func (p *Program) printing(fn *ssa.Function) native {
	if fn.Pkg == nil || fn.Pkg.Pkg.Path() != "fmt" || fn.Signature.Recv() != nil {
		return nil
	}
	kind := strings.TrimRight(fn.Name(), "fln")
	if fn.Name() == "Errorf" || kind != "Sprint" && kind != "Fprint" && kind != "Print" {
		return nil
	}
	var format func(format string, all []any) string
	switch strings.TrimPrefix(fn.Name(), kind) {
	case "f":
		format = func(f string, all []any) string { return fmt.Sprintf(f, all...) }
	case "ln":
		format = func(_ string, all []any) string { return fmt.Sprintln(all...) }
	default:
		format = func(_ string, all []any) string { return fmt.Sprint(all...) }
	}
	return func(g *goroutine, a []value) value {
		all, isPlain := g.plain(a[len(a)-1].(slice))
		f, _ := a[max(len(a)-2, 0)].(string)
		if strings.Contains(f, "T") || strings.Contains(f, "#") {
			isPlain = false // names of types
		}
		if !isPlain {
			return g.invokeBody(fn, a)
		}
		text := format(f, all)
		switch kind {
		case "Sprint":
			return text
		case "Print":
			g.print(text)
			return aggregate{int64(len(text)), iface{}}
		}
		return g.callMethod(a[0].(iface), "Write", g.bytesOf(text))
	}
}

// invokeBody calls a function that is built in, and is to be run by its body this time.
func (g *goroutine) invokeBody(fn *ssa.Function, a []value) value {
	taints := make([]taint, len(a))
	for i := range taints {
		taints[i] = g.handed
	}
	v, t := g.activate(g.m.program.bodyOf(fn), nil, a, taints, nil)
	g.returned = t
	return v
}

// plain returns the values of a list of arguments, if all of them are of basic types without methods.
func (g *goroutine) plain(s slice) (all []any, ok bool) {
	for _, c := range s.cells {
		x, isInterface := c.get().(iface)
		if !isInterface {
			return nil, false
		}
		v, ok := g.m.program.plainValue(x)
		if !ok {
			return nil, false
		}
		all = append(all, v)
	}
	for _, c := range s.cells {
		_, t := g.load(c)
		g.returned = g.returned.union(t)
	}
	return all, true
}

func (p *Program) plainValue(x iface) (any, bool) {
	if x.typ == nil {
		return nil, true
	}
	t, ok := x.typ.Underlying().(*types.Basic)
	if !ok || types.Unalias(x.typ) != types.Type(t) && p.ssa.MethodSets.MethodSet(x.typ).Len() > 0 {
		return nil, false
	}
	switch v := x.val.(type) {
	case int64:
		return sized(t.Kind(), v)
	case float64:
		if t.Kind() == types.Float32 {
			return float32(v), true
		}
		return v, true
	case bool, string:
		return v, true
	}
	return nil, false
}

// sized returns the integer as one of its type.
func sized(k types.BasicKind, v int64) (any, bool) {
	switch k {
	case types.Int:
		return int(v), true
	case types.Int8:
		return int8(v), true
	case types.Int16:
		return int16(v), true
	case types.Int32:
		return int32(v), true
	case types.Int64:
		return v, true
	case types.Uint:
		return uint(v), true
	case types.Uint8:
		return uint8(v), true
	case types.Uint16:
		return uint16(v), true
	case types.Uint32:
		return uint32(v), true
	case types.Uint64:
		return uint64(v), true
	case types.Uintptr:
		return uintptr(v), true
	}
	return nil, false
}

// bytesOf returns a new slice with the bytes of a text.
func (g *goroutine) bytesOf(text string) value {
	cells := g.array(types.Typ[types.Byte], len(text))
	for i, c := range cells {
		c.val = int64(text[i])
	}
	return slice{cells}
}

// print notes what a goroutine has printed.
func (g *goroutine) print(text string) {
	if g.m.idle {
		g.printed = append(g.printed, text)
	}
}

// logs stands for the functions of package log that print with the standard logger.
func logs(fn *ssa.Function) native {
	return func(g *goroutine, a []value) value {
		name := "S" + strings.ToLower(fn.Name()[:1]) + fn.Name()[1:]
		pkg := g.m.program.ssa.ImportedPackage("fmt")
		if pkg == nil || pkg.Func(name) == nil {
			unsupported("%s", fn)
		}
		text, t := g.invoke(&closure{fn: pkg.Func(name)}, a, nil)
		g.returned = t
		g.print(strings.TrimSuffix(text.(string), "\n") + "\n")
		return nil
	}
}

// fileState is the state of the cell of one of the files that a program has from the beginning.
type fileState struct{ name string }

// ofFile returns what stands for a method of an os.File, nil if fn is none. There are no files but the
// standard ones: what is written to them is printed, and all else that could be done to them fails.
func ofFile(fn *ssa.Function, name string) native {
	if !strings.HasPrefix(name, "(*os.File).") || fn.Object() == nil || !fn.Object().Exported() {
		return nil
	}
	return func(g *goroutine, a []value) value {
		c := a[0].(*cell)
		if c == nil || c.state == nil {
			return g.invokeBody(fn, a)
		}
		text := ""
		switch fn.Name() {
		case "Name":
			return "/dev/" + strings.ToLower(strings.TrimPrefix(c.state.(*fileState).name, "Std"))
		case "Fd":
			return map[string]int64{"Stdin": 0, "Stdout": 1, "Stderr": 2}[c.state.(*fileState).name]
		case "Write":
			text = string(g.bytes(a[1]))
		case "WriteString":
			text = a[1].(string)
		default:
			return g.failed(fn)
		}
		g.print(text)
		return aggregate{int64(len(text)), iface{}}
	}
}

// failed is what a function of package os returns that fails: an error as its last result.
func (g *goroutine) failed(fn *ssa.Function) value {
	invalid, _ := g.load(g.m.global(fn.Pkg.Var("ErrInvalid")))
	switch last := fn.Signature.Results().Len() - 1; {
	case last < 0:
		return nil
	case fn.Signature.Results().At(last).Type().String() != "error":
		return resultZero(fn.Signature)
	case last == 0:
		return invalid
	default:
		all := zero(fn.Signature.Results()).(aggregate)
		all[last] = invalid
		return all
	}
}
