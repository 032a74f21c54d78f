package random

import (
	"fmt"
	"math/rand/v2"

	"github.com/empire-go/empire-go/esl"
)

// Nested generates a program whose processes do nothing but take locks in a nested way, start and join each other, and
// call functions, some of which are recursive: for questions about deadlock. All loops and recursions can end. It
// depends on the seed only, and satisfies esl.Validate.
func Nested(seed uint64, recursive bool) *esl.Program {
	g := &nestedGenerator{Rand: rand.New(rand.NewPCG(seed, 0x6e57)),
		program: &esl.Program{Name: fmt.Sprintf("nested %d", seed), Objects: []esl.Object{{Name: "w"}},
			Locations: []esl.Location{{Name: "a"}}}}
	p := g.program
	g.ordered = g.IntN(3) > 0
	for i := range 2 + g.IntN(2) {
		p.Locks = append(p.Locks, esl.Lock{Name: fmt.Sprintf("m%d", i+1), Kind: pick(g.Rand, []esl.LockKind{0, 0, 0, 1})})
	}
	n := 2 + g.IntN(2)
	for i := range n {
		q := esl.Process{Name: fmt.Sprintf("p%d", i), Entry: i, Copies: 1, Initial: i == 0 || g.IntN(3) == 0}
		if !q.Initial && n == 2 && g.IntN(3) == 0 {
			q.Copies = 2
		}
		p.Processes = append(p.Processes, q)
		p.Functions = append(p.Functions, esl.Function{Name: q.Name + ".run"})
	}
	g.helpers = []int{n, n + 1}
	p.Functions = append(p.Functions, esl.Function{Name: "f"}, esl.Function{Name: "g"})
	for i := range p.Functions {
		g.body, g.function, g.recursive = nil, i, recursive
		for k, q := range p.Processes {
			for range q.Copies {
				if i == 0 && !q.Initial {
					g.emit(esl.Stmt{Op: esl.Start, Arg: k})
				}
			}
		}
		for range 1 + g.IntN(3) {
			g.statement(0)
		}
		if i < n && g.IntN(3) > 0 {
			g.emit(esl.Stmt{Op: esl.Done})
		}
		p.Functions[i].Body = g.body
	}
	return p
}

type nestedGenerator struct {
	*rand.Rand
	program   *esl.Program
	body      []esl.Stmt
	function  int
	helpers   []int
	recursive bool
	ordered   bool // as a rule: locks are taken in the order of their numbers, and functions are called without them
}

func (g *nestedGenerator) emit(s esl.Stmt) { g.body = append(g.body, s) }

func (g *nestedGenerator) statement(nested int) {
	switch n := g.IntN(12); {
	case n < 5 && nested < 3:
		g.section(nested)
	case n == 5 && nested < 3:
		g.branch(func() { g.statement(nested + 1) })
	case n == 6 && nested < 2:
		head := len(g.body)
		g.statement(nested + 1)
		g.emit(esl.Stmt{Op: esl.Choice, Targets: []int{head, len(g.body) + 1}})
	case n < 9 && (!g.ordered || nested == 0):
		g.call()
	case n == 9 && g.IntN(2) == 0 && (!g.ordered || nested == 0):
		g.emit(esl.Stmt{Op: esl.Join, Arg: g.IntN(len(g.program.Processes))})
	default:
		g.emit(esl.Stmt{Op: esl.Access, Access: pick(g.Rand, []esl.AccessKind{esl.Read, esl.Write})})
	}
}

// section generates a critical section, at times one that is not left.
func (g *nestedGenerator) section(nested int) {
	lock := g.IntN(len(g.program.Locks))
	isOrdered := g.ordered && g.IntN(30) > 0
	if isOrdered && nested > lock {
		lock = nested
		if lock >= len(g.program.Locks) {
			g.emit(esl.Stmt{Op: esl.Skip})
			return
		}
	}
	take, release := esl.LockOp, esl.Unlock
	if g.program.Locks[lock].Kind == esl.RW && g.IntN(2) == 0 {
		take, release = esl.RLock, esl.RUnlock
	}
	g.emit(esl.Stmt{Op: take, Arg: lock})
	below := nested + 1
	if isOrdered {
		below = max(below, lock+1)
	}
	for range 1 + g.IntN(2) {
		g.statement(below)
	}
	if g.IntN(60) > 0 {
		g.emit(esl.Stmt{Op: release, Arg: lock})
	}
}

// branch generates what may be left out.
func (g *nestedGenerator) branch(content func()) {
	choice := len(g.body)
	g.emit(esl.Stmt{Op: esl.Choice})
	content()
	g.body[choice].Targets = []int{choice + 1, len(g.body)}
}

// call generates a call: of a helper from processes, of the second helper from the first, and of any of them, in a
// branch, if the program is recursive.
func (g *nestedGenerator) call() {
	first, second := g.helpers[0], g.helpers[1]
	switch {
	case g.function < first:
		g.emit(esl.Stmt{Op: esl.Call, Arg: pick(g.Rand, g.helpers)})
	case g.recursive:
		g.branch(func() { g.emit(esl.Stmt{Op: esl.Call, Arg: pick(g.Rand, g.helpers)}) })
	case g.function == first:
		g.emit(esl.Stmt{Op: esl.Call, Arg: second})
	default:
		g.emit(esl.Stmt{Op: esl.Skip})
	}
}
