package random

import (
	"fmt"
	"math/rand/v2"

	"github.com/empire-go/empire-go/esl"
)

// Blocking generates a program for questions about blocking: a few processes that take locks, send, receive and
// select, wait for signals, for groups and for each other, and test variables. Many of them block; some do not. It
// depends on the seed only, and satisfies esl.Validate.
func Blocking(seed uint64) *esl.Program {
	g := &blockingGenerator{
		Rand: rand.New(rand.NewPCG(seed, 0xb10c)),
		program: &esl.Program{Name: fmt.Sprintf("blocking %d", seed), Objects: []esl.Object{{Name: "w"}},
			Locations: []esl.Location{{Name: "a"}}},
	}
	p := g.program
	g.told = g.IntN(3) == 0
	for i := range g.IntN(3) {
		p.Locks = append(p.Locks, esl.Lock{Name: fmt.Sprintf("m%d", i+1), Kind: pick(g.Rand, []esl.LockKind{0, 0, 1})})
	}
	for i := range g.IntN(3) {
		p.Channels = append(p.Channels, esl.Channel{Name: fmt.Sprintf("c%d", i+1), Capacity: g.IntN(3)})
	}
	if g.IntN(3) == 0 {
		p.Conditions = []esl.Condition{{Name: "cond"}}
	}
	if g.IntN(3) == 0 {
		p.Groups = []esl.Group{{Name: "wg"}}
	}
	if g.IntN(3) == 0 {
		p.Variables = []esl.Variable{{Name: "v", Values: 2 + g.IntN(2)}}
	}
	if g.IntN(6) == 0 {
		p.Flags = []esl.Flag{{Name: "f"}}
	}
	n := 2 + g.IntN(2)
	for i := range n {
		q := esl.Process{Name: fmt.Sprintf("p%d", i), Entry: i, Copies: 1, Initial: i == 0 || g.IntN(4) == 0}
		if !q.Initial && n == 2 && g.IntN(4) == 0 {
			q.Copies = 2
		}
		p.Processes = append(p.Processes, q)
		p.Functions = append(p.Functions, esl.Function{Name: q.Name + ".run"})
	}
	p.Functions = append(p.Functions, esl.Function{Name: "helper"})
	for i := range p.Functions {
		g.body = nil
		if i == 0 {
			for k, q := range p.Processes {
				for range q.Copies {
					if !q.Initial {
						g.emit(esl.Stmt{Op: esl.Start, Arg: k})
					}
				}
			}
		}
		g.helper = i == len(p.Functions)-1
		for range 1 + g.IntN(4) {
			g.statement(0)
		}
		if g.IntN(2) == 0 && !g.helper {
			g.emit(esl.Stmt{Op: esl.Done})
		}
		p.Functions[i].Body = g.body
	}
	return p
}

type blockingGenerator struct {
	*rand.Rand
	program *esl.Program
	body    []esl.Stmt
	helper  bool
	told    bool // values in channels are told apart
}

func (g *blockingGenerator) emit(s esl.Stmt) { g.body = append(g.body, s) }

// statement generates a statement, or a few that belong together.
func (g *blockingGenerator) statement(nested int) {
	switch n := g.IntN(16); {
	case n < 3 && len(g.program.Locks) > 0 && nested < 2:
		g.section(nested)
	case n == 3 && nested < 2:
		g.branch(nested)
	case n == 4 && nested < 2:
		head := len(g.body)
		g.statement(nested + 1)
		g.emit(esl.Stmt{Op: esl.Choice, Targets: []int{head, len(g.body) + 1}})
	case n < 8 && nested < 2:
		g.selection()
	case n == 8 && !g.helper:
		g.emit(esl.Stmt{Op: esl.Call, Arg: len(g.program.Functions) - 1})
	case n == 9 && len(g.program.Conditions) > 0:
		g.emit(esl.Stmt{Op: esl.Enlist})
		g.emit(esl.Stmt{Op: esl.Awake})
	default:
		g.emit(g.operation())
	}
}

