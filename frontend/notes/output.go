package notes

import (
	"github.com/empire-go/empire-go/esl"
)

// OutputMark is the key of the reads whose values flow only into logging, metrics or
// formatting for output. Nothing forgets it: it only says so.
const OutputMark = "output"

// HasOutput tells whether a read in the model flows only into output.
func HasOutput(p *esl.Program) bool {
	for _, f := range p.Functions {
		for _, st := range f.Body {
			if st.Key == OutputMark {
				return true
			}
		}
	}
	return false
}

// WithoutOutput returns the model without the reads that flow only into output.
func WithoutOutput(p *esl.Program) *esl.Program {
	return rewrite(p, isOutput, func(st esl.Stmt, _ int) []esl.Stmt { return []esl.Stmt{{Op: esl.Skip, Pos: st.Pos}} })
}

// OutputOnce returns the model in which a match has at most one read of a unit that
// flows only into output: each such read forgets the earlier ones, or is left out.
func OutputOnce(p *esl.Program) *esl.Program {
	return rewrite(p, isOutput, func(st esl.Stmt, at int) []esl.Stmt {
		return []esl.Stmt{{Op: esl.Choice, Targets: []int{at + 1, at + 3}}, {Op: esl.Forget, Key: OutputMark, Pos: st.Pos},
			st}
	})
}

func isOutput(_ esl.Function, st esl.Stmt) bool { return st.Key == OutputMark }

// rewrite replaces the statements of functions for which is holds, in a copy of the model. with
// returns what stands for such a statement that is at a place in the new body.
func rewrite(p *esl.Program, is func(f esl.Function, st esl.Stmt) bool,
	with func(st esl.Stmt, at int) []esl.Stmt) *esl.Program {
	copied := *p
	copied.Functions = nil
	for _, f := range p.Functions {
		var body []esl.Stmt
		moved := make([]int, len(f.Body)+1)
		isNew := map[int]bool{}
		for i, st := range f.Body {
			moved[i] = len(body)
			if !is(f, st) {
				body = append(body, st)
				continue
			}
			for _, replacement := range with(st, len(body)) {
				isNew[len(body)] = true
				body = append(body, replacement)
			}
		}
		moved[len(f.Body)] = len(body)
		for i, st := range body {
			if isNew[i] || len(st.Targets) == 0 {
				continue
			}
			var targets []int
			for _, t := range st.Targets {
				targets = append(targets, moved[t])
			}
			body[i].Targets = targets
		}
		f.Body = body
		copied.Functions = append(copied.Functions, f)
	}
	return &copied
}
