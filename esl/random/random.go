// Package random generates small ESL programs for tests in which two ways to
// analyse a program have to agree. The programs are valid, small enough to be
// explored in full (but for recursive ones), and varied: some follow a locking
// discipline and are safe, some have gaps in it, some have none.
package random

import (
	"fmt"
	"math/rand/v2"

	"github.com/empire-go/empire-go/esl"
)

// Shape says what programs to generate. The zero Shape gives two or three
// processes without recursion.
type Shape struct {
	Processes int     // 0 leaves the choice between 2 and 3 to chance
	Recursion float64 // probability that a program has a recursive function
	Plain     bool    // only reads and writes, mutexes, calls and units on one object
}

// Program generates a program. It depends on the seed and the shape only, and
// satisfies esl.Validate.
func Program(seed uint64, shape Shape) *esl.Program {
	g := &generator{
		Rand:    rand.New(rand.NewPCG(seed, 0x45534c)),
		shape:   shape,
		program: &esl.Program{Name: fmt.Sprintf("random %d", seed)},
	}
	g.lockProbability = pick(g.Rand, []float64{1, 1, 1, 0.9, 0.6, 0.2})
	g.chained = g.chance(0.3)
	g.declare()
	g.processes()
	g.helpers()
	for i := range g.program.Processes {
		g.entry(i)
	}
	return g.program
}

// generator generates one program.
type generator struct {
	*rand.Rand
	shape           Shape
	program         *esl.Program
	lockProbability float64 // that a unit takes the lock that guards the object
	chained         bool    // process 1 starts process 2; else main starts all
	joined          []bool  // for each process, whether it executes Done and is joined
	giver           int     // the process that sends and closes; the others receive
	token           bool    // the first channel stands for the first lock
	methods         []int   // helper functions that are units and may take locks
	raw             []int   // helper functions that only access
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// chance is true with probability p.
func (g *generator) chance(p float64) bool { return g.Float64() < p }

// rare is chance, but never true in plain programs.
func (g *generator) rare(p float64) bool { return g.chance(p) && !g.shape.Plain }

func (g *generator) declare() {
	p := g.program
	p.Objects = []esl.Object{{Name: "w"}}
	if g.rare(0.25) {
		p.Objects = append(p.Objects, esl.Object{Name: "v"})
	}
	for o := range p.Objects {
		p.Locations = append(p.Locations, esl.Location{Object: o, Name: "a"}, esl.Location{Object: o, Name: "b"})
	}
	for i := range 1 + g.IntN(2) {
		kind := esl.Mutex
		if g.rare(0.3) {
			kind = esl.RW
		}
		p.Locks = append(p.Locks, esl.Lock{Name: fmt.Sprintf("m%d", i+1), Kind: kind})
	}
	if g.rare(0.15) {
		p.Flags = []esl.Flag{{Name: "ready"}}
	}
	if g.rare(0.25) {
		g.channels()
	}
}

// channels declares one channel or two. A channel of capacity 1 may be used as a
// mutex.
func (g *generator) channels() {
	p := g.program
	p.Channels = []esl.Channel{{Name: "c", Capacity: g.IntN(3)}}
	if g.chance(0.2) {
		p.Channels = append(p.Channels, esl.Channel{Name: "d", Capacity: g.IntN(2)})
	}
	g.giver = g.IntN(2)
	g.token = p.Channels[0].Capacity == 1 && g.chance(0.5)
}

// processes declares the processes; the entry of each is the function of the same
// index.
func (g *generator) processes() {
	n := g.shape.Processes
	if n == 0 {
		n = 2 + g.IntN(2)
	}
	for i := range n {
		q := esl.Process{Name: "main", Entry: i, Copies: 1, Initial: true}
		if i > 0 {
			q.Name, q.Initial = fmt.Sprintf("p%d", i), g.rare(0.1)
			if n == 2 && !q.Initial && g.rare(0.2) {
				q.Copies = 2
				q.Disjoint = g.disjoint()
			}
		}
		g.program.Processes = append(g.program.Processes, q)
		g.program.Functions = append(g.program.Functions, esl.Function{Name: q.Name + ".run"})
		g.joined = append(g.joined, i > 0 && g.chance(0.4))
	}
}

// disjoint chooses some locations, or none.
func (g *generator) disjoint() []int {
	var some []int
	for l := range g.program.Locations {
		if g.rare(0.2) {
			some = append(some, l)
		}
	}
	return some
}

// helpers generates functions that the processes share: one that only accesses,
// and methods, each of which may call those before it or, if recursive, itself.
func (g *generator) helpers() {
	g.raw = []int{g.helper("raw", func(b *builder) { b.accesses(1 + g.IntN(2)) })}
	recursive := g.chance(g.shape.Recursion)
	for i := range 1 + g.IntN(3) {
		g.methods = append(g.methods, g.helper(fmt.Sprintf("(*w).M%d", i+1), func(b *builder) {
			b.label = fmt.Sprintf("M%d", i+1)
			if recursive && i == 0 {
				b.recursive()
			} else {
				b.unit()
			}
		}))
	}
}

func (g *generator) helper(name string, fill func(*builder)) int {
	index := len(g.program.Functions)
	g.program.Functions = append(g.program.Functions, esl.Function{Name: name})
	b := &builder{generator: g, self: index, label: name}
	fill(b)
	g.program.Functions[index].Body = b.body
	return index
}

// entry generates the entry function of a process.
func (g *generator) entry(process int) {
	b := &builder{generator: g, self: process, label: g.program.Processes[process].Name}
	var starts []int
	for i := range g.program.Processes {
		if g.program.Processes[i].Initial {
			continue
		}
		starter := 0
		if i == 2 && g.chained {
			starter = 1
		}
		if starter == process {
			starts = append(starts, i)
		}
	}
	if g.chance(0.3) {
		b.work()
	}
	within := len(starts) > 0 && g.rare(0.15) // start, and join, within a unit
	if within {
		b.emit(esl.Stmt{Op: esl.UnitBegin, Unit: b.label})
	}
	for _, i := range starts {
		for range g.program.Processes[i].Copies {
			b.emit(esl.Stmt{Op: esl.Start, Arg: i})
		}
	}
	if len(starts) == 0 || g.chance(0.7) {
		b.work()
	}
	for _, i := range starts {
		if g.joined[i] {
			b.emit(esl.Stmt{Op: esl.Join, Arg: i})
			b.work()
		}
	}
	if within {
		b.emit(esl.Stmt{Op: esl.UnitEnd})
	}
	if g.joined[process] && !g.rare(0.05) {
		b.emit(esl.Stmt{Op: esl.Done})
	}
	if g.rare(0.1) {
		b.work()
	}
	g.program.Functions[process].Body = b.body
}
