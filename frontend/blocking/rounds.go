package blocking

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/polling"
)

// Of loops that only look for which no operation stands the model says where they are: that a goroutine never leaves
// one of them is for the search to find. An operation is named by its place in the source, so a loop has those that the
// goroutine executes nowhere else. A loop that the goroutine can leave and enter again with nothing between that shows
// in the model is none of these: it may get on, though it seems to go round.

// rounds returns these loops, and where the operations of each goroutine in them are.
func (l *lowerer) rounds() (places []map[esl.Pos]int, loops []Loop) {
	numbers := map[*ssa.BasicBlock]int{}
	for _, p := range l.processes {
		own, isElsewhere := map[esl.Pos]int{}, map[esl.Pos]bool{}
		for _, s := range slices.Concat(p.before, p.after) {
			isElsewhere[s.Pos] = true
		}
		again := p.enteredAgain()
		for _, at := range p.nodes {
			number := 0
			if at.spin != nil && !again[at.spin.exit()] {
				number = numbers[at.spin.exit()]
				if number == 0 {
					loops = append(loops, Loop{l.linesOf(at.spin.loop), l.exitOf(at.spin.loop)})
					number = len(loops)
					numbers[at.spin.exit()] = number
				}
			}
			for _, a := range at.arcs {
				for _, s := range a.stmts {
					if was := own[s.Pos]; number == 0 || was != 0 && was != number {
						isElsewhere[s.Pos] = true
					}
					own[s.Pos] = number
				}
			}
		}
		for pos := range isElsewhere {
			delete(own, pos)
		}
		places = append(places, own)
	}
	return places, loops
}

// exit is where the loop can be left: no other loop of the program is left there.
func (sp *spin) exit() *ssa.BasicBlock { return polling.Exit(sp.loop) }

// enteredAgain returns the loops, by their exits, that a goroutine can leave and enter again with nothing between that
// shows in the model.
func (p *process) enteredAgain() map[*ssa.BasicBlock]bool {
	again := map[*ssa.BasicBlock]bool{}
	for _, at := range p.nodes {
		if at.spin == nil {
			continue
		}
		exit, seen := at.spin.exit(), map[int]bool{}
		var queue []int
		for _, a := range at.arcs {
			if !a.stays {
				queue = append(queue, a.to)
			}
		}
		for ; len(queue) > 0 && !again[exit]; queue = queue[1:] {
			if queue[0] < 0 || seen[queue[0]] {
				continue
			}
			seen[queue[0]] = true
			next := p.nodes[queue[0]]
			again[exit] = next.spin != nil && next.spin.exit() == exit
			for _, a := range next.arcs {
				if !a.shows() {
					queue = append(queue, a.to)
				}
			}
		}
	}
	return again
}

// shows tells whether there is an operation on the way that stays in the model, whatever else the program does.
func (a arc) shows() bool {
	return slices.ContainsFunc(a.stmts, func(s esl.Stmt) bool {
		switch s.Op {
		case esl.Skip, esl.Assign, esl.Swap, esl.Test:
			return false
		}
		return true
	})
}
