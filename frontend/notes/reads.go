package notes

import (
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// Swaps tells whether a statement is the access of a compare-and-swap that succeeds.
func Swaps(stmts []esl.Stmt) bool {
	return slices.ContainsFunc(stmts, func(st esl.Stmt) bool { return st.Op == esl.Access && st.Access == esl.RMW })
}

// LocationsRead names the locations that the statements read.
func LocationsRead(stmts []esl.Stmt) string {
	names := ""
	for _, st := range stmts {
		if st.Op == esl.Access && st.Access.Reads() {
			names += fmt.Sprint(st.Arg, " ")
		}
	}
	return names
}
