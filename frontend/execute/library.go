package execute

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

type callInstruction interface {
	ssa.CallInstruction
	Referrers() *[]ssa.Instruction
}

// nativeFor returns what stands for a function of the standard library, nil if its
// body is run.
func (p *Program) nativeFor(fn *ssa.Function) native {
	name := fn.String()
	if o := fn.Origin(); o != nil {
		name = o.String()
	}
	if remote := linkedTo(fn); remote != "" {
		name = remote
	}
	if n := p.operations.operation(fn); n != nil {
		return n
	}
	if n := p.library[name]; n != nil {
		return n
	}
	row := knowledge.Of(fn)
	if n := p.times[row.Time]; n != nil {
		return n
	}
	switch row.Ends {
	case knowledge.ProgramEnd:
		return func(g *goroutine, _ []value) value { g.fatal("exit"); return nil }
	case knowledge.GoroutineEnd:
		if knowledge.IsSynchronisation(fn) {
			return func(*goroutine, []value) value { panic(goexit{}) }
		}
	}
	if fn.Name() == "init" && fn.Synthetic != "" && fn.Pkg != nil && isStandardPath(fn.Pkg.Pkg.Path()) &&
		!runsInit(fn.Pkg.Pkg.Path()) {
		return func(*goroutine, []value) value { return nil }
	}
	switch {
	case knowledge.IsSystemCall(fn) && failsWith(fn.Signature) != nil:
		return func(*goroutine, []value) value { return failsWith(fn.Signature) }
	case fn.Pkg != nil && (fn.Pkg.Pkg.Path() == "reflect" || fn.Pkg.Pkg.Path() == "internal/reflectlite" ||
		fn.Pkg.Pkg.Path() == "internal/abi"):
		return func(g *goroutine, a []value) value {
			unsupported("reflection")
			return nil
		}
	case knowledge.Forgets(fn) && row.Output == knowledge.ToText:
		return func(g *goroutine, a []value) value { return g.format(fn, a) }
	case knowledge.Forgets(fn) && !strings.HasPrefix(fn.Name(), "Append"):
		return func(g *goroutine, a []value) value {
			text := g.format(fn, a)
			if g.m.idle {
				g.printed = append(g.printed, fmt.Sprint(text))
			}
			return resultZero(fn.Signature)
		}
	case strings.HasPrefix(name, "internal/race."):
		return func(g *goroutine, a []value) value { return resultZero(fn.Signature) }
	}
	return nil
}

// failsWith is what a system call returns: there is no operating system. It is nil where the error
// is not a number, the last result.
func failsWith(s *types.Signature) value {
	const notImplemented = 38 // ENOSYS
	last := s.Results().Len() - 1
	if last < 1 || !strings.HasSuffix(s.Results().At(last).Type().String(), "syscall.Errno") {
		return nil
	}
	all := zero(s.Results()).(aggregate)
	all[last] = int64(notImplemented)
	return all
}

// linkedTo returns the name of the function that a function without body is linked to by a directive, ""
// if none is.
func linkedTo(fn *ssa.Function) string {
	d, ok := fn.Syntax().(*ast.FuncDecl)
	if !ok || d.Body != nil || d.Doc == nil {
		return ""
	}
	for _, c := range d.Doc.List {
		if f := strings.Fields(c.Text); len(f) == 3 && f[0] == "//go:linkname" && f[1] == fn.Name() {
			return f[2]
		}
	}
	return ""
}

func isStandardPath(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") && path != knowledge.ClientPath
}

func text1(f func(string) string) native {
	return func(_ *goroutine, a []value) value { return f(a[0].(string)) }
}

func textTest(f func(a, b string) bool) native {
	return func(_ *goroutine, a []value) value { return f(a[0].(string), a[1].(string)) }
}

func textIndex(f func(a, b string) int) native {
	return func(_ *goroutine, a []value) value { return int64(f(a[0].(string), a[1].(string))) }
}

func textText(f func(a, b string) string) native {
	return func(_ *goroutine, a []value) value { return f(a[0].(string), a[1].(string)) }
}

func nothing(*goroutine, []value) value { return nil }

