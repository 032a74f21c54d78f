package execute

import (
	"go/types"
	"hash/fnv"
	"maps"
	"math"

	"golang.org/x/tools/go/ssa"
)

// inRuntime returns what stands for functions of the runtime, and for those of the standard library that
// are linked to it: a program that runs here has no stack to look at, no settings and no memory limits.
func inRuntime() map[string]native {
	no := func(*goroutine, []value) value { return false }
	number := func(n int64) native { return func(*goroutine, []value) value { return n } }
	random := func(g *goroutine, _ []value) value { return int64(g.m.next()<<32 ^ g.m.next()) }
	return map[string]native{
		"runtime.Callers": number(0),
		"runtime.Caller":  func(*goroutine, []value) value { return aggregate{int64(0), "", int64(0), false} },
		"runtime.Stack":   number(0),
		"(*runtime.Frames).Next": func(g *goroutine, _ []value) value {
			return aggregate{zero(g.m.program.typeOf("runtime", "Frame")), false}
		},
		"runtime.FuncForPC":                   func(*goroutine, []value) value { return (*cell)(nil) },
		"runtime.ReadMemStats":                nothing,
		"runtime.LockOSThread":                nothing,
		"runtime.UnlockOSThread":              nothing,
		"runtime.NumCgoCall":                  number(0),
		"runtime.Version":                     func(*goroutine, []value) value { return "go" },
		"runtime.rand":                        random,
		"runtime.fastrand64":                  random,
		"runtime/metrics.runtime_readMetrics": nothing,
		"os/signal.signal_enable":             nothing,
		"os/signal.signal_recv":               forEver,
		"os/signal.signal_disable":            nothing,
		"os/signal.signal_ignore":             nothing,
		"os/signal.signal_ignored":            no,
		"os/signal.signalWaitUntilIdle":       nothing,
		"runtime/debug.SetGCPercent":          number(100),
		"runtime/debug.SetMemoryLimit":        number(math.MaxInt64),
		"runtime/debug.FreeOSMemory":          nothing,
		"runtime/debug.ReadBuildInfo":         func(*goroutine, []value) value { return aggregate{(*cell)(nil), false} },

		"(*internal/godebug.Setting).Value":         func(*goroutine, []value) value { return "" },
		"(*internal/godebug.Setting).IncNonDefault": nothing,
		"internal/godebug.registerMetric":           nothing,
		"internal/godebug.setUpdate":                nothing,
		"internal/godebug.setNewIncNonDefault":      nothing,
		"internal/testlog.Getenv":                   nothing,

		"crypto/internal/sysrand.Read": func(g *goroutine, a []value) value {
			for _, c := range a[0].(slice).cells {
				g.store(c, int64(byte(g.m.next()>>8)), nil)
			}
			return nil
		},
		"crypto/internal/boring/sig.StandardCrypto": nothing,
		"crypto/internal/boring/sig.BoringCrypto":   nothing,
		"crypto/internal/fips140.getIndicator":      number(0),
		"crypto/internal/fips140.setIndicator":      nothing,
		"crypto/internal/entropy/v1.0.0.fastTime":   number(0),
		"crypto/internal/fips140/subtle.xorBytes":   xorBytes,
		"crypto/internal/fips140deps/godebug.Value": func(*goroutine, []value) value { return "" },
		"crypto/fips140.Enabled":                    no,
		"hash/maphash.rthash": hashOfBytes(func(g *goroutine, v value) string {
			return string(g.bytes(v))
		}),
		"hash/maphash.rthashString":        hashOfBytes(func(_ *goroutine, v value) string { return v.(string) }),
		"hash/maphash.randUint64":          random,
		"internal/runtime/maps.fatal":      nothing,
		"internal/sync.runtime_rand":       random,
		"sync.runtime_registerPoolCleanup": nothing,
		"runtime.SetBlockProfileRate":      nothing,
		"runtime.SetMutexProfileFraction":  number(0),
		"(*net.conf).mustUseGoResolver":    func(*goroutine, []value) value { return true },
		"crypto/internal/constanttime.boolToUint8": func(_ *goroutine, a []value) value {
			if a[0].(bool) {
				return int64(1)
			}
			return int64(0)
		},
		"internal/cpu.Initialize": nothing,

		// Nothing is sampled, and there is a page of the usual size.
		"runtime.MemProfile":          noRecords,
		"runtime.BlockProfile":        noRecords,
		"runtime.MutexProfile":        noRecords,
		"runtime.GoroutineProfile":    noRecords,
		"runtime.ThreadCreateProfile": noRecords,
		"syscall.Getpagesize":         number(4096),
		"runtime.fcntl":               func(*goroutine, []value) value { return aggregate{int64(-1), int64(notImplemented)} },
	}
}

// noRecords stands for a profile of the runtime.
func noRecords(*goroutine, []value) value { return aggregate{int64(0), true} }

