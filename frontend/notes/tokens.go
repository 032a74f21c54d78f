package notes

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// Token is a checked object in a channel or pool, as a channel of the model.
type Token struct {
	Object  int
	Channel int
	Made    int // the flag that says that the object was made
}

// SettleTokens adds a process that does what goroutines may do with objects of which the
// model has only a few: it makes one and puts it in, or takes one out in one place and puts
// it in in another. Added is false if there is nothing of the kind.
func SettleTokens(p *esl.Program, tokens []Token) (added bool) {
	var paths [][2]esl.Stmt
	for _, process := range p.Processes {
		if process.Copies == 1 {
			continue
		}
		in := p.ExecutedFrom(process.Entry)
		for _, token := range tokens {
			put := esl.Stmt{Op: esl.Send, Arg: token.Channel}
			if !executes(p, in, put) {
				continue
			}
			ways := []esl.Stmt{{Op: esl.Set, Arg: token.Made}}
			for _, from := range tokens {
				if from.Object == token.Object && from.Channel != token.Channel {
					ways = append(ways, esl.Stmt{Op: esl.Receive, Arg: from.Channel})
				}
			}
			for _, way := range ways {
				if executes(p, in, way) {
					paths = append(paths, [2]esl.Stmt{way, put})
				}
			}
		}
	}
	if len(paths) == 0 {
		return false
	}
	order := func(a, b [2]esl.Stmt) int {
		return cmp.Or(cmp.Compare(a[0].Op, b[0].Op), cmp.Compare(a[0].Arg, b[0].Arg), cmp.Compare(a[1].Arg, b[1].Arg))
	}
	slices.SortFunc(paths, order)
	paths = slices.CompactFunc(paths, func(a, b [2]esl.Stmt) bool { return order(a, b) == 0 })
	body := []esl.Stmt{{Op: esl.Choice}}
	for _, path := range paths {
		body[0].Targets = append(body[0].Targets, len(body))
		body = append(body, path[0], path[1], esl.Stmt{Op: esl.Goto, Targets: []int{0}})
	}
	p.Functions = append(p.Functions, esl.Function{Name: "goroutines beyond the modelled copies", Body: body})
	p.Processes = append(p.Processes, esl.Process{
		Name: fmt.Sprintf("g%d", len(p.Processes)), Entry: len(p.Functions) - 1, Copies: 1})
	beginWith(&p.Functions[p.Processes[0].Entry], esl.Stmt{Op: esl.Start, Arg: len(p.Processes) - 1})
	return true
}

// executes tells whether one of the functions has such a statement.
func executes(p *esl.Program, in []bool, st esl.Stmt) bool {
	for f, chosen := range in {
		if chosen && slices.ContainsFunc(p.Functions[f].Body, func(other esl.Stmt) bool {
			return other.Op == st.Op && other.Arg == st.Arg
		}) {
			return true
		}
	}
	return false
}

// beginWith lets a function begin with a statement.
func beginWith(f *esl.Function, st esl.Stmt) {
	f.Body = append([]esl.Stmt{st}, f.Body...)
	for i := range f.Body {
		targets := slices.Clone(f.Body[i].Targets)
		for t := range targets {
			targets[t]++
		}
		f.Body[i].Targets = targets
	}
}
