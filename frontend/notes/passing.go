package notes

import (
	"slices"
	"strings"

	"github.com/empire-go/empire-go/esl"
)

// passingKey begins the keys of these reads.
const PassingKey = "passing"

// HasPassing tells whether the model forgets reads that decide only what passes.
func HasPassing(p *esl.Program) bool {
	return slices.ContainsFunc(p.Functions, func(f esl.Function) bool {
		return slices.ContainsFunc(f.Body, forgetsPassing)
	})
}

// WithPassing returns the model in which reads that decide only what passes are not
// forgotten.
func WithPassing(p *esl.Program) *esl.Program {
	return p.Rewritten(func(_ esl.Place, st esl.Stmt) esl.Stmt {
		if forgetsPassing(st) {
			return esl.Stmt{Op: esl.Skip, Pos: st.Pos}
		}
		return st
	})
}

func forgetsPassing(st esl.Stmt) bool {
	return st.Op == esl.Forget && strings.HasPrefix(st.Key, PassingKey)
}
