package keys

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// maxText bounds the characters of a key that is shown.
const maxText = 24

// Text returns the key of the entry that the instruction accesses, as it stands in the source, ""
// if there is none, or it is long. Syntax returns that of the file with a position, nil if it is not
// known.
func Text(syntax func(token.Pos) ast.Node, instr ssa.Instruction) (text string) {
	pos := instr.Pos()
	if _, key := Access(instr); key == nil {
		return ""
	}
	if call, ok := instr.(ssa.CallInstruction); ok {
		pos = call.Common().Pos()
	}
	root := syntax(pos)
	if root == nil {
		return ""
	}
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			if n.Lbrack == pos {
				text = types.ExprString(n.Index)
			}
		case *ast.CallExpr: // delete
			if n.Lparen == pos && len(n.Args) == 2 {
				text = types.ExprString(n.Args[1])
			}
		}
		return n == nil || n.Pos() <= pos && pos <= n.End()
	})
	if len(text) > maxText {
		return ""
	}
	return text
}

// Header returns the read of the field that leads to the map of which the instruction accesses an
// entry, if it is for that alone; else nil.
func Header(instr ssa.Instruction) *ssa.UnOp {
	m, _ := Access(instr)
	load, ok := m.(*ssa.UnOp)
	if !ok {
		return nil
	}
	for _, r := range *load.Referrers() {
		if _, isDebug := r.(*ssa.DebugRef); !isDebug && r != instr {
			return nil
		}
	}
	return load
}
