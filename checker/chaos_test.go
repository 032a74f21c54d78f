package checker

import (
	"fmt"
	"math/rand/v2"

	"github.com/empire-go/empire-go/esl"
)

// chaos returns a program of random statements with no discipline at all: locks
// are released by others or never, anybody starts, joins and waits for anybody,
// units nest and overlap. Most of it blocks soon; what runs reaches corners that
// sensible programs do not.
func chaos(seed uint64) *esl.Program {
	r := rand.New(rand.NewPCG(seed, 0xc4a05))
	p := &esl.Program{
		Name:      fmt.Sprintf("chaos %d", seed),
		Objects:   []esl.Object{{Name: "w"}, {Name: "v"}}[:1+r.IntN(2)],
		Locations: []esl.Location{{Object: 0, Name: "a"}, {Object: 0, Name: "b"}},
		Locks:     []esl.Lock{{Name: "m", Kind: esl.LockKind(r.IntN(2))}},
		Flags:     []esl.Flag{{Name: "f"}},
		Channels:  []esl.Channel{{Name: "c", Capacity: r.IntN(3)}},
	}
	if len(p.Objects) == 2 {
		p.Locations = append(p.Locations, esl.Location{Object: 1, Name: "c"})
	}
	copies := 0
	for i := range 2 + r.IntN(2) {
		q := esl.Process{Name: fmt.Sprintf("p%d", i), Entry: i, Copies: 1, Initial: i == 0 || r.IntN(4) == 0}
		if !q.Initial && r.IntN(3) == 0 && copies < 2 {
			q.Copies = 2 + r.IntN(2)/(1+copies)
		}
		copies += q.Copies - 1
		p.Processes = append(p.Processes, q)
		p.Functions = append(p.Functions, esl.Function{Name: fmt.Sprintf("run%d", i)})
	}
	p.Functions = append(p.Functions, esl.Function{Name: "helper"})
	for i := range p.Functions {
		c := &chaotic{Rand: r, program: p, helper: len(p.Functions) - 1, self: i}
		if i == 0 && r.IntN(4) > 0 {
			c.startAll()
		}
		c.block(2+r.IntN(4), 2)
		p.Functions[i].Body = c.body
	}
	return p
}

// chaotic writes the body of one function.
type chaotic struct {
	*rand.Rand
	program      *esl.Program
	helper, self int
	body         []esl.Stmt
}

func (c *chaotic) emit(s esl.Stmt) { c.body = append(c.body, s) }

// startAll makes it likely that more than the first process runs.
func (c *chaotic) startAll() {
	for i, q := range c.program.Processes {
		for range q.Copies {
			if !q.Initial {
				c.emit(esl.Stmt{Op: esl.Start, Arg: i})
			}
		}
	}
}

// block writes n statements, with units and choices nested up to depth.
func (c *chaotic) block(n, depth int) {
	for range n {
		switch k := c.IntN(20); {
		case k < 5 && depth > 0:
			c.unit(depth)
		case k < 7 && depth > 0:
			c.choice(depth)
		case k < 12:
			c.access()
		default:
			c.other()
		}
	}
}

func (c *chaotic) unit(depth int) {
	begin := esl.Stmt{Op: esl.UnitBegin, Arg: c.IntN(len(c.program.Objects)), Unit: fmt.Sprintf("U%d", c.IntN(2))}
	if len(c.program.Objects) == 2 && c.IntN(3) == 0 {
		begin.With = []int{1 - begin.Arg}
	}
	c.emit(begin)
	c.block(1+c.IntN(4), depth-1)
	c.emit(esl.Stmt{Op: esl.UnitEnd, Arg: begin.Arg})
}

// choice writes a branch, or a loop if it jumps back.
func (c *chaotic) choice(depth int) {
	at := len(c.body)
	c.emit(esl.Stmt{Op: esl.Choice})
	c.block(1+c.IntN(2), depth-1)
	if c.IntN(3) == 0 {
		c.emit(esl.Stmt{Op: esl.Goto, Targets: []int{at}})
	}
	c.body[at].Targets = []int{at + 1, len(c.body)}
}

func (c *chaotic) access() {
	kinds := []esl.AccessKind{esl.Read, esl.Read, esl.Read, esl.Write, esl.Write, esl.Write, esl.AtomicRead,
		esl.AtomicWrite, esl.RMW, esl.Increment}
	s := esl.Stmt{Op: esl.Access, Arg: c.IntN(len(c.program.Locations)), Access: kinds[c.IntN(len(kinds))]}
	if s.Access.Reads() && c.IntN(3) == 0 {
		s.Key = fmt.Sprintf("k%d", c.IntN(2))
	}
	c.emit(s)
}

func (c *chaotic) other() {
	processes := len(c.program.Processes)
	ops := []esl.Stmt{
		{Op: esl.Start, Arg: c.IntN(processes)}, {Op: esl.Start, Arg: c.IntN(processes)},
		{Op: esl.Start, Arg: c.IntN(processes)},
		{Op: esl.Join, Arg: c.IntN(processes)}, {Op: esl.Done}, {Op: esl.LockOp}, {Op: esl.Unlock},
		{Op: esl.Forget, Key: fmt.Sprintf("k%d", c.IntN(2))}, {Op: esl.Skip},
	}
	if c.IntN(2) == 0 {
		ops = append(ops, esl.Stmt{Op: esl.Set}, esl.Stmt{Op: esl.Await})
	}
	if c.IntN(2) == 0 {
		ops = append(ops, esl.Stmt{Op: esl.Send}, esl.Stmt{Op: esl.Send}, esl.Stmt{Op: esl.Receive},
			esl.Stmt{Op: esl.Receive},
			esl.Stmt{Op: esl.ReceiveClosed}, esl.Stmt{Op: esl.CloseChannel})
	}
	if c.program.Locks[0].Kind == esl.RW {
		ops = append(ops, esl.Stmt{Op: esl.RLock}, esl.Stmt{Op: esl.RUnlock})
	}
	if c.self != c.helper {
		ops = append(ops, esl.Stmt{Op: esl.Call, Arg: c.helper})
	}
	c.emit(ops[c.IntN(len(ops))])
}
