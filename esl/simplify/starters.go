package simplify

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// collapseStarters removes goroutines of the library that do nothing but start others,
// as a server that accepts connections: whoever starts one may start what it starts,
// in any order, any number of times. That adds runs, and loses none: what is started
// may wait as long as it likes, and nobody waits for it to end. Goroutines of the user's
// own stay, because a run tells what they do.
//
// base is extended by the functions of p that the new ones stand for.
func collapseStarters(p *esl.Program, base []int) []int {
	starts := newClosures(p)
	isStarter := starters(p, starts)
	if !slices.Contains(isStarter, true) {
		return base
	}
	c := &collapse{p: p, isStarter: isStarter, starts: starts, function: map[int]int{}, base: base}
	for f := range len(p.Functions) {
		p.Functions[f].Body = slices.Clone(p.Functions[f].Body)
		for i, s := range p.Functions[f].Body {
			switch {
			case s.Op == esl.Start && isStarter[s.Arg]:
				s.Op, s.Arg = esl.Call, c.functionFor(s.Arg)
			case s.Op == esl.Join && isStarter[s.Arg]:
				s = esl.Stmt{Op: esl.Skip, Pos: s.Pos}
			default:
				continue
			}
			p.Functions[f].Body[i] = s
		}
	}
	return c.base
}

// closures is what functions do with all that they call.
type closures struct {
	p     *esl.Program
	more  []bool                   // by function: more than starting and moving control
	known map[int]map[int]esl.Stmt // by function, as far as asked for: see starts
}

// newClosures finds out which functions do more than starting. Linear in the program.
func newClosures(p *esl.Program) *closures {
	c := &closures{p: p, more: make([]bool, len(p.Functions)), known: map[int]map[int]esl.Stmt{}}
	for i, f := range p.Functions {
		c.more[i] = slices.ContainsFunc(f.Body, func(s esl.Stmt) bool {
			switch s.Op {
			case esl.Call, esl.Start, esl.Skip, esl.Goto, esl.Choice, esl.Return, esl.Done:
				return false
			}
			return true
		})
	}
	esl.AddCallers(p.Callers(), c.more)
	return c
}

// starts returns the statements by which the function starts processes, by process; of
// several the first in the order of positions.
func (c *closures) starts(function int) map[int]esl.Stmt {
	if all, ok := c.known[function]; ok {
		return all
	}
	all := map[int]esl.Stmt{}
	seen := map[int]bool{function: true}
	for work := []int{function}; len(work) > 0; {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range c.p.Functions[f].Body {
			switch {
			case s.Op == esl.Call && !seen[s.Arg]:
				seen[s.Arg] = true
				work = append(work, s.Arg)
			case s.Op == esl.Start:
				if known, ok := all[s.Arg]; !ok || comparePositions(s.Pos, known.Pos) < 0 {
					all[s.Arg] = s
				}
			}
		}
	}
	c.known[function] = all
	return all
}

func comparePositions(a, b esl.Pos) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
}

// starters returns for each process whether it can be collapsed: the largest set such
// that they start only what nobody waits for.
func starters(p *esl.Program, closures *closures) []bool {
	joined := map[int]bool{}
	for _, f := range p.Functions {
		for _, s := range f.Body {
			if s.Op == esl.Join {
				joined[s.Arg] = true
			}
		}
	}
	is := make([]bool, len(p.Processes))
	for i, q := range p.Processes {
		is[i] = !q.Initial && q.Pos.File != "" && !q.Pos.InModule() && !closures.more[q.Entry]
	}
	for changed := true; changed; {
		changed = false
		for i, q := range p.Processes {
			if !is[i] {
				continue
			}
			for child := range closures.starts(q.Entry) {
				if joined[child] && !is[child] {
					is[i], changed = false, true
				}
			}
		}
	}
	return is
}

// collapse is the state of collapseStarters.
type collapse struct {
	p         *esl.Program
	isStarter []bool
	starts    *closures
	function  map[int]int // by process: the function that starts what it does
	base      []int
}

// functionFor returns the function that stands for a starter.
func (c *collapse) functionFor(process int) int {
	if f, made := c.function[process]; made {
		return f
	}
	entry := c.p.Processes[process].Entry
	f := len(c.p.Functions)
	c.function[process] = f
	c.base = append(c.base, entry)
	c.p.Functions = append(c.p.Functions, esl.Function{
		Name: fmt.Sprintf("%s [starts] %d", c.p.Functions[entry].Name, process),
		Body: anyOf(c.children(process)),
		Pos:  c.p.Functions[entry].Pos,
	})
	return f
}

// children returns the statements by which a starter, or one that it starts, starts
// others than starters, in order of the processes.
func (c *collapse) children(process int) []esl.Stmt {
	var all []esl.Stmt
	seen := map[int]bool{process: true}
	work := []int{process}
	for len(work) > 0 {
		q := work[len(work)-1]
		work = work[:len(work)-1]
		for child, start := range c.starts.starts(c.p.Processes[q].Entry) {
			switch {
			case seen[child]:
			case c.isStarter[child]:
				work = append(work, child)
			default:
				all = append(all, start)
			}
			seen[child] = true
		}
	}
	slices.SortFunc(all, func(a, b esl.Stmt) int { return a.Arg - b.Arg })
	return all
}

// anyOf returns a body that executes any of the statements, any number of times.
func anyOf(stmts []esl.Stmt) []esl.Stmt {
	body := []esl.Stmt{{Op: esl.Choice, Targets: []int{1}}, {Op: esl.Return}}
	for _, s := range stmts {
		body[0].Targets = append(body[0].Targets, len(body))
		body = append(body, s, esl.Stmt{Op: esl.Goto, Targets: []int{0}})
	}
	return body
}
