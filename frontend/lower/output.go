package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// OutputMark is the key of the reads whose values flow only into logging, metrics or
// formatting for output. Nothing forgets it: it only says so.
const OutputMark = "output"

// markOutput marks the reads of an instruction if its value only flows into output.
func (c *clone) markOutput(instr ssa.Instruction, outcomes []outcome) {
	if !c.fn.isOutput(instr) {
		return
	}
	for _, o := range outcomes {
		for i, st := range o.stmts {
			if st.Op == esl.Access && st.Access.Reads() && !st.Access.Writes() && st.Key == "" {
				o.stmts[i].Key = OutputMark
			}
		}
	}
}

// isOutput tells whether what the instruction reads flows only into output: it is a
// call that writes its arguments there, or its value is used by nothing else.
func (f *function) isOutput(instr ssa.Instruction) bool {
	if call, ok := instr.(*ssa.Call); ok && !ssaflow.Computes(instr) {
		return knowledge.IsOutput(call.Common())
	}
	v, ok := instr.(ssa.Value)
	if !ok || !modref.IsRead(instr) {
		return false
	}
	written := false
	seen := map[ssa.Value]bool{v: true}
	work := []ssa.Value{v}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, user := range *v.Referrers() {
			next, ok := flowsOn(v, user)
			if !ok {
				return false
			}
			if call, isCall := user.(ssa.CallInstruction); isCall && knowledge.IsOutput(call.Common()) {
				written = true
			}
			if next != nil && !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	return written
}

// flowsOn tells whether an instruction only computes with a value or hands it on to
// output, and returns the value that it flows into, if any.
func flowsOn(v ssa.Value, user ssa.Instruction) (next ssa.Value, ok bool) {
	switch u := user.(type) {
	case *ssa.DebugRef:
		return nil, true
	case *ssa.Store: // into the slice of the arguments of a call
		element, isElement := u.Addr.(*ssa.IndexAddr)
		if !isElement || u.Val != v {
			return nil, false
		}
		array, isAlloc := element.X.(*ssa.Alloc)
		if !isAlloc || array.Comment != "varargs" {
			return nil, false
		}
		for _, r := range *array.Referrers() {
			if slice, isSlice := r.(*ssa.Slice); isSlice {
				next = slice
			}
		}
		return next, next != nil
	case ssa.CallInstruction:
		result, _ := user.(ssa.Value)
		if knowledge.IsOutput(u.Common()) || knowledge.IsFormatting(u.Common()) || ssaflow.Computes(user) {
			return result, true
		}
		return nil, false
	}
	if !ssaflow.Computes(user) {
		return nil, false
	}
	return user.(ssa.Value), true
}

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
	return rewrite(p, func(st esl.Stmt, _ int) []esl.Stmt { return []esl.Stmt{{Op: esl.Skip, Pos: st.Pos}} })
}

// OutputOnce returns the model in which a match has at most one read of a unit that
// flows only into output: each such read forgets the earlier ones, or is left out.
func OutputOnce(p *esl.Program) *esl.Program {
	return rewrite(p, func(st esl.Stmt, at int) []esl.Stmt {
		return []esl.Stmt{{Op: esl.Choice, Targets: []int{at + 1, at + 3}}, {Op: esl.Forget, Key: OutputMark, Pos: st.Pos}, st}
	})
}

// rewrite replaces the reads that flow only into output, in a copy of the model. with
// returns what stands for such a read that is at a place in the new body.
func rewrite(p *esl.Program, with func(st esl.Stmt, at int) []esl.Stmt) *esl.Program {
	copied := *p
	copied.Functions = nil
	for _, f := range p.Functions {
		var body []esl.Stmt
		moved := make([]int, len(f.Body)+1)
		isNew := map[int]bool{}
		for i, st := range f.Body {
			moved[i] = len(body)
			if st.Key != OutputMark {
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