// library returns the functions that are built in, by their names.
func library() map[string]native {
	return map[string]native{
		"strings.ToUpper": text1(strings.ToUpper), "strings.ToLower": text1(strings.ToLower),
		"strings.TrimSpace": text1(strings.TrimSpace),
		"strings.Contains":  textTest(strings.Contains), "strings.HasPrefix": textTest(strings.HasPrefix),
		"strings.HasSuffix": textTest(strings.HasSuffix),
		"strings.EqualFold": textTest(strings.EqualFold), "strings.Index": textIndex(strings.Index),
		"strings.Count":      textIndex(strings.Count),
		"strings.LastIndex":  textIndex(strings.LastIndex),
		"strings.TrimPrefix": textText(strings.TrimPrefix), "strings.TrimSuffix": textText(strings.TrimSuffix),
		"strings.Trim":   textText(strings.Trim),
		"strings.Repeat": func(_ *goroutine, a []value) value { return strings.Repeat(a[0].(string), int(a[1].(int64))) },
		"strings.ReplaceAll": func(_ *goroutine, a []value) value {
			return strings.ReplaceAll(a[0].(string), a[1].(string), a[2].(string))
		},
		"strings.Split":  func(g *goroutine, a []value) value { return g.texts(strings.Split(a[0].(string), a[1].(string))) },
		"strings.Fields": func(g *goroutine, a []value) value { return g.texts(strings.Fields(a[0].(string))) },
		"strings.Join": func(g *goroutine, a []value) value {
			var parts []string
			for _, c := range a[0].(slice).cells {
				v, _ := g.load(c)
				parts = append(parts, v.(string))
			}
			return strings.Join(parts, a[1].(string))
		},
		"(*strings.Builder).copyCheck": nothing,
		"(*strings.Builder).String": func(g *goroutine, a []value) value {
			g.nonNil(a[0].(*cell))
			v, _ := g.load(a[0].(*cell).parts[1])
			var b strings.Builder
			for _, c := range v.(slice).cells {
				e, _ := g.load(c)
				b.WriteByte(byte(e.(int64)))
			}
			return b.String()
		},
		"internal/bytealg.MakeNoZero": func(g *goroutine, a []value) value {
			return slice{g.array(types.Typ[types.Byte], int(a[0].(int64)))}
		},
		"internal/stringslite.Index": textIndex(strings.Index),

		"strconv.Itoa": func(_ *goroutine, a []value) value { return strconv.Itoa(int(a[0].(int64))) },
		"strconv.FormatInt": func(_ *goroutine, a []value) value {
			return strconv.FormatInt(a[0].(int64), int(a[1].(int64)))
		},
		"strconv.Quote": text1(strconv.Quote),

		"errors.Is": errorsIs,
		"fmt.Errorf": func(g *goroutine, a []value) value {
			f := a[0].(string)
			text := g.sprintf(strings.ReplaceAll(f, "%w", "%v"), a[1].(slice).cells)
			t := g.m.program.typeOf("fmt", "wrapError")
			if t == nil {
				unsupported("fmt.Errorf")
			}
			c := g.allocate(t)
			c.parts[0].val = text
			if k := strings.Index(f, "%w"); k >= 0 {
				n := strings.Count(f[:k], "%") - 2*strings.Count(f[:k], "%%")
				if cells := a[1].(slice).cells; n < len(cells) {
					c.parts[1].val = cells[n].val
				}
			}
			return iface{types.NewPointer(t), c}
		},

		// The environment is empty.
		"syscall.runtime_envs":      func(*goroutine, []value) value { return slice{} },
		"runtime.nanotime":          func(g *goroutine, _ []value) value { g.m.tick(); return g.m.clock },
		"runtime.KeepAlive":         nothing,
		"runtime.GC":                nothing,
		"runtime.SetFinalizer":      nothing,
		"runtime.NumCPU":            func(*goroutine, []value) value { return int64(2) },
		"runtime.GOMAXPROCS":        func(*goroutine, []value) value { return int64(2) },
		"runtime.NumGoroutine":      func(g *goroutine, _ []value) value { return int64(len(g.m.goroutines)) },
		"math/rand.Intn":            randomBelow,
		"math/rand.Int63n":          randomBelow,
		"math/rand.Int31n":          randomBelow,
		"math/rand/v2.IntN":         randomBelow,
		"math/rand.Int":             func(g *goroutine, _ []value) value { return int64(g.m.next() >> 2) },
		"math/rand.Seed":            nothing,
		"sort.Slice":                sortSlice,
		"sort.SliceStable":          sortSlice,
		"(*sync.noCopy).Lock":       nothing,
		"(*sync.noCopy).Unlock":     nothing,
		"(*sync.copyChecker).check": nothing,
	}
}

// times returns what stands for functions that have to do with time.
func times() map[knowledge.TimeOp]native {
	return map[knowledge.TimeOp]native{
		knowledge.Yield: func(g *goroutine, _ []value) value { g.rest(); return nil },
		knowledge.Sleep: func(g *goroutine, _ []value) value { g.rest(); return nil },
		knowledge.Now: func(g *goroutine, _ []value) value {
			g.m.tick()
			return aggregate{int64(0), g.m.clock, (*cell)(nil)}
		},
		knowledge.Until: func(g *goroutine, _ []value) value { g.m.tick(); return -g.m.clock },
		knowledge.Since: func(g *goroutine, _ []value) value { g.m.tick(); return g.m.clock },
		knowledge.After: func(g *goroutine, _ []value) value {
			ch := &channel{capacity: 1, shared: true, element: g.m.program.typeOf("time", "Time")}
			if g.m.idle {
				g.after(ch)
				return ch
			}
			g.m.spawn(&closure{env: []value{ch}, native: func(g *goroutine, _ []value) value {
				g.rest()
				g.send(ch, zero(ch.element))
				return nil
			}}, nil, g)
			return ch
		},
		knowledge.StartTimer: func(g *goroutine, a []value) value {
			g.m.publish(a[1])
			fn := a[1].(*closure)
			if g.m.idle {
				return g.afterFunc(fn)
			}
			g.m.spawn(&closure{env: []value{fn}, native: func(g *goroutine, _ []value) value {
				g.rest()
				g.invoke(fn, nil, nil)
				return nil
			}}, nil, g)
			return g.allocate(g.m.program.typeOf("time", "Timer"))
		},
	}
}

