package simplify

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// OneForAll returns a program in which one process stands for all that can be started more than once: each of its
// copies does what one of them does, and then another, from when any of them is started. A wait for one of them
// never waits. So a question about two goroutines has the same few answers to try, however many places start some.
//
// The program has, but for the names of processes, all runs of p in which no more of them are at work at a time than
// any one of them has copies; and others. What is safe in it is safe for so many goroutines, whatever they are.
//
// The entry of that process is a new function, the last one, with the name. p is returned where there are fewer than
// two such processes; it is not changed. Linear.
func OneForAll(p *esl.Program, name string) *esl.Program {
	var merged []int
	copies := 0
	for i, q := range p.Processes {
		if q.Copies > 1 {
			merged = append(merged, i)
			copies = max(copies, q.Copies)
		}
	}
	if len(merged) < 2 {
		return p
	}
	all := *p
	all.Processes = nil
	becomes := make([]int, len(p.Processes))
	for i, q := range p.Processes {
		if !slices.Contains(merged, i) {
			becomes[i] = len(all.Processes)
			all.Processes = append(all.Processes, q)
		}
	}
	for _, i := range merged {
		becomes[i] = len(all.Processes)
	}
	all.Processes = append(all.Processes, esl.Process{Name: name, Entry: len(p.Functions), Copies: copies})
	all.Functions = nil
	for _, f := range p.Functions {
		f.Body = slices.Clone(f.Body)
		for i, st := range f.Body {
			switch {
			case st.Op == esl.Join && slices.Contains(merged, st.Arg):
				f.Body[i] = esl.Stmt{Op: esl.Skip, Pos: st.Pos}
			case st.Op == esl.Start || st.Op == esl.Join:
				f.Body[i].Arg = becomes[st.Arg]
			}
		}
		all.Functions = append(all.Functions, f)
	}
	var calls []esl.Stmt
	for _, k := range merged {
		calls = append(calls, esl.Stmt{Op: esl.Call, Arg: p.Processes[k].Entry})
	}
	all.Functions = append(all.Functions, esl.Function{Name: name, Body: anyOf(calls)})
	return &all
}
