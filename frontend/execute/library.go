package execute

import (
	"go/ast"
	"go/types"
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
	if n := drawn(fn, name); n != nil {
		return n
	}
	if knowledge.IsArgumentsMade(fn) {
		return func(g *goroutine, _ []value) value {
			if g.m.argumentsMade != nil {
				g.m.argumentsMade(g)
			}
			return nil
		}
	}
	if n := nativeOfMirror(fn, name); n != nil {
		return n
	}
	if n := instance(fn, name); n != nil {
		return n
	}
	if n := ofFile(fn, name); n != nil {
		return n
	}
	if other := p.generic(fn); other != nil {
		return func(g *goroutine, a []value) value { return g.invokeBody(other, a) }
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
	if fn.Name() == "init" && fn.Synthetic != "" && p.isLazy(fn.Pkg) {
		return func(*goroutine, []value) value { return nil }
	}
	switch {
	case knowledge.IsSystemCall(fn) && failsWith(fn.Signature) != nil:
		return func(*goroutine, []value) value { return failsWith(fn.Signature) }
	case fn.Pkg != nil && fn.Pkg.Pkg.Path() == "log" && knowledge.Forgets(fn) && strings.HasPrefix(fn.Name(), "Print"):
		return logs(fn)
	case strings.HasPrefix(name, "internal/race."):
		return func(g *goroutine, a []value) value { return resultZero(fn.Signature) }
	}
	return p.printing(fn)
}

// notImplemented is ENOSYS.
const notImplemented = 38

// failsWith is what a system call returns: there is no operating system. It is nil where the error
// is not a number, the last result.
func failsWith(s *types.Signature) value {
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

		"maps.clone": func(g *goroutine, a []value) value {
			x := a[0].(iface)
			m := newMapping()
			m.mem.origin = g.origin()
			for _, e := range g.entries(x.val.(*mapping)) {
				m.put(e.key, e.val)
			}
			return iface{x.typ, m}
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
			return g.m.instant()
		},
		knowledge.Until: func(g *goroutine, a []value) value {
			if g.m.tick(); g.m.idle {
				return g.difference(a[0], g.m.instant())
			}
			return -g.m.clock
		},
		knowledge.Since: func(g *goroutine, a []value) value {
			if g.m.tick(); g.m.idle {
				return g.difference(g.m.instant(), a[0])
			}
			return g.m.clock
		},
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

// instant is what time.Now returns: where time stands still, nanoseconds after a day in 2001; else a number
// of seconds, so that no loop that waits takes long.
func (m *machine) instant() value {
	if !m.idle {
		return aggregate{int64(0), m.clock, (*cell)(nil)}
	}
	const second, day = 1_000_000_000, 63_113_904_000
	return aggregate{m.clock % second, day + m.clock/second, (*cell)(nil)}
}

// difference is t.Sub(u).
func (g *goroutine) difference(t, u value) value {
	fn := g.m.method(g.m.program.typeOf("time", "Time"), nil, "Sub")
	v, _ := g.invoke(&closure{fn: fn}, []value{t, u}, nil)
	return v
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