// tick lets time pass.
func (m *machine) tick() {
	if !m.idle {
		m.clock++
	}
}

// rest gives up the processor: others go first.
func (g *goroutine) rest() {
	g.resting = true
	g.point(nil)
}

func (m *machine) next() uint64 {
	if m.idle {
		m.current.draws = m.current.draws*6364136223846793005 + 1442695040888963407
		return m.current.draws >> 11
	}
	m.random = m.random*6364136223846793005 + 1442695040888963407
	return m.random >> 11
}

func randomBelow(g *goroutine, a []value) value {
	return int64(g.m.next() % uint64(max(a[0].(int64), 1)))
}

func (g *goroutine) texts(parts []string) value {
	cells := g.array(types.Typ[types.String], len(parts))
	for k, c := range cells {
		c.val = parts[k]
	}
	return slice{cells}
}

// typeOf returns a type of a package that the program has.
func (p *Program) typeOf(path, name string) types.Type {
	pkg := p.ssa.ImportedPackage(path)
	if pkg == nil || pkg.Type(name) == nil {
		return nil
	}
	return pkg.Type(name).Type()
}

func errorsIs(g *goroutine, a []value) value {
	err, target := a[0].(iface), a[1].(iface)
	for range 20 {
		if equal(err, target) {
			return true
		}
		if err.typ == nil {
			return false
		}
		fn := g.m.program.lookup(err.typ, "Unwrap")
		if fn == nil {
			return false
		}
		v, _ := g.invoke(&closure{fn: fn}, []value{err.val}, nil)
		next, ok := v.(iface)
		if !ok {
			unsupported("errors.Is of joined errors")
		}
		err = next
	}
	return false
}

func (p *Program) lookup(t types.Type, name string) *ssa.Function {
	sel := p.ssa.MethodSets.MethodSet(t).Lookup(nil, name)
	if sel == nil {
		return nil
	}
	return p.ssa.MethodValue(sel)
}

// sortSlice is an insertion sort.
func sortSlice(g *goroutine, a []value) value {
	cells := a[0].(iface).val.(slice).cells
	for i := 1; i < len(cells); i++ {
		for j := i; j > 0; j-- {
			if swap, _ := g.invoke(a[1].(*closure), []value{int64(j), int64(j - 1)}, nil); !swap.(bool) {
				break
			}
			x, xt := g.load(cells[j])
			y, yt := g.load(cells[j-1])
			g.store(cells[j], y, yt)
			g.store(cells[j-1], x, xt)
		}
	}
	return nil
}

// format formats the arguments of a function of package fmt; what is printed is lost.
func (g *goroutine) format(fn *ssa.Function, a []value) string {
	if strings.HasPrefix(fn.Name(), "F") {
		a = a[1:]
	}
	cells := a[len(a)-1].(slice).cells
	if strings.HasSuffix(fn.Name(), "f") {
		return g.sprintf(a[0].(string), cells)
	}
	var all []any
	for _, c := range cells {
		g.returned = g.returned.union(c.taint)
		all = append(all, g.printable(c.val, 0))
	}
	return fmt.Sprint(all...)
}

func (g *goroutine) sprintf(format string, cells []*cell) string {
	var all []any
	for _, c := range cells {
		g.returned = g.returned.union(c.taint)
		all = append(all, g.printable(c.val, 0))
	}
	return fmt.Sprintf(format, all...)
}

// printable returns a value that package fmt prints much like the program's.
func (g *goroutine) printable(v value, depth int) any {
	switch v := v.(type) {
	case iface:
		if v.typ == nil {
			return nil
		}
		for _, name := range []string{"Error", "String"} {
			fn := g.m.program.lookup(v.typ, name)
			if fn == nil || fn.Signature.Params().Len() != 0 || fn.Signature.Results().Len() != 1 {
				continue
			}
			if c, ok := v.val.(*cell); ok && c == nil {
				return "<nil>"
			}
			r, _ := g.invoke(&closure{fn: fn}, []value{v.val}, nil)
			return r
		}
		return g.printable(v.val, depth)
	case *cell:
		if v == nil || depth > 0 {
			return "pointer"
		}
		x, _ := g.load(v)
		return g.printable(x, depth+1)
	case slice:
		var all []any
		for _, c := range v.cells {
			x, _ := g.load(c)
			all = append(all, g.printable(x, depth+1))
		}
		return all
	case *mapping:
		if v == nil {
			return nil
		}
		if v.mem.shared {
			g.point(nil)
		}
		g.accessMap(v, Read)
		var all []any
		for _, e := range slices.Clone(v.order) {
			if !e.gone {
				all = append(all, g.printable(e.key, depth+1), g.printable(e.val, depth+1))
			}
		}
		return all
	case aggregate:
		var all []any
		for _, e := range v {
			all = append(all, g.printable(e, depth+1))
		}
		return all
	case *channel, *closure:
		return "pointer"
	}
	return v
}
