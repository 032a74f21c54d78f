package enginetest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/empire-go/empire-go/cpds"
)

// Threads is the shape of systems made like those of concurrent programs: threads
// that call procedures, take locks and access variables, and a monitor that looks
// for patterns of accesses.
type Threads struct {
	Threads, Procedures, Nodes int
	Locks, Variables           int
	Patterns                   int
	Recursive                  bool
	Accesses                   float64 // share of nodes that access a variable or use a lock
}

// Program returns a random system of a shape.
func Program(r *rand.Rand, shape Threads) *cpds.System {
	b := &program{r: r, shape: shape, s: &cpds.System{Name: "program"}, number: map[string]int{}}
	for t := range shape.Threads {
		b.thread(t)
	}
	for l := range shape.Locks {
		b.lock(l)
	}
	b.monitor()
	return b.s
}

type program struct {
	r      *rand.Rand
	shape  Threads
	s      *cpds.System
	number map[string]int
}

func (b *program) action(format string, arguments ...any) int {
	name := fmt.Sprintf(format, arguments...)
	a, ok := b.number[name]
	if !ok {
		a = len(b.s.Actions)
		b.number[name] = a
		b.s.Actions = append(b.s.Actions, name)
	}
	return a
}

func (b *program) add(c *cpds.Component) {
	for _, r := range c.Rules {
		if r.Action != cpds.Tau {
			c.Alphabet = append(c.Alphabet, r.Action)
		}
	}
	slices.Sort(c.Alphabet)
	c.Alphabet = slices.Compact(c.Alphabet)
	b.s.Components = append(b.s.Components, c)
}

// thread makes procedures as graphs that run forward, with branches and loops.
func (b *program) thread(t int) {
	c := &cpds.Component{Name: fmt.Sprint("t", t), Kind: cpds.Thread, Controls: []string{"p"},
		Initial: cpds.Configuration{Stack: []int{0}}}
	at := func(procedure, node int) int { return procedure*b.shape.Nodes + node }
	for f := range b.shape.Procedures {
		held := []int{} // locks taken on the straight way
		for n := range b.shape.Nodes {
			c.Symbols = append(c.Symbols, fmt.Sprintf("f%d.%d", f, n))
			rule := cpds.Rule{Top: at(f, n), Action: cpds.Tau, Origin: -1}
			if n == b.shape.Nodes-1 {
				c.Rules = append(c.Rules, rule)
				continue
			}
			rule.Push = []int{at(f, n+1)}
			switch left := b.shape.Nodes - 1 - n; {
			case len(held) >= left:
				rule.Action = b.action("t%d.unlock%d", t, held[len(held)-1])
				held = held[:len(held)-1]
			case b.r.Float64() < b.shape.Accesses:
				rule.Action = b.effect(t, &held)
			case b.r.IntN(3) == 0:
				if callee := b.callee(f); callee >= 0 {
					rule.Push = []int{at(callee, 0), at(f, n+1)}
				}
			case len(held) == 0 && b.r.IntN(3) == 0:
				other := rule
				other.Push = []int{at(f, b.r.IntN(n+1))}
				c.Rules = append(c.Rules, other)
			}
			c.Rules = append(c.Rules, rule)
			if len(rule.Push) == 2 && b.r.IntN(2) == 0 { // the call can be skipped
				rule.Push = rule.Push[1:]
				c.Rules = append(c.Rules, rule)
			}
		}
	}
	b.add(c)
}

func (b *program) effect(t int, held *[]int) int {
	if b.shape.Locks > 0 && b.r.IntN(4) == 0 {
		if l := b.r.IntN(b.shape.Locks); !slices.Contains(*held, l) {
			*held = append(*held, l)
			return b.action("t%d.lock%d", t, l)
		}
	}
	return b.action("t%d.%c%d", t, "rw"[b.r.IntN(2)], b.r.IntN(b.shape.Variables))
}

func (b *program) callee(f int) int {
	if b.shape.Recursive && b.r.IntN(4) == 0 {
		return b.r.IntN(b.shape.Procedures)
	}
	if f+1 == b.shape.Procedures {
		return -1
	}
	return f + 1 + b.r.IntN(min(3, b.shape.Procedures-f-1))
}

// lock makes a mutex without an owner.
func (b *program) lock(l int) {
	c := &cpds.Component{Name: fmt.Sprint("l", l), Kind: cpds.Lock, Controls: []string{"free"}, Symbols: []string{"s"},
		Initial: cpds.Configuration{Stack: []int{0}}}
	for t := range b.shape.Threads {
		c.Controls = append(c.Controls, fmt.Sprint("held by t", t))
		c.Rules = append(c.Rules,
			cpds.Rule{From: 0, Action: b.action("t%d.lock%d", t, l), To: t + 1, Push: []int{0}, Origin: -1},
			cpds.Rule{From: t + 1, Action: b.action("t%d.unlock%d", t, l), To: 0, Push: []int{0}, Origin: -1})
	}
	b.add(c)
}

// monitor guesses a pattern at the start: accesses of two threads in some order,
// with any others between.
func (b *program) monitor() {
	c := &cpds.Component{Name: "monitor", Kind: cpds.Monitor, Controls: []string{"start"}, Symbols: []string{"s"},
		Initial: cpds.Configuration{Stack: []int{0}}}
	access := func() int {
		return b.action("t%d.%c%d", b.r.IntN(b.shape.Threads), "rw"[b.r.IntN(2)], b.r.IntN(b.shape.Variables))
	}
	accesses := func() (all []int) {
		for t := range b.shape.Threads {
			for _, k := range "rw" {
				for v := range b.shape.Variables {
					all = append(all, b.action("t%d.%c%d", t, k, v))
				}
			}
		}
		return all
	}()
	for i := range b.shape.Patterns {
		first := len(c.Controls)
		c.Rules = append(c.Rules, cpds.Rule{From: 0, Action: cpds.Tau, To: first, Push: []int{0}, Origin: -1})
		for n := range 5 {
			c.Controls = append(c.Controls, fmt.Sprintf("pattern %d.%d", i, n))
			for _, a := range accesses {
				c.Rules = append(c.Rules, cpds.Rule{From: first + n, Action: a, To: first + n, Push: []int{0}, Origin: -1})
			}
			if n < 4 {
				c.Rules = append(c.Rules, cpds.Rule{From: first + n, Action: access(), To: first + n + 1, Push: []int{0},
					Origin: -1})
			}
		}
		c.Final = append(c.Final, cpds.Final{Control: first + 4, Open: true, Label: fmt.Sprint("pattern ", i)})
	}
	b.add(c)
}