// forEver stands for a function that waits for what does not come.
func forEver(g *goroutine, _ []value) value { return g.receive(nil, false) }

// Bodies returns the functions of packages that no analysis looks into whose bodies are run, by their names.
func Bodies() map[string]bool {
	all := maps.Clone(mirrorBody)
	for _, name := range runtimeBody {
		all[name] = true
	}
	return all
}

// runtimeBody are the functions of the runtime whose bodies are run: what errors of the runtime say.
var runtimeBody = []string{
	"runtime.CallersFrames",
	"(runtime.errorString).Error", "(runtime.errorString).RuntimeError",
	"(runtime.plainError).Error", "(runtime.plainError).RuntimeError",
}

// hashOfBytes is a sum of bytes, from a seed.
func hashOfBytes(text func(g *goroutine, v value) string) native {
	return func(g *goroutine, a []value) value {
		h := fnv.New64a()
		h.Write([]byte(text(g, a[0])))
		return int64(h.Sum64() ^ uint64(a[1].(int64)))
	}
}

// xorBytes writes so many bytes of one place combined with those of another one.
func xorBytes(g *goroutine, a []value) value {
	n := int(a[3].(int64))
	dst, x, y := g.rowOf(a[0], n), g.rowOf(a[1], n), g.rowOf(a[2], n)
	for i := range n {
		p, pt := g.load(x[i])
		q, qt := g.load(y[i])
		g.store(dst[i], p.(int64)^q.(int64), pt.union(qt))
	}
	return nil
}

// floats returns the functions of package math that are in assembly, or are called often.
func floats() map[string]native {
	all := map[string]native{
		"math.Float64bits":     func(_ *goroutine, a []value) value { return int64(math.Float64bits(a[0].(float64))) },
		"math.Float64frombits": func(_ *goroutine, a []value) value { return math.Float64frombits(uint64(a[0].(int64))) },
		"math.Float32bits": func(_ *goroutine, a []value) value {
			return int64(math.Float32bits(float32(a[0].(float64))))
		},
		"math.Float32frombits": func(_ *goroutine, a []value) value {
			return float64(math.Float32frombits(uint32(a[0].(int64))))
		},
		"math.FMA": func(_ *goroutine, a []value) value {
			return math.FMA(a[0].(float64), a[1].(float64), a[2].(float64))
		},
	}
	for name, f := range map[string]func(float64) float64{"Sqrt": math.Sqrt, "Floor": math.Floor, "Ceil": math.Ceil,
		"Trunc": math.Trunc, "Exp": math.Exp, "Log": math.Log, "Abs": math.Abs} {
		all["math."+name] = func(_ *goroutine, a []value) value { return f(a[0].(float64)) }
	}
	for name, f := range map[string]func(x, y float64) float64{"Hypot": math.Hypot, "Max": math.Max, "Min": math.Min} {
		all["math."+name] = func(_ *goroutine, a []value) value { return f(a[0].(float64), a[1].(float64)) }
	}
	return all
}

// generic returns the function that does the same as one in assembly, nil if there is none: the standard
// library has both, for machines of other kinds.
func (p *Program) generic(fn *ssa.Function) *ssa.Function {
	if len(fn.Blocks) > 0 || fn.Pkg == nil || fn.Signature.Recv() != nil || !p.isStandard(fn.Pkg) {
		return nil
	}
	for _, name := range []string{fn.Name() + "Generic", fn.Name() + "_g", fn.Name() + "_generic", fn.Name() + "Go",
		"generic" + upperFirst(fn.Name())} {
		other := fn.Pkg.Func(name)
		if other != nil && len(other.Blocks) > 0 && types.Identical(other.Signature, fn.Signature) {
			return other
		}
	}
	return nil
}

func upperFirst(name string) string { return string(name[0]-'a'+'A') + name[1:] }

// instance returns what stands for a generic function, by its type arguments; nil if its body is run.
func instance(fn *ssa.Function, name string) native {
	switch name {
	case "unique.Make":
		return func(g *goroutine, a []value) value {
			t := fn.TypeArgs()[0]
			key := hash(iface{t, a[0]})
			if g.m.unique == nil {
				g.m.unique = map[any]*cell{}
			}
			if g.m.unique[key] == nil {
				c := g.reflect(t, a[0], 0).at
				c.mem.shared = true
				g.m.unique[key] = c
			}
			return aggregate{g.m.unique[key]}
		}
	case "hash/maphash.comparableHash":
		return func(g *goroutine, a []value) value {
			text := ""
			switch h := hash(a[0]).(type) {
			case string:
				text = h
			case int64:
				text = decimal(h)
			default:
				text = decimal(g.m.address(h))
			}
			seed := a[1].(aggregate)[0].(int64)
			return hashOfBytes(func(*goroutine, value) string { return text })(g, []value{nil, seed})
		}
	case "runtime.AddCleanup":
		return func(*goroutine, []value) value { return zero(fn.Signature.Results().At(0).Type()) }
	}
	return nil
}
