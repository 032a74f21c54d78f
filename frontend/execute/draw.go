package execute

import "golang.org/x/tools/go/ssa"

// Random numbers are names: which of two calls gets which of them is no outcome. So a goroutine of a trial draws its
// own ones also from a generator that an object has, in the same order in each run, and the generator stays as it is.
// That it is read and written is seen.

// sources is the generators whose state an object can have, and how far left a number of 53 bits is moved.
var sources = map[string]int{
	"(*math/rand.rngSource).Int63":  10,
	"(*math/rand.rngSource).Uint64": 11,
	"(*math/rand/v2.PCG).Uint64":    11,
}

// drawn returns what stands for a method by which a generator makes a number, nil for other functions.
func drawn(fn *ssa.Function, name string) native {
	shift, ok := sources[name]
	if !ok {
		return nil
	}
	return func(g *goroutine, a []value) value {
		generator, isCell := a[0].(*cell)
		if !g.m.notes || !isCell || generator == nil {
			return g.invokeBody(fn, a)
		}
		v, t := g.load(generator.parts[0])
		g.store(generator.parts[0], v, t)
		return int64(g.m.next() << shift)
	}
}