// section generates a critical section, at times one whose lock is not released.
func (g *blockingGenerator) section(nested int) {
	lock := g.IntN(len(g.program.Locks))
	take, release := esl.LockOp, esl.Unlock
	if g.program.Locks[lock].Kind == esl.RW {
		switch g.IntN(3) {
		case 0:
			g.emit(esl.Stmt{Op: esl.Intend, Arg: lock})
		case 1:
			take, release = esl.RLock, esl.RUnlock
		}
	}
	g.emit(esl.Stmt{Op: take, Arg: lock})
	g.statement(nested + 1)
	if g.IntN(20) > 0 {
		g.emit(esl.Stmt{Op: release, Arg: lock})
	}
}

func (g *blockingGenerator) branch(nested int) {
	choice := len(g.body)
	g.emit(esl.Stmt{Op: esl.Choice})
	g.statement(nested + 1)
	jump := len(g.body)
	g.emit(esl.Stmt{Op: esl.Goto})
	g.statement(nested + 1)
	g.body[choice].Targets = []int{choice + 1, jump + 1}
	g.body[jump].Targets = []int{len(g.body)}
}

// selection generates a select with one to three arms.
func (g *blockingGenerator) selection() {
	s := esl.Stmt{Op: pick(g.Rand, []esl.Op{esl.Select, esl.SelectDefault})}
	at := len(g.body)
	g.emit(s)
	arms := 1 + g.IntN(3)
	var jumps []int
	for i := range arms {
		s.Targets = append(s.Targets, len(g.body))
		if s.Op == esl.SelectDefault && i == arms-1 {
			g.emit(esl.Stmt{Op: esl.Skip})
		} else {
			g.emit(g.operation())
		}
		jumps = append(jumps, len(g.body))
		g.emit(esl.Stmt{Op: esl.Goto})
	}
	for _, j := range jumps {
		g.body[j].Targets = []int{len(g.body)}
	}
	g.body[at] = s
}

// operation generates one operation on something that there is.
func (g *blockingGenerator) operation() esl.Stmt {
	p := g.program
	kinds := []esl.Stmt{{Op: esl.Skip}}
	some := func(n int, ops ...esl.Op) {
		if n > 0 {
			for range 3 {
				kinds = append(kinds, esl.Stmt{Op: pick(g.Rand, ops), Arg: g.IntN(n)})
			}
		}
	}
	some(len(p.Channels), esl.Send, esl.Send, esl.Receive, esl.Receive, esl.ReceiveClosed, esl.CloseChannel)
	some(len(p.Channels), esl.Send, esl.Receive)
	some(len(p.Conditions), esl.Signal, esl.Broadcast, esl.Awake)
	some(len(p.Groups), esl.Add, esl.Add, esl.WaitZero)
	some(len(p.Variables), esl.Assign, esl.Test, esl.Swap)
	some(len(p.Flags), esl.Set, esl.Await, esl.AwaitUnset)
	if g.IntN(8) == 0 {
		some(len(p.Processes), esl.Join)
		some(len(p.Locks), esl.LockOp, esl.Unlock)
	}
	if g.IntN(40) == 0 {
		kinds = []esl.Stmt{{Op: esl.Exit}}
	}
	s := pick(g.Rand, kinds)
	switch s.Op {
	case esl.Send, esl.Receive:
		if g.told {
			s.Value = g.IntN(2)
		}
	case esl.Add:
		s.Count = pick(g.Rand, []int{1, -1})
	case esl.Assign:
		s.Value = g.IntN(p.Variables[s.Arg].Values)
	case esl.Test:
		s.Count = g.IntN(p.Variables[s.Arg].Values)
	case esl.Swap:
		s.Count, s.Value = g.IntN(p.Variables[s.Arg].Values), g.IntN(p.Variables[s.Arg].Values)
	}
	return s
}
